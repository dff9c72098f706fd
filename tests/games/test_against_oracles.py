"""Promise R1: each rule set equals a slow oracle that was written without reading it."""

from __future__ import annotations

import pytest
from oracles.compare import BOARDS, CHUNK, compare_chunk

from plyboard.kernel import jit_is_on

pytestmark = pytest.mark.kernels

GAMES = 20_000
CHUNKS = GAMES // CHUNK


@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize("name", BOARDS)
def test_random_games_agree_after_every_ply(name: str, chunk: int) -> None:
    games = CHUNK if jit_is_on() else CHUNK // 50

    assert compare_chunk(name, chunk, games) > 5 * games
