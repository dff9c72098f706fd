"""The questions before the first game, and the answers that can be given."""

from __future__ import annotations

import pytest
from terminal.desk import Terminal, desk_of

from plyboard.errors import UsageError
from plyboard.terminal.prompt.dialogue import QuitError
from plyboard.terminal.prompt.questions import (
    MOST_GAMES,
    CompleteSetup,
    Setup,
    ask_missing,
    read_games,
    read_yes,
)


def answered(lines: str, setup: Setup | None = None) -> tuple[CompleteSetup, str]:
    dialogue, text = desk_of(lines, typed=True)
    return ask_missing(setup or Setup(), dialogue).with_defaults(), text.getvalue()


def test_everything_can_be_answered() -> None:
    setup, out = answered("2\n1\nYes\n10\n")

    assert setup == CompleteSetup("conniption", "engine:level=5", "random", "them", 10)
    assert "2 = Conniption\n" in out
    assert "Who plays first (1 = engine, 2 = you)? [2] " in out
    assert "Would you like your moves to be random? (yes or no) [no] " in out
    assert "How many times would you like to play the game? [1] " in out


def test_empty_lines_take_what_is_usual() -> None:
    setup, _ = answered("\n\n\n\n")

    assert setup == CompleteSetup("connect-four", "engine:level=5", "human", "me", 1)
    assert setup == Setup().with_defaults()


@pytest.mark.parametrize(
    ("given", "lines", "questions"),
    [
        (Setup(game="squatter"), "\n\n\n", 3),
        (Setup(game="squatter", first="me"), "\n\n", 2),
        (Setup(game="squatter", first="me", me="human"), "\n", 1),
        (Setup(game="squatter", me="mcts"), "", 0),
        (Setup(opponent="random", me="mcts"), "\n", 1),
        (Setup(game="squatter", opponent="human"), "\n", 1),
        (Setup(game="squatter", first="me", me="human", games=2), "", 0),
    ],
)
def test_what_is_known_is_not_asked(given: Setup, lines: str, questions: int) -> None:
    setup, out = answered(lines, given)

    assert out.count("? [") + out.count(") [") == questions
    assert setup == given.with_defaults()


def test_a_game_may_be_named_with_its_settings() -> None:
    assert answered("connect-four:columns=8,rows=7\n\n\n\n")[0].game == (
        "connect-four:columns=8,rows=7"
    )


@pytest.mark.parametrize("word", ["y", "Y", "yes", "YES", " Yes "])
def test_yes_is_understood(word: str) -> None:
    assert answered(f"{word}\n", Setup("squatter", first="me", games=1))[0].me == "random"


@pytest.mark.parametrize("word", ["n", "N", "no", "No"])
def test_no_is_understood(word: str) -> None:
    assert answered(f"{word}\n", Setup("squatter", first="me", games=1))[0].me == "human"


@pytest.mark.parametrize("word", ["\u0434\u0430", "yep", "1", "yes please", "true"])
def test_what_is_neither_yes_nor_no_is_not_guessed_at(word: str) -> None:
    with pytest.raises(UsageError, match=r"no answer: got .*; expected yes or no"):
        read_yes(word)


@pytest.mark.parametrize("word", ["0", "-3", "abc", "1000000000000", "1.5", "\uff11", "1 2"])
def test_a_wrong_number_of_games_names_the_range(word: str) -> None:
    with pytest.raises(UsageError, match=f"expected a whole number from 1 to {MOST_GAMES}"):
        read_games(word)


@pytest.mark.parametrize("count", [1, 10, MOST_GAMES])
def test_a_number_of_games_is_read(count: int) -> None:
    assert read_games(str(count)) == count


def test_a_wrong_answer_is_asked_again() -> None:
    setup, out = answered("chess\n9\n2\n\n\n\n")

    assert setup.game == "conniption"
    assert "no game: got 'chess'; expected a number from 1 to 4, or one of connect-four," in out
    assert out.count("Which game? [1] ") == 3


def test_three_wrong_answers_are_enough() -> None:
    with pytest.raises(UsageError, match="wrong first player: got '3'; expected me or them"):
        answered("\n5\n4\n3\n2\n")


@pytest.mark.parametrize("lines", ["", "1\n", "quit\n", "1\nQ\n", "1\n1\nexit\n"])
def test_whoever_leaves_is_not_asked_on(lines: str) -> None:
    with pytest.raises(QuitError):
        answered(lines)


def test_ctrl_c_asks_and_the_second_one_leaves() -> None:
    dialogue, text = desk_of("\n", typed=True)
    assert isinstance(dialogue.keyboard, Terminal)
    dialogue.keyboard.interrupts = [0, 0]
    with pytest.raises(KeyboardInterrupt):
        dialogue.ask("Which game? ")

    assert text.getvalue().count("Press Ctrl-C again to quit, or Enter to continue.\n") == 1


def test_after_ctrl_c_an_answer_is_taken_as_one_and_an_empty_line_only_goes_on() -> None:
    dialogue, text = desk_of("\n\n4\n5\n", typed=True)
    assert isinstance(dialogue.keyboard, Terminal)
    dialogue.keyboard.interrupts = [0]

    assert dialogue.ask("> ") == ""  # the second empty line
    dialogue.keyboard.interrupts = [0]
    assert dialogue.ask("> ") == "4"
    dialogue.keyboard.interrupts = [0]
    assert dialogue.ask("> ") == "5"
    assert text.getvalue().count("Press Ctrl-C again to quit") == 3
