"""The order in which `make test` deals out files."""

from pathlib import Path

from scheduling import recorded


def test_the_files_that_take_long_are_still_there() -> None:
    assert [file for file in recorded() if not Path(file).is_file()] == []
