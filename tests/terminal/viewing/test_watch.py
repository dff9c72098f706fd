"""Games between two agents: one is shown, many are counted."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from terminal.desk import lines_and_turns, screen_of

from plyboard.agents import Budget, Limits
from plyboard.agents.agent import NO_LIMIT
from plyboard.cli.main import _run as run
from plyboard.games import Position
from plyboard.play import AgentSeat, Match
from plyboard.play.record import read_records
from plyboard.play.seat import SeatInput
from plyboard.search.common.choice import Choice
from plyboard.session.players import Player
from plyboard.terminal.viewing.watch import AgentGames

RANDOM = Player("random", Budget(seed=5))
BAD = ["play", "connect-four", "--me", "engine:level=3", "--opponent", "random", "--seed", "4"]


def agent_games(spec: str = "connect-four") -> tuple[AgentGames, list[str]]:
    screen, text = screen_of()
    shown = AgentGames(Match.of(Position(spec)), (RANDOM, RANDOM), screen)
    match = shown.show()
    assert match.end is not None
    return shown, text.getvalue().splitlines()


def test_a_single_game_is_shown_move_by_move() -> None:
    shown, lines = agent_games("connect-four:columns=4,rows=2")

    assert lines[0] == "Connect Four: x (random) against o (random)"
    assert sum(" plays " in line for line in lines) == 8
    assert sum(line == "1 2 3 4" for line in lines) == 9
    assert lines[-1] == "game over: a draw (no cell is left)"
    assert shown.start.turns == ()


class Failing:
    """Plays the first legal move so many times, and fails then."""

    def __init__(self, moves: int) -> None:
        self.name, self.left = "failing", moves

    def choose(self, position: Position, budget: Budget = NO_LIMIT) -> Choice:
        self.left -= 1
        if self.left < 0:
            raise ValueError("no idea")
        return Choice(position.legal_actions()[0])


@dataclass(frozen=True)
class Seated(Player):
    """A player with a seat of its own."""

    own: AgentSeat | None = None

    def seat(self, limits: Limits | None = None) -> AgentSeat | None:
        return self.own


@pytest.mark.parametrize("moves", [0, 1, 2])
def test_an_agent_that_fails_loses_and_no_move_is_told_twice(moves: int) -> None:
    screen, text = screen_of()
    failing = Seated("random", Budget(seed=5), AgentSeat(Failing(moves)))

    match = AgentGames(Match.of(Position("connect-four")), (failing, RANDOM), screen).show()

    lines = text.getvalue().splitlines()
    assert sum(" plays " in line for line in lines) == len(match.turns) == 2 * moves
    assert lines[-1] == "game over: o wins (fault: raised ValueError 'no idea')"


def test_many_games_are_counted(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*BAD, "--games", "10"]) == 0
    lines = capsys.readouterr().out.splitlines()

    assert lines[0] == "Connect Four: 10 of 10 games"
    assert lines[1].split() == ["wins", "losses", "draws"]
    first, second = lines[2].split(), lines[3].split()
    assert (first[0], second[0]) == ("engine:level=3", "random")
    assert sum(map(int, first[1:])) == 10
    assert [first[2], first[1], first[3]] == second[1:]
    assert int(first[1]) > 5


def test_the_results_can_be_had_as_json_and_repeat_themselves(
    capsys: pytest.CaptureFixture[str],
) -> None:
    told = []
    for _ in range(2):
        assert run([*BAD, "--games", "6", "--json"]) == 0
        told.append(json.loads(capsys.readouterr().out))

    assert told[0] == told[1]
    assert told[0]["wins"] + told[0]["losses"] + told[0]["draws"] == 6
    assert (told[0]["first"], told[0]["second"], told[0]["seed"]) == ("engine:level=3", "random", 4)


def test_the_opponent_begins_every_game_if_that_is_wanted(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "games.txt"
    assert run([*BAD, "--games", "3", "--first", "them", "--save", str(path)]) == 0
    matches = list(read_records(str(path)))

    assert capsys.readouterr().out.splitlines()[2].startswith("random ")
    assert [match.heading.players for match in matches] == [("random", "engine:level=3")] * 3


def test_a_single_game_can_be_kept(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    assert run([*BAD, "--save", str(path)]) == 0
    (match,) = read_records(str(path))

    assert match.end is not None
    assert capsys.readouterr().out.count(" plays ") == len(match.turns)


def test_a_move_is_on_disk_before_it_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "game.txt"
    lines = lines_and_turns(monkeypatch, path)
    assert run([*BAD, "--save", str(path)]) == 0

    (match,) = read_records(str(path))
    turns = [turns for text, turns in lines if " plays " in text]
    assert turns == list(range(1, len(match.turns) + 1))
    assert list(tmp_path.iterdir()) == [path]


def test_each_move_of_a_series_is_on_disk_before_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, seen = tmp_path / "games.txt", list[list[int]]()
    ask = AgentSeat.ask

    def look_and_ask(seat: AgentSeat, match: Match, left: float | None) -> SeatInput:
        games = list(read_records(str(path))) if path.exists() else []
        seen.append([len(game.turns) for game in games])
        return ask(seat, match, left)

    monkeypatch.setattr(AgentSeat, "ask", look_and_ask)
    assert run([*BAD, "--games", "3", "--save", str(path)]) == 0

    finished, expected = list[int](), list[list[int]]()
    for game in read_records(str(path)):
        expected += [[*finished, *([turns] if turns else [])] for turns in range(len(game.turns))]
        finished.append(len(game.turns))
    assert len(finished) == 3
    assert seen == expected


def test_ctrl_c_keeps_the_games_that_were_played(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, games = tmp_path / "games.txt", AgentGames.games

    def stopped(shown: AgentGames, count: int) -> Iterator[Match]:
        yield from itertools.islice(games(shown, count), 2)
        raise KeyboardInterrupt

    monkeypatch.setattr(AgentGames, "games", stopped)

    assert run([*BAD, "--games", "5", "--save", str(path)]) == 130
    assert len(list(read_records(str(path)))) == 2
    assert "2 of 5 games" in capsys.readouterr().out


def test_games_that_are_watched_show_all_that_a_person_is_told(
    capsys: pytest.CaptureFixture[str],
) -> None:
    small = ["play", "conniption:columns=2,rows=2,flips=1", "--me", "random"]
    assert run([*small, "--opponent", "random", "--seed", "3", "--games", "4", "--watch"]) == 0
    lines = capsys.readouterr().out.splitlines()

    assert lines[1] == "W (random) against B (random)."
    assert lines[3].startswith("Commands: undo, redo, moves, hint, why, eval, display,")
    begins = [lines.index(f"Game {number} of 4") for number in range(1, 5)]
    ends = [*begins[1:], lines.index("Conniption: 4 of 4 games")]
    for begin, end in zip(begins, ends, strict=True):
        check_watched("\n".join(lines[begin + 1 : end]))


def check_watched(text: str) -> None:
    """Fail unless every position of a game is there, with its legal moves and what is played."""
    position = Position("conniption:columns=2,rows=2,flips=1")
    *blocks, last = text.strip().split("\n\n")
    for block in blocks:
        *told, legal, played = block.splitlines()
        assert "\n".join(told).startswith(position.board())
        assert legal == f"legal: {' '.join(position.legal_moves())}"
        position = position.play(played.rpartition(" ")[2])
    assert position.outcome() is not None
    assert last.startswith(position.board())
    assert last.splitlines()[-1].startswith("game over: ")


@pytest.mark.parametrize("games", ["1", "3"])
def test_watched_games_are_those_that_would_be_counted(
    games: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    counted, watched = tmp_path / "counted.txt", tmp_path / "watched.txt"
    assert run([*BAD, "--games", games, "--save", str(counted)]) == 0
    table = capsys.readouterr().out.splitlines()[-4:]
    assert run([*BAD, "--games", games, "--save", str(watched), "--watch"]) == 0
    told = capsys.readouterr().out

    assert watched.read_text() == counted.read_text()
    assert told.count(" plays ") == sum(len(each.turns) for each in read_records(str(watched)))
    assert games == "1" or told.splitlines()[-4:] == table


def test_a_watched_move_is_on_disk_before_it_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "games.txt"
    lines = lines_and_turns(monkeypatch, path)
    assert run([*BAD, "--games", "2", "--watch", "--save", str(path)]) == 0

    turns = [turns for text, turns in lines if " plays " in text]
    assert turns == [
        ply for match in read_records(str(path)) for ply in range(1, len(match.turns) + 1)
    ]
