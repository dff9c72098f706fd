"""Games in a row: they are announced, counted and kept."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest
from boards import uncompiled
from terminal.desk import desk_of, lines_and_turns, players_of, screen_of, write

from plyboard.games import Position
from plyboard.play import Match
from plyboard.play.match import End, Result
from plyboard.play.record import read_records
from plyboard.session.players import HUMAN, Player, Players
from plyboard.session.saved_games import SavedGames
from plyboard.session.series import Series
from plyboard.terminal.prompt.prompt_context import PromptContext
from plyboard.terminal.prompt.prompt_games import introduce, play_series

WIN = "1\n2\n1\n2\n1\n2\n1\n"  # by hand on both sides: the first player has four
LOSS = "2\n1\n3\n1\n2\n1\n3\n1\n"
DRAW = "1\n"


def sat(
    lines: str, spec: str, players: Players, games: int = 1, keep: str = ""
) -> tuple[Series, str]:
    dialogue, text = desk_of(lines)
    match = Match.of(Position(spec))
    series = Series(match, players, SavedGames(write), games, keep)
    play_series(series, dialogue)
    return series, text.getvalue()


def test_who_plays_and_what_may_be_typed_is_said_first() -> None:
    _, out = sat("", "connect-four", players_of("engine:level=1"))

    assert out.startswith(
        "Connect Four: drop discs, be first with a line.\n"
        "x (you) against o (engine, level 1). "
        "Type level N, from 1 to 10, to change its level.\n"
        "A move is the number of a column. Legal now: 1 2 3 4 5 6 7\n"
        "Commands: undo, redo, moves, hint, why, eval, display, rules, level [N], new, resign,"
    )
    assert out.endswith("x> \nbye\n")


def test_games_are_counted_as_the_person_sees_them() -> None:
    players = (Player(HUMAN), Player(HUMAN))
    _, out = sat(WIN + LOSS + WIN, "connect-four", players, games=3)

    assert "\nGame 1 of 3\n" in out
    assert "\nGame 3 of 3\n" in out
    assert out.endswith(
        "3 of 3 games:\n"
        "          wins  losses  draws\n"
        "player x     2       1      0\n"
        "player o     1       2      0\n"
        "Thanks for playing.\n"
    )


def test_a_draw_is_counted_as_one() -> None:
    _, out = sat(DRAW * 2, "connect-four:columns=1,rows=1", players_of(), games=2)

    assert "you        0       0      2\n" in out
    assert "random     0       0      2\n" in out


def test_whoever_leaves_sees_what_was_played() -> None:
    _, out = sat(DRAW + "quit\n", "connect-four:columns=1,rows=1", players_of(), games=5)

    assert "1 of 5 games:\n" in out
    assert out.endswith("bye\n")


def test_a_finished_game_counts_however_it_is_left() -> None:
    dialogue, text = desk_of("1\nquit\n", typed=True)
    match = Match.of(Position("connect-four:columns=1,rows=1"))
    play_series(Series(match, players_of(), SavedGames(write), games=2), dialogue)

    assert "over> " in text.getvalue()
    assert "1 of 2 games:\n" in text.getvalue()
    assert "you        0       0      1\n" in text.getvalue()


def test_without_pauses_the_next_game_begins_by_itself() -> None:
    dialogue, text = desk_of("1\n1\n", typed=True)
    match = Match.of(Position("connect-four:columns=1,rows=1"))
    play_series(Series(match, players_of(), SavedGames(write), games=2), dialogue, pauses=False)

    assert "over> " not in text.getvalue()
    assert "2 of 2 games:\n" in text.getvalue()
    assert text.getvalue().endswith("Thanks for playing.\n")


def test_a_person_who_changes_places_keeps_what_they_win() -> None:
    lines = "flip sides\n1\n2\n3\n4\n5\n6\n7\n" * 30
    series, out = sat(lines, "connect-four:columns=7,rows=1", players_of(), games=1)

    assert "Sides swapped: you are now o." in out
    assert ("You win." in out) + ("You lose." in out) + ("a draw" in out) == 1
    assert series.players[0].is_person  # in the next game as at first


def test_new_leaves_a_running_game_and_begins_another() -> None:
    series, out = sat("1\nnew\n2\n", "connect-four", players_of())

    assert out.count("New game.\n") == 1
    assert series.begun == 2
    assert "Game 1 of" not in out
    assert ". . . . . . .\n. . . . . . .\nnext: x (you)\nx> 2\n" in out
    assert out.endswith("bye\n")


def test_a_new_game_keeps_the_sides_and_the_level_and_has_other_random_numbers() -> None:
    lines = "flip sides\nlevel 1\nnew\nquit\n"
    series, out = sat(lines, "connect-four", players_of("engine:level=2"))

    assert series.players[1].is_person
    assert series.players[0].name == "engine:level=1"
    assert series.start.heading.players == ("engine:level=1", HUMAN)
    assert out.count("next: o (you)\n") >= 2


def test_a_series_goes_on_with_the_last_level_and_the_first_sides() -> None:
    lines = "level 1\nswap\n1\n2\nquit\n"
    with uncompiled():
        series, out = sat(
            lines, "connect-four:columns=2,rows=1", players_of("engine:level=2"), games=3
        )

    assert series.players[0].is_person
    assert series.players[1].name == "engine:level=1"
    assert "engine, level 1     0       0      1\n" in out


def test_new_after_the_last_game_plays_one_more_and_counts_both() -> None:
    dialogue, text = desk_of("1\nnew\n1\n\n", typed=True)
    match = Match.of(Position("connect-four:columns=1,rows=1"))
    play_series(Series(match, players_of(), SavedGames(write)), dialogue)
    out = text.getvalue()

    assert "\nGame 2 of 2\n" in out
    assert "2 of 2 games:\n" in out
    assert "you        0       0      2\n" in out
    assert out.endswith("Thanks for playing.\n")


def test_games_left_by_new_are_kept_as_they_stand(tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    sat("1\nnew\n2\nresign\n", "connect-four", players_of(), keep=str(path))
    left, resigned = read_records(str(path))

    assert (left.end, left.position.moves[0], len(left.turns)) == (None, "1", 2)
    assert resigned.end == End(Result.SECOND, "resignation")
    assert resigned.position.moves[0] == "2"
    assert left.heading.players == resigned.heading.players


def test_a_new_game_begins_at_the_start_even_if_another_was_loaded() -> None:
    dialogue, text = desk_of("new\nquit\n")
    match = Match.of(Position("connect-four")).play("4").play("4")
    series = Series(match, players_of(), SavedGames(write))
    play_series(series, dialogue)

    assert series.start.turns == ()
    assert series.start.position == Position("connect-four")
    assert text.getvalue().count("next: x (you)\n") == 2


def test_all_games_are_kept_the_last_one_as_it_stands(tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    lines = "1\n2\n3\n4\n5\n6\n7\n" * 12
    sat(lines, "connect-four", players_of(), games=100, keep=str(path))
    matches = list(read_records(str(path)))

    assert len(matches) > 2
    assert [match.end is None for match in matches[:-1]] == [False] * (len(matches) - 1)
    assert len({match.position.moves for match in matches}) == len(matches)
    assert {match.heading.players for match in matches} == {("human", "random")}


def test_each_move_is_in_the_file_before_the_next_is_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, lengths = tmp_path / "games.txt", list[int]()
    dialogue, _ = desk_of(WIN)
    ask = dialogue.ask

    def look_and_ask(prompt: str, context: PromptContext) -> str:
        there = list(read_records(str(path))) if path.exists() else []
        lengths.append(len(there[-1].turns) if there else 0)
        return ask(prompt, context)

    monkeypatch.setattr(dialogue, "ask", look_and_ask)
    players = (Player(HUMAN), Player(HUMAN))
    start = Match.of(Position("connect-four"))
    play_series(Series(start, players, SavedGames(write), 1, str(path)), dialogue)

    assert lengths == list(range(7))


def test_a_file_that_cannot_be_written_is_told_once_and_tried_with_each_move(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, tries, fsync = tmp_path / "games.txt", list[int](), os.fsync

    def fails_at_first(handle: int) -> None:
        tries.append(handle)
        if len(tries) <= 3:
            raise OSError(errno.ENOSPC, "no space left")
        fsync(handle)

    monkeypatch.setattr(os, "fsync", fails_at_first)
    dialogue, told = desk_of(WIN[:-2])  # one move less than the game has
    players, match = (Player(HUMAN), Player(HUMAN)), Match.of(Position("connect-four"))
    play_series(Series(match, players, SavedGames(write), 1, str(path)), dialogue)

    assert told.getvalue().count("no space left; the next move tries again\n") == 1
    assert len(next(read_records(str(path))).turns) == 6


def test_a_move_is_on_disk_before_it_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, lines = tmp_path / "game.txt", lines_and_turns(monkeypatch, tmp_path / "game.txt")
    dialogue, _ = desk_of("1\n2\nundo\n3\n")
    match = Match.of(Position("connect-four"))
    play_series(Series(match, players_of(), SavedGames(write), 1, str(path)), dialogue)

    told = [(text, turns) for text, turns in lines if " plays " in text or "Back" in text]
    assert [turns for _, turns in told] == [2, 4, 2, 4]
    assert told[2][0] == "Back to your previous turn."
    assert list(tmp_path.iterdir()) == [path]


def test_a_first_move_that_is_taken_back_is_gone_from_the_file(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    sat("1\nundo\n", "connect-four", players_of(), keep=str(path))

    assert next(read_records(str(path))).turns == ()


def test_nothing_is_kept_where_nothing_was_played(tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    sat("quit\n", "connect-four", players_of(), keep=str(path))

    assert not path.exists()


@pytest.mark.parametrize("spec", ["engine", "engine:level=0", "random"])
def test_whoever_has_no_level_has_nothing_said_about_it(spec: str) -> None:
    screen, text = screen_of()
    introduce(screen, Match.of(Position("connect-four")), players_of(spec))

    assert f"x (you) against o ({spec}).\n" in text.getvalue()


def test_an_engine_with_other_settings_is_named_by_its_spec() -> None:
    assert Player("engine:level=3,depth=2").label == "engine:level=3,depth=2"
