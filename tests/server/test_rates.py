"""How often clients may do something: exactly the limit, and not once more."""

from __future__ import annotations

from plyboard.server.limits import ServerLimits
from plyboard.server.rates import (
    SWEEP_SECONDS,
    SWEPT_AT_ONCE,
    AddressTable,
    Costly,
    RateWindow,
)

LIMITS = ServerLimits(addresses=3, new_games_per_minute=5, sockets_per_address=2)


class HandClock:
    """A clock that the test moves."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


def test_a_window_allows_its_limit_and_not_one_more() -> None:
    clock = HandClock()
    window = RateWindow(3, 20.0, clock)
    assert [window.allows_one_more() for _ in range(4)] == [True, True, True, False]
    clock.seconds = 19.9
    assert not window.allows_one_more()
    clock.seconds = 20.0
    assert [window.allows_one_more() for _ in range(4)] == [True, True, True, False]


def test_an_address_may_do_what_costs_much_only_so_often_a_minute() -> None:
    clock = HandClock()
    table = AddressTable(LIMITS, clock)
    assert [table.allows("a", Costly.NEW_GAME) for _ in range(6)] == [True] * 5 + [False]
    assert table.seconds_to_wait("a", Costly.NEW_GAME) == 12.0
    assert table.allows("b", Costly.NEW_GAME)
    assert table.allows("a", Costly.FAILED_TOKEN)
    clock.seconds = 12.1
    assert [table.allows("a", Costly.NEW_GAME) for _ in range(2)] == [True, False]


def test_an_address_gets_a_limited_number_of_sockets() -> None:
    table = AddressTable(LIMITS)
    assert [table.open_socket("a") for _ in range(3)] == [True, True, False]
    table.close_socket("a")
    assert table.open_socket("a")


def test_a_full_table_refuses_what_costs_much_but_lets_players_in() -> None:
    clock = HandClock()
    table = AddressTable(LIMITS, clock)
    for address in ("a", "b", "c"):
        assert table.open_socket(address)
    for number in range(10_000):
        assert not table.allows(f"stranger {number}", Costly.NEW_GAME)
    assert table.games_of("d") is None
    assert table.open_socket("d")
    table.close_socket("d")
    assert len(table) == 3
    assert table.allows("a", Costly.NEW_GAME)  # known addresses go on


def test_addresses_that_use_nothing_are_forgotten() -> None:
    clock = HandClock()
    table = AddressTable(LIMITS, clock)
    for address in ("a", "b", "c"):
        table.open_socket(address)
        table.allows(address, Costly.NEW_GAME)
    table.close_socket("a")
    clock.seconds = 60.0

    assert table.allows("d", Costly.NEW_GAME)
    assert len(table) == 3


def test_an_address_with_a_game_is_not_forgotten() -> None:
    clock = HandClock()
    table = AddressTable(ServerLimits(addresses=1), clock)
    games = table.games_of("a")
    assert games == []
    games.append("game")
    clock.seconds = 120.0

    assert table.games_of("b") is None
    assert table.games_of("a") == ["game"]


def test_an_address_is_forgotten_when_its_games_are_over() -> None:
    clock, unfinished = HandClock(), {"game"}
    table = AddressTable(ServerLimits(addresses=1), clock)
    table.is_unfinished = unfinished.__contains__
    games = table.games_of("a")
    assert games is not None
    games.append("game")
    assert table.games_of("b") is None
    unfinished.clear()
    clock.seconds = SWEEP_SECONDS

    assert table.games_of("b") == []


def test_a_sweep_forgets_what_nobody_uses_some_at_a_time() -> None:
    clock = HandClock()
    table = AddressTable(ServerLimits(), clock)
    for number in range(5 * SWEPT_AT_ONCE):
        assert table.open_socket(f"address {number}")
        assert table.allows(f"address {number}", Costly.REQUEST)
        if number >= SWEPT_AT_ONCE:
            table.close_socket(f"address {number}")
    sizes = []
    for _ in range(6):
        table.sweep()
        sizes.append(len(table) // SWEPT_AT_ONCE)
    assert sizes == [5] * 6  # the requests were made a moment ago
    clock.seconds = 60.0
    sizes = []
    for _ in range(6):
        table.sweep()
        sizes.append(len(table) // SWEPT_AT_ONCE)
    assert (min(sizes), sizes[-1]) == (1, 1)  # the sockets are still open
    assert sizes[0] >= 4
