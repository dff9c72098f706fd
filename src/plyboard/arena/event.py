"""The settings of a match or tournament. With its seed they decide every game."""

from __future__ import annotations

import random
from dataclasses import asdict, dataclass, replace

from plyboard.agents import Budget, agent
from plyboard.agents.agent import NO_LIMIT
from plyboard.agents.catalogue import check_plays
from plyboard.arena.game_task import LIMIT_NAMES, STANDARD, Facts, GameTask
from plyboard.arena.matching import check_matching
from plyboard.arena.openings import OpeningRule
from plyboard.arena.pairings import FORMATS, swiss_rounds
from plyboard.arena.referees import event_rules
from plyboard.arena.statistics.sprt import SprtTest
from plyboard.arena.withdrawals import USUAL_FAULTS
from plyboard.errors import UsageError, shown
from plyboard.games import Position, spec_of
from plyboard.games import game as find_game
from plyboard.play.clock import TimeControl
from plyboard.play.match import Heading, Match
from plyboard.specs import choices

MOST_PAIRS = 1_000_000_000
MOST_AGENTS = 200
SEED_BITS = 40
ROUND_ROBIN, SWISS = "round-robin", "swiss"


@dataclass(frozen=True)
class EventSettings:
    """What is played: agents, game, format, openings, budget. The same settings are one event."""

    agents: tuple[str, ...]  # specs; in a knockout and a gauntlet their order counts
    game: str
    pairs: int  # of games, for each pairing in each round
    format: str = ROUND_ROBIN
    rounds: int = 1  # of a Swiss tournament
    seed: int = 0
    budget: Budget = NO_LIMIT  # for each move
    control: TimeControl | None = None
    rules: str = STANDARD
    plies: int | None = None  # of openings; None for the usual ones
    balanced: bool = True  # whether openings with a proved win are dropped
    sprt: SprtTest | None = None  # ends a match of two as soon as it is decided
    faults: int = USUAL_FAULTS  # in a row, after which an agent is withdrawn; 0 for never

    @property
    def opening_rule(self) -> OpeningRule:
        """How its openings are drawn."""
        return OpeningRule(self.game, self.seed, self.plies, self.balanced)

    def task(
        self, number: int, pair: int, players: tuple[str, str], opening: tuple[str, ...]
    ) -> GameTask:
        """Return one game of the event."""
        seed = random.Random(f"{self.seed} game {number}").getrandbits(SEED_BITS)
        return GameTask(
            number, pair, *players, self.game, opening, seed, self.budget, self.control, self.rules
        )

    def checked(self) -> EventSettings:
        """Return the settings with the full spec of the game; raise if they make no event."""
        _check_agents(self.agents)
        game = find_game(self.game)
        rules = event_rules(self.rules)
        for spec in self.agents:
            player = rules.player(spec, "")
            agent(player)
            check_plays(player, game.name)
        if self.format not in FORMATS:
            expected = choices(self.format, FORMATS)
            raise UsageError("unknown format", got=shown(self.format), expected=expected)
        if self.format == SWISS:
            check_matching()
        if not 1 <= self.pairs <= MOST_PAIRS:
            expected = f"2 to {2 * MOST_PAIRS}, both colours from each opening"
            raise UsageError("wrong games", got=f"'{2 * self.pairs}'", expected=expected)
        if not 1 <= self.rounds < max(2, len(self.agents)):
            expected = f"a whole number from 1 to {max(1, len(self.agents) - 1)}"
            raise UsageError("wrong rounds", got=f"'{self.rounds}'", expected=expected)
        if self.sprt is not None and len(self.agents) != 2:
            raise UsageError("wrong agents", got=str(len(self.agents)), expected="2 for a test")
        heading = Heading(control=self.control)
        rules.referee.open(Match.of(Position(game), heading))
        _ = self.opening_rule
        return replace(self, game=spec_of(game))

    def facts(self) -> Facts:
        """Return the settings as JSON can hold them."""
        limits = {name: getattr(self.budget, name) for name in LIMIT_NAMES}
        return {
            "agents": list(self.agents),
            "game": self.game,
            "format": self.format,
            "pairs": self.pairs,
            "rounds": self.rounds,
            "seed": self.seed,
            "budget": {name: limit for name, limit in limits.items() if limit is not None},
            "control": None if self.control is None else self.control.text(),
            "rules": self.rules,
            "plies": self.plies,
            "balanced": self.balanced,
            "faults": self.faults,
            "sprt": None if self.sprt is None else asdict(self.sprt),
        }

    @classmethod
    def of(cls, facts: Facts) -> EventSettings:
        """Return the settings that `facts` came from."""
        control, sprt = facts["control"], facts["sprt"]
        return replace(
            cls(**facts),
            agents=tuple(facts["agents"]),
            budget=Budget(**facts["budget"]),
            control=None if control is None else TimeControl.read(control),
            sprt=None if sprt is None else SprtTest(**sprt),
        )


def usual_rounds(form: str, agents: int) -> int:
    """Return the number of rounds of a format, unless the event says otherwise."""
    return min(swiss_rounds(agents), agents - 1) if form == SWISS else 1


def _check_agents(specs: tuple[str, ...]) -> None:
    if not 2 <= len(specs) <= MOST_AGENTS:
        raise UsageError("wrong agents", got=str(len(specs)), expected=f"2 to {MOST_AGENTS}")
    for index, spec in enumerate(specs):
        if spec in specs[:index]:
            raise UsageError("agent given twice", got=shown(spec), expected="different agents")
