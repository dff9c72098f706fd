"""Every front writes and reads a move in the position in which it is played."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator

import pytest
from boards import uncompiled

from plyboard.agents.catalogue import explainer
from plyboard.analysis.moves import valued_moves
from plyboard.analysis.reasons.points import point_reasons
from plyboard.analysis.reasons.reason import ReasonKind
from plyboard.analysis.reasons.registry import reasons_from
from plyboard.analysis.review import review
from plyboard.analysis.summary import position_facts
from plyboard.analysis.trees.to_dot import dot
from plyboard.analysis.trees.to_html import html
from plyboard.analysis.trees.to_json import as_json
from plyboard.analysis.trees.to_text import text
from plyboard.analysis.trees.tree_builder import build_tree
from plyboard.errors import NotationError
from plyboard.games import Position
from plyboard.games.connect_four import ConnectFour, discs_played
from plyboard.games.formats import format_named
from plyboard.games.formats.uci_variants import variant
from plyboard.games.reading import unreadable
from plyboard.games.rules import State
from plyboard.games.squatter import Squatter
from plyboard.play.match import Match, Turn
from plyboard.play.record import read_record, write_record
from plyboard.search.common.budget import Budget
from plyboard.uci.commands import parse_position
from plyboard.uci.report import moves_of

SMALL = "connect-four:columns=4,rows=4"
PLIES = re.compile(r"\b[1-4]@([0-9]+)")


@pytest.fixture(autouse=True)
def _numbered(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let a move be the column and the ply, `3@5`, which is no move at another ply."""

    def format_move(_game: ConnectFour, state: State, action: int) -> str:
        return f"{action + 1}@{discs_played(state) + 1}"

    def parse_move(game: ConnectFour, state: State, told: str) -> int:
        column, _, ply = told.partition("@")
        if ply != str(discs_played(state) + 1) or column not in "1234":
            raise unreadable("not a move", "move", told, "a column and the ply")
        return int(column) - 1

    monkeypatch.setattr(ConnectFour, "format_move", format_move)
    monkeypatch.setattr(ConnectFour, "parse_move", parse_move)
    with uncompiled():
        yield


def plies(told: str) -> list[int]:
    """Return the plies of the moves in a text."""
    return [int(ply) for ply in PLIES.findall(told)]


def middle() -> Position:
    return Position(SMALL).play("2@1", "2@2 3@3", "1@4,1@5")


def test_moves_are_read_and_written_where_they_are_played() -> None:
    position = middle()

    assert position.moves == ("2@1", "2@2", "3@3", "1@4", "1@5")
    assert position.legal_moves() == ("1@6", "2@6", "3@6", "4@6")
    assert position.move_texts([0, 0, 0]) == ("1@6", "1@7")  # the column is full
    assert Position.read(f"{SMALL} {' '.join(position.moves)}") == position
    with pytest.raises(NotationError, match="move 2"):
        Position(SMALL).play("2@1 2@1")
    for name in ("moves", "position"):
        form = format_named(name)
        assert form.read(form.write(position), position.game) == position


@pytest.mark.parametrize("form", ["text", "json"])
def test_records_hold_such_moves_in_variations_too(form: str) -> None:
    line = (Turn(3), Turn(2, variations=((Turn(0), Turn(1)),)))
    match = Match.leading_to(middle()).play("1@6", Turn(None, variations=(line,))).play("4@7")
    told = write_record(match, "json" if form == "json" else "text")

    assert match.moves[-2:] == ("1@6", "4@7")
    assert sorted(plies(told)) == [1, 2, 3, 4, 5, 6, 6, 7, 7, 7, 8]
    assert read_record(told) == match


def test_programs_get_and_give_such_moves() -> None:
    chosen, line = variant(SMALL), (0, 2, 2)

    assert moves_of(chosen, middle(), line) == ["1@6", "3@7", "3@8"]
    assert parse_position(["startpos", "moves", *middle().moves], chosen) == middle()


def test_analyses_write_lines_move_by_move() -> None:
    moves = valued_moves(middle(), Budget(depth=4))
    found = position_facts(middle(), moves)["moves"]

    assert max(len(each["line"]) for each in found) > 1
    for each in found:
        assert plies(" ".join(each["line"])) == list(range(6, 6 + len(each["line"])))
    named = [each.name for _, each in review(Match.leading_to(middle()), Budget(depth=3)).moves]
    assert plies(" ".join(named)) == [1, 2, 3, 4, 5]


@pytest.mark.parametrize(
    ("moves", "action", "told"),
    [
        ("3@1 3@2", 0, "threatens the line 1-3 in row 1 by 2@5; only 2@4 stops it"),
        ("3@1 3@2", 1, "makes two threats at once: 4@5 and 1@5"),
        ("3@1 3@2", 2, "misses a win in 3 plies: 2@3 2@4 4@5"),
        ("2@1 1@2 2@3 4@4 4@5", 2, "lets the opponent .* by playing 2@7 \\(or 3@7\\)"),
        ("2@1 3@2 2@3 3@4", 2, "stops the line in column 3, rows 1-3; so does 2@5"),
        ("2@1 1@2 1@3 3@4", 0, "wins in 5 plies, later than 2@5, which wins in 3 plies"),
    ],
)
def test_reasons_name_replies_and_answers(moves: str, action: int, told: str) -> None:
    position = Position(f"{SMALL},line=3").play(moves)
    found = reasons_from(position, action, valued_moves(position, Budget(depth=5)))

    assert any(re.fullmatch(told, each.text) for each in found), [each.text for each in found]


def test_reasons_with_points_do_so_too(monkeypatch: pytest.MonkeyPatch) -> None:
    def format_move(game: Squatter, state: State, action: int) -> str:
        return f"{game.cell_name(action)}@{game.players[game.rules.mover(state)]}"

    monkeypatch.setattr(Squatter, "format_move", format_move)
    chance, told = random.Random(4), dict[ReasonKind, str]()
    for _ in range(30):
        position = Position("squatter:size=4")
        for _ in range(8):
            position = position.apply_action(chance.choice(position.legal_actions()))
        names = {position.mover: "me", 1 - position.mover: "you"}
        for action in position.legal_actions():
            for each in point_reasons(position, action):
                text = each.text
                for player, symbol in enumerate(position.game.players):
                    text = text.replace(f"@{symbol}", f"@{names[player]}")
                told[each.kind] = re.sub("[0-9]+ cells?", "cells", re.sub("[a-d][1-4]@", "@", text))

    assert told[ReasonKind.PASSES_UP] == "passes up cells by @me"
    assert told[ReasonKind.LETS_GAIN].startswith(
        "lets the opponent gain cells by @you; after @me it is "
    )
    assert "cells by @me" in told[ReasonKind.THREATENS_GAIN]
    assert "@me" not in told[ReasonKind.STOPS_GAIN]


def test_trees_write_each_move_at_its_node() -> None:
    position = middle()
    tree = build_tree(position, explainer("engine:depth=3", SMALL).explain(position, Budget()))

    for node in tree.root.walk():
        if node.parent is not None:
            assert tree.move_text(node) == f"{node.action + 1}@{5 + node.ply}"
    for line in text(tree):
        ply = re.search(r"^[|-]*[AB]([0-9]+): ", line)
        assert set(plies(line)) == {5 + int(ply[1] if ply else 1)}  # the last line has no number
    assert plies(" ".join(json.loads("".join(as_json(tree)))["line"]))[0] == 6
    assert set(plies("\n".join(dot(tree)))) == set(plies(html(tree, "engine"))) == {6, 7, 8}
