"""The graph of a game's values as an SVG document."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from html import escape

from plyboard.analysis.review import Assessment, Review
from plyboard.analysis.scale import in_sentence

WIDTH, HEIGHT = 900, 360
LEFT, RIGHT, TOP, BOTTOM = 90, 20, 50, 50
COLOURS = {"?!": "#c98a00", "?": "#d9480f", "??": "#b00020"}
RADII = {"?!": 5, "?": 6, "??": 7}
LEAST_STEP = 42  # between the numbers on the axis
LONGEST_TITLE = 80
PAPER = "#fbfaf7"


def graph_svg(review: Review, title: str) -> str:
    """Return a graph of the values for the player who began, with the mistakes marked."""
    body = "\n".join(_Graph(review).parts(title))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'width="{WIDTH}" height="{HEIGHT}" font-family="DejaVu Sans, Verdana, sans-serif" '
        f'font-size="14" fill="#222">\n'
        f"<title>{escape(title)}</title>\n<desc>{escape(_description(review))}</desc>\n"
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{PAPER}"/>\n{body}\n</svg>\n'
    )


def value_range(review: Review) -> tuple[float, float]:
    """Return the lowest and highest value of the graph; an even position is in the middle."""
    if not review.match.start.game.rules.has_points:
        return 0.0, 1.0
    most = math.ceil(max(1.0, *(abs(value) for value in review.values)))
    return -most, most


def labels_of(review: Review) -> tuple[str, str, str]:
    """Return the labels for the top, the middle and the bottom of the graph."""
    first, second = review.match.start.game.players
    if not review.match.start.game.rules.has_points:
        return f"{first} wins", "even", f"{second} wins"
    most = value_range(review)[1]
    return f"{first} +{most:g}", "even", f"{second} +{most:g}"


def _description(review: Review) -> str:
    return "; ".join(
        f"{ply}: {value:.2f}".rstrip("0").rstrip(".")
        for ply, value in enumerate(review.values, review.first)
    )


class _Graph:
    """The parts of one graph, in SVG coordinates."""

    def __init__(self, review: Review) -> None:
        self.review, self.values, self.first = review, review.values, review.first
        self.low, self.high = value_range(review)
        self.step = (WIDTH - LEFT - RIGHT) / max(1, len(self.values) - 1)

    def parts(self, title: str) -> Iterator[str]:
        told = title if len(title) <= LONGEST_TITLE else f"{title[: LONGEST_TITLE - 3]}..."
        yield f'<text x="{LEFT}" y="30" font-size="18">{escape(told)}</text>'
        yield from self._scale()
        yield from self._curve()
        for ply, assessment in self.review.moves:
            if assessment.mark:
                yield self._mistake(ply, assessment)
        for ply, assessment in self.review.worst():
            yield self._label(ply, assessment)

    def _across(self, ply: float) -> float:
        return round(LEFT + (ply - self.first) * self.step, 1)

    def _down(self, value: float) -> float:
        share = (value - self.low) / (self.high - self.low)
        return round(HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM), 1)

    def _scale(self) -> Iterator[str]:
        """Draw the frame, its three lines, and the numbers of some plies."""
        middle = (self.low + self.high) / 2
        for value, label in zip((self.high, middle, self.low), labels_of(self.review), strict=True):
            down, dashes = self._down(value), "" if value == middle else ' stroke-dasharray="3 4"'
            yield (
                f'<line x1="{LEFT}" y1="{down}" x2="{WIDTH - RIGHT}" y2="{down}" '
                f'stroke="#888"{dashes}/>'
            )
            yield f'<text x="{LEFT - 10}" y="{down + 5}" text-anchor="end">{escape(label)}</text>'
        for ply in self._numbered():
            across = self._across(ply)
            yield (
                f'<text x="{across}" y="{HEIGHT - BOTTOM + 24}" text-anchor="middle">{ply}</text>'
            )

    def _numbered(self) -> Sequence[int]:
        every = next(
            step
            for step in (1, 2, 5, 10, 20, 50, 100, 200, 10**9)
            if step * self.step >= LEAST_STEP
        )
        return range(self.first, self.first + len(self.values), every)

    def _curve(self) -> Iterator[str]:
        """Draw the values as a line, and the area between it and the middle."""
        points = [
            f"{self._across(ply)},{self._down(value)}"
            for ply, value in enumerate(self.values, self.first)
        ]
        even = self._down((self.low + self.high) / 2)
        last = self._across(self.first + len(self.values) - 1)
        yield (
            f'<polygon points="{LEFT},{even} {" ".join(points)} {last},{even}" '
            f'fill="#7f9fc6" fill-opacity="0.35"/>'
        )
        yield (
            f'<polyline points="{" ".join(points)}" fill="none" stroke="#1f5fa8" '
            f'stroke-width="2.5" stroke-linejoin="round"/>'
        )

    def _place(self, ply: int) -> tuple[float, float]:
        """Return the point on the curve after a move."""
        return self._across(ply), self._down(self.values[ply - self.first])

    def _mistake(self, ply: int, assessment: Assessment) -> str:
        """Return a dot for a mistake, with the better move in its title."""
        across, down = self._place(ply)
        mark, best = assessment.mark, assessment.best
        words = in_sentence(assessment.position, best)
        move = assessment.position.move_text(best.action)
        told = f"ply {ply}: {assessment.name}; better {move}, {words}"
        return (
            f'<circle cx="{across}" cy="{down}" r="{RADII[mark]}" fill="{COLOURS[mark]}" '
            f'stroke="#fff" stroke-width="1.5"><title>{escape(told)}</title></circle>'
        )

    def _label(self, ply: int, assessment: Assessment) -> str:
        """Return a move with its mark next to its dot, on the side of the middle."""
        across, down = self._place(ply)
        across, is_low = min(across, WIDTH - 2 * RIGHT), down > (TOP + HEIGHT - BOTTOM) / 2
        return (
            f'<text x="{across}" y="{down - 12 if is_low else down + 24}" text-anchor="middle" '
            f'font-weight="bold" fill="{COLOURS[assessment.mark]}" stroke="{PAPER}" '
            f'stroke-width="4" paint-order="stroke">{escape(assessment.name)}</text>'
        )
