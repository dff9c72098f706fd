"""New games: what clients may ask for, and how many of them an address may have."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

import msgspec

from plyboard.errors import UsageError, shown
from plyboard.games import Position
from plyboard.games import game as find_game
from plyboard.play import TimeControl
from plyboard.server.game.events import GamePlan, GameState, SeatPlan, opened
from plyboard.server.game.tokens import derived_game, token_hash
from plyboard.server.protocol import CreateGame, RequestError
from plyboard.server.rates import Costly
from plyboard.server.rooms.rooms import Rooms
from plyboard.server.study.game_kinds import offered_agents
from plyboard.server.views import prepare as prepare_view

MOST_MARKS = 2  # on one letter of a name, as some scripts need


class Reservation:
    """A place for one more game of an address, while the game is being stored."""

    def __init__(self, new_games: NewGames, address: str) -> None:
        self.is_taken = False
        self._new_games, self._address, self._games = new_games, address, list[str]()

    def take(self) -> None:
        """Take the place; raise `RequestError` if the address may make no game now."""
        if not self.is_taken:
            self._games = self._new_games.take(self._address)
            self.is_taken = True

    def use(self, state: GameState) -> None:
        """Let a game run that is on disk now."""
        self.count(state.id)
        self._new_games.rooms.open(state)

    def count(self, game_id: str) -> None:
        """Count a game among those of the address."""
        if game_id not in self._games:
            self._games.append(game_id)


class NewGames:
    """Counts the games of each address."""

    def __init__(self, rooms: Rooms) -> None:
        self.rooms = rooms
        rooms.addresses.is_unfinished = rooms.is_unfinished
        self._creating: Counter[str] = Counter()  # games that are being stored, by address

    @contextmanager
    def reservation(self, address: str) -> Iterator[Reservation]:
        """Give a place, which counts from when it is taken until the end of the block."""
        place = Reservation(self, address)
        try:
            yield place
        finally:
            if place.is_taken:
                self._creating -= Counter([address])  # drops the count at zero

    def take(self, address: str) -> list[str]:
        """Count one more game; return the unfinished ones that the address has made."""
        addresses = self.rooms.addresses
        games = addresses.games_of(address)
        if games is None or not addresses.allows(address, Costly.NEW_GAME):
            raise RequestError("too_many_games", "You make games too fast. Try again in a minute.")
        games[:] = filter(self.rooms.is_unfinished, games)
        most = self.rooms.limits.games_per_address
        if len(games) + self._creating[address] >= most:
            raise RequestError("too_many_games", f"You have {most} games. Finish one first.")
        self._creating[address] += 1
        return games


def planned(message: CreateGame, secret: str) -> tuple[GameState, tuple[str, str]]:
    """Return a new game that is not stored yet, and the token of each seat that the sender takes.

    Reading a start and learning to draw a game takes too long for the loop.
    """
    game_id, token = derived_game(message.token or secret, message.id)
    plan, tokens = _plan_of(message, message.token or token)
    state = opened(game_id, plan)
    prepare_view(state.match.position.game)
    return state, tokens


def is_same_plan(first: GamePlan, second: GamePlan) -> bool:
    """Return whether two games were asked for alike, perhaps on different days."""
    return msgspec.structs.replace(first, date=second.date) == second


def _plan_of(message: CreateGame, mine: str) -> tuple[GamePlan, tuple[str, str]]:
    """Return the plan of a new game, and the token of each seat that the sender takes."""
    game = find_game(message.game)
    if message.start:
        Position(game, message.start)
    if message.clock:
        TimeControl.read(message.clock)
    tokens = ["", ""]  # one token, even for both seats
    seats: list[SeatPlan] = []
    for player, choice in enumerate(message.seats):
        if choice.kind == "agent":
            if choice.agent not in [each.spec for each in offered_agents(game.name)]:
                raise UsageError(
                    "unknown agent", got=shown(choice.agent), expected="one of the list"
                )
            seats.append(SeatPlan("agent", choice.agent, choice.agent))
        elif choice.kind == "me":
            tokens[player] = mine
            name, hashed = shown_name(choice.name), token_hash(mine)
            seats.append(SeatPlan("person", name, token_hash=hashed))
        else:
            seats.append(SeatPlan("open"))
    plan = GamePlan(
        message.game, message.start, (seats[0], seats[1]), message.clock, today(), message.public
    )
    return plan, (tokens[0], tokens[1])


def today() -> str:
    """Return the date of a game that begins now."""
    return datetime.now(UTC).date().isoformat()


def shown_name(text: str) -> str:
    """Return a name without characters that could change a terminal or the order of a text.

    Of marks that stand above or below a letter only the first few are kept.
    """
    shown, marks = "", 0
    for char in unicodedata.normalize("NFC", text):
        marks = marks + 1 if unicodedata.category(char) in ("Mn", "Me") else 0
        if char.isprintable() and marks <= MOST_MARKS:
            shown += char
    return shown.strip() or "guest"
