"""Promises P4 and P6: floods of connections are refused, players stay, and nothing is left over."""

from __future__ import annotations

import asyncio
from collections import Counter

from server.costly import SEATS
from server.http.floods import LIMIT, Beside, Flooder, Player, Seen, Use, cycle, serving

LIMITS = {"hello_seconds": 2.0, "connections_per_address": 20, "sockets_per_address": 4}
COUNTS = {"half-open": 40, "slow": 20, "crowd": 60, "connects": 120 * 80}  # 80 in half a second
CYCLES = 40


async def run() -> tuple[Seen, dict[str, Counter[str]], list[Use]]:
    """Let all floods come at the same time, then clients that come and go one after another.

    Return what players saw, how the floods ended, and what the server used at first, after the
    floods, and at last.
    """
    async with serving(**LIMITS) as server:
        host = await Player.connected(server.port, "127.0.0.2")
        game = (await host.ask("create", game="squatter", seats=SEATS))["game"]
        beside, uses = Beside(server.port, games=1), [await server.use()]
        async with beside.playing():
            floods = [
                Flooder(server.port, count, 0.5, f"127.1.{network}.").flood(kind)
                for network, (kind, count) in enumerate(COUNTS.items())
            ]
            ends = dict(zip(COUNTS, await asyncio.gather(*floods), strict=True))
        uses.append(await server.settled(uses[0], LIMIT))
        for number in range(CYCLES):
            await cycle(server.port, number, game)
        uses.append(await server.settled(uses[0], LIMIT))
        await host.socket.close()
    return beside.seen, ends, uses


def test_floods_are_refused_players_stay_and_nothing_is_left_over() -> None:
    seen, ends, (base, after_floods, after_cycles) = asyncio.run(run())

    for kind, count in COUNTS.items():
        assert ends[kind].total() >= min(count, 80)
    assert set(ends["half-open"]) == set(ends["crowd"]) == {"dropped in time", "429"}
    assert set(ends["slow"]) == {"dropped in time"}
    assert set(ends["connects"]) == {"101", "429"}
    assert min(each["429"] for kind, each in ends.items() if kind != "slow") > 0
    assert seen.faults == []
    assert seen.acks
    assert seen.newcomers
    for use in (after_floods, after_cycles):
        assert use.is_back_at(base), (base, use)
