"""The agent openspiel: bots of OpenSpiel, where that is installed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import ModuleType
from typing import Any, ClassVar

from plyboard.agents.agent import NO_LIMIT, check_turn
from plyboard.errors import UnusableError, UsageError
from plyboard.games import Position
from plyboard.games.connect_four import ConnectFour
from plyboard.search.common.budget import Budget
from plyboard.search.common.choice import Choice

MCTS = "mcts"
BOTS = (MCTS, "uniform_random", "fixed_action_preference")
USUAL_SIMULATIONS = 1000
LARGEST = 2**31 - 1  # of its whole numbers
EXPLORATION = 2.0  # its usual constant
MEBIBYTES = 256


@dataclass(frozen=True)
class OpenSpielAgent:
    """A bot of OpenSpiel, which knows Connect Four only."""

    bot: str = MCTS
    budget: Budget = NO_LIMIT
    games: ClassVar[tuple[str, ...]] = ("connect-four",)

    def __post_init__(self) -> None:
        load_openspiel()  # raises where it is not installed, before there is a game to lose

    @property
    def name(self) -> str:
        """The name of the bot."""
        return f"openspiel:bot={self.bot}"

    def choose(self, position: Position, budget: Budget = NO_LIMIT) -> Choice:
        """Return its choice; a search ends after its simulations or seconds."""
        check_turn(position, "openspiel", self.games)
        spiel = load_openspiel()
        game = _game_of(spiel, position)
        state = game.new_initial_state()
        first, *others = position.history
        if first.state != position.game.rules.start:
            raise UsageError(
                "cannot set up the position", got="a position", expected="moves from the start"
            )
        for each in others:
            state.apply_action(each.last_action)
        limits = budget.within(self.budget)
        limits = replace(limits, seed=limits.seed & LARGEST)
        if self.bot != MCTS:
            name = f"{self.bot}(seed={limits.seed})" if self.bot == BOTS[1] else self.bot
            return Choice(spiel.load_bot(name, game, position.mover).step(state))
        return _search(spiel, game, state, limits)


def load_openspiel() -> ModuleType:
    """Return the module of OpenSpiel; raise `UnusableError` if it is not installed."""
    try:
        import pyspiel
    except ImportError:
        reason = "OpenSpiel is not installed; pip install open_spiel"
        raise UnusableError("cannot play openspiel", reason=reason) from None
    module: ModuleType = pyspiel
    return module


def _game_of(spiel: Any, position: Position) -> Any:
    board = position.game
    assert isinstance(board, ConnectFour)
    size = {"rows": board.rows, "columns": board.columns, "x_in_row": board.line}
    usual = {"rows": 6, "columns": 7, "x_in_row": 4}
    try:
        return spiel.load_game("connect_four", {} if size == usual else size)
    except RuntimeError as fault:  # older ones know one size only
        told = f"{board.columns} columns, {board.rows} rows"
        raise UsageError("wrong board for openspiel", got=told, expected="7 by 6") from fault


def _search(spiel: Any, game: Any, state: Any, limits: Budget) -> Choice:
    """Return the choice of its Monte Carlo tree search."""
    simulations = limits.simulations or limits.nodes
    if simulations is None:
        simulations = USUAL_SIMULATIONS if limits.seconds is None else LARGEST
    bot = spiel.MCTSBot(
        game, spiel.RandomRolloutEvaluator(1, limits.seed), EXPLORATION,
        min(simulations, LARGEST), MEBIBYTES, True, limits.seed, False,
        spiel.ChildSelectionPolicy.UCT, -1.0 if limits.seconds is None else limits.seconds,
    )  # fmt: skip
    root = bot.mcts_search(state)
    best = root.best_child()
    value = best.total_reward / max(1, best.explore_count)
    return Choice(best.action, value, (best.action,), simulations=root.explore_count)
