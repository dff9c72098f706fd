"""`AI` and `Node` of Four In A Row: random branches, whose results make the scores of a tree."""

from __future__ import annotations

import random
from collections.abc import Callable

from plyboard.agents.bots.opening import open_bot
from plyboard.errors import GameOverError
from plyboard.games import Position
from plyboard.origins.four_in_a_row.game import (
    COLUMNS,
    FOUR_IN_A_ROW,
    Game,
    ReadableGame,
    position_of,
)
from plyboard.origins.four_in_a_row.jericho import USUAL, JerichoSearch, JerichoTree
from plyboard.search.common.budget import Budget
from plyboard.session.messages import NO_AI_MOVES

DEFAULT_AGENT = "jericho:keep=yes"
SHORTEST_SECONDS = 0.001
SEEDS = 2**53


class RolloutNode:
    """A node of the tree of `AI.build_tree`: a score, and a child for each column tried."""

    def __init__(self, score: float = 0) -> None:
        self.score = score
        self.children = dict[int, Node]()

    def get_score(self) -> float:
        """Return the score: the sum of what its branches have returned, above 0 when winning."""
        return self.score

    def get_children(self) -> dict[int, Node]:
        """Return the nodes after each column, in the order of their first visit."""
        return self.children

    def add_score(self, n_score: float) -> None:
        """Add to the score."""
        self.score += n_score

    def add_child(self, col: int, node: Node) -> None:
        """Make a node the child of a column."""
        self.children[col] = node

    def remove_child(self, col: int) -> None:
        """Remove the child of a column, if there is one."""
        self.children.pop(col, None)


Node = RolloutNode  # its name in the original


class AI:
    """Chooses columns in a game of this program. One object plays one game.

    Scores are for the player who was to move when the object was first asked. Without a seed each
    object plays differently.
    """

    DRAW = Game.DRAW
    ITERATIONS = USUAL.simulations or 0
    FALLOFF_VALUE = 2
    SCORES = (1, 0, -1)  # for a win, a draw and a loss
    NO_AI_MOVE = NO_AI_MOVES

    def __init__(self, spec: str = DEFAULT_AGENT, seed: int | None = None) -> None:
        self._bot = open_bot(spec, FOUR_IN_A_ROW)
        self._chance = random.Random(seed)
        self._color: int | None = None

    def find_legal_move(
        self, game: ReadableGame, func: Callable[[int], object], timeout: float | None = None
    ) -> None:
        """Call the function with the chosen column, counted from 0; the game is not changed.

        The timeout is in seconds; without one the agent uses its default budget. If there is no
        move, it raises `GameOverError` with the text `No possible AI moves.`
        """
        position = _position_to_move(game)
        self._is_mine(game)
        seconds = None if timeout is None else max(float(timeout), SHORTEST_SECONDS)
        budget = Budget(seconds=seconds, seed=self._chance.randrange(SEEDS))
        func(self._bot.think(position, budget).action)

    def build_tree(
        self, game: ReadableGame, root: Node | None = None, iterations: int = ITERATIONS
    ) -> Node:
        """Add so many random branches below a root, by default a new one, and return it.

        Raises as `find_legal_move` if there is no move.
        """
        position = _position_to_move(game)
        root = Node() if root is None else root
        search = JerichoSearch(keep=True)
        search.search(position, Budget(simulations=iterations, seed=self._chance.randrange(SEEDS)))
        assert search.tree is not None
        sign = 1 if self._is_mine(game) else -1
        root.add_score(sign * float(search.tree.scores[0]))
        _add_children(root, search.tree, 0, sign)
        return root

    def build_branch(self, game: ReadableGame, node: Node) -> float:
        """Add one random branch below a node; return what the node's parent gets to add.

        That is the result of a game that has ended, else half of what this node got.
        """
        winner, is_mine = game.get_winner(), self._is_mine(game)
        if winner is None:
            before = node.get_score()
            self.build_tree(game, node, 1)
            return (node.get_score() - before) / self.FALLOFF_VALUE
        win, draw, loss = self.SCORES
        mine = game.get_current_player() if is_mine else 1 - game.get_current_player()
        score = draw if winner == self.DRAW else win if winner == mine else loss
        node.add_score(score)
        return score

    def possible_moves(self, game: ReadableGame) -> set[int]:
        """Return the columns that are not full."""
        return {column for column in range(COLUMNS) if game.get_player_at(0, column) is None}

    def _is_mine(self, game: ReadableGame) -> bool:
        """Return whether the player to move is the one whom the scores are for."""
        mover = game.get_current_player()
        self._color = mover if self._color is None else self._color
        return mover == self._color


def _add_children(node: Node, tree: JerichoTree, index: int, sign: int) -> None:
    """Add the scores of a tree to the nodes below this one."""
    for child in tree.children(index):
        below = node.children.setdefault(child.action, Node())
        below.add_score(sign * child.score)
        _add_children(below, tree, child.node, sign)


def _position_to_move(game: ReadableGame) -> Position:
    position = None if game.get_winner() is not None else position_of(game)
    if position is None or not position.legal_actions():
        raise GameOverError(NO_AI_MOVES)
    return position
