"""The questions before the first game, and the answers that can be given."""

from __future__ import annotations

import pytest
from terminal.desk import Terminal, desk_of

from plyboard.errors import UsageError
from plyboard.session.setup import CompleteSetup, Setup
from plyboard.terminal.prompt.dialogue import QuitError
from plyboard.terminal.prompt.questions import (
    MOST_GAMES,
    QUESTIONS,
    read_first,
    read_game,
    read_games,
    read_yes,
)


def answered(
    lines: str, setup: Setup | None = None, questions: str = "classic"
) -> tuple[CompleteSetup, str]:
    dialogue, text = desk_of(lines, typed=True)
    asked = QUESTIONS[questions](setup or Setup(), dialogue)
    return asked.with_defaults(), text.getvalue()


def test_the_game_the_level_and_the_first_player_are_asked_in_words() -> None:
    setup, out = answered("2\n7\ne\n", questions="standard")

    assert setup == CompleteSetup("conniption", "engine:level=7", "human", "them", 1)
    assert "2  Conniption: a line of four wins, and each player may flip" in out
    assert "Which game? [1] " in out
    assert "How strong should the engine be? 1 (beginner) to 10 (strongest) [5] " in out
    assert "Who moves first? (m)e or (e)ngine [me] " in out
    assert "random" not in out
    assert "How many" not in out


def test_three_empty_lines_start_connect_four_against_level_five() -> None:
    setup, _ = answered("\n\n\n", questions="standard")

    assert setup == CompleteSetup("connect-four", "engine:level=5", "human", "me", 1)


@pytest.mark.parametrize(
    ("given", "questions"),
    [
        (Setup(), 3),
        (Setup(game="squatter"), 2),
        (Setup(game="squatter", opponent="engine"), 1),
        (Setup(game="squatter", opponent="mcts", first="me"), 0),
        (Setup(game="squatter", first="me"), 1),
        (Setup(game="squatter", opponent="human"), 0),
        (Setup(game="squatter", me="mcts"), 0),
        (Setup(me="mcts"), 1),
    ],
)
def test_an_option_answers_its_question(given: Setup, questions: int) -> None:
    setup, out = answered("\n" * questions, given, "standard")

    assert out.count("] ") == questions
    assert ("Press Enter for the answer in brackets.\n" in out) == (questions > 0)
    assert setup == given.with_defaults()


@pytest.mark.parametrize(
    ("name", "game"),
    [("Connect4", "connect-four"), ("four in a row", "connect-four"), ("CONNIPTION", "conniption"),
     ("Extended Connect Four", "extended"), ("4", "squatter"), ("squatter:size=4",) * 2],
)  # fmt: skip
def test_a_game_is_answered_by_its_number_or_any_of_its_names(name: str, game: str) -> None:
    assert answered(f"{name}\n\n\n", questions="standard")[0].game == game


def test_another_opponent_is_called_them() -> None:
    setup, out = answered("t\n", Setup(game="squatter", opponent="mcts"), "standard")

    assert setup.first == "them"
    assert "Who moves first? (m)e or (t)hem [me] " in out


@pytest.mark.parametrize(
    ("word", "first"),
    [("m", "me"), ("ME", "me"), ("i", "me"), ("e", "them"), ("Engine", "them"), ("t", "them")],
)
def test_who_moves_first_is_a_word_or_its_letter(word: str, first: str) -> None:
    assert answered(f"{word}\n", Setup("squatter", "engine"), "standard")[0].first == first


@pytest.mark.parametrize("lines", ["", "1\n", "quit\n", "1\nQ\n", "1\n1\nexit\n", "1\n0\n" * 9])
def test_whoever_leaves_the_questions_in_words_is_not_asked_on(lines: str) -> None:
    with pytest.raises(QuitError):
        answered(lines, questions="standard")


def test_wrong_answers_are_asked_again_for_ever_with_a_sentence() -> None:
    wrong = "chess\n0\n5\n\u0434\u0430\n\x1b[A\n" * 20
    lines = wrong + "2\n" + "0\n11\nabc\n" * 20 + "3\n" + "1\n2\n" * 20 + "m\n"
    setup, out = answered(lines, questions="standard")

    assert setup == CompleteSetup("conniption", "engine:level=3", "human", "me", 1)
    assert out.count("Type a number from 1 to 4, or the name of a game, such as Conniption.") == 100
    assert out.count("Type a number from 1 (beginner) to 10 (strongest).\n") == 60
    assert out.count("Type m for me, or e for the engine.\n") == 40


def test_the_classic_questions_are_those_of_the_conniption_program() -> None:
    setup, out = answered("2\n1\nYes\n10\n")

    assert setup == CompleteSetup("conniption", "engine:level=5", "random", "them", 10)
    assert "2  Conniption: a line of four wins, and each player may flip" in out
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
    assert out.count("Type a number from 1 to 4, or the name of a game, such as Conniption.\n") == 2
    assert out.count("Which game? [1] ") == 3


def test_classic_questions_are_asked_again_for_ever_too() -> None:
    lines = "2\n" + "3\n" * 30 + "1\n" + "maybe\n" * 30 + "no\n" + "0\nabc\n" * 30 + "3\n"
    setup, out = answered(lines)

    assert setup == CompleteSetup("conniption", "engine:level=5", "human", "them", 3)
    assert out.count("Type 1 for engine, 2 for you.\n") == 30
    assert out.count("Type yes or no.\n") == 30
    assert out.count("Type a whole number from 1 to 1000000.\n") == 60


def test_the_reader_of_an_option_names_what_it_got() -> None:
    with pytest.raises(UsageError, match="wrong first player: got '3'; expected me or them"):
        read_first("3")
    with pytest.raises(UsageError, match="no game: got 'chess'; expected a number from 1 to 4, or"):
        read_game("chess")


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
