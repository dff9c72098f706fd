"""Whole stories of somebody who plays in a terminal."""

from __future__ import annotations

import re
import signal
import termios
from pathlib import Path

import pytest
from journeys.terminal import COLOURS, Person, journey, plain, prompt

from plyboard.agents import agent
from plyboard.games import Position
from plyboard.play.record import read_records

KNOWN = ("--first", "me", "--me", "human", "--games", "1")  # with an opponent, nothing is asked
ENGINE = ("--level", "5")
PROMPT, OVER = prompt("[xoWB12]>"), prompt("over>")
WHICH_GAME, HOW_STRONG = prompt(r"Which game\? \[1\]"), prompt(r"How strong .* \[5\]")
WHO_MOVES = prompt(r"Who moves first\? \(m\)e or \(e\)ngine \[me\]")


class Game:
    """A game that a person plays on the screen, and that the test plays along."""

    def __init__(self, person: Person, position: Position) -> None:
        self.person, self.position = person, position
        self.told = person.waits_for(PROMPT)

    def play(self, move: str) -> None:
        """Type a move and wait until it is answered."""
        self.person.types(move)
        self.told = self.person.waits_for(f"{PROMPT}|{OVER}")
        self.position = self.position.play(move)
        reply = re.search(r"^[xoWB12] plays (\w+)", self.told, re.MULTILINE)
        if reply:
            self.position = self.position.play(reply[1])
        self.check()

    def undo(self) -> None:
        """Take a turn back."""
        self.person.types("undo")
        self.told = self.person.waits_for(PROMPT)
        assert "Back to your previous turn.\n" in self.told
        self.position = self.position.undo().undo()
        self.check()

    def check(self) -> None:
        """Compare what is on the screen with the position."""
        for note in self.position.picture().notes:
            assert note in self.told
        picture = self.position.picture()
        names = picture.row_names or ("",) * len(picture.rows)
        rows = [name + row for name, row in zip(names, picture.rows, strict=True)]
        drawn = re.sub(r"[ \[\]*]", "", self.told).replace("\u00b7", ".")
        assert "\n".join(rows) in drawn


def test_a_whole_game_of_conniption_with_flips_and_two_undos() -> None:
    adviser = agent("engine:nodes=20000")
    with journey("play", "conniption", "--opponent", "random", *KNOWN, "--seed", "5") as person:
        game = Game(person, Position("conniption"))
        for move in ("f4", "4f", "3"):
            game.play(move)
        game.undo()
        game.undo()
        assert len(game.position.moves) == 2
        game.play("f4f")
        while game.position.outcome() is None:
            game.play(game.position.move_text(adviser.choose(game.position).action))
        person.types("")
        person.waits_for("Thanks for playing.\r\n")

        assert person.leaves() == 0
    assert "game over: W wins (a line). You win.\n" in plain(person.said)


def test_ten_games_of_the_engine_against_chance() -> None:
    with journey(
        "play", "--opponent", "engine:level=3", "--seed", "2", "--questions", "classic"
    ) as person:
        assert "2  Conniption: a line" in person.answers(WHICH_GAME, "2")
        person.answers(prompt(r"Who plays first \(1 = engine, 2 = you\)\? \[2\]"), "1")
        person.answers(prompt(r"your moves to be random\? \(yes or no\) \[no\]"), "Yes")
        person.answers(prompt(r"How many times would you like to play the game\? \[1\]"), "10")
        person.waits_for("Conniption: 10 of 10 games\r\n")

        assert person.leaves() == 0
    table = plain(person.said).splitlines()[-3:]
    assert table[0].split() == ["wins", "losses", "draws"]
    assert table[1].split()[0] == "engine:level=3"
    assert sum(map(int, table[1].split()[1:])) == 10


def test_games_that_are_broken_off_are_counted_so_far() -> None:
    with journey("play", "conniption", "--me", "engine:level=1", "--opponent", "random", "--games",
                 "1000000") as person:  # fmt: skip
        person.waits_for(r"playing.*/1000000")
        person.child.sendintr()
        person.waits_for(r"Conniption: \d+ of 1000000 games\r\n")

        assert person.leaves() == 130
    table = plain(person.said).splitlines()
    assert table[-1] == "error: interrupted"
    assert table[-4].split() == ["wins", "losses", "draws"]


def test_two_games_by_hand_are_counted() -> None:
    with journey("play", "connect-four:columns=4,rows=1", "--opponent", "random", "--first", "me",
                 "--me", "human", "--games", "2", "--seed", "1") as person:  # fmt: skip
        for number in (1, 2):
            assert f"Game {number} of 2\n" in person.waits_for(PROMPT)
            next_step = (
                "Press Enter for the next game;" if number == 1 else "Type new to play again,"
            )
            for move in "1234":
                person.types(move)
                if "over>" in (told := person.waits_for(f"{PROMPT}|{OVER}")):
                    assert next_step in told
                    break
            person.types("")
        person.waits_for("2 of 2 games:\r\n")

        assert person.leaves() == 0
    assert "you        0       0      2\nrandom     0       0      2\n" in plain(person.said)


def test_a_game_is_saved_and_goes_on_another_day(tmp_path: Path) -> None:
    path = tmp_path / "my game.txt"
    with journey("play", "squatter", "--opponent", "random", *KNOWN, "--seed", "3") as person:
        game = Game(person, Position("squatter"))
        game.play("b1")
        game.play("a2")
        person.types(f"save {path}")
        assert "Saved. 'load " in person.waits_for(PROMPT)
        person.types("quit")
        person.waits_for("bye\r\n")
        assert person.leaves() == 0
    with journey("play", "--load", str(path), "--opponent", "random") as person:
        resumed = Game(person, game.position)
        resumed.check()
        move = resumed.position.legal_moves()[-1]
        resumed.play(move)
        person.types(f"load {path}")
        resumed.told, resumed.position = person.waits_for(PROMPT), game.position
        resumed.check()


def test_a_newcomer_answers_three_questions_and_plays() -> None:
    with journey("play", "--seed", "1") as person:
        told = person.answers(WHICH_GAME, "draughts")
        assert told.startswith("Press Enter for the answer in brackets.\n1  Connect Four: ")
        told = person.answers(WHICH_GAME, "")
        assert "Type a number from 1 to 4, or the name of a game, such as Conniption.\n" in told
        person.answers(HOW_STRONG, "0")
        told = person.answers(HOW_STRONG, "2")
        assert "Type a number from 1 (beginner) to 10 (strongest).\n" in told
        person.answers(WHO_MOVES, "engine")
        told = person.answers(PROMPT, "8")
        assert "x (engine, level 2) against o (you). Type level N, from 1 to 10," in told
        assert "x plays " in told
        assert "There is no column 8. Choose 1 to 7.\n" in person.answers(PROMPT, "quit")
        person.waits_for("bye\r\n")

        assert person.leaves() == 0


def test_the_questions_can_be_left_by_ctrl_d() -> None:
    with journey("play") as person:
        person.answers(WHICH_GAME, "4")
        person.waits_for(HOW_STRONG)
        person.child.sendeof()
        person.waits_for("bye\r\n")

        assert person.leaves() == 0


@pytest.mark.parametrize("spec", ["connect-four", "conniption", "extended", "squatter"])
@pytest.mark.parametrize("columns", [40, 80, 120])
def test_rules_and_moves_are_shown_on_a_screen(spec: str, columns: int) -> None:
    with journey("play", spec, *KNOWN, "--opponent", "random", columns=columns) as person:
        person.answers(PROMPT, "rules")
        rules = person.answers(PROMPT, "moves")
        moves = person.answers(PROMPT, "quit")

        assert person.leaves() == 0
    for heading in ("Aim", "Moves", "End", "Special", "Symbols", "Example"):
        assert re.search(f"^{heading:9}", rules, re.MULTILINE)
    assert re.search("drop a disc into that column|place a piece on it", moves)
    assert max(map(len, (rules + moves).splitlines())) <= columns
    assert columns < 80 or len(rules.splitlines()) <= 24 + 2  # what was typed, and the prompt


def test_undo_and_redo_go_back_and_forth() -> None:
    with journey("play", "squatter", "--opponent", "random", *KNOWN, "--seed", "3") as person:
        game = Game(person, Position("squatter"))
        game.play("b1")
        game.play("a2")
        last = game.position
        game.undo()
        game.undo()
        for _ in range(2):
            person.types("redo")
            game.told = person.waits_for(PROMPT)
            assert "The undo is taken back.\n" in game.told
        game.position = last
        game.check()
        person.types("redo")
        assert "Cannot redo: there is no undo to take back.\n" in person.waits_for(PROMPT)


def test_a_level_is_changed_then_the_game_is_resigned_and_another_one_begun(tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    with journey("play", "connect-four", *KNOWN[:4], "--level", "2", "--save", str(path),
                 "--seed", "4") as person:  # fmt: skip
        game = Game(person, Position("connect-four"))
        person.types("level")
        assert "The engine plays at level 2 of 10.\n" in person.waits_for(PROMPT)
        person.types("level 1")
        assert "The engine plays at level 1 of 10.\n" in person.waits_for(PROMPT)
        game.play("4")
        person.types("resign")
        assert "game over: o wins (resignation). You lose.\n" in person.waits_for(OVER)
        person.types("new")
        told = person.waits_for(PROMPT)
        assert "New game.\n" in told
        assert "Game 2 of 2\n" in told
        person.types("1")
        person.waits_for(PROMPT)
        person.types("new")
        person.waits_for(PROMPT)
        person.types("quit")
        person.waits_for("bye\r\n")

        assert person.leaves() == 0
    resigned, left = read_records(str(path))
    assert resigned.end is not None
    assert (resigned.end.result.value, resigned.end.reason) == ("0-1", "resignation")
    assert resigned.heading.players == ("human", "engine:level=1")
    assert (left.end, left.position.moves[0]) == (None, "1")
    assert left.heading.players == ("human", "engine:level=1")


THINKS = r"engine \d+ s, \S+ points, depth \d+, [\d,]+ nodes"
SLOW = ("play", "squatter:size=8", "--opponent", "engine", "--seconds", "600", *KNOWN)


def thinking(person: Person) -> None:
    """Make a move at the prompt that the engine will think about for ten minutes."""
    person.types("d4")
    person.waits_for(THINKS)


def test_ctrl_c_has_the_engine_play_the_best_so_far() -> None:
    with journey(*SLOW) as person:
        person.waits_for(PROMPT)
        thinking(person)
        person.child.sendintr()
        text = person.waits_for(PROMPT)

        assert re.search(r"B plays [a-h][1-8], after [0-9.]+ s\n", text)


def test_undo_is_heard_while_the_engine_thinks() -> None:
    with journey(*SLOW) as person:
        person.waits_for(PROMPT)
        thinking(person)
        person.types("undo")
        text = person.waits_for(PROMPT)

        assert "Back to your previous turn.\n" in text
        assert "B plays" not in text
        thinking(person)  # and once more
        person.types("quit")
        person.waits_for("bye\r\n")
        assert person.leaves() == 0


def test_resign_and_new_are_heard_while_the_engine_thinks() -> None:
    with journey(*SLOW) as person:
        person.waits_for(PROMPT)
        thinking(person)
        person.types("new")
        assert "New game.\n" in person.waits_for(PROMPT)
        thinking(person)
        person.types("resign")
        text = person.waits_for(OVER)

        assert "game over: B wins (resignation). You lose.\n" in text
        person.types("quit")
        person.waits_for("bye\r\n")
        assert person.leaves() == 0


def test_what_is_typed_too_early_is_played_in_its_turn() -> None:
    with journey(*SLOW) as person:
        person.waits_for(PROMPT)
        thinking(person)
        person.types("e4")
        person.waits_for("then 'e4'")
        person.child.sendintr()
        text = person.waits_for("next: B")

        assert "B plays " in text
        assert "next: W (you)\n" in text


def test_the_end_of_the_input_is_heard_while_the_engine_thinks() -> None:
    with journey(*SLOW) as person:
        person.waits_for(PROMPT)
        thinking(person)
        person.child.sendeof()
        person.waits_for("bye\r\n")
        assert person.leaves() == 0


def test_a_hint_can_be_cut_short() -> None:
    with journey(*SLOW) as person:
        person.answers(PROMPT, "hint")
        person.waits_for(r"looking \d+ s, \S+ points, depth \d+")
        person.child.sendintr()
        text = person.waits_for(PROMPT)

        assert re.search(r"Suggested move: [a-h][1-8], ", text)


def test_ctrl_c_at_the_prompt_asks_and_the_second_one_leaves() -> None:
    with journey("play", "connect-four", *KNOWN, *ENGINE) as person:
        person.waits_for(PROMPT)
        person.child.sendintr()
        person.waits_for("Press Ctrl-C again to quit, or Enter to continue.")
        person.answers(PROMPT, "")
        person.waits_for(PROMPT)
        person.child.sendintr()
        person.waits_for(PROMPT)
        person.child.sendintr()
        person.waits_for("bye\r\n")
        after = termios.tcgetattr(person.child.fileno())
        assert person.leaves() == 130
    assert after == person.settings
    assert "error" not in person.said


def test_the_questions_can_be_left_by_ctrl_c() -> None:
    with journey("play") as person:
        person.waits_for(WHICH_GAME)
        person.child.sendintr()
        person.waits_for(WHICH_GAME)
        person.child.sendintr()
        person.waits_for("bye\r\n")

        assert person.leaves() == 130
    assert "error" not in person.said


def test_whoever_leaves_in_a_hurry_finds_the_game_kept(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    with journey("play", "connect-four", *KNOWN, "--opponent", "random", "--save",
                 str(path)) as person:  # fmt: skip
        game = Game(person, Position("connect-four"))
        game.play("4")
        person.child.sendintr()
        person.waits_for(PROMPT)
        person.child.sendintr()
        assert person.leaves() == 130
    (match,) = read_records(str(path))
    assert match.position == game.position


def test_ctrl_d_says_goodbye() -> None:
    with journey("play", "connect-four", *KNOWN, *ENGINE) as person:
        person.waits_for(PROMPT)
        person.child.sendeof()
        person.waits_for("bye\r\n")
        assert person.leaves() == 0


def test_a_pasted_page_is_read_line_by_line() -> None:
    with journey("play", "connect-four:columns=2,rows=8", "--opponent", "human", "--games",
                 "1") as person:  # fmt: skip
        person.waits_for(PROMPT)
        person.child.send("nonsense\r" * 50 + "1\r2\rquit\r")
        person.waits_for("bye\r\n")
        assert person.leaves() == 0
    text = plain(person.said)
    assert text.count("'nonsense' is not a move. Type the number of a column: 1 or 2.") == 50
    assert "next: o\no> " in text


def test_a_game_that_was_put_aside_goes_on() -> None:
    with journey("play", "connect-four", *KNOWN, "--opponent", "random") as person:
        person.waits_for(PROMPT)
        person.child.kill(signal.SIGSTOP)
        person.child.kill(signal.SIGCONT)
        person.types("4")

        assert " plays " in person.waits_for(PROMPT)


# ------------------------------------------------------------------------ all sorts of terminals


def test_a_narrow_terminal_gets_a_narrow_board_and_a_wide_one_a_wide_board() -> None:
    with journey("play", "connect-four", *KNOWN, "--opponent", "random", columns=20) as person:
        text = person.waits_for(PROMPT)
        assert "\n 1 2 3 4 5 6 7\n" in text
        assert max(map(len, text.splitlines())) <= 20
        person.child.setwinsize(24, 40)
        person.types("4")
        person.waits_for("o plays")  # the prompt may be drawn again before
        text = person.waits_for(PROMPT)
        assert "\n 1  2  3  4  5  6  7\n" in text


@pytest.mark.parametrize("columns", [20, 40, 80])
@pytest.mark.parametrize("spec", ["conniption", "extended:columns=12", "squatter:size=8"])
def test_nothing_is_wider_than_the_terminal(spec: str, columns: int) -> None:
    with journey("play", spec, *KNOWN, "--opponent", "random", columns=columns) as person:
        text = person.answers(PROMPT, "help") + person.answers(PROMPT, "quit")

        assert max(map(len, text.splitlines())) <= columns
        assert person.leaves() == 0


@pytest.mark.parametrize("env", [{"LANG": "C"}, {"LC_ALL": "C"}, {"TERM": "dumb"}])
def test_a_terminal_without_utf_8_gets_ascii(env: dict[str, str]) -> None:
    with journey("play", "connect-four", *KNOWN, "--opponent", "random", env=env) as person:
        person.answers(PROMPT, "4")
        person.answers(PROMPT, "quit")

        assert person.leaves() == 0
    assert person.said.isascii()
    assert "\n .  .  .  .  .  .  . \n" in plain(person.said)


def test_a_dumb_terminal_gets_no_escapes() -> None:
    with journey(*SLOW[:4], "--seconds", "1", *KNOWN, env={"TERM": "dumb"}) as person:
        person.answers(PROMPT, "d4")
        person.answers(PROMPT, "quit")

        assert person.leaves() == 0
    assert "\x1b" not in person.said


def test_no_colour_means_no_colour() -> None:
    command = ("play", "connect-four", *KNOWN, "--opponent", "random")
    with journey(*command) as person:
        person.waits_for(PROMPT)
        assert COLOURS.search(person.said)
    with journey(*command, env={"NO_COLOR": "1"}) as person:
        person.waits_for(PROMPT)
        assert not COLOURS.search(person.said)


def test_whoever_leaves_does_not_wait_for_the_compiler(tmp_path: Path) -> None:
    cold = {"PLYBOARD_CACHE": str(tmp_path)}
    with journey("play", "squatter:size=7", *KNOWN, "--opponent", "engine", env=cold) as person:
        person.answers(PROMPT, "d4")
        person.waits_for(r"engine is compiling: \d+ s, up to a minute, the first time only")
        person.types("quit")
        person.waits_for("bye\r\n")
        assert person.leaves() == 0
    with journey("play", "squatter:size=5", *KNOWN, *ENGINE, env=cold) as person:
        person.answers(PROMPT, "quit")
        person.waits_for("bye\r\n")
        assert person.leaves() == 0
