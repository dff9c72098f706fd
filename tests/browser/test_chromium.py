"""The browser itself: it is found or asked for in one line, and sees what a page does wrong."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from browser import chromium
from browser.chromium import VARIABLE, NoBrowserError, Visits, find_browser


def program(folder: Path, name: str) -> Path:
    path = folder / name
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder that is all of the path, on a system with nothing beside it."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setattr(chromium, "NAMES", ("chromium", "google-chrome"))
    return tmp_path


@pytest.mark.parametrize("name", ["chromium", "google-chrome"])
def test_one_that_is_installed_is_found(name: str, path: Path) -> None:
    installed = program(path, name)

    assert find_browser() == str(installed)


def test_one_that_is_named_goes_before_one_that_is_installed(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(path, "chromium")
    named = program(path, "mine")
    monkeypatch.setenv(VARIABLE, str(named))

    assert find_browser() == str(named)


def test_without_one_there_is_one_line_that_says_what_to_install(path: Path) -> None:
    with pytest.raises(NoBrowserError) as raised:
        find_browser()

    assert str(raised.value) == (
        "no browser for the tests of pages: got none on the path; expected Chromium or Chrome,"
        " installed (apt-get install chromium) or named by PLYBOARD_BROWSER=/path/to/it"
    )


def test_a_name_that_leads_nowhere_ends_make_test_in_one_line() -> None:
    answer = subprocess.run(
        [sys.executable, chromium.__file__],
        env=os.environ | {VARIABLE: "/nonexistent"},
        capture_output=True,
        text=True,
        check=False,
    )

    assert (answer.returncode, answer.stdout) == (1, "")
    assert answer.stderr == (
        "error: no browser at PLYBOARD_BROWSER: got '/nonexistent'; expected Chromium or Chrome\n"
    )


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("<script>nothing.there()</script>", "nothing is not defined"),
        ("<script>console.error('oh')</script>", "oh"),
        ("<script>console.log('hm')</script>", "hm"),
    ],
)
def test_what_goes_wrong_in_a_page_is_noticed(
    text: str, complaint: str, visits: Visits, tmp_path: Path
) -> None:
    path = tmp_path / "page.html"
    path.write_text(f"<!doctype html>{text}")

    assert visits.open(path).complaints == [complaint]


def test_what_a_page_wants_from_elsewhere_is_noticed(visits: Visits, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text("<!doctype html><img src='http://nowhere.invalid/a.png'>")

    assert visits.open(path).requests == [path.as_uri(), "http://nowhere.invalid/a.png"]
