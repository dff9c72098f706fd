"""The report of an event for a command: printed, as JSON, or as a page."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from plyboard.arena.event_run import EventRun
    from plyboard.arena.report import EventReport
    from plyboard.arena.report.event_report import SwissRow

UNLIMITED = 100_000  # columns


def event_report(run: EventRun, title: str) -> EventReport:
    """Return the report on the games that count."""
    from plyboard.arena.report import EventReport

    played, settings = run.counted(), run.settings
    return EventReport.of(
        settings.agents,
        [task for task, _ in played],
        [result for _, result in played],
        title,
        dict(_facts(run)),
        settings.sprt,
        _swiss_rows(run),
    )


def print_report(report: EventReport, *, as_json: bool) -> None:
    """Print a report as JSON, or as tables: those fit a terminal, and are not wrapped elsewhere."""
    from plyboard.arena.report import report_json, report_tables
    from plyboard.terminal.drawing.screen import Screen

    if as_json:
        print(json.dumps(report_json(report), indent=2))
        return
    screen = Screen()
    if not screen.is_terminal:
        screen.console.width = UNLIMITED
    with screen.console.capture() as captured:
        for part in report_tables(report, screen.width):
            screen.console.print(part)
    lines = captured.get().splitlines()
    print("\n".join(lines if screen.is_terminal else (line.rstrip() for line in lines)))


def _swiss_rows(run: EventRun) -> Iterator[SwissRow]:
    """Yield the rows of the table of a Swiss tournament, the best first."""
    from plyboard.arena.report.event_report import SwissRow

    table = run.swiss_table
    for each in [] if table is None else table.ranking:
        assert table is not None
        byes = len(run.rounds) - len(table.opponents[each])
        agent = run.settings.agents[each]
        yield SwissRow(agent, table.points[each], table.buchholz(each), byes)


def _facts(run: EventRun) -> Iterator[tuple[str, str]]:
    """Yield what a reader should know about an event, by name."""
    settings = run.settings
    yield "game", settings.game
    if len(settings.agents) > 2:
        rounds = f", {settings.rounds} rounds" if settings.format == "swiss" else ""
        yield "format", f"{settings.format}{rounds}, {2 * settings.pairs} games of each pairing"
    yield "limits", _limits(run) or "those of the agents"
    if settings.rules != "standard":
        yield "rules", settings.rules
    yield "openings", _openings(run)
    yield "seed", str(settings.seed)
    last_games = run.withdrawals.last_games.items()
    if withdrawn := [f"{spec} after game {number + 1}" for spec, number in last_games]:
        yield "withdrawn", f"{', '.join(withdrawn)}: {settings.faults} faults in a row"
    winner = run.knockout_winner
    if winner is not None:
        yield "winner", winner
    swiss = run.swiss_table
    if swiss is not None and len(run.rounds) == settings.rounds:
        winners = [settings.agents[each] for each in swiss.winners]
        yield "winners" if len(winners) > 1 else "winner", ", ".join(winners)


def _limits(run: EventRun) -> str:
    budget, control = run.settings.budget, run.settings.control
    parts = [
        f"{limit:,} {name}" for name in ("nodes", "simulations") if (limit := getattr(budget, name))
    ]
    if budget.depth:
        parts.append(f"{budget.depth} plies")
    if budget.seconds:
        parts.append(f"{budget.seconds:g} s")
    texts = [f"{', '.join(parts)} a move"] if parts else []
    return ", ".join([*texts, *([] if control is None else [f"clock {control.text()}"])])


def _openings(run: EventRun) -> str:
    """Return how many openings were used and dropped, and how long they are."""
    used = {task.opening for task, _ in run.counted()}
    lengths = sorted({len(opening) for opening in used})
    plies = "no" if not lengths else "-".join(map(str, sorted({lengths[0], lengths[-1]})))
    kind = "no proved win" if run.settings.balanced else "random"
    dropped = f"; {run.dropped_openings:,} dropped" if run.settings.balanced else ""
    alone = (
        "; one a pairing, so agents without chance repeat a game" if run.settings.pairs == 1 else ""
    )
    return f"{len(used):,} of {plies} plies, {kind}{dropped}{alone}"
