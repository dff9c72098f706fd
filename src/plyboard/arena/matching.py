"""Perfect matchings of least cost: everybody is in one pair."""

from __future__ import annotations

from collections.abc import Mapping

from plyboard.errors import UnusableError

Cost = tuple[int, ...]  # not negative; the first number counts most
Two = tuple[int, int]


def check_matching() -> None:
    """Raise `UnusableError` if the package that finds matchings is not installed."""
    try:
        import rustworkx  # noqa: F401
    except ModuleNotFoundError as fault:
        raise UnusableError.missing(fault.name, "arena") from fault


def least_cost_pairs(costs: Mapping[Two, Cost]) -> list[Two]:
    """Return pairs among these, so that everybody is in one and the sum of the costs is least.

    Sums of costs are compared number by number. If no pairs include everybody, as many as possible
    are.
    """
    check_matching()
    import rustworkx

    weights = _weights(costs)
    graph = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(range(1 + max(max(pair) for pair in costs)))
    graph.add_edges_from([(*pair, weights[pair]) for pair in sorted(costs)])
    found = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return sorted((min(pair), max(pair)) for pair in found)


def _weights(costs: Mapping[Two, Cost]) -> dict[Two, int]:
    """Return weights of which the largest sum has the least costs.

    A cost becomes one number, in which a place is worth more than all pairs can have in the places
    after it.
    """
    most_pairs = (1 + max(max(pair) for pair in costs)) // 2
    bases = [1 + most_pairs * max(column) for column in zip(*costs.values(), strict=True)]
    totals = dict.fromkeys(costs, 0)
    for place, base in enumerate(bases):
        for pair, cost in costs.items():
            totals[pair] = totals[pair] * base + cost[place]
    largest = max(totals.values())
    return {pair: largest - total for pair, total in totals.items()}
