"""Trees that the tests of all printers share."""

from __future__ import annotations

from collections.abc import Iterable

from plyboard.analysis.trees.tree import SearchTree
from plyboard.analysis.trees.tree_builder import build_tree
from plyboard.games import Position
from plyboard.games.connect_four import ConnectFour
from plyboard.origins.alice.agent import Alice
from plyboard.origins.alice.columns import read
from plyboard.search.common.choice import Choice
from plyboard.search.common.events import Event, EventKind, Events

EXAMPLE = read("e\nabba\nbaa\ne\nabbaab\nab\nb\n", ConnectFour())


def noted(events: Iterable[Event], room: int = 1000, scale: int = 1) -> Events:
    """Return a log that holds these events."""
    found = Events(room, scale)
    for event in events:
        if found.total < room:
            found.log[found.total] = (
                event.kind, event.ply, event.action, event.value, event.alpha, event.beta,
            )  # fmt: skip
        found.total += 1
    return found


def node(ply: int, action: int) -> Event:
    return Event(EventKind.NODE, ply, action)


def leaf(ply: int, action: int, value: int) -> Event:
    return Event(EventKind.LEAF, ply, action, value)


def left(ply: int, action: int, value: int) -> Event:
    return Event(EventKind.RETURNED, ply, action, value)


def example_tree(plies: int | None = None) -> SearchTree:
    """Return the tree of the example that came with the Alice-and-Bill program."""
    return build_tree(EXAMPLE, Alice().explain(EXAMPLE), plies=plies)


def odd_tree(position: Position | None = None) -> SearchTree:
    """Return a tree with all that plain alpha-beta does not note, and a cut-off."""
    log = noted([
        node(1, 0), Event(EventKind.TABLE_HIT, 1, 0, -5, -9, -5),
        node(1, 6), Event(EventKind.DUPLICATE, 1, 6, 1),
        node(1, 3), node(2, 1), leaf(2, 1, 3), Event(EventKind.EXPECTATION, 1, 3, -2),
        node(1, 2), node(2, 1), leaf(2, 1, -7), Event(EventKind.CUTOFF, 1, 2, 7, 7, -2),
    ])  # fmt: skip
    return build_tree(position or Position("connect-four"), Choice(3, line=(3, 1), events=log))


def played_tree() -> SearchTree:
    """Return a tree of four games that were simulated."""
    won, lost = (Event(EventKind.SIMULATION, 9, 3, result) for result in (1, -1))
    log = noted([node(1, 2), lost, node(1, 3), won, node(1, 3), node(2, 3), won, node(1, 3), lost])
    return build_tree(Position("connect-four"), Choice(3, simulations=4, events=log))
