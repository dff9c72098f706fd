"""Search trees, computed in a process. The server keeps the encoded branches of the latest ones."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

import msgspec

from plyboard.agents import Bot, open_bot
from plyboard.agents.agent import NO_LIMIT
from plyboard.agents.bots.limits import Limits
from plyboard.agents.catalogue import explainer, explainer_spec
from plyboard.analysis.trees.to_text import node_notes
from plyboard.analysis.trees.tree import Node, SearchTree
from plyboard.analysis.trees.tree_builder import build_tree
from plyboard.games import Position, spec_of
from plyboard.search.common.budget import Budget
from plyboard.search.common.choice import Choice
from plyboard.server.protocol import PrunedMoves, TreeBranch, TreeNode, TreeView
from plyboard.server.workers.bot_pool import BotPool
from plyboard.server.workers.turns import Turns

SECONDS = 3.0
MEMORY = 1024  # MiB of the process
LIMITS = Limits(MEMORY, patience=30.0, niceness=15)  # play goes first
WAITING = 32  # trees that run or wait
WAITING_OF_ADDRESS = 4
REMEMBERED = 16  # trees
MOST_NODES = 5000  # of one tree; a larger one is shown to fewer plies
AGENTS = {"squatter": "engine"}  # the agent of this name prunes nothing

Key = tuple[str, str, int]  # the spec of the game, the text of the position, the depth
Path = tuple[str, ...]  # the moves from the root


@dataclass(frozen=True)
class TreeChoice(Choice):
    """A choice with the branches of its tree, each as JSON."""

    agent: str = ""
    facts: str = ""
    branches: Mapping[Path, bytes] = field(default_factory=dict)


@dataclass(frozen=True)
class TreeAgent:
    """Searches to the depth of the budget, and returns the tree instead of its events."""

    name: str = "tree"
    compiles: ClassVar[bool] = True

    def choose(self, position: Position, budget: Budget = NO_LIMIT) -> TreeChoice:
        """Return the choice of an agent that explains, with its tree."""
        game, depth = position.game.name, budget.depth or 1
        spec = explainer_spec(AGENTS.get(game), depth, game)
        limits = Budget(budget.seconds, depth, monitor=budget.monitor)
        choice = explainer(spec, game).explain(position, limits)
        tree = build_tree(position, choice, most=MOST_NODES)
        branches = {path: msgspec.json.encode(branch) for path, branch in branches_of(tree)}
        return TreeChoice(tree.choice.action, agent=spec, facts=_facts(tree), branches=branches)


class TreePool:
    """Computes trees one after another; identical requests share one."""

    def __init__(self, bots: BotPool) -> None:
        self._bots, self._running = bots, Turns(1)
        self._jobs: dict[Key, asyncio.Task[TreeChoice]] = {}
        self._known: OrderedDict[Key, TreeChoice] = OrderedDict()

    def is_full(self, address: str) -> bool:
        """Return whether so many trees are waiting that no other can be accepted."""
        return len(self._jobs) >= WAITING or self._running.waiting(address) >= WAITING_OF_ADDRESS

    def known(self, position: Position, depth: int) -> TreeChoice | None:
        """Return a tree that was computed before; None if it must be computed."""
        return self._known.get(_key(position, depth))

    async def compute(self, position: Position, depth: int, address: str) -> TreeChoice:
        """Return a tree; raise a `PlyboardError` if its process fails."""
        key = _key(position, depth)
        if key not in self._jobs:
            job = asyncio.get_running_loop().create_task(self._search(position, depth, address))
            self._jobs[key] = job
            job.add_done_callback(lambda _: self._jobs.pop(key, None))
        tree = self._known[key] = await asyncio.shield(self._jobs[key])
        if len(self._known) > REMEMBERED:
            self._known.popitem(last=False)
        return tree

    async def _search(self, position: Position, depth: int, address: str) -> TreeChoice:
        game, budget = position.game, Budget(seconds=SECONDS, depth=depth)

        def opened() -> Bot:
            return open_bot(TreeAgent(), game, process=LIMITS)

        async with self._running.of(address):
            with self._bots.lent(("tree", spec_of(game)), opened) as bot:
                choice = await asyncio.to_thread(bot.think, position, budget)
        assert isinstance(choice, TreeChoice)
        return choice

    async def close(self) -> None:
        """Cancel all searches."""
        jobs = list(self._jobs.values())
        for job in jobs:
            job.cancel()
        await asyncio.gather(*jobs, return_exceptions=True)


def _key(position: Position, depth: int) -> Key:
    return spec_of(position.game), position.text(), depth


def tree_view(request: str, position: Position, tree: TreeChoice, path: Path) -> TreeView | None:
    """Return the branch below the moves of a path for clients; None if there is none."""
    branch, best = tree.branches.get(path), position.move_text(tree.action)
    if branch is None:
        return None
    return TreeView(request, tree.agent, best, tree.facts, msgspec.Raw(branch))


def branches_of(tree: SearchTree) -> list[tuple[Path, TreeBranch]]:
    """Return the moves below each node that has any, with those pruned there."""
    found = list[tuple[Path, TreeBranch]]()

    def visit(node: Node, path: Path) -> None:
        children = tuple(_tree_node(tree, child) for child in node.children.values())
        pruned = _pruned(tree, node)
        if children or pruned or not path:
            found.append((path, TreeBranch(children, pruned)))
        for child in node.children.values():
            visit(child, (*path, tree.move_text(child)))

    visit(tree.root, ())
    return found


def _facts(tree: SearchTree) -> str:
    """Return what was searched, and what of it is not in the tree, in words."""
    symbol, nodes = tree.position.game.players[tree.position.mover], tree.choice.nodes
    facts = [f"Values are for {symbol}."]
    if nodes:
        facts.append(f"{nodes:,} positions searched.")
    if not tree.is_whole:
        facts.append("The end of the search is missing.")
    elif any(node.hidden for node in tree.root.walk()):
        facts.append(f"Shown to ply {tree.plies}.")
    return " ".join(facts)


def _tree_node(tree: SearchTree, node: Node) -> TreeNode:
    pruned = tree.pruned(node)
    return TreeNode(
        move=tree.move_text(node),
        player=node.maker,
        value=tree.value(node),
        bound="" if node.bound.value == "=" else node.bound.value,
        note=", ".join(node_notes(tree, node)),
        best=node.is_best,
        moves=len(node.children) + len(pruned),
    )


def _pruned(tree: SearchTree, node: Node) -> PrunedMoves | None:
    """Return the moves that were not searched at a node, and why they cannot matter."""
    moves = tree.pruned(node)
    if node.window is None or not moves:
        return None
    alpha, beta = (tree.bound_text(number) for number in node.window)
    players, mover = tree.position.game.players, tree.position.mover
    me, them = players[mover], players[1 - mover]
    why = (
        f"{me} already gets {alpha} here, but {them} can hold {me} to {beta} elsewhere."
        if node.mover == mover
        else f"{them} already holds {me} to {beta} here, and {me} can get {alpha} elsewhere."
    )
    return PrunedMoves(tuple(moves), alpha, beta, why)
