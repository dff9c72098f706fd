"""Promise L5: a game is one list of events, whoever sends what over which socket.

A state machine drives the rooms of a server and a small model of them with the same steps.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
from typing import Any

from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from server.harness import NO_LIMITS
from server.simulation import MemoryStore, SimulatedServer, VirtualLoop

from plyboard.games import Position
from plyboard.server.game.decisions import Command
from plyboard.server.game.tokens import new_token, token_hash
from plyboard.server.protocol import (
    Ack,
    Created,
    CreateGame,
    Do,
    ErrorAnswer,
    GameView,
    MakeMove,
    Rotate,
    Rotated,
    SeatChoice,
    Sit,
    Watch,
)

EXAMPLES = int(os.environ.get("PLYBOARD_ORDER_EXAMPLES", "200"))
STEPS = 50
GAME, BASE = "connect-four:columns=4,rows=4,line=3", 30.5
TOKEN = "b" * 43  # of the second seat


class GameModel:
    """What a game should be, written as simply as possible."""

    def __init__(self) -> None:
        self.moves: list[str] = []
        self.lefts: list[float] = []  # of the mover after each move
        self.clock_since = 0.0  # when the clock of the mover began to run
        self.is_seated = False
        self.draw: int | None = None
        self.takeback: int | None = None
        self.rematch: int | None = None
        self.has_next = False
        self.end = ""
        self.sequence = self.since = 0  # the last event, and the last one that was no new token
        self.tokens = ["", TOKEN]
        self.next_tokens = ["", ""]  # of the seats of the rematch

    @property
    def position(self) -> Position:
        position = Position(GAME)
        for move in self.moves:
            position = position.play(move)
        return position

    @property
    def mover(self) -> int:
        return len(self.moves) % 2

    def left(self, player: int) -> float:
        """Return what a player has left, without the time of this turn."""
        return (self.lefts[player::2] or [BASE])[-1]

    def look(self, now: float) -> None:
        """Let the flag fall."""
        if self.is_seated and not self.end and now - self.clock_since > self.left(self.mover):
            self._happen(end="time")

    def move(self, player: int, move: str, sequence: int, now: float) -> str:
        if not self.since <= sequence <= self.sequence:
            return "stale"
        if refusal := self._refusal():
            return refusal
        if player != self.mover:
            return "not_your_turn"
        if move not in self.position.legal_moves():
            return "illegal_move"
        self.lefts.append(round(self.left(player) - (now - self.clock_since), 3))
        self.moves.append(move)
        self.clock_since, self.takeback = now, None
        self.draw = self.draw if self.draw == player else None
        outcome = self.position.outcome()
        self._happen(end=outcome.reason if outcome else "")
        return ""

    def command(self, player: int, what: Command, sequence: int, now: float) -> str:
        if not self.since <= sequence <= self.sequence and what not in ("resign", "abort"):
            return "stale"
        if what == "abort":
            if self.end or len(self.moves) >= 2:
                return "game_over" if self.end else "cannot_abort"
            return self._happen(end="abandoned")
        if what == "rematch" and self.is_seated:
            return self._ask_for_rematch(player)
        if what == "decline" and self.end and not self.has_next and self.rematch == 1 - player:
            self.rematch = None
            return self._happen(self.end)
        if refusal := self._refusal():
            return refusal
        if what == "resign":
            return self._happen(end="resignation")
        if what == "draw":
            if self.draw == player:
                return "already_offered"
            is_agreed, self.draw = self.draw is not None, player
            return self._happen(end="agreed" if is_agreed else "")
        if what == "takeback":
            return self._take_back(player, now)
        if 1 - player not in (self.draw, self.takeback):
            return "nothing_offered"
        self.draw = self.takeback = None
        return self._happen()

    def _ask_for_rematch(self, player: int) -> str:
        if not self.end or self.has_next:
            return "no_rematch" if self.end else "not_over"
        if self.rematch == player:
            return "already_offered"
        self.has_next, self.rematch = self.rematch is not None, player
        self.next_tokens = self.tokens[::-1]
        self.sequence = self.since = self.sequence + 1
        return ""

    def _take_back(self, player: int, now: float) -> str:
        if self.takeback == player:
            return "already_offered"
        asking = player if self.takeback is None else 1 - player
        plies = [ply for ply in range(len(self.moves)) if ply % 2 == asking]
        if not plies:
            return "nothing_to_take_back"
        if self.takeback is None:
            self.takeback = player
        else:
            self.draw = self.takeback = None
            del self.moves[plies[-1] :], self.lefts[plies[-1] :]
            self.clock_since = now
        return self._happen()

    def sit(self, now: float) -> None:
        self.is_seated, self.clock_since = True, now
        self._happen()

    def rotate(self, player: int, token: str) -> None:
        self.tokens[player] = token
        self.sequence += 1

    def _refusal(self) -> str:
        return "game_over" if self.end else "" if self.is_seated else "not_started"

    def _happen(self, end: str = "") -> str:
        self.sequence = self.since = self.sequence + 1
        self.end = end
        if end:
            self.draw = self.takeback = None
        return ""


class FakeSocket:
    """A client of the rooms that notes the last view it was sent."""

    address = "a"

    def __init__(self) -> None:
        self.view: dict[str, Any] = {}
        self.is_open, self.secret = True, new_token()

    def send(self, text: str) -> None:
        assert self.is_open, "a socket was told something after it was closed"
        message = json.loads(text)
        if message["t"] == "game":
            assert message["seq"] >= self.view.get("seq", 0), "a view came out of order"
            self.view = message

    def replace(self, reason: str) -> None:
        self.is_open = False

    def reconnect(self, reason: str) -> None:
        self.is_open = False


SOCKETS = st.integers(0, 5)
"""Two of the first player, two of the second one, and two spectators."""


class OneOrder(RuleBasedStateMachine):
    """The rooms of a server beside the model."""

    def __init__(self) -> None:
        super().__init__()
        self.runner = asyncio.Runner(loop_factory=VirtualLoop)
        self.store, self.model, self.number = MemoryStore(), GameModel(), 0
        self.answered: tuple[int, Any, Any] | None = None
        self.sockets = [FakeSocket() for _ in range(6)]
        self.watching: set[int] = set()
        self.is_created = False
        self.old_tokens: list[str] = []
        self.run(self._open())

    def run(self, work: Any) -> Any:
        return self.runner.run(work)

    async def _open(self) -> None:
        self.server = SimulatedServer(self.store, NO_LIMITS)
        await self.server.start()

    @property
    def now(self) -> float:
        return self.runner.get_loop().time()

    async def _ask(self, socket: int, message: Any) -> Any:
        return await self.server.hub.answer(self.sockets[socket], message)

    def ask(self, socket: int, message: Any) -> Any:
        return self.run(self._ask(socket, message))

    def next_id(self) -> str:
        self.number += 1
        return f"r{self.number}"

    @initialize(is_ready=st.sampled_from((True, True, True, False)))
    def create(self, is_ready: bool) -> None:
        seats = (SeatChoice("me", name="Ann"), SeatChoice("open"))
        made = self.ask(0, CreateGame(self.next_id(), GAME, seats, clock=str(BASE)))
        assert isinstance(made, Created)
        self.game = made.game
        self.is_created = True
        self.model.tokens[0] = str(made.token)
        if is_ready:
            self.sit(2, False)
            self.watch_all()

    def _is_player(self, socket: int) -> bool:
        return socket in self.watching and socket < 4

    def _token(self, socket: int) -> str | None:
        return self.model.tokens[socket // 2] if socket < 4 else None

    def _is_open(self, player: int) -> bool:
        """Return whether the token of a player opens a seat."""
        return player == 0 or self.model.is_seated

    def _check(self, answer: Any, code: str) -> None:
        found = answer.code if isinstance(answer, ErrorAnswer) else ""
        assert found == code, (answer, code)
        if isinstance(answer, Ack):
            assert answer.seq == self.model.sequence

    @rule(socket=SOCKETS)
    def watch(self, socket: int) -> None:
        answer = self.ask(socket, Watch(self.next_id(), self.game, self._token(socket)))
        if socket in (2, 3) and not self.model.is_seated:
            assert answer.code == "wrong_token"
            return
        self.watching.add(socket)
        assert isinstance(answer, GameView)
        assert answer.seq == self.model.sequence
        self.sockets[socket].view = json.loads(json.dumps({"seq": answer.seq}))

    @rule()
    def watch_all(self) -> None:
        for socket in range(6):
            self.watch(socket)

    @rule(move=st.sampled_from("1234"))
    def play_on(self, move: str) -> None:
        """Make a move that is likely to be legal."""
        players = [each for each in self.watching if each // 2 == self.model.mover]
        if players and not self.model.end:
            self.move(players[0], move, 0)

    @rule(socket=SOCKETS)
    def reconnect(self, socket: int) -> None:
        self.server.hub.forget(self.sockets[socket])
        self.sockets[socket] = FakeSocket()
        self.watching.discard(socket)

    @rule(socket=st.sampled_from((2, 3, 4)), is_thief=st.booleans())
    def sit(self, socket: int, is_thief: bool) -> None:
        token = "e" * 43 if is_thief and self.model.is_seated else self.model.tokens[1]
        answer = self.ask(socket, Sit(self.next_id(), self.game, "Bob", token))
        if self.model.end and not self.model.is_seated:  # it was aborted
            self._check(answer, "game_over")
            return
        if is_thief and self.model.is_seated:
            self._check(answer, "seat_taken")
            return
        assert answer.token == token
        if socket == 4:  # a spectator with the token is a player from now on
            self.server.hub.forget(self.sockets[4])
            self.sockets[4] = FakeSocket()
            self.watching.discard(4)
        else:
            self.watching.add(socket)
        if not self.model.is_seated:
            self.model.sit(self.now)

    @rule(socket=SOCKETS, move=st.sampled_from("1234"), off=st.sampled_from((0, 0, 0, 0, 1, -1)))
    def move(self, socket: int, move: str, off: int) -> None:
        sequence = max(0, self.model.sequence + off)
        message = MakeMove(self.next_id(), self.game, sequence, move)
        answer = self.ask(socket, message)
        if not self._is_player(socket):
            self._check(answer, "not_a_player")
            return
        self._check(answer, self.model.move(socket // 2, move, sequence, self.now))
        self.answered = socket // 2, message, answer

    @rule(
        socket=SOCKETS,
        what=st.sampled_from(("draw", "takeback", "decline", "resign", "abort", "rematch")),
        off=st.sampled_from((0, 0, 0, 1)),
        is_meant=st.sampled_from((True, False, False, False, False)),
    )
    def command(self, socket: int, what: Command, off: int, is_meant: bool) -> None:
        if what in ("resign", "abort") and not is_meant:
            return  # most games should go on
        sequence = self.model.sequence + off
        message = Do(self.next_id(), self.game, sequence, what)
        answer = self.ask(socket, message)
        if not self._is_player(socket):
            self._check(answer, "not_a_player")
            return
        self._check(answer, self.model.command(socket // 2, what, sequence, self.now))
        self.answered = socket // 2, message, answer

    @precondition(lambda self: self.answered is not None and isinstance(self.answered[2], Ack))
    @rule(is_other=st.booleans(), times=st.integers(1, 3))
    def repeat(self, is_other: bool, times: int) -> None:
        assert self.answered is not None
        player, message, answer = self.answered
        socket = next(
            (each for each in (2 * player, 2 * player + 1) if each in self.watching), None
        )
        if socket is None:
            return
        if is_other and isinstance(message, MakeMove):
            other = MakeMove(
                message.id, self.game, message.seq, "1" if message.move != "1" else "2"
            )
            assert self.ask(socket, other).code == "id_conflict"
            return
        for _ in range(times):
            assert self.ask(socket, message) == answer

    @rule(first=st.integers(0, 3), second=st.integers(0, 3), move=st.sampled_from("1234"))
    def move_at_once(self, first: int, second: int, move: str) -> None:
        """Send two moves for the same position at the same moment; at most one counts."""
        sequence = self.model.sequence
        messages = [MakeMove(self.next_id(), self.game, sequence, move) for _ in range(2)]

        async def both() -> list[Any]:
            return list(await asyncio.gather(self._ask(first, messages[0]),
                                             self._ask(second, messages[1])))  # fmt: skip

        for socket, answer in zip((first, second), self.run(both()), strict=True):
            if self._is_player(socket):
                self._check(answer, self.model.move(socket // 2, move, sequence, self.now))
            else:
                self._check(answer, "not_a_player")

    @precondition(lambda self: bool(self.model.end))
    @rule(first=st.integers(0, 3), second=st.integers(0, 3))
    def rematch_at_once(self, first: int, second: int) -> None:
        """Let two sockets ask for a rematch at the same moment; there is one game at most."""
        sequence = self.model.sequence
        messages = [Do(self.next_id(), self.game, sequence, "rematch") for _ in range(2)]

        async def both() -> list[Any]:
            return list(await asyncio.gather(self._ask(first, messages[0]),
                                             self._ask(second, messages[1])))  # fmt: skip

        for socket, answer in zip((first, second), self.run(both()), strict=True):
            if self._is_player(socket):
                self._check(answer, self.model.command(socket // 2, "rematch", sequence, self.now))
            else:
                self._check(answer, "not_a_player")

    @rule(socket=st.integers(0, 3), times=st.integers(0, 2), other=SOCKETS)
    def rotate(self, socket: int, times: int, other: int) -> None:
        """Replace a token, and send the request again over some socket."""
        player, number = socket // 2, self.next_id()
        old, new = self.model.tokens[player], f"{number:-<43}"
        message = Rotate(number, self.game, old, new)
        answer = self.ask(socket, message)
        if not self._is_open(player):
            self._check(answer, "wrong_token")
            return
        self._rotated(socket, new)
        assert answer == Rotated(number, self.game, self.model.sequence, new)
        if other // 2 == player:
            for _ in range(times):
                assert self.ask(other, message) == answer
                self.watching.add(other)
            assert self.ask(other, Rotate(number, self.game, new, old)).code == "id_conflict"

    def _rotated(self, socket: int, new: str) -> None:
        """Note a new token; the other socket with the old one must be closed by now."""
        player, twin = socket // 2, socket ^ 1
        self.old_tokens.append(self.model.tokens[player])
        self.model.rotate(player, new)
        assert self.sockets[twin].is_open == (twin not in self.watching)
        self.sockets[twin] = FakeSocket()
        self.watching = self.watching - {twin} | {socket}

    @rule(player=st.integers(0, 1), is_first=st.booleans(), move=st.sampled_from("1234"))
    def rotate_and_move_at_once(self, player: int, is_first: bool, move: str) -> None:
        """Replace a token while the other socket of the player moves; the first one wins."""
        first, second = 2 * player, 2 * player + 1
        if second not in self.watching:
            return
        new, sequence = f"{self.next_id():-<43}", self.model.sequence
        rotation = Rotate(self.next_id(), self.game, self.model.tokens[player], new)
        turn = MakeMove(self.next_id(), self.game, sequence, move)

        async def both() -> list[Any]:
            asked = [self._ask(first, rotation), self._ask(second, turn)]
            answers = await asyncio.gather(*asked[:: 1 if is_first else -1])
            return answers[:: 1 if is_first else -1]

        rotated, moved = self.run(both())
        if is_first:
            self._check(moved, "not_a_player")
        else:
            self._check(moved, self.model.move(player, move, sequence, self.now))
        self._rotated(first, new)
        assert rotated.token == new

    @precondition(lambda self: bool(self.old_tokens) and self.model.is_seated)
    @rule(socket=SOCKETS, age=st.integers(0, 3))
    def use_an_old_token(self, socket: int, age: int) -> None:
        old = self.old_tokens[-1 - age % len(self.old_tokens)]
        self._check(self.ask(socket, Watch(self.next_id(), self.game, old)), "wrong_token")
        self._check(self.ask(socket, Sit(self.next_id(), self.game, "Eve", old)), "seat_taken")
        asked = Rotate(self.next_id(), self.game, old, "f" * 43)
        self._check(self.ask(socket, asked), "wrong_token")

    @rule(seconds=st.integers(1, 12))
    def wait(self, seconds: int) -> None:
        self.run(asyncio.sleep(seconds))
        self.model.look(self.now)

    @rule(seconds=st.integers(0, 3600), is_meant=st.sampled_from((True, False, False, False)))
    def restart(self, seconds: int, is_meant: bool) -> None:
        if not is_meant:
            return
        self.run(self.server.kill())
        self.run(asyncio.sleep(seconds))
        self.run(self._open())
        self.run(asyncio.sleep(0.0001))
        self.model.clock_since = self.now
        self.watching.clear()
        self.sockets = [FakeSocket() for _ in range(6)]

    @invariant()
    def both_agree(self) -> None:
        if not self.is_created:
            return
        state, model = self.run(self.server.rooms.get(self.game)).state, self.model
        end = state.match.end
        assert state.match.position.moves == tuple(model.moves)
        assert state.sequence == model.sequence
        assert ("" if end is None else end.reason) == model.end
        assert (state.draw_offer, state.takeback_offer) == (model.draw, model.takeback)
        assert bool(state.next) == model.has_next
        if state.next:
            again = self.run(self.server.rooms.get(state.next)).state
            hashes = [seat.token_hash for seat in again.seats]
            assert hashes == [token_hash(each) for each in model.next_tokens]
        assert len(self.store.games) == 1 + model.has_next, "two rematches"
        for socket in self.watching:
            view = self.sockets[socket].view
            assert view["seq"] == model.sequence, "a socket was not told"
            assert view.get("moves", model.moves) == model.moves

    def teardown(self) -> None:
        if self.is_created:
            stored = self.store.load(self.game)
            assert stored is not None
            assert stored.state.match.position.moves == tuple(self.model.moves)
        self.run(self.server.kill())
        self.runner.close()


def test_the_rooms_do_what_the_model_says() -> None:
    random.seed(0)
    run_state_machine_as_test(
        OneOrder,
        settings=settings(
            max_examples=EXAMPLES, stateful_step_count=STEPS, deadline=None, derandomize=True,
            database=None, phases=(Phase.explicit, Phase.generate), report_multiple_bugs=False,
        ),
    )  # fmt: skip
