"""Search trees over the socket: branch by branch the tree of the command line, and its limits."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from server.harness import Client, Message, serving

from plyboard.agents.catalogue import explainer
from plyboard.analysis.trees.tree import Node, SearchTree
from plyboard.analysis.trees.tree_builder import build_tree
from plyboard.games import Position
from plyboard.search.common.budget import Budget


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    with (
        serving(tmp_path_factory.mktemp("server") / "games.db") as address,
        Client(address) as found,
    ):
        yield found


def tree(client: Client, **fields: object) -> Message:
    """Return the answer to `tree`; if it must be computed first, that is acknowledged."""
    answer = client.ask("tree", "", **fields)
    if answer["t"] != "ack":
        return answer
    return client.until(lambda message: message.get("re") == answer["re"])


def expected(found: SearchTree, node: Node) -> list[tuple[str, str]]:
    return [(found.move_text(child), found.value(child)) for child in node.children.values()]


def test_branches_are_those_of_the_search(client: Client) -> None:
    position = Position("connect-four").play("4").play("4")
    choice = explainer("alice:depth=2", "connect-four").explain(position, Budget())
    found, pruned = build_tree(position, choice), []
    request: dict[str, object] = {"game": "connect-four", "moves": ["4", "4"], "depth": 2}
    for node in (found.root, *found.root.children.values()):
        path = [found.move_text(node)] if node.parent else []
        branch = tree(client, **request, path=path)["branch"]
        shown = [(each["move"], each["value"]) for each in branch["children"]]
        assert shown == expected(found, node)
        assert branch.get("pruned", {"moves": []})["moves"] == found.pruned(node)
        pruned += found.pruned(node)

    assert pruned


def test_nodes_and_positions_that_do_not_exist_are_refused(client: Client) -> None:
    for fields in (
        {"game": "connect-four", "depth": 1, "path": ["9"]},
        {"game": "connect-four", "depth": 1, "path": ["4", "4"]},  # below the depth
        {"game": "connect-four", "moves": list("4141414")},  # the game is over
        {"game": "connect-four", "moves": ["8"]},
    ):
        assert tree(client, **fields)["code"] == "wrong_position"


@pytest.mark.parametrize("depth", [0, 6, 1.5, "2", True])
def test_only_small_depths_are_searched(client: Client, depth: object) -> None:
    assert tree(client, game="connect-four", depth=depth)["code"] == "bad_message"


def test_equal_requests_share_one_tree(client: Client) -> None:
    request: dict[str, object] = {"game": "connect-four", "moves": ["1", "2"], "depth": 2}
    first = tree(client, **request)
    again = client.ask("tree", "", **request)

    assert again["t"] == "tree"  # at once, without an acknowledgement
    assert again["branch"] == first["branch"]
