"""A report as one HTML file that opens without a server: tables, a plot, and every game.

The tables and the plot need no script. Games are stored as in the pages of search trees: the
changes of the board, ply by ply. The page may load nothing, and run only its own script.
"""

from __future__ import annotations

import base64
import hashlib
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from html import escape
from importlib.resources import files
from itertools import accumulate
from typing import Any

from plyboard.analysis.trees.to_html import (
    Boards,
    board_changes,
    board_facts,
    board_script,
    safe_json,
)
from plyboard.arena.game_task import GameResult, GameTask
from plyboard.arena.report.event_report import EventReport, Meeting
from plyboard.arena.report.wording import (
    INTERVAL_NOTE,
    MOST_CROSSED,
    SWISS_HEADINGS,
    effort_text,
    facts_of,
    match_facts,
    points_text,
    rating_text,
    score_text,
    swiss_cells,
)
from plyboard.arena.statistics.ratings import Rating
from plyboard.games.picture import Picture
from plyboard.play.match import Match
from plyboard.play.match_text import end_text, safe
from plyboard.play.record import read_record

PLACE = re.compile(r"{{(\w+)}}")  # of a part in the page
PAGE, STYLE, SCRIPT = "page.html", "page.css", "page.js"
MOST_PLIES = 40_000  # of the games on a page, which take about 30 bytes each
MOST_FAULTS = 10  # above the fold
PLOT_WIDTH, ROW_HEIGHT, MARGIN = 360, 40, 10
TICKS = (10, 20, 50, 100, 200, 500, 1000)
MOST_TICKS = 6


def report_html(report: EventReport) -> str:
    """Return the page."""
    style = _text_of(STYLE)
    script = _text_of(SCRIPT).replace("{{board}}", board_script())
    parts = {
        "style": style,
        "script": script,
        "policy": _policy(style, script),
        "title": escape(safe(report.title)),
        "facts": _facts(facts_of(report)),
        "match": _match_part(report) or _swiss_part(report),
        "standings": "\n".join(_standings(report)),
        "elo": '<th scope="col">Elo</th>' if report.has_ratings else "",
        "plot": rating_plot(report.ratings.ratings if report.has_ratings else ()),
        "crosstable": "\n".join(_crosstable(report)),
        "faults": _fault_list(report),
        "note": escape(INTERVAL_NOTE),
        "data": safe_json(game_facts(report)),
    }
    return PLACE.sub(lambda found: parts[found[1]], _text_of(PAGE))


def _text_of(name: str) -> str:
    return files("plyboard.arena.report").joinpath(name).read_text("utf-8")


def _policy(style: str, script: str) -> str:
    """Return the content security policy: nothing from outside, and no other style or script."""
    sources = [
        "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"
        for text in (style, script)
    ]
    return (
        f"default-src 'none'; style-src {sources[0]}; script-src {sources[1]}; "
        "base-uri 'none'; form-action 'none'"
    )


def _facts(facts: Mapping[str, str]) -> str:
    return "\n".join(
        f"<div><dt>{escape(name)}</dt><dd>{escape(safe(text))}</dd></div>"
        for name, text in facts.items()
    )


def _match_part(report: EventReport) -> str:
    """Return the figures of a match between two agents; empty for other events."""
    facts = match_facts(report)
    if not facts:
        return ""
    first, second = (escape(safe(agent)) for agent in report.agents)
    return f'<h2>{first} against {second}</h2>\n<dl class="facts">\n{_facts(facts)}\n</dl>'


def _swiss_part(report: EventReport) -> str:
    """Return the table of a Swiss tournament; empty for other events."""
    if not report.swiss:
        return ""
    heads = "".join(f'<th scope="col">{each}</th>' for each in ("#", "agent", *SWISS_HEADINGS))
    rows = [
        f'<tr><td>{rank}</td><th scope="row">{escape(safe(row.agent))}</th>'
        + "".join(f"<td>{cell}</td>" for cell in swiss_cells(row))
        + "</tr>"
        for rank, row in enumerate(report.swiss, start=1)
    ]
    lines = (
        "<table>",
        f"<thead><tr>{heads}</tr></thead>",
        "<tbody>",
        *rows,
        "</tbody>",
        "</table>",
    )
    return "\n".join(("<h2>Swiss table</h2>", *lines))


def _standings(report: EventReport) -> Iterator[str]:
    """Yield the rows of the ratings."""
    for rank, (rating, total) in enumerate(report.standings, start=1):
        effort, games = report.efforts[rating.player], total.games
        nodes = f"{effort.nodes_per_move:,.0f}" if effort.nodes else ""
        cells = [
            *[rating_text(rating)] * report.has_ratings, score_text(total), f"{total.count:,}",
            f"{games.wins} / {games.draws} / {games.losses}",
            "" if total.lead is None else f"{total.lead:+z.1f}",
            effort_text(effort.seconds_per_move), nodes,
        ]  # fmt: skip
        yield (
            f'<tr><td>{rank}</td><th scope="row">{escape(safe(rating.player))}</th>'
            + "".join(f"<td>{escape(cell)}</td>" for cell in cells)
            + "</tr>"
        )


def _crosstable(report: EventReport) -> Iterator[str]:
    """Yield the rows of the crosstable; a click on points shows those games."""
    if len(report.agents) > MOST_CROSSED:
        yield f"<caption>Only events of up to {MOST_CROSSED} agents have a crosstable.</caption>"
        return
    order = [rating.player for rating in report.ratings.ratings]
    ranks = "".join(f'<th scope="col">{rank}</th>' for rank in range(1, len(order) + 1))
    yield f'<thead><tr><th>#</th><th scope="col">points against</th>{ranks}</tr></thead><tbody>'
    for rank, agent in enumerate(order, start=1):
        cells = "".join(_cross_cell(report, agent, other) for other in order)
        yield f'<tr><td>{rank}</td><th scope="row">{escape(safe(agent))}</th>{cells}</tr>'
    yield "</tbody>"


def _cross_cell(report: EventReport, agent: str, opponent: str) -> str:
    meeting = report.meeting(agent, opponent)
    if not meeting.count:
        return '<td class="none"></td>' if agent == opponent else "<td></td>"
    numbers = f'data-agent="{report.agents.index(agent)}" '
    numbers += f'data-opponent="{report.agents.index(opponent)}"'
    label = escape(f"{safe(agent)} against {safe(opponent)}: {points_text(meeting)}")
    text = escape(points_text(meeting))
    return f'<td class="{_shade(meeting)}"><button {numbers} title="{label}">{text}</button></td>'


def _shade(meeting: Meeting) -> str:
    """Return a class for the colour of a cell: the score in five steps."""
    return f"score{min(4, math.floor(meeting.share * 5))}"


def rating_plot(ratings: Iterable[Rating]) -> str:
    """Return the ratings with their intervals as an SVG picture; empty without ratings."""
    shown = [rating for rating in ratings if rating.games]
    if not shown:
        return ""
    ends = [end for each in shown for end in (each.low, each.elo, each.high) if math.isfinite(end)]
    low, high = min(ends), max(ends)
    step = next((tick for tick in TICKS if (high - low) / tick <= MOST_TICKS), TICKS[-1])
    low, high = math.floor(low / step) * step, math.ceil(high / step) * step
    height = len(shown) * ROW_HEIGHT + 24

    def x(elo: float) -> float:
        within = min(max(elo, low), high)  # an interval without an end leads to the edge
        return MARGIN + (within - low) / max(high - low, 1) * (PLOT_WIDTH - 2 * MARGIN)

    parts = [
        f'<svg class="plot" viewBox="0 0 {PLOT_WIDTH} {height}" role="img" '
        'aria-label="Ratings with their intervals">'
    ]
    for tick in range(low, high + 1, step):
        anchor = "start" if tick == low else "end" if tick == high else "middle"
        parts.append(
            f'<path class="grid" d="M{x(tick):.1f} 0V{height - 20}"/>'
            f'<text class="tick" x="{x(tick):.1f}" y="{height - 6}" text-anchor="{anchor}">'
            f"{tick:+d}</text>"
        )
    for index, rating in enumerate(shown):
        y = index * ROW_HEIGHT + 28
        parts.append(
            f'<text x="{MARGIN}" y="{y - 12}">{escape(_short(safe(rating.player)))}</text>'
            f'<path class="interval" d="M{x(rating.low):.1f} {y}H{x(rating.high):.1f}'
            f'M{x(rating.low):.1f} {y - 4}v8M{x(rating.high):.1f} {y - 4}v8"/>'
            f'<circle cx="{x(rating.elo):.1f}" cy="{y}" r="4.5"/>'
            f'<text class="elo" x="{PLOT_WIDTH - MARGIN}" y="{y - 12}">'
            f"{escape(rating_text(rating))}</text>"
        )
    return "\n".join([*parts, "</svg>"])


def _short(name: str, most: int = 34) -> str:
    return name if len(name) <= most else f"{name[: most - 1]}\N{HORIZONTAL ELLIPSIS}"


def _fault_list(report: EventReport) -> str:
    if not report.faults:
        return ""
    items = [
        f"<li>Game {fault.number + 1}: {escape(safe(fault.agent) or 'void')}, "
        f"{escape(fault.reason)}: {escape(safe(fault.detail))}</li>"
        for fault in report.faults
    ]
    first, more = "\n".join(items[:MOST_FAULTS]), items[MOST_FAULTS:]
    folded = ""
    if more:
        listed = "\n".join(more)
        folded = f"<details><summary>{len(more):,} more</summary>\n<ul>\n{listed}\n</ul></details>"
    return f"<section><h2>Faults</h2>\n<ul>\n{first}\n</ul>\n{folded}</section>"


def game_facts(report: EventReport) -> dict[str, Any]:
    """Return the games in compact form; the script of the page explains the keys."""
    kinds = dict[str, _GameKind]()
    plies = accumulate(result.plies for _, result in report.games)
    games = [
        _game(task, result, report.agents, kinds)
        for (task, result), so_far in zip(report.games, plies, strict=True)
        if so_far <= MOST_PLIES
    ]
    return {
        "agents": [safe(agent) for agent in report.agents],
        "kinds": [kind.facts() for kind in kinds.values()],
        "games": games,
        "left": len(report.games) - len(games),
    }


class _GameKind:
    """What all games with the same rules have in common: the look of the board."""

    def __init__(self, number: int, picture: Picture) -> None:
        self.number, self.picture, self.boards = number, picture, Boards()

    def facts(self) -> dict[str, Any]:
        return board_facts(self.picture, self.boards)


def _game(
    task: GameTask, result: GameResult, agents: tuple[str, ...], kinds: dict[str, _GameKind]
) -> dict[str, Any]:
    """Return one game: players, result, and for each ply the move and the changed cells."""
    match = read_record(result.record) if result.record else None
    facts: dict[str, Any] = {
        "n": task.number + 1,
        "f": agents.index(task.first),
        "s": agents.index(task.second),
        "r": result.result,
        "o": len(task.opening),
        "e": end_text(match) if match else result.reason,
    }
    if match is not None:
        start = match.start
        kind = kinds.setdefault(task.game, _GameKind(len(kinds), start.game.picture(start.state)))
        facts |= {"k": kind.number, **_plies(match, kind.boards)}
    return facts


def _plies(match: Match, boards: Boards) -> dict[str, Any]:
    """Return the moves, the boards as changes, and the notes and lines where there are any."""
    game = match.start.game
    pictures = [game.picture(position.state) for position in match.positions]
    told = [boards.told(picture) for picture in pictures]
    before: list[str | None] = [None, *told[:-1]]
    columns = len(pictures[0].column_names)
    return {
        "m": [move or "-" for move in match.moves],
        "d": [board_changes(old, new) for old, new in zip(before, told, strict=True)],
        "l": sorted(cell.row * columns + cell.column for cell in pictures[-1].line),
        "t": "; ".join(pictures[-1].notes),
    }
