"""Names of games: full and familiar ones, and those that mean nothing or too much."""

from __future__ import annotations

from typing import Any

import pytest

from plyboard.errors import SpecError
from plyboard.games import Position, catalogue, game, spec_of
from plyboard.games.catalogue import GAMES, split_game
from plyboard.specs import LONGEST


class Outside:
    """A game from another package, as far as its name matters."""

    title = "Outside Game 4"
    parameters = ()


class Twin:
    """Another game with the same title."""

    title = "Outside Game 4"
    parameters = ()


@pytest.fixture
def outside(monkeypatch: pytest.MonkeyPatch) -> None:
    """Add two games of other packages with the same title."""
    kinds: dict[str, Any] = {kind.name: kind for kind in GAMES}
    known = {**kinds, "outside": Outside, "twin": Twin, "connectfour": Twin}
    monkeypatch.setattr(catalogue, "known_games", lambda: known)


@pytest.mark.parametrize(
    ("name", "spec"),
    [
        ("Connect4", "connect-four"),
        ("connect four", "connect-four"),
        ("ConnectFour", "connect-four"),
        ("CONNECT_4", "connect-four"),
        ("Four in a Row", "connect-four"),
        ("Connect4:columns=8", "connect-four:columns=8"),
        ("connect four:columns=8,rows=7", "connect-four:columns=8,rows=7"),
        ("Conniption", "conniption"),
        ("extended-connect-four", "extended"),
        ("Extended Connect Four", "extended"),
        ("ExtendedConnect4:columns=6", "extended:columns=6"),
        ("SQUATTER", "squatter"),
    ],
)
def test_full_and_familiar_names_mean_the_game_and_its_own_name_is_written(
    name: str, spec: str
) -> None:
    assert spec_of(game(name)) == spec
    assert repr(Position(name)).startswith(f"Position({spec!r}, ")


@pytest.mark.parametrize("kind", GAMES)
def test_every_game_is_found_by_name_title_and_class(kind: type[Any]) -> None:
    for name in (kind.name, kind.title, kind.title.upper(), kind.title.replace(" ", "")):
        assert type(game(name)) is kind


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("Connect Four 4455", "connect-four 4455"),
        ("connect 4 4 5", "connect-four 4 5"),
        ("connect four:columns=8 44", "connect-four:columns=8 44"),
        ("extended connect four 3 2", "extended 3 2"),
        ("EXTENDED 3 2", "extended 3 2"),
        ("Four in a row", "connect-four"),
        ("connect-four 4 4 4 4", "connect-four 4444"),
    ],
)
def test_a_name_in_several_words_may_stand_before_moves(text: str, same: str) -> None:
    assert Position.read(text) == Position.read(same)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("Konnect4", "unknown game: got 'Konnect4'; expected connect-four (of "),
        ("connect", "unknown game: got 'connect'; expected connect-four (of "),
        ("Conniption 2", "unknown game: got 'Conniption 2'; expected conniption (of "),
        ("Connect4:Columns=8", "no setting at connect-four: got 'Columns=8'; expected key=value"),
        ("Connect4:width=8", "unknown setting at connect-four: got 'width'; expected one of "),
        ("Connect\u00a0Four", "no spec: got 'Connect\\xa0Four'; expected name:key=value"),
        ("\u0421onnect4", "no spec: got '\\u0421onnect4'; expected name:key=value"),
        ("-", "no spec: got '-'; expected name:key=value"),
        ("Connect  Four", "no spec: got 'Connect  Four'; expected name:key=value"),
        ("c" * (LONGEST + 1), f"spec too long: got {LONGEST + 1} characters; expected "),
    ],
)
def test_a_name_of_no_game_is_refused_with_the_nearest(name: str, told: str) -> None:
    with pytest.raises(SpecError) as fault:
        game(name)

    assert str(fault.value).startswith(told)


@pytest.mark.usefixtures("outside")
def test_a_name_that_two_games_share_is_refused_with_both() -> None:
    with pytest.raises(SpecError, match="got 'Outside Game 4'; expected outside or twin"):
        game("Outside Game 4")


@pytest.mark.usefixtures("outside")
@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("outside 4 4", ("outside", "4 4")),
        ("Outside Game Four 4 4", ("Outside Game Four", "4 4")),
        ("ConnectFour 4", ("ConnectFour", "4")),
        ("nothing 4 4", ("nothing", "4 4")),
        ("4 4 4", ("4", "4 4")),
        ("", ("", "")),
    ],
)
def test_a_text_is_split_after_the_longest_name(text: str, parts: tuple[str, str]) -> None:
    assert split_game(text) == parts


@pytest.mark.usefixtures("outside")
def test_an_exact_name_comes_first_and_then_our_games() -> None:
    assert catalogue.games_named("connectfour") == ["connectfour"]
    assert catalogue.games_named("ConnectFour") == ["connect-four"]


def test_a_long_text_is_not_read_for_its_name() -> None:
    text = "a " * 1_000_000

    assert split_game(text) == ("a", text[2:])
