"""Pictures: each player has the same colours in all games, and they show on every board."""

from __future__ import annotations

import pytest

from plyboard.games import Position
from plyboard.games.catalogue import GAMES
from plyboard.games.picture import COLOURS

LEAST_CONTRAST = 3.0  # of parts of a picture, by the guidelines for accessible pages (WCAG 1.4.11)


def light(colour: str) -> float:
    """Return the relative luminance of a colour, from 0 to 1."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours, from 1 to 21; it does not depend on the hue."""
    dark, bright = sorted((light(one), light(other)))
    return (bright + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("name", [kind.name for kind in GAMES])
def test_a_player_has_the_same_colours_in_all_games(name: str) -> None:
    pieces = Position(name).picture().pieces.values()

    assert {(piece.player, piece.fill, piece.ink) for piece in pieces} == {
        (player, *colours) for player, colours in enumerate(COLOURS)
    }


@pytest.mark.parametrize("name", [kind.name for kind in GAMES])
def test_both_players_show_on_the_board_without_colours(name: str) -> None:
    picture = Position(name).picture()

    for fill, ink in COLOURS:
        assert contrast(fill, picture.ground) > LEAST_CONTRAST
        assert contrast(fill, picture.hole) > LEAST_CONTRAST
        assert contrast(fill, ink) > 7
    assert contrast(COLOURS[0][0], COLOURS[1][0]) > 7
