"""A report as tables for a terminal; narrow ones get fewer columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rich import box
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from plyboard.arena.report.event_report import EventReport
from plyboard.arena.report.wording import (
    INTERVAL_NOTE,
    MOST_CROSSED,
    SWISS_HEADINGS,
    effort_text,
    facts_of,
    match_facts,
    points_text,
    rating_text,
    swiss_cells,
)
from plyboard.play.match_text import safe

WIDE = 76  # columns of a terminal in which all figures have room
MOST_FAULTS = 10
NUMBER_WIDTH = 3  # of a rank and its gap


def report_tables(report: EventReport, width: int) -> Iterator[RenderableType]:
    """Yield the parts of a report for a terminal with so many columns."""
    yield Text(safe(report.title), style="bold")
    yield _facts_table(facts_of(report))
    if facts := match_facts(report):
        yield Text()
        first, second = map(safe, report.agents)
        yield Text(f"{first} against {second}", style="bold")
        yield _facts_table(facts)
    if not report.counted:
        return
    if report.swiss:
        yield Text()
        yield _swiss_table(report)
    yield Text()
    yield _standings(report, width)
    if report.has_ratings and len(report.agents) <= MOST_CROSSED:
        yield Text()
        yield _crosstable(report, width)
    yield from _fault_lines(report)
    yield Text(INTERVAL_NOTE, style="dim")


def _facts_table(facts: Mapping[str, str]) -> Table:
    table = Table.grid(padding=(0, 2))
    table.add_column(style="dim")
    table.add_column(overflow="fold")
    for name, text in facts.items():
        table.add_row(name, Text(safe(text)))
    return table


def _swiss_table(report: EventReport) -> Table:
    """Return the agents by points, and by the points of their opponents."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("#", justify="right")
    table.add_column("agent", overflow="fold")
    for name in SWISS_HEADINGS:
        table.add_column(name, justify="right", no_wrap=True)
    for rank, row in enumerate(report.swiss, start=1):
        table.add_row(str(rank), Text(safe(row.agent)), *swiss_cells(row))
    return table


def _standings(report: EventReport, width: int) -> Table:
    """Return the agents, the best first; a narrow terminal gets fewer columns."""
    is_wide = width >= WIDE
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("#", justify="right")
    table.add_column("agent", overflow="fold")
    names = ["Elo"] * report.has_ratings + ["score"]
    names += ["games", "time/move", "nodes/move"] * is_wide
    for name in names:
        table.add_column(name, justify="right", no_wrap=True)
    for rank, (rating, total) in enumerate(report.standings, start=1):
        effort = report.efforts[rating.player]
        cells = [rating_text(rating)] * report.has_ratings
        cells += [f"{total.share:.1%}" if total.count else ""]
        if is_wide:
            cells += [f"{total.count:,}", effort_text(effort.seconds_per_move)]
            cells += [f"{effort.nodes_per_move:,.0f}" if effort.nodes else ""]
        table.add_row(str(rank), Text(safe(rating.player)), *cells)
    return table


def _crosstable(report: EventReport, width: int) -> RenderableType:
    """Return the points of each agent against each other one, or a list if that is too wide."""
    order = [rating.player for rating in report.ratings.ratings]
    cells = [[points_text(report.meeting(one, other)) for other in order] for one in order]
    widest = max(len(cell) for row in cells for cell in row)
    names = max(len(safe(agent)) for agent in order)
    if names + NUMBER_WIDTH + len(order) * (widest + 2) > width:
        return _pairings(report, order)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("#", justify="right")
    table.add_column("points against")
    for rank in range(1, len(order) + 1):
        table.add_column(str(rank), justify="right", no_wrap=True)
    for rank, (agent, row) in enumerate(zip(order, cells, strict=True), start=1):
        shown = [
            cell or ("" if one != rank else "\N{MIDDLE DOT}") for one, cell in enumerate(row, 1)
        ]
        table.add_row(str(rank), Text(safe(agent)), *shown)
    return table


def _pairings(report: EventReport, order: list[str]) -> Table:
    """Return one row for each pairing, for terminals in which the crosstable has no room."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("agent", overflow="fold")
    table.add_column("opponent", overflow="fold")
    table.add_column("points", justify="right", no_wrap=True)
    for index, agent in enumerate(order):
        for opponent in order[index + 1 :]:
            if text := points_text(report.meeting(agent, opponent)):
                table.add_row(Text(safe(agent)), Text(safe(opponent)), text)
    return table


def _fault_lines(report: EventReport) -> Iterator[Text]:
    for fault in report.faults[:MOST_FAULTS]:
        who = f"{safe(fault.agent)} lost" if fault.agent else "void"
        yield Text(
            f"game {fault.number + 1}: {who}, {fault.reason}: {safe(fault.detail)}", "yellow"
        )
    more = len(report.faults) - MOST_FAULTS
    if more > 0:
        yield Text(f"{more:,} more games with faults", "yellow")
