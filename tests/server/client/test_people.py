"""Games of events that people play on a server."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from agents.misbehaving import Raiser
from server.client.people import Guest, ending, first_legal, leave, resign
from server.harness import LIMIT, Client, serving

from plyboard.agents import Budget, catalogue
from plyboard.agents.catalogue import AgentEntry
from plyboard.agents.person import Person
from plyboard.arena.event import EventSettings
from plyboard.arena.event_run import EventRun
from plyboard.arena.event_store import EventStore
from plyboard.arena.game_task import GameTask
from plyboard.arena.play_game import starting_match
from plyboard.cli.main import _run as run
from plyboard.errors import PeerError
from plyboard.play.clock import TimeControl
from plyboard.play.fault import Fault
from plyboard.play.match import Match
from plyboard.play.record import read_record
from plyboard.play.seat import PlayerCommand
from plyboard.processes.serial import SerialExecutor
from plyboard.server.client.client import ServerClient, read_message
from plyboard.server.client.person_games import check_servers, play_with_people
from plyboard.server.client.person_seat import NO_MOVE, PersonSeat, VoidGameError
from plyboard.server.protocol import EndView, GameView

SMALL = "connect-four:columns=5,rows=4"


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(tmp_path_factory.mktemp("server") / "games.db") as found:
        yield found.rstrip("/")


def task(address: str, **changes: Any) -> GameTask:
    """Return a game in which a person moves second."""
    person = f"person:server={address},wait=60"
    return replace(GameTask(0, 0, "random", person, SMALL, ("3", "2")), **changes)


def test_an_event_goes_on_in_a_game_on_the_server_for_each_of_its_games(
    address: str, tmp_path: Path
) -> None:
    waiting: list[dict[str, Any]] = []

    class Visitor(Guest):
        def __call__(self, text: str) -> None:
            if "http" in text:
                with Client(f"{address}/") as client:
                    waiting.extend(client.ask("lobby")["games"])
            super().__call__(text)

    agents = ("random", f"person:server={address}")
    settings = EventSettings(agents, SMALL, 1, budget=Budget(nodes=50), balanced=False).checked()
    with EventStore.open(tmp_path / "event", settings) as store, Visitor() as guest:
        event = EventRun(store, settings)
        for _ in event.run(SerialExecutor(), partial(play_with_people, announce=guest)):
            pass
        views = guest.games()

    assert [game["host"] for game in waiting] == ["random", "random"]
    assert [view.you for view in views] == [1, 0]
    assert "game 1: you play o against random at http://" in guest.said[0]
    assert "plyboard join" in guest.said[0]
    assert guest.said[1] == "game 1: Tess has joined"
    assert guest.said[2].startswith("game 2: you play x against random")
    for (played, result), view in zip(event.counted(), views, strict=True):
        match = read_record(result.record)
        opening = len(played.opening)
        written = [match.position.move_text(each.action or 0) for each in match.turns[opening:]]
        assert opening == 4
        assert view.start == match.positions[opening].text()
        assert list(view.moves) == written
        assert (ending(view).result, ending(view).reason) == (result.result, result.reason)
        assert match.heading.players == played.agents
        assert min(result.seconds) > 0


@pytest.mark.parametrize("game", ["extended:columns=4,rows=4", "squatter:size=4", "conniption"])
def test_a_person_plays_every_game(address: str, game: str) -> None:
    with Guest() as guest:
        result = play_with_people(task(address, game=game, opening=()), guest)
        (view,) = guest.games()

    match = read_record(result.record)
    assert ending(view).result == result.result
    assert view.text == match.position.text()
    assert result.fault == ""


def test_a_person_may_resign_while_the_opponent_thinks(address: str) -> None:
    class Late(Guest):
        """Moves, and resigns before there is an answer."""

        def __init__(self) -> None:
            super().__init__(lambda client, view: resign(client, first_legal(client, view)))

    for guest in (Guest(resign), Late()):
        with guest:
            result = play_with_people(task(address), guest)
        assert (result.result, result.reason) == ("1-0", "resignation")


def test_an_opponent_that_fails_resigns_on_the_server(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(catalogue.AGENTS, "raiser", AgentEntry(Raiser, "raises"))
    with Guest() as guest:
        result = play_with_people(task(address, first="raiser", opening=()), guest)
        (view,) = guest.games()

    assert (result.result, result.reason) == ("0-1", "fault")
    assert view.end == EndView("0-1", "resignation")


def test_offers_of_a_person_are_declined(address: str) -> None:
    asked: list[str] = []

    def asking(client: ServerClient, view: GameView) -> GameView:
        for what in ("draw", "takeback"):
            if what not in asked and len(view.moves) > 1:
                asked.append(what)
                offered = client.do(view, what)
                while getattr(offered, f"{what}_offer") is not None:
                    offered = client.wait(offered)
                return offered
        return first_legal(client, view)

    with Guest(asking) as guest:
        result = play_with_people(task(address, game="connect-four", opening=()), guest)

    assert asked == ["draw", "takeback"]
    assert result.fault == ""
    assert result.reason in ("line", "full")


def test_two_people_play_each_other(address: str) -> None:
    people = (f"person:server={address},name=Ann", f"person:server={address},name=Bob")
    with Guest() as guest:
        result = play_with_people(task(address, first=people[0], second=people[1]), guest)
        ends = [ending(view).result for view in guest.games()]

    assert ends == [result.result] * 2
    assert "game 1: Ann plays x against Bob at http" in guest.said[0]
    assert "game 1: Bob plays o against Ann at http" in guest.said[1]


def test_the_clock_of_the_event_runs_on_the_server_too(address: str) -> None:
    control = TimeControl(3000.0, 2.0)
    with Guest() as guest:
        result = play_with_people(task(address, control=control), guest)
        (view,) = guest.games()

    turns = read_record(result.record).turns[2:]
    assert all(turn.left is not None and turn.left > 2900 for turn in turns)
    assert all(seat.left is not None and seat.left > 2900 for seat in view.seats)


def test_a_game_that_nobody_joins_is_void(address: str) -> None:
    said: list[str] = []
    person = f"person:server={address},wait=1"
    result = play_with_people(task(address, second=person), said.append)

    assert (result.result, result.reason) == ("*", "abandoned")
    assert result.fault == "nobody joined within 1 s"
    with Client(f"{address}/") as client:
        game = said[0].partition("/game/")[2].split()[0]
        assert client.watch(game)["end"]["detail"] == "aborted"


def test_a_person_who_does_not_move_loses_on_time(address: str) -> None:
    person = f"person:server={address},wait=1"
    with Guest(leave) as guest:
        result = play_with_people(task(address, second=person), guest)

    assert (result.result, result.reason) == ("1-0", "time")
    assert result.fault == "no move within 1 s"


def test_a_person_may_abort_and_the_game_is_void(address: str) -> None:
    with Guest(lambda client, view: client.do(view, "abort")) as guest:
        result = play_with_people(task(address), guest)

    assert result.result == "*"
    assert result.fault == "the game on the server has ended: abandoned aborted"


def invite(address: str, guest: Callable[[str], None], wait: int = 60) -> tuple[PersonSeat, Match]:
    """Return the seat of a person who moves first, and the match."""
    start = starting_match(task(address, opening=()))
    return PersonSeat.invite(Person(address, "person", wait), 0, start, "random", guest), start


def test_a_game_that_is_cut_off_is_aborted_or_resigned_on_the_server(address: str) -> None:
    with Guest() as guest:
        seat, start = invite(address, guest)
        seat.prepare(start)
        seat.close()
        seat, start = invite(address, guest)
        seat.prepare(start)
        match = start.play(str(seat.ask(start, None))).play("5")
        seat.observe(match)
        seat.close()
        aborted, resigned = guest.games()

    assert ending(aborted).detail == "aborted"
    assert resigned.end == EndView("1-0", "resignation")


def test_a_game_goes_on_after_a_restart_of_the_server(tmp_path: Path) -> None:
    file, has_moved, is_back = tmp_path / "games.db", Event(), Event()

    def waiting(client: ServerClient, view: GameView) -> GameView:
        if len(view.moves) == 1:
            has_moved.set()
            assert is_back.wait(LIMIT)
        return first_legal(client, view)

    with ThreadPoolExecutor(1) as threads, Guest(waiting) as guest:
        with serving(file) as address:
            playing = threads.submit(play_with_people, task(address.rstrip("/")), guest)
            assert has_moved.wait(LIMIT)
        with serving(file, port=int(address.rstrip("/").rpartition(":")[2])):
            is_back.set()
            result = playing.result(LIMIT)
            (view,) = guest.games()

    assert result.fault == ""
    assert ending(view).result == result.result
    assert "game 1: Connected again." in guest.said


def test_a_server_that_stays_away_ends_the_event_and_not_the_game(tmp_path: Path) -> None:
    with ThreadPoolExecutor(1) as threads, Guest(leave) as guest:
        with serving(tmp_path / "games.db") as address:
            person = f"person:server={address.rstrip('/')},wait=1"
            playing = threads.submit(play_with_people, task("", second=person), guest)
            guest.until_joined()
        with pytest.raises(PeerError, match="no server at 127"):
            playing.result(LIMIT)


class Liar:
    """A client of a server that sends what it likes."""

    game, patience = "abcdefghjkmnpqrs", 0.0

    def __init__(self, **lie: Any) -> None:
        self.lie = lie

    def create(self, _game: object) -> GameView:
        return self.shown(1)

    def shown(self, sequence: int, **lie: Any) -> GameView:
        board: dict[str, Any] = {"rows": [], "columns": [], "names": [], "pieces": {}}
        seats = [{"kind": "person", "name": "\x1b[2J", "symbol": "x"}] * 2
        message = {
            "t": "game", "game": self.game, "seq": sequence, "spec": SMALL, "title": "",
            "seats": seats, "moves": [], "text": starting_match(task("http://x")).position.text(),
            "mover": 0, "board": board, **lie,
        }  # fmt: skip
        heard = read_message(json.dumps(message))
        assert isinstance(heard, GameView)
        return heard

    def poll(self, _view: GameView, _seconds: float) -> GameView:
        return self.shown(2, **self.lie)

    def move(self, view: GameView, move: str) -> GameView:
        return self.poll(view, 0.0)

    def watch(self) -> GameView:
        return self.shown(2, **self.lie)

    do = move

    def close(self) -> None:
        pass


def heard(liar: Liar, monkeypatch: pytest.MonkeyPatch, said: list[str]) -> Any:
    """Return what the seat of a person who moves first returns, with a server that lies."""
    monkeypatch.setattr("plyboard.server.client.person_seat.ServerClient", lambda *_, **__: liar)
    start = starting_match(task("http://x"))
    seat = PersonSeat.invite(Person("http://x", "person", 1), 0, start, "random", said.append)
    seat.prepare(start)
    return seat.ask(start, None)


LIES: dict[str, tuple[dict[str, Any], str]] = {
    "wrong move": ({"moves": ["9"]}, "the server sent a wrong move: not a move"),
    "full column": ({"moves": ["\x1b[31m"]}, "the server sent a wrong move: "),
    "no text": ({"moves": [4]}, "wrong message: the server sent what cannot be read"),
    "no result": ({"end": {"result": "2-0", "reason": "\x1b", "detail": NO_MOVE}}, NO_MOVE),
}


@pytest.mark.parametrize("lie", LIES)
def test_a_server_that_lies_makes_a_fault(lie: str, monkeypatch: pytest.MonkeyPatch) -> None:
    changes, text = LIES[lie]
    said: list[str] = []
    fault = heard(Liar(**changes), monkeypatch, said)

    assert isinstance(fault, Fault)
    assert fault.text.startswith(text)
    assert all(line.isprintable() for line in (*said, fault.text))
    assert said[1] == "\\x1b[2J has joined"


def test_moves_of_the_opponent_that_the_server_invents_are_a_fault(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    liar = Liar(moves=["1", "2"])
    monkeypatch.setattr("plyboard.server.client.person_seat.ServerClient", lambda *_, **__: liar)
    start = starting_match(task("http://x"))
    seat = PersonSeat.invite(Person("http://x", "person", 1), 0, start, "random", lambda _: None)
    assert seat.ask(start, None) == "1"
    after = start.play("1").play("1")
    seat.observe(after)
    assert seat.ask(after, None) == Fault("the server shows other moves")


def test_an_end_that_the_server_invents_makes_the_game_void(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for end in ({"result": "1-0", "reason": "resignation"}, {"result": "?", "reason": "\x1b"}):
        with pytest.raises(VoidGameError, match="has ended") as void:
            heard(Liar(end=end), monkeypatch, [])
        assert str(void.value).isprintable()
    lost = {"result": "0-1", "reason": "resignation"}
    assert heard(Liar(end=lost), monkeypatch, []) is PlayerCommand.RESIGN


def test_a_server_with_another_start_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    class Other(Liar):
        def create(self, _game: object) -> GameView:
            return self.shown(1, text="another")

    with pytest.raises(PeerError, match="has made another game"):
        heard(Other(), monkeypatch, [])


def test_servers_are_checked(address: str) -> None:
    check_servers([f"person:server={address}", "random"], SMALL)
    with pytest.raises(PeerError, match=r"refused by the server at 127.*unknown game"):
        check_servers([f"person:server={address}"], "chess")


MATCH = ["match", "random", "--game", SMALL, "--games", "2", "--openings", "random", "--store"]


def test_the_command_plays_with_a_person_and_prints_its_report_again_without_a_server(
    address: str, tmp_path: Path, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    with Guest() as guest, monkeypatch.context() as patch:
        patch.setattr(sys, "stderr", Listened(guest))
        assert run([*MATCH, str(tmp_path / "event"), f"person:server={address}"]) == 0
        assert len(guest.games()) == 2
    first = capsys.readouterr()
    monkeypatch.setattr(ServerClient, "create", None)
    assert run([*MATCH, str(tmp_path / "event"), f"person:server={address}"]) == 0
    again = capsys.readouterr()

    assert f"random against person:server={address}" in first.out
    assert again.out == first.out


class Listened(io.StringIO):
    """A standard error that somebody reads."""

    def __init__(self, hear: Callable[[str], None]) -> None:
        super().__init__()
        self._hear = hear

    def write(self, text: str) -> int:
        self._hear(text)
        return super().write(text)


WRONG: dict[str, tuple[list[str], int, str]] = {
    "no server": ([], 5, "no server at 127.0.0.1:9: Connection refused; start one with plyboard"),
    "workers": (["--workers", "2"], 2, "wrong option at --workers: got '2'; expected 1 where a pe"),
    "place": (["--on", "ray"], 2, "wrong option at --on: got 'ray'; expected local where a person"),
    "rules": (["--rules", "course"], 2, "wrong option at --rules: got 'course'; expected standard"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_a_person_cannot_play_is_told_in_one_line(
    case: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options, code, text = WRONG[case]
    game = "extended:columns=4" if case == "rules" else SMALL
    command = [*MATCH, str(tmp_path / "event"), "person:server=http://127.0.0.1:9", *options]
    assert run([game if word == SMALL else word for word in command]) == code
    printed = capsys.readouterr()

    assert printed.out == ""
    assert printed.err.startswith(f"error: {text}")
    assert printed.err.count("\n") == 1
