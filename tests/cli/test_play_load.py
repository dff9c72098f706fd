"""`plyboard play --load --from`: games that go on from a position in any format."""

from __future__ import annotations

from pathlib import Path

import pytest

from plyboard.cli.main import _run as run
from plyboard.games import Position, spec_of
from plyboard.games.formats import Format, known_formats
from plyboard.play import Match
from plyboard.play.record import read_records

POSITIONS = {
    "connect-four": Position("connect-four").play("4", "4", "5", "1"),
    "conniption": Position("conniption").play("4", "4"),
    "extended": Position("extended").play("1", "2"),
    "squatter": Position("squatter").play("a1", "b1"),
}


def played_from(file: Path, *options: str) -> Match:
    """Have two agents play on from a file, and return the record of their game."""
    out = file.with_name("out.txt")
    agents = ["--me", "random", "--opponent", "random", "--seed", "1"]

    assert run(["play", *options, "--load", str(file), *agents, "--save", str(out)]) == 0
    (match,) = read_records(str(out))
    return match


@pytest.mark.parametrize(
    ("each", "game"),
    [(each, game) for each in known_formats() for game in each.games],
    ids=lambda value: value if isinstance(value, str) else value.name,
)
def test_a_game_goes_on_from_a_position_in_every_format(
    each: Format, game: str, tmp_path: Path
) -> None:
    position = POSITIONS[game]
    file = tmp_path / "in.txt"
    file.write_text(each.write(position))
    named = [] if each.name == "position" else [game]

    match = played_from(file, *named, "--from", each.name)

    assert position in match.positions
    assert len(match.turns) > len(position.moves)
    assert match.end is not None


def test_moves_that_a_file_tells_are_part_of_the_game(tmp_path: Path) -> None:
    file = tmp_path / "in.txt"
    file.write_text("4 4 5\n")

    match = played_from(file, "--from", "moves")

    assert match.start == Position("connect-four")
    assert match.positions[3].moves == ("4", "4", "5")


def test_a_file_that_tells_its_size_is_played_on_a_board_of_that_size(tmp_path: Path) -> None:
    file = tmp_path / "in.txt"
    file.write_text("3\n" + 4 * "0 0 0 0\n")

    match = played_from(file, "--from", "extended-case")

    assert spec_of(match.start.game) == "extended:rows=4,columns=4,pops=3"


@pytest.mark.parametrize(
    ("first", "players"), [("me", ("alice", "random")), ("them", ("random", "alice"))]
)
def test_first_says_who_makes_the_next_move(
    first: str, players: tuple[str, str], tmp_path: Path
) -> None:
    file, out = tmp_path / "in.txt", tmp_path / "out.txt"
    file.write_text("445\n")  # the second player is next
    options = ["--from", "moves", "--me", "random", "--opponent", "alice", "--first", first]

    assert run(["play", "--load", str(file), *options, "--save", str(out)]) == 0
    (match,) = read_records(str(out))
    assert match.heading.players == players
