"""A game at the prompt: moves, commands, nonsense, and the end of the input."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from terminal.desk import played, players_of

from plyboard.agents import Budget, Choice, Limits
from plyboard.agents.agent import NO_LIMIT
from plyboard.games import Position
from plyboard.games.connect_four import ConnectFour
from plyboard.play import AgentSeat
from plyboard.play.match import End, Result
from plyboard.play.record import read_records
from plyboard.session.players import HUMAN, Player, Players
from plyboard.session.transcript import turn_text

BY_HAND = (Player(HUMAN), Player(HUMAN))


class Wordless:
    """Connect Four, without anything that a game may leave out."""

    name, title, players = "wordless", "Wordless", ConnectFour.players
    parameters = ConnectFour.parameters

    def __init__(self, columns: int, rows: int) -> None:
        self.inner, self.columns, self.rows, self.line = (
            ConnectFour(columns, rows),
            columns,
            rows,
            4,
        )
        self.rules = self.inner.rules
        for method in ("parse_move", "format_move", "illegal_reason", "parse_position",
                       "format_position", "unreachable_reason", "outcome", "picture"):  # fmt: skip
            setattr(self, method, getattr(self.inner, method))


def test_a_move_is_answered_by_a_move() -> None:
    session, out = played("4\n")

    assert session.game.position.moves[0] == "4"
    assert len(session.game.position.moves) == 2
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
    session, out = played(f"{word}\n4\n")

    assert session.game.position.moves == ()
    assert "x> 4" not in out


@pytest.mark.parametrize("line", ["", "  "])
def test_an_empty_line_is_answered_in_one_line(line: str) -> None:
    _, out = played(f"{line}\n")

    assert f"x> {line}\nType a move, or help.\nx> " in out


def test_the_help_of_a_finished_game_has_no_moves() -> None:
    _, out = played("help\n", moves="1 2 1 2 1 2 1", typed=True)

    assert "over> u(ndo)" in out
    assert "a move   " not in out


@pytest.mark.parametrize("word", ["h", "help", "?", "HELP", "he"])
def test_help_names_the_commands_and_the_moves(word: str) -> None:
    _, out = played(f"{word}\n")

    assert "u(ndo)     go back to your previous turn; can be repeated\n" in out
    assert "a move     play it: 1 2 3 4 5 6 7\n" in out


def test_undo_goes_back_to_the_previous_turn_as_often_as_there_is_one() -> None:
    session, out = played("4\n4\nu\nundo\nu\n")

    assert session.game.position.moves == ()
    assert out.count("Back to your previous turn.") == 2
    assert out.count("Cannot undo past the current state.") == 1


def test_undo_never_gives_away_the_opponents_first_move() -> None:
    session, out = played("u\n4\nu\nu\n", players=players_of(human=1))

    assert len(session.game.position.moves) == 1
    assert out.count("Cannot undo past the current state.") == 2


def test_what_was_taken_back_can_be_played_otherwise() -> None:
    session, _ = played("4\nu\n5\n")

    assert session.game.position.moves[0] == "5"


def test_two_persons_take_back_one_move_at_a_time() -> None:
    session, out = played("4\n5\nundo\n", players=BY_HAND)

    assert session.game.position.moves == ("4",)
    assert "next: o\no> " in out


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("0", "There is no column 0. Choose 1 to 7."),
        ("8", "There is no column 8. Choose 1 to 7."),
        ("44", "There is no column 44. Choose 1 to 7."),
        ("-1", "There is no column -1. Choose 1 to 7."),
        ("4x", "'4x' is not a move. Type the number of a column: 1 to 7."),
        ("4 4", "'4 4' is not a move. Type the number of a column: 1 to 7."),
        ("\uff14", "That is not a move. Type the number of a column: 1 to 7."),
        ("\u00b2", "That is not a move. Type the number of a column: 1 to 7."),
        ("\x1b[A", "That is not a move. Type the number of a column: 1 to 7. Or type help."),
        ("\x00", "That is not a move. Type the number of a column: 1 to 7. Or type help."),
        ("xyzzy", "'xyzzy' is not a move. Type the number of a column: 1 to 7. Or type help."),
        ("f", "'f' is not a move. Type the number of a column: 1 to 7. Or type help."),
    ],
)
def test_nonsense_changes_nothing_and_says_what_is_expected(word: str, said: str) -> None:
    session, out = played(f"{word}\n")

    assert session.game.position.moves == ()
    assert f"\n{said}\nx> " in out
    assert "\x1b" not in out


def test_what_could_mean_two_things_is_explained() -> None:
    session, out = played("e\n")

    assert "'e' could mean eval or exit.\n" in out
    assert session.game.position.moves == ()


def test_a_line_of_ten_mebibytes_is_cut() -> None:
    session, out = played("4" * 10 * 2**20 + "\n4\n")

    assert session.game.position.moves[0] == "4"
    assert len(out) < 2000


def test_an_illegal_move_says_why_and_what_would_be_legal() -> None:
    session, out = played("f1f\n", "conniption:flips=1,columns=2,rows=1")

    assert "You have only one flip left. Choose f1 or 1f.\n" in out
    assert session.game.position.moves == ()


def test_capital_letters_and_blanks_are_taken() -> None:
    session, _ = played("  F4 \n", "conniption")

    assert session.game.position.moves[0] == "f4"


def test_display_tells_everything_about_the_position() -> None:
    _, out = played("disp\n", "extended")

    assert "position: ......../" in out
    assert out.count("player 1: 0 points, 6 pops left\nplayer 2: 0 points, 6 pops left\n") == 2
    assert "legal: 0 1 2 3 4 5 6 7\n" in out


def test_a_game_can_be_played_to_its_end() -> None:
    session, out = played("a1\nb1\nc1\na2\nb2\nc2\na3\nb3\nc3\n" * 3, "squatter:size=3")

    assert session.game.match.end is not None
    assert "game over: a draw (no cell is left, 0 to 0)" in out


@pytest.mark.parametrize(("human", "said"), [(0, "You win."), (1, "You lose.")])
def test_the_end_is_told_as_the_person_sees_it(human: int, said: str) -> None:
    players = (Player(HUMAN), Player("random")) if human == 0 else (Player("random"), Player(HUMAN))
    _, out = played("", moves="1 2 1 2 1 2 1", players=players)

    assert f"game over: x wins (a line). {said}\n" in out


def test_a_game_that_is_over_can_be_taken_back_by_whoever_sits_there() -> None:
    lines = "1\nundo\nquit\n"
    session, out = played(lines, moves="1 2 1 2 1 2", players=BY_HAND, typed=True)

    assert session.game.position.moves == ("1", "2", "1", "2", "1", "2")
    assert "Type new to play again, or press Enter to leave; undo, save FILE" in out
    assert "over> " in out


def test_nothing_more_is_played_once_a_game_is_over() -> None:
    session, out = played("1\n4\n\n5\n", moves="1 2 1 2 1 2", players=BY_HAND, typed=True)

    assert len(session.game.position.moves) == 7
    assert "The game is over. Type new for another one, or undo to go back.\n" in out


def test_redo_takes_back_as_many_undos_as_there_were() -> None:
    session, out = played("4\n4\nundo\nundo\nredo\nredo\nredo\n")

    assert len(session.game.position.moves) == 4
    assert session.game.position.moves[0::2] == ("4", "4")
    assert out.count("The undo is taken back.\n") == 2
    assert out.count("Cannot redo: there is no undo to take back.\n") == 1


def test_redo_shows_the_board_again_and_keeps_the_evidence_of_the_moves() -> None:
    before, _ = played("4\n", players=players_of("engine:level=1"))
    after, out = played("4\nundo\nredo\n", players=players_of("engine:level=1"))

    assert after.game.match.turns == before.game.match.turns
    assert out.count("next: x (you)\n") == 4


@pytest.mark.parametrize("line", ["5", "resign", "swap"])
def test_what_is_played_after_an_undo_clears_redo(line: str) -> None:
    session, _ = played(f"4\nundo\n{line}\nredo\n", typed=True)
    moves = session.game.position.moves

    assert session.game.undone == ()
    assert moves[:1] != ("4",) or line == "swap"


def test_a_loaded_game_clears_redo(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    _, out = played(f"4\nsave {path}\nundo\nload {path}\nredo\n")

    assert "Loaded.\n" in out
    assert "Cannot redo: there is no undo to take back.\n" in out


def test_resign_ends_the_game_as_a_loss_by_resignation() -> None:
    session, out = played("4\nresign\n4\n")
    end = session.game.match.end

    assert end == End(Result.SECOND, "resignation")
    assert "game over: o wins (resignation). You lose.\n" in out
    assert len(session.game.position.moves) == 2


@pytest.mark.parametrize(("lines", "result"), [("resign\n", "0-1"), ("4\nresign\n", "1-0")])
def test_of_two_persons_the_one_to_move_resigns(lines: str, result: str) -> None:
    session, out = played(lines, players=BY_HAND)

    assert session.game.match.result.value == result
    assert "wins (resignation)\n" in out


def test_a_resignation_can_be_taken_back_and_repeated() -> None:
    session, out = played("4\nresign\nundo\nredo\nundo\nquit\n", typed=True)

    assert session.game.match.end is None
    assert len(session.game.position.moves) == 2
    assert out.count("The resignation is taken back.\n") == 2
    assert out.count("game over: o wins (resignation). You lose.\n") == 2


def test_nobody_resigns_a_game_that_is_over() -> None:
    session, out = played("resign\n", moves="1 2 1 2 1 2 1", players=BY_HAND, typed=True)

    assert "The game is over: there is nothing to resign.\n" in out
    assert session.game.match.end == End(Result.FIRST, "line")


def test_a_resigned_game_is_saved_as_one(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    played(f"4\nresign\nsave {path}\nquit\n", typed=True)
    (match,) = read_records(str(path))

    assert match.end == End(Result.SECOND, "resignation")


def test_level_shows_and_changes_the_strength_of_the_engine() -> None:
    lines = "level\nlevel 1\n4\nlevel\n"
    session, out = played(lines, players=players_of("engine:nodes=500,level=2"))

    assert out.count("The engine plays at level 2 of 10.\n") == 1
    assert out.count("The engine plays at level 1 of 10.\n") == 2
    assert session.game.players[1].name == "engine:nodes=500,level=1"
    assert session.game.match.heading.second == "engine:nodes=500,level=1"
    assert session.game.players[1].budget == Budget(seed=7)
    assert len(session.game.position.moves) == 2


@pytest.mark.parametrize("text", ["0", "11", "-1", "strong", "5 6", "\uff15", "1" * 200])
def test_a_wrong_level_is_explained_and_changes_nothing(text: str) -> None:
    session, out = played(f"level {text}\n", players=players_of("engine:level=2"))

    assert "Type a number from 1 (beginner) to 10 (strongest).\n" in out
    assert session.game.players[1].name == "engine:level=2"


def test_an_engine_of_full_strength_says_so_and_can_be_weakened() -> None:
    session, out = played("level\nlevel 3\n", players=players_of("engine"))

    assert "The engine plays at full strength.\n" in out
    assert session.game.players[1].name == "engine:level=3"


@pytest.mark.parametrize("players", [BY_HAND, players_of("random")], ids=["people", "random"])
def test_only_the_engine_has_levels(players: Players) -> None:
    session, out = played("level\nlevel 3\n", players=players)

    assert out.count("Only the engine has levels, and it does not play in this game.\n") == 2
    assert session.game.players == players


@pytest.mark.parametrize("spec", ["connect-four", "conniption", "extended", "squatter"])
def test_rules_show_the_aim_the_moves_the_end_and_the_symbols(spec: str) -> None:
    session, out = played("rules\n", spec)

    for heading in ("Aim", "Moves", "End", "Special", "Symbols", "Example"):
        assert f"\n{heading:9}" in out
    assert session.game.position.moves == ()


@pytest.mark.parametrize(
    ("spec", "moves", "said"),
    [
        ("connect-four", "", "1 to 7  drop a disc into that column\n"),
        ("connect-four", "4 4 4 4 4 4", "1, 2, 3, 5, 6 or 7  drop a disc into that column\n"),
        ("conniption", "", "f4      flip the board, then drop a disc\n"),
        ("conniption", "4f 4", "flips   you have 3 left\n"),
        ("extended", "0 1", "0p      pop out the lowest disc of that column; you have 6 left\n"),
        ("squatter:size=3", "b1 b3", "row 3        a3 c3\n"),
    ],
)
def test_moves_are_told_in_the_words_of_the_game(spec: str, moves: str, said: str) -> None:
    _, out = played("moves\n", spec, moves=moves)

    assert said in out


def test_a_game_that_is_over_has_no_moves() -> None:
    _, out = played("moves\n", moves="1 2 1 2 1 2 1", players=BY_HAND, typed=True)

    assert "The game is over: there are no moves.\n" in out


def test_a_game_without_words_of_its_own_is_explained_all_the_same() -> None:
    session, out = played("rules\nmoves\nmirror\n9\n1\n1\n1\n", Wordless(2, 2), players=BY_HAND)

    assert "This game has no page of rules.\nType moves for the legal moves.\n" in out
    assert "Legal moves: 1 2\n" in out
    assert "'mirror' is not a move. Legal moves: 1 2. Or type help.\n" in out
    assert "'9' is not a move. Legal moves: 1 2.\n" in out
    assert "1 is not legal: column 1 is full; open: 2. Legal moves: 2.\n" in out
    assert len(session.game.position.moves) == 2


@pytest.mark.parametrize("line", ["swap", "flip sides"])
def test_swap_gives_the_turn_to_the_opponent(line: str) -> None:
    session, out = played(f"{line}\n")

    assert session.game.players[0].name == "random"
    assert "Sides swapped: you are now o." in out
    assert "x plays " in out


def test_two_persons_have_nobody_to_change_places_with() -> None:
    session, out = played("flip sides\n", players=BY_HAND)

    assert session.game.players == BY_HAND
    assert "Both players are people" in out


def test_flip_alone_is_explained() -> None:
    session, out = played("flip\n", "conniption")

    assert "To swap sides, type swap.\n" in out
    assert session.game.position.moves == ()


@pytest.mark.parametrize("name", ["game.txt", "game.json", "My Game.txt"])
def test_a_saved_game_goes_on_where_it_was(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    saved, out = played(f"4\n5\nsave {path}\nquit\n")

    assert f"Saved. 'load {path}' continues it." in out
    loaded, out = played(f"load {path}\n", players=players_of(human=1))

    assert "Loaded." in out
    assert loaded.game.position == saved.game.position
    assert loaded.game.position.moves == saved.game.position.moves
    assert loaded.game.players[0].is_person  # as in the game that was saved


def test_a_loaded_game_may_be_of_another_kind(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    played(f"f4\nsave {path}\n", "conniption")
    session, out = played(f"load {path}\n")

    assert session.game.position.game.name == "conniption"
    assert out.endswith("W> \n")


def test_an_opponent_is_not_given_a_game_that_it_does_not_play(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    played(f"f4\nsave {path}\n", "conniption")
    session, out = played(f"load {path}\n", players=players_of("perfect"))

    assert session.game.position.game.name == "connect-four"
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
    session, _ = played(f"load {path}\n1\nsave {path}\n")
    again, _ = played(f"load {path}\n")

    assert again.game.position.moves == session.game.position.moves
    assert len(again.game.position.moves) > 4


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("save", "Add the name of a file: save FILE."),
        ("load", "Add the name of a file: load FILE."),
        ("load -", "cannot use '-': expected the name of a file"),
        ("save -", "cannot use '-': expected the name of a file"),
        ("save /no/such/folder/game", "cannot write '/no/such/folder/game': no such folder"),
        ("save ~nobody-of-this-name/game", "cannot write '~nobody-of-this-name/game': no such"),
        ("load /no/such/file", "cannot read '/no/such/file': No such file or directory"),
        ("load /", "cannot read '/': Is a directory"),
        ("undo 2", "Type undo alone, with nothing after it."),
    ],
)
def test_what_cannot_be_done_is_said_and_changes_nothing(line: str, said: str) -> None:
    session, out = played(f"{line}\n")

    assert said in out
    assert session.game.position.moves == ()


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


@dataclass(frozen=True)
class RoguePlayer(Player):
    """A player whose moves come from such an agent."""

    rogue: Rogue = field(default_factory=Rogue)

    def seat(self, limits: Limits | None = None) -> AgentSeat:
        return AgentSeat(self.rogue)


def against(rogue: Rogue) -> Players:
    return Player(HUMAN), RoguePlayer("random", rogue=rogue)


def test_an_agent_that_raises_keyboard_interrupt_loses_and_the_person_stays() -> None:
    session, out = played("4\nd\n", players=against(Rogue()))

    assert "game over: x wins (fault: raised KeyboardInterrupt ''). You win." in out
    assert session.game.table.match.end is not None


@pytest.mark.parametrize(
    "value", [math.inf, "much", None, 10**5000], ids=["inf", "text", "none", "long"]
)
def test_an_agent_whose_report_cannot_be_told_loses(value: Any) -> None:
    session, out = played("4\n", players=against(Rogue(0.5, value)))

    assert "game over: x wins (fault: raised " in out
    assert session.game.table.match.end is not None


def test_captures_are_announced() -> None:
    moves = "b1 d4 a2 d3 c2 d2"
    _, out = played("b3\n", "squatter:size=4", moves=moves, players=BY_HAND)
    assert "W> b3\nb3 captures 1 cell.\n" in out

    before = Position("squatter:size=4").play(*moves.split())
    action = before.parse_move("b3")
    assert turn_text(before, action) == "W plays b3 and captures 1 cell"
    assert turn_text(before, before.parse_move("a1")) == "W plays a1"
