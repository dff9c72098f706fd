"""The Python API refuses a text that is longer than a file may be, before it looks at it."""

from __future__ import annotations

import tracemalloc
from functools import partial

import pytest
from reading.growth import Read

from plyboard.errors import NotationError, PlyboardError
from plyboard.games import GAMES, Position, game
from plyboard.games.formats import Format, known_formats
from plyboard.games.reading import MOST_BYTES
from plyboard.origins.squatter.winner import board_result
from plyboard.play.record import MOST_BYTES as MOST_RECORD_BYTES
from plyboard.play.record import read_record


def of_format(chosen: Format, text: str) -> Position:
    return chosen.read(text, game(chosen.games[0]))


READERS: dict[str, tuple[Read, int]] = {
    **{f"{kind.name}": (partial(Position, kind.name), MOST_BYTES) for kind in GAMES},
    **{each.name: (partial(of_format, each), MOST_BYTES) for each in known_formats()},
    "Position.read": (Position.read, MOST_BYTES),
    "board_result": (board_result, MOST_BYTES),
    "read_record": (read_record, MOST_RECORD_BYTES),
}


@pytest.mark.parametrize("name", READERS)
def test_a_text_that_is_too_long_is_refused_with_the_limit(name: str) -> None:
    read, most = READERS[name]
    said = f"text too long: got {most + 1} characters; expected at most {most}"

    with pytest.raises(NotationError) as caught:
        read(" " * (most + 1))
    assert str(caught.value) == said
    with pytest.raises(PlyboardError) as caught_other:
        read(" " * most)
    assert "too long" not in str(caught_other.value)


@pytest.mark.parametrize("name", READERS)
def test_refusing_a_long_text_takes_no_memory(name: str) -> None:
    read, most = READERS[name]
    text = " " * (10 * most)
    tracemalloc.start()
    try:
        with pytest.raises(NotationError):
            read(text)
        assert tracemalloc.get_traced_memory()[1] < most
    finally:
        tracemalloc.stop()
