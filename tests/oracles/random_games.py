"""Random games: who moves, what is legal and how it ends is drawn by lot, node by node.

A game is a graph of nodes without cycles, so positions transpose. A state is the number of a node.
A player may move several times running. Many games share one set of kernels, in which each has its
own nodes; so they are compiled once.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from plyboard.evaluate.evaluation import Evaluation, Weights
from plyboard.games import Position
from plyboard.games.action_sets import words_of
from plyboard.games.game import Outcome
from plyboard.games.picture import Picture
from plyboard.games.rules import Rules, State, Symmetry
from plyboard.kernel import Word, kernel
from plyboard.kernel.bits import mix, number
from plyboard.kernel.wide import split, wide
from plyboard.specs import Parameter

MOST_POINTS, MOST_GUESS = 9, 40
SCALE = 4  # evaluations are quarters of a point


@dataclass(frozen=True)
class Kind:
    """What the games of a forest have in common."""

    actions: int = 6
    has_points: bool = False
    twins: bool = False  # whether each node has one with the players exchanged
    alternates: bool = False
    nodes: int = 18  # of a game
    branches: int = 4  # the most moves of a node
    reach: int = 6  # how many nodes further a move leads at most


@dataclass(frozen=True)
class Node:
    """A position: who moves, the moves with the numbers of their nodes, and its numbers."""

    mover: int
    moves: dict[int, int]  # none at the end of the game
    value: int  # at the end, for the mover
    scores: tuple[int, int]
    guess: int  # the evaluation, for the mover


@dataclass(frozen=True)
class Forest:
    """Random games with one set of rules; a game, as far as searches need one."""

    kind: Kind
    games: int
    seed: int

    name: ClassVar[str] = "random-games"
    title: ClassVar[str] = "Random games"
    players: ClassVar[tuple[str, str]] = ("x", "o")
    parameters: ClassVar[tuple[Parameter, ...]] = ()

    @cached_property
    def nodes(self) -> list[Node]:
        """All nodes, those of a game side by side and its root first."""
        chance, found = random.Random(f"{self.kind} {self.seed}"), list[Node]()
        for _ in range(self.games):
            found += _draw(self.kind, len(found), chance)
        return found

    @cached_property
    def roots(self) -> list[int]:
        """The numbers of the roots of the games."""
        return list(range(0, len(self.nodes), len(self.nodes) // self.games))

    @property
    def positions(self) -> list[Position]:
        """The starts of the games."""
        return [Position.of(self, (Word(root),)) for root in self.roots]

    @cached_property
    def rules(self) -> Rules:
        """The kernels, which look everything up."""
        return _rules(self.kind, self.nodes)

    @cached_property
    def evaluation(self) -> Evaluation:
        """The evaluation by lot."""
        guesses = np.array([node.guess for node in self.nodes], dtype=np.int64)

        @kernel
        def evaluate(state: State, _weights: Weights) -> int:
            return int(guesses[number(state[0])])

        return Evaluation("by lot", evaluate, SCALE)

    def node(self, state: State) -> Node:
        """Return the node of a state."""
        return self.nodes[state[0]]

    def parse_move(self, _state: State, text: str) -> int:
        """Return the action of a text."""
        return int(text)

    def format_move(self, _state: State, action: int) -> str:
        """Return an action as text."""
        return str(action)

    def illegal_reason(self, _state: State, _action: int) -> str:
        """Return why an action is illegal."""
        return "the lot fell otherwise"

    def parse_position(self, text: str) -> State:
        """Return the state of a text."""
        return (Word(int(text)),)

    def format_position(self, state: State) -> str:
        """Return a state as text."""
        return str(state[0])

    def unreachable_reason(self, _state: State) -> str | None:
        """Return None: nobody knows."""
        return None

    def outcome(self, state: State) -> Outcome | None:
        """Return how the game ended, or None while it goes on."""
        node = self.node(state)
        if node.moves:
            return None
        winner = None if node.value == 0 else node.mover if node.value > 0 else 1 - node.mover
        return Outcome(winner, "the lot", node.scores if self.kind.has_points else None)

    def picture(self, _state: State) -> Picture:
        """Return the picture of an empty cell."""
        return Picture(rows=(".",), pieces={}, column_names=("a",), row_names=("1",))


def _draw(kind: Kind, first: int, chance: random.Random) -> list[Node]:
    """Return the nodes of one game, which are numbered from `first` on."""
    step, found = 2 if kind.twins else 1, list[Node]()
    movers = _movers(kind, chance)
    for index in range(kind.nodes):
        ahead = range(index + 1, min(index + 1 + kind.reach, kind.nodes))
        if kind.alternates:
            ahead = ahead[::2]
        is_over = not ahead or (index > 0 and chance.random() < 0.2)
        size = 0 if is_over else chance.randint(1, min(kind.branches, kind.actions))
        chosen = chance.sample(range(kind.actions), size)
        moves = {
            action: first
            + step * chance.choice(ahead)
            + (chance.randrange(step) if step > 1 else 0)
            for action in chosen
        }
        scores = (chance.randint(0, MOST_POINTS), chance.randint(0, MOST_POINTS))
        lead = scores[0] - scores[1] if movers[index] == 0 else scores[1] - scores[0]
        value = lead if kind.has_points else chance.choice((-1, -1, 0, 1, 1))
        guess = chance.randint(-MOST_GUESS, MOST_GUESS)
        node = Node(movers[index], moves, value, scores, guess)
        found.append(node)
        if kind.twins:
            turned = {action: target ^ 1 for action, target in moves.items()}
            found.append(Node(1 - node.mover, turned, value, scores[::-1], guess))
    return found


def _movers(kind: Kind, chance: random.Random) -> list[int]:
    """Return who moves at each node: by lot, in some games often the same player again."""
    if kind.alternates:
        return [index % 2 for index in range(kind.nodes)]
    movers = [chance.randrange(2)]
    keeps = chance.choice((0.0, 0.3, 0.6))
    while len(movers) < kind.nodes:
        stays = chance.random() < keeps
        movers.append(movers[-1] if stays else chance.randrange(2))
    return movers


def _rules(kind: Kind, nodes: list[Node]) -> Rules:
    actions, words = kind.actions, words_of(kind.actions)
    masks = [sum(1 << action for action in node.moves) for node in nodes]
    legal_words: Any = np.array([split(mask, words) for mask in masks], dtype=np.uint64).reshape(-1)
    targets = np.zeros((len(nodes), actions), dtype=np.uint64)
    for place, node in enumerate(nodes):
        for action, target in node.moves.items():
            targets[place, action] = target
    movers = np.array([node.mover for node in nodes], dtype=np.int64)
    values = np.array([node.value for node in nodes], dtype=np.int64)
    points = np.array([node.scores for node in nodes], dtype=np.int64)
    load, no_points = wide(words).load, not kind.has_points
    zero: int = Word(0)
    one: int = Word(1)

    @kernel
    def one_word(state: State) -> int:
        return Word(legal_words[number(state[0])])

    @kernel
    def several_words(state: State) -> Any:
        return load(legal_words, number(state[0]) * words)

    @kernel
    def play(state: State, action: int) -> State:
        return (Word(targets[number(state[0]), action]),)

    @kernel
    def over(state: State) -> bool:
        place = number(state[0]) * words
        found = zero
        for index in range(words):
            found = found | Word(legal_words[place + index])
        return found == zero

    @kernel
    def value(state: State) -> int:
        return int(values[number(state[0])])

    @kernel
    def mover(state: State) -> int:
        return int(movers[number(state[0])])

    @kernel
    def scores(state: State) -> tuple[int, int]:
        if no_points:
            return 0, 0
        return int(points[number(state[0]), 0]), int(points[number(state[0]), 1])

    @kernel
    def key(state: State) -> int:
        return mix(state[0])

    @kernel
    def twin(state: State) -> State:
        return (state[0] ^ one,)

    @kernel
    def same_action(action: int) -> int:
        return action

    return Rules(
        start=(Word(0),), actions=actions, legal=one_word if words == 1 else several_words,
        play=play, over=over, value=value, mover=mover, scores=scores, key=key,
        order=tuple(random.Random(len(nodes)).sample(range(actions), actions)),
        has_points=kind.has_points, alternates=kind.alternates,
        symmetries=(Symmetry("twin", twin, same_action, swaps_players=True),) * kind.twins,
    )  # fmt: skip
