"""The course of a game is a picture that can also be read."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import pytest

from plyboard.analysis.graph import HEIGHT, LEFT, WIDTH, graph_svg, labels_of, value_range
from plyboard.analysis.review import Review, review
from plyboard.games import Position
from plyboard.play.match import Heading, Match
from plyboard.search.common.budget import Budget

SVG = "{http://www.w3.org/2000/svg}"


def reviewed(spec: str, *moves: str, depth: int = 4) -> Review:
    match = Match.of(Position(spec))
    for move in moves:
        match = match.play(move)
    return review(match, Budget(depth=depth))


GAME = reviewed("connect-four", *"4455667")


def places(found: ElementTree.Element) -> list[tuple[float, float]]:
    curve = found.find(f"{SVG}polyline")
    assert curve is not None
    pairs = [point.split(",") for point in curve.attrib["points"].split()]
    return [(float(across), float(down)) for across, down in pairs]


def test_each_position_has_a_place_on_the_curve() -> None:
    found = places(ElementTree.fromstring(graph_svg(GAME, "a game")))

    assert len(found) == 8
    assert [across for across, _ in found] == sorted(across for across, _ in found)
    assert all(0 < across < WIDTH and 0 < down < HEIGHT for across, down in found)
    assert len({down for _, down in found[4:]}) == 1  # won from there on
    assert found[-1][1] == min(down for _, down in found)


def test_a_notebook_gets_the_graph_with_the_players_and_the_result() -> None:
    svg = GAME._repr_svg_()

    assert svg == graph_svg(GAME, "Connect Four: x against o, 1-0 (line)")
    heading = Heading("<script>", "&")
    match = Match.leading_to(Position("connect-four").play("4"), heading)
    assert "<script>" not in review(match, Budget(depth=1))._repr_svg_()


def test_a_mistake_has_a_dot_that_tells_what_was_better_and_the_worst_have_names() -> None:
    found = ElementTree.fromstring(graph_svg(GAME, "a game"))

    (dot,) = found.findall(f"{SVG}circle")
    told = dot.find(f"{SVG}title")
    assert told is not None
    assert told.text is not None
    ((_, worst),) = GAME.worst()
    assert told.text.startswith(f"ply 4: {worst.name}; better ")
    assert worst.name in [each.text for each in found.findall(f"{SVG}text")]


def test_it_can_be_read_without_being_seen() -> None:
    found = ElementTree.fromstring(graph_svg(GAME, "x <against> o & all"))

    title, description = found.find(f"{SVG}title"), found.find(f"{SVG}desc")
    assert title is not None
    assert description is not None
    assert title.text == "x <against> o & all"
    assert description.text is not None
    assert description.text.endswith("4: 1; 5: 1; 6: 1; 7: 1")


def test_a_long_title_is_cut_in_the_picture_alone() -> None:
    found = ElementTree.fromstring(graph_svg(GAME, "a" * 300))

    heading = found.find(f"{SVG}text")
    assert heading is not None
    assert heading.text == "a" * 77 + "..."


def test_the_scale_is_one_game_or_as_many_points_as_there_were() -> None:
    points = reviewed("extended", *"0011223", depth=2)

    assert value_range(GAME) == (0, 1)
    assert labels_of(GAME) == ("x wins", "even", "o wins")
    low, high = value_range(points)
    assert low == -high
    assert high >= max(map(abs, points.values))
    assert high == int(high)
    assert labels_of(points) == (f"1 +{high:g}", "even", f"2 +{high:g}")


@pytest.mark.parametrize("plies", [1, 2, 7])
def test_a_game_that_was_only_looked_at_in_part_is_drawn_as_far(plies: int) -> None:
    part = Review(GAME.match, GAME.assessments[-plies:])

    assert places(ElementTree.fromstring(graph_svg(part, "part")))[0][0] == LEFT
    assert len(places(ElementTree.fromstring(graph_svg(part, "part")))) == plies


def test_a_single_position_is_drawn() -> None:
    alone = review(Match.of(Position("connect-four")), Budget(depth=1))

    assert len(places(ElementTree.fromstring(graph_svg(alone, "start")))) == 1
