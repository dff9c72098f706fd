"""A game at the prompt: moves, commands, nonsense, and the end of the input."""

from __future__ import annotations

import io

import pytest

from plyboard.agents import Budget, agent
from plyboard.games import Position
from plyboard.terminal.session import Session


def play(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], lines: str,
    spec: str = "connect-four", human: int = 0, opponent: str = "random",
) -> tuple[Session, str]:  # fmt: skip
    monkeypatch.setattr("sys.stdin", io.StringIO(lines))
    session = Session(Position(spec), agent(opponent), human, seed=7)
    session.run()
    return session, capsys.readouterr().out


Fixtures = tuple[pytest.MonkeyPatch, pytest.CaptureFixture[str]]


@pytest.fixture
def tools(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Fixtures:
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TERM", "dumb")
    return monkeypatch, capsys


def test_a_move_is_answered_by_a_move(tools: Fixtures) -> None:
    session, out = play(*tools, "4\n")

    assert session.position.moves[0] == "4"
    assert len(session.position.moves) == 2
    assert "o plays " in out
    assert out.endswith("x> bye\n")


@pytest.mark.parametrize("word", ["q", "quit", "QUIT", " quit "])
def test_quit_leaves(tools: Fixtures, word: str) -> None:
    session, out = play(*tools, f"{word}\n4\n")

    assert session.position.moves == ()
    assert out.endswith("bye\n")


@pytest.mark.parametrize("word", ["", "h", "help", "?", "HELP"])
def test_help_names_the_commands_and_the_moves(tools: Fixtures, word: str) -> None:
    _, out = play(*tools, f"{word}\n")

    assert "undo     back to your previous turn" in out
    assert "play it: 1 2 3 4 5 6 7" in out


def test_undo_goes_back_to_the_previous_turn_as_often_as_there_is_one(tools: Fixtures) -> None:
    session, out = play(*tools, "4\n4\nu\nundo\nu\n")

    assert session.position.moves == ()
    assert out.count("Back to your previous turn.") == 2
    assert "Cannot undo past the current state." in out


def test_undo_never_gives_away_the_opponents_first_move(tools: Fixtures) -> None:
    session, out = play(*tools, "u\n4\nu\nu\n", human=1)

    assert len(session.position.moves) == 1
    assert out.count("Cannot undo past the current state.") == 2


@pytest.mark.parametrize(
    "word", ["0", "8", "44", "4x", "-1", "\uff14", "\u00b2", "xyzzy", "\x1b[A", "\x00"]
)
def test_nonsense_changes_nothing_and_says_what_is_expected(tools: Fixtures, word: str) -> None:
    session, out = play(*tools, f"{word}\n")

    assert session.position.moves == ()
    assert "not a move at move: got " in out
    assert "expected [1-7]; or help" in out
    assert "\x1b" not in out


def test_a_line_of_ten_mebibytes_is_cut(tools: Fixtures) -> None:
    session, out = play(*tools, "4" * 10 * 2**20 + "\n4\n")

    assert session.position.moves[0] == "4"
    assert len(out) < 2000


def test_an_illegal_move_says_why(tools: Fixtures) -> None:
    _, out = play(*tools, "1f\nf1\nf1f\n", spec="conniption:flips=1")

    assert "illegal move f1: flips needed: 1; left: 0" in out


def test_capital_letters_and_blanks_are_taken(tools: Fixtures) -> None:
    session, _ = play(*tools, "  F4 \n", spec="conniption")

    assert session.position.moves[0] == "f4"


def test_display_tells_everything_about_the_position(tools: Fixtures) -> None:
    _, out = play(*tools, "d\n", spec="extended")

    assert "position: ......../" in out
    assert "points: 0 to 0; pops left: 6 and 6" in out
    assert "next: 1" in out


def test_a_game_can_be_played_to_its_end(tools: Fixtures) -> None:
    session, out = play(*tools, "a1\nb1\nc1\na2\nb2\nc2\na3\nb3\nc3\n" * 3, spec="squatter:size=3")

    assert session.position.outcome() is not None
    assert "game over: a draw (no cell is left, 0 to 0)" in out


def test_the_playouts_agent_wins_at_once_and_stops_a_win() -> None:
    sampler = agent("playouts:games=50")
    winning = Position("connect-four").play(*"121212")
    losing = Position("connect-four").play(*"12131")

    assert sampler.choose(winning).action == 0
    assert sampler.choose(losing).action == 0


def test_the_playouts_agent_beats_chance() -> None:
    players = (agent("playouts:games=100"), agent("random"))
    wins = 0
    for seed in range(10):
        position = Position("connect-four")
        while position.outcome() is None:
            turn = Budget(seed=100 * seed + len(position.moves))
            choice = players[position.mover].choose(position, turn)
            position = position.play(choice.action)
        outcome = position.outcome()
        wins += outcome is not None and outcome.winner == 0

    assert wins == 10
