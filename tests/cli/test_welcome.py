"""The first words: every example that they give can be run."""

from __future__ import annotations

from pathlib import Path

import pytest

from plyboard.cli import serve
from plyboard.cli.common.welcome import EXAMPLES
from plyboard.cli.main import _run as run
from plyboard.games import GAMES
from plyboard.games.catalogue import known_games

RUN_HERE = [example for example, _ in EXAMPLES if example != serve.EXAMPLE]
# tests/server runs that one


@pytest.mark.parametrize("example", RUN_HERE)
def test_every_example_runs(
    example: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))  # events are stored there
    words = example.split()
    code = run(words[1:])
    said = capsys.readouterr()

    assert words[0] == "plyboard"
    assert (code, said.err) == (0, "")
    assert said.out


def test_every_game_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([]) == 0
    out = capsys.readouterr().out

    names = list(known_games())  # those of packages come last
    assert names[: len(GAMES)] == [kind.name for kind in GAMES]
    assert f"Games: {', '.join(names)}." in " ".join(out.split())
    assert max(map(len, out.splitlines())) <= 80
