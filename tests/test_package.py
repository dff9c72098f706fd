"""The names at the top of the package, and what importing it costs."""

from __future__ import annotations

import subprocess
import sys

import pytest

import plyboard
from plyboard import analysis, errors, games, play


def test_dir_shows_the_names_to_start_with() -> None:
    assert dir(plyboard) == sorted(plyboard.__all__)
    assert {"Match", "Position", "agent", "open_bot", "review"} <= set(dir(plyboard))
    for name in dir(plyboard):
        assert getattr(plyboard, name), name


def test_the_names_are_those_of_the_modules() -> None:
    assert plyboard.Position is games.Position
    assert plyboard.game is games.game
    assert plyboard.Match is play.Match
    assert plyboard.PlyboardError is errors.PlyboardError
    assert plyboard.review.__module__ == f"{analysis.__name__}.review"


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'plyboard' has no attribute 'position'"):
        plyboard.position  # noqa: B018


def test_importing_the_package_imports_nothing_else() -> None:
    script = (
        "import sys, plyboard; dir(plyboard); print([n for n in sys.modules if 'plyboard' in n])"
    )
    command = [sys.executable, "-c", script]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout

    assert said == "['plyboard']\n"
