"""The five programs that Plyboard grew from are plug-ins: no other room knows them."""

from __future__ import annotations

import re
from pathlib import Path

from plyboard import plugins

SOURCE = Path(__file__).parents[2] / "src" / "plyboard"
WORDS = {"alice", "bill", "jericho", "course", "courses"}


def test_no_other_room_names_an_origin() -> None:
    """Names are their words, what they register with a hyphen, and the path of their package."""
    registered = {point.name for point in plugins.bundled() if "-" in point.name}
    names = "|".join(sorted(map(re.escape, WORDS | registered), key=len, reverse=True))
    named = re.compile(rf"plyboard\.origins|(?<!of )(?<![\w-])({names})(?![\w-])", re.IGNORECASE)
    outside = (path for path in sorted(SOURCE.rglob("*.py")) if "origins" not in path.parts)

    found = [
        f"{path.relative_to(SOURCE)}:{number}: {line.strip()}"
        for path in outside
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if named.search(line)
    ]
    assert not found


def test_each_of_the_five_registers_something() -> None:
    homes = {point.value.partition(":")[0].split(".")[2] for point in plugins.bundled()}
    folders = {path.name for path in (SOURCE / "origins").iterdir() if path.is_dir()}

    assert homes >= folders - {"__pycache__"}
    assert len(folders - {"__pycache__"}) == 5
