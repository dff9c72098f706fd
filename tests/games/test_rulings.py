"""Promise R6: every odd case has a written ruling; the rules and their oracles keep them all."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from oracles import ORACLES

from plyboard.errors import IllegalMoveError, NotationError
from plyboard.games import GAMES, Position, game
from plyboard.games.game import values_of

pytestmark = pytest.mark.kernels

HERE = Path(__file__).parent.parent / "rulings"
PAGES = Path(__file__).parent.parent.parent / "docs" / "rules"
ROWS: list[tuple[str, dict[str, Any]]] = [
    (path.stem, row)
    for path in sorted(HERE.glob("*.toml"))
    for row in tomllib.loads(path.read_text())["ruling"]
]
EXPECTATIONS = {
    "text", "legal", "includes", "excludes", "refused", "unreadable", "outcome", "scores",
}  # fmt: skip
KEYS = EXPECTATIONS | {"id", "says", "game", "start", "moves"}


def position_of(row: dict[str, Any]) -> Position:
    return Position(game(row["game"]), row.get("start")).play(*row.get("moves", ()))


@pytest.mark.parametrize("row", [pytest.param(row, id=f"{name}-{row['id']}") for name, row in ROWS])
def test_the_rules_keep_the_ruling(row: dict[str, Any]) -> None:
    position = position_of(row)
    outcome = position.outcome()
    winner = "none" if outcome is None else ("first", "second", "draw")[
        2 if outcome.winner is None else outcome.winner
    ]  # fmt: skip

    assert row.get("text", position.text()) == position.text()
    assert tuple(row.get("legal", position.legal_moves())) == position.legal_moves()
    assert set(row.get("includes", ())) <= set(position.legal_moves())
    assert not set(row.get("excludes", ())) & set(position.legal_moves())
    assert row.get("outcome", winner) == winner
    assert tuple(row.get("scores", position.scores() or ())) == (position.scores() or ())
    if "refused" in row:
        with pytest.raises(IllegalMoveError):
            position.play(row["refused"])
    if "unreadable" in row:
        with pytest.raises(NotationError):
            position.parse_move(row["unreadable"])


@pytest.mark.parametrize("row", [pytest.param(row, id=f"{name}-{row['id']}") for name, row in ROWS])
def test_the_oracle_keeps_the_ruling(row: dict[str, Any]) -> None:
    rules = game(row["game"])
    oracle: Any = ORACLES[rules.name](**values_of(rules))
    state = oracle.read(row["start"]) if "start" in row else oracle.start()
    for move in row.get("moves", ()):
        state = oracle.play(state, move)
    legal = oracle.moves(state)

    assert row.get("text", oracle.text(state)) == oracle.text(state)
    assert row.get("legal", legal) == legal
    assert set(row.get("includes", ())) <= set(legal)
    assert not set(row.get("excludes", ())) & set(legal)
    assert row.get("outcome", oracle.outcome(state) or "none") == (oracle.outcome(state) or "none")
    if "scores" in row:
        assert tuple(row["scores"]) == oracle.scores(state)
    if "refused" in row:
        with pytest.raises(ValueError, match=r"."):
            oracle.play(state, row["refused"])


def test_every_ruling_expects_something_and_is_known() -> None:
    for _, row in ROWS:
        assert set(row) <= KEYS
        assert set(row) & EXPECTATIONS


@pytest.mark.parametrize("name", [kind.name for kind in GAMES])
def test_each_rule_set_has_forty_rulings_and_its_page_names_them_all(name: str) -> None:
    rulings = [row["id"] for stem, row in ROWS if stem == name]
    page = (PAGES / f"{name}.md").read_text()
    named = set(re.findall(rf"\[`([a-z0-9-]+)`\]\(\.\./\.\./tests/rulings/{name}\.toml\)", page))

    assert len(rulings) >= 40
    assert len(set(rulings)) == len(rulings)
    assert named == set(rulings)
