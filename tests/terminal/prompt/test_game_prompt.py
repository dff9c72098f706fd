"""A game at the prompt: moves, commands, nonsense, and the end of the input."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
from terminal.desk import played, players_of

from plyboard.agents import Budget, Choice
from plyboard.agents.agent import NO_LIMIT
from plyboard.games import Position
from plyboard.play import AgentSeat
from plyboard.terminal.prompt.players import HUMAN, Player, Players

BY_HAND = (Player(HUMAN), Player(HUMAN))


def test_a_move_is_answered_by_a_move() -> None:
    game_prompt, out = played("4\n")

    assert game_prompt.position.moves[0] == "4"
    assert len(game_prompt.position.moves) == 2
    assert "o plays " in out
    assert out.endswith("x> \n")


def test_the_state_is_told_at_the_start_of_every_turn() -> None:
    _, out = played("4f\n", "conniption")

    assert "flips left: W 4, B 4; a flip may come first\nnext: W (you)\nW> " in out
    assert "flips left: W 3, B 4; no flip may come first\nnext: B (random)\nB plays " in out
    assert out.count("next: W (you)\nW> ") == 2


def test_what_is_piped_in_is_shown_as_if_it_were_typed() -> None:
    _, out = played("4\n\x1b[2J\n" + "9" * 100 + "\n")

    assert "x> 4\n" in out
    assert "x> \\x1b[2J\n" in out
    assert f"x> {'9' * 60}...\n" in out


@pytest.mark.parametrize("word", ["q", "quit", "QUIT", " quit ", "qu", "exit", "ex"])
def test_quit_leaves(word: str) -> None:
    game_prompt, out = played(f"{word}\n4\n")

    assert game_prompt.position.moves == ()
    assert "x> 4" not in out


@pytest.mark.parametrize("word", ["", "h", "help", "?", "HELP", "he"])
def test_help_names_the_commands_and_the_moves(word: str) -> None:
    _, out = played(f"{word}\n")

    assert "u(ndo)      go back to your previous turn; can be repeated\n" in out
    assert "a move      play it: 1 2 3 4 5 6 7\n" in out


def test_undo_goes_back_to_the_previous_turn_as_often_as_there_is_one() -> None:
    game_prompt, out = played("4\n4\nu\nundo\nu\n")

    assert game_prompt.position.moves == ()
    assert out.count("Back to your previous turn.") == 2
    assert out.count("Cannot undo past the current state.") == 1


def test_undo_never_gives_away_the_opponents_first_move() -> None:
    game_prompt, out = played("u\n4\nu\nu\n", players=players_of(human=1))

    assert len(game_prompt.position.moves) == 1
    assert out.count("Cannot undo past the current state.") == 2


def test_what_was_taken_back_can_be_played_otherwise() -> None:
    game_prompt, _ = played("4\nu\n5\n")

    assert game_prompt.position.moves[0] == "5"


def test_two_persons_take_back_one_move_at_a_time() -> None:
    game_prompt, out = played("4\n5\nundo\n", players=BY_HAND)

    assert game_prompt.position.moves == ("4",)
    assert "next: o\no> " in out


@pytest.mark.parametrize(
    "word", ["0", "8", "44", "4x", "-1", "\uff14", "\u00b2", "xyzzy", "\x1b[A", "\x00", "f", "4 4"]
)
def test_nonsense_changes_nothing_and_says_what_is_expected(word: str) -> None:
    game_prompt, out = played(f"{word}\n")

    assert game_prompt.position.moves == ()
    assert "not a move: got " in out
    assert "expected [1-7]; or help" in out
    assert "\x1b" not in out


def test_what_could_mean_two_things_is_explained() -> None:
    game_prompt, out = played("e\n")

    assert "'e' could be eval or exit; or help" in out
    assert game_prompt.position.moves == ()


def test_a_line_of_ten_mebibytes_is_cut() -> None:
    game_prompt, out = played("4" * 10 * 2**20 + "\n4\n")

    assert game_prompt.position.moves[0] == "4"
    assert len(out) < 2000


def test_an_illegal_move_says_why_and_what_would_be_legal() -> None:
    game_prompt, out = played("f1f\n", "conniption:flips=1,columns=2,rows=1")

    assert "illegal move f1f: flips needed: 2; left: 1\nlegal: 1 2 1f 2f f1 f2\n" in out
    assert game_prompt.position.moves == ()


def test_capital_letters_and_blanks_are_taken() -> None:
    game_prompt, _ = played("  F4 \n", "conniption")

    assert game_prompt.position.moves[0] == "f4"


def test_display_tells_everything_about_the_position() -> None:
    _, out = played("disp\n", "extended")

    assert "position: ......../" in out
    assert out.count("points: 0 to 0; pops left: 6 and 6") == 2
    assert "legal: 0 1 2 3 4 5 6 7\n" in out


def test_a_game_can_be_played_to_its_end() -> None:
    game_prompt, out = played("a1\nb1\nc1\na2\nb2\nc2\na3\nb3\nc3\n" * 3, "squatter:size=3")

    assert game_prompt.match.end is not None
    assert "game over: a draw (no cell is left, 0 to 0)" in out


@pytest.mark.parametrize(("human", "said"), [(0, "You win."), (1, "You lose.")])
def test_the_end_is_told_as_the_person_sees_it(human: int, said: str) -> None:
    players = (Player(HUMAN), Player("random")) if human == 0 else (Player("random"), Player(HUMAN))
    _, out = played("", moves="1 2 1 2 1 2 1", players=players)

    assert f"game over: x wins (a line). {said}\n" in out


def test_a_game_that_is_over_can_be_taken_back_by_whoever_sits_there() -> None:
    lines = "1\nundo\nquit\n"
    game_prompt, out = played(lines, moves="1 2 1 2 1 2", players=BY_HAND, typed=True)

    assert game_prompt.position.moves == ("1", "2", "1", "2", "1", "2")
    assert "Press Enter to continue; undo, save FILE and the other commands still work." in out
    assert "over> " in out


def test_nothing_more_is_played_once_a_game_is_over() -> None:
    game_prompt, out = played("1\n4\n\n5\n", moves="1 2 1 2 1 2", players=BY_HAND, typed=True)

    assert len(game_prompt.position.moves) == 7
    assert "the match is over; or help" in out


def test_flip_sides_gives_the_turn_to_the_opponent() -> None:
    game_prompt, out = played("flip sides\n")

    assert game_prompt.players[0].name == "random"
    assert "Sides swapped: you are now o." in out
    assert "x plays " in out


def test_two_persons_have_nobody_to_change_places_with() -> None:
    game_prompt, out = played("flip sides\n", players=BY_HAND)

    assert game_prompt.players == BY_HAND
    assert "Both players are people" in out


def test_flip_alone_is_explained() -> None:
    game_prompt, out = played("flip\n", "conniption")

    assert "flip: got nothing more; expected flip sides; or help" in out
    assert game_prompt.position.moves == ()


@pytest.mark.parametrize("name", ["game.txt", "game.json", "My Game.txt"])
def test_a_saved_game_goes_on_where_it_was(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    saved, out = played(f"4\n5\nsave {path}\nquit\n")

    assert f"Saved. 'load {path}' continues it." in out
    loaded, out = played(f"load {path}\n", players=players_of(human=1))

    assert "Loaded." in out
    assert loaded.position == saved.position
    assert loaded.position.moves == saved.position.moves
    assert loaded.players[0].is_person  # as in the game that was saved


def test_a_loaded_game_may_be_of_another_kind(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    played(f"f4\nsave {path}\n", "conniption")
    game_prompt, out = played(f"load {path}\n")

    assert game_prompt.position.game.name == "conniption"
    assert out.endswith("W> \n")


def test_an_opponent_is_not_given_a_game_that_it_does_not_play(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    played(f"f4\nsave {path}\n", "conniption")
    game_prompt, out = played(f"load {path}\n", players=players_of("perfect"))

    assert game_prompt.position.game.name == "connect-four"
    assert "wrong game for perfect: got conniption; expected connect-four" in out


def test_files_of_somebody_else_are_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear Alice,")
    _, out = played(f"4\nsave {path}\nload {path}\nsave {path}\n")

    assert path.read_text() == "Dear Alice,"
    assert out.count("exists and stays as it is; take another name") == 2


def test_a_game_is_saved_to_the_same_file_again(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    played(f"4\nsave {path}\n4\nsave {path}\n")
    game_prompt, _ = played(f"load {path}\n1\nsave {path}\n")
    again, _ = played(f"load {path}\n")

    assert again.position.moves == game_prompt.position.moves
    assert len(again.position.moves) > 4


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("save", "save: got nothing more; expected save FILE; or help"),
        ("load", "load: got nothing more; expected load FILE; or help"),
        ("load -", "cannot use '-': expected the name of a file"),
        ("save -", "cannot use '-': expected the name of a file"),
        ("save /no/such/folder/game", "cannot write '/no/such/folder/game': no such folder"),
        ("save ~nobody-of-this-name/game", "cannot write '~nobody-of-this-name/game': no such"),
        ("load /no/such/file", "cannot read '/no/such/file': No such file or directory"),
        ("load /", "cannot read '/': Is a directory"),
        ("undo 2", "undo: got '2'; expected undo; or help"),
    ],
)
def test_what_cannot_be_done_is_said_and_changes_nothing(line: str, said: str) -> None:
    game_prompt, out = played(f"{line}\n")

    assert said in out
    assert game_prompt.position.moves == ()


class Rogue:
    """Reports odd values while it thinks, and raises Python's word for Ctrl-C."""

    name = "rogue"

    def __init__(self, *values: Any) -> None:
        self.values = values

    def choose(self, position: Position, budget: Budget = NO_LIMIT) -> Choice:
        assert budget.monitor is not None
        for value in self.values:
            budget.monitor.report(Choice(0, value))
        if not self.values:
            raise KeyboardInterrupt
        return Choice(position.legal_actions()[0])


def against(rogue: Rogue) -> Players:
    players = players_of()
    vars(players[1])["seat"] = AgentSeat(rogue)
    return players


def test_an_agent_that_raises_keyboard_interrupt_loses_and_the_person_stays() -> None:
    game_prompt, out = played("4\nd\n", players=against(Rogue()))

    assert "game over: x wins (fault: raised KeyboardInterrupt ''). You win." in out
    assert game_prompt.table.match.end is not None


@pytest.mark.parametrize(
    "value", [math.inf, "much", None, 10**5000], ids=["inf", "text", "none", "long"]
)
def test_an_agent_whose_report_cannot_be_told_loses(value: Any) -> None:
    game_prompt, out = played("4\n", players=against(Rogue(0.5, value)))

    assert "game over: x wins (fault: raised " in out
    assert game_prompt.table.match.end is not None
