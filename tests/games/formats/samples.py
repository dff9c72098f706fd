"""Random games and checks that the tests of all formats share."""

import random
from collections.abc import Callable, Iterator

import pytest

from plyboard.errors import PlyboardError
from plyboard.games.formats import Format
from plyboard.games.game import Game
from plyboard.games.position import Position


def random_game(spec: str, seed: int) -> Iterator[Position]:
    """Yield the positions of a random game, the first and the last included."""
    chance = random.Random(seed)
    position = Position(spec)
    yield position
    while actions := position.legal_actions():
        position = position.apply_action(chance.choice(actions))
        yield position


def random_positions(spec: str, games: int) -> Iterator[Position]:
    """Yield every position of so many random games."""
    for seed in range(games):
        yield from random_game(spec, seed)


def refusal(read: Callable[[], object]) -> str:
    """Return the kind and the text of the refusal that reading ends with."""
    with pytest.raises(PlyboardError) as caught:
        read()
    return f"{type(caught.value).__name__}: {caught.value}"


def assert_survives_noise(chosen: Format, text: str, game: Game, signs: str) -> None:
    """Change a good text in many small ways: each is read, or refused on purpose."""
    chance = random.Random(1)
    for _ in range(300):
        noisy = list(text)
        for _ in range(chance.randint(1, 3)):
            place = chance.randrange(len(noisy))
            noisy[place : place + chance.randint(0, 2)] = chance.choice(signs)
        try:
            position = chosen.read("".join(noisy), game)
        except PlyboardError:
            continue
        assert isinstance(position, Position)
