"""Tests cite promises by number; docs/promises.md says what each number means."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "promises.md").read_text("utf-8")
NUMBER = r"[A-Z]\d{1,2}\b"
CITED = re.compile(rf"Promises? ({NUMBER}(?:(?:, | and |, and ){NUMBER})*)")


def test_every_promise_that_a_test_cites_is_on_the_page() -> None:
    promised = set(re.findall(rf"^\| ({NUMBER})", PAGE, re.MULTILINE))
    cited = {
        number: path.relative_to(ROOT).as_posix()
        for path in sorted((ROOT / "tests").rglob("*.py"))
        for numbers in CITED.findall(path.read_text("utf-8"))
        for number in re.findall(NUMBER, numbers)
    }

    assert len(cited) > 20
    assert {number: file for number, file in cited.items() if number not in promised} == {}


def test_every_promise_has_a_test_or_a_command() -> None:
    rows = [line for line in PAGE.splitlines() if re.match(rf"\| {NUMBER}", line)]

    assert [row for row in rows if "](../tests/" not in row and "| `" not in row] == []
