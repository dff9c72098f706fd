"""The settings of network games, and the matches that they give."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from ipaddress import ip_address

from plyboard.agents import agent
from plyboard.agents.agent import NO_LIMIT
from plyboard.games import Position
from plyboard.origins.four_in_a_row.network.addresses import is_loopback, outward_address
from plyboard.origins.four_in_a_row.network.connection import LOOPBACK, PeerConnection
from plyboard.origins.four_in_a_row.network.network_match import NetworkMatch
from plyboard.play import AgentSeat, Heading, Match
from plyboard.play.live_match import LiveMatch
from plyboard.play.referee import Observer
from plyboard.search.common.budget import Budget

HUMAN, OPPONENT = "human", "opponent"
GAME = "connect-four"
ADDRESS = "ADDRESS"  # stands for one that is not known
SEED_STEP = 1_000_003  # between games, so that no two are the same
LINGER_SECONDS = 4.0  # after the end of the last game; the original closes its window with us


@dataclass(frozen=True)
class NetworkSetup:
    """Who plays here, and how the other side is reached.

    Without a host the local player waits for the other one and moves first.
    """

    player: str  # `human`, or the spec of an agent
    port: int  # 0 to listen on any free port
    host: str | None = None
    bind: str = LOOPBACK
    budget: Budget = NO_LIMIT  # of the agent for each move
    wait: float | None = None  # seconds for the other side to connect; None for no limit
    patience: float | None = None  # seconds for each move of the other side; None for no limit
    linger: float = LINGER_SECONDS
    games: int = 1

    @property
    def is_human(self) -> bool:
        """Whether a person plays here."""
        return self.player == HUMAN

    @property
    def is_server(self) -> bool:
        """Whether the other side connects to us."""
        return self.host is None

    @property
    def local_player(self) -> int:
        """The player here: the server is player one and moves first."""
        return 0 if self.is_server else 1

    @property
    def players(self) -> tuple[str, str]:
        """The names of both players."""
        return (self.player, OPPONENT) if self.is_server else (OPPONENT, self.player)

    def connect(self) -> PeerConnection:
        """Return a connection that listens or dials; nothing is sent or accepted yet."""
        if self.host is None:
            return PeerConnection.listen(self.bind, self.port, self.wait)
        return PeerConnection.dial(self.host, self.port, self.wait)

    def budget_of(self, game: int) -> Budget:
        """Return the budget of the agent in one of several games; each has another seed."""
        return replace(self.budget, seed=self.budget.seed + SEED_STEP * game)

    def new_match(self, game: int = 0) -> Match:
        """Return one of several matches before its first move."""
        today = datetime.now(UTC).date().isoformat()
        seed = None if self.is_human else self.budget_of(game).seed
        return Match.of(Position(GAME), Heading(*self.players, date=today, seed=seed))

    def open(
        self,
        connection: PeerConnection,
        game: int = 0,
        observers: Sequence[Observer] = (),
        live: LiveMatch | None = None,
    ) -> NetworkMatch:
        """Return a new match over a connection; it goes on in a live match if one is given."""
        if live is None:
            seat = None if self.is_human else AgentSeat(agent(self.player), self.budget_of(game))
            live = LiveMatch(self.new_match(game), (seat, None) if self.is_server else (None, seat))
        return NetworkMatch(connection, live, self.local_player, observers, self.patience)

    def invitation(self, connection: PeerConnection) -> list[str]:
        """Return what the other side has to type, and how to let another machine in."""
        host, port = connection.address
        reachable = outward_address(host) if ip_address(host).is_unspecified else host
        lines = [
            f"The other player types: plyboard four-in-a-row human {port} {reachable or ADDRESS}"
        ]
        if not reachable:
            lines.append(f"{ADDRESS} is the address of this machine in your network.")
        if is_loopback(host):
            lines.append("Only this machine can connect. Without --bind, others can, too.")
        return lines
