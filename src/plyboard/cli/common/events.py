"""Plays an event for a command: opens its store, shows progress, writes the report."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from plyboard.cli.common.arguments import check_new, write_new
from plyboard.cli.common.event_options import store_path
from plyboard.cli.common.live_event import live_event
from plyboard.cli.common.people import has_people, people_player
from plyboard.cli.common.places import workers_of
from plyboard.errors import (
    BotError,
    PeerError,
    PlyboardError,
    UsageError,
    WorkerError,
    printable,
    shown,
)
from plyboard.specs import choices

if TYPE_CHECKING:
    from plyboard.arena.event import EventSettings
    from plyboard.arena.event_run import EventRun

LONGEST = 120  # characters of a spec in a note
GAUNTLET = "gauntlet"
MOST_CHANGES = 3  # that are named for each agent


@dataclass(frozen=True)
class EventOptions:
    """How an event is played and reported; none of this changes its games."""

    workers: str | None = None
    place: str = "local"
    store: str | None = None
    again: bool = False
    renew: str | None = None
    as_json: bool = False
    html: str | None = None
    save: str | None = None
    force: bool = False
    unsafe_programs: bool = False
    skip_broken: bool = False


def play_event(settings: EventSettings, title: str, options: EventOptions) -> EventRun:
    """Play the games of an event that have no result yet, and report on all of them."""
    from plyboard.arena.event_run import EventRun
    from plyboard.arena.event_store import EventStore, remove_event
    from plyboard.processes.choosing import executor_of
    from plyboard.processes.local import LocalExecutor
    from plyboard.processes.serial import SerialExecutor

    workers = workers_of(options.workers)
    executor = executor_of(options.place, workers)
    is_local = isinstance(executor, LocalExecutor)  # elsewhere there may be other programs
    settings = settings.checked()
    settings = _announced(settings, options, is_local=is_local)
    with_people = has_people(settings, workers, options.place)
    path = store_path(options.store, settings)
    _check_outputs(path, options)
    if options.again:
        remove_event(path)
    is_checked = options.skip_broken or not is_local
    is_new = not path.exists() or path.stat().st_size == 0
    if is_new and not is_checked:  # before there is a file for these settings
        _check_programs(settings)
    if options.renew is not None and options.renew not in settings.agents:
        expected = choices(options.renew, settings.agents)
        raise UsageError(
            "unknown agent", where="--renew", got=shown(options.renew), expected=expected
        )
    with EventStore.open(path, settings) as store:
        if options.renew is not None:
            store.remove_results(options.renew)
        run = EventRun(store, settings)
        if not is_new and not is_checked and len(run.results) != run.total:
            _check_programs(settings)
        _note_earlier_games(run)
        try:
            with live_event(run) as live:
                playing = (
                    run.run(SerialExecutor(), people_player(settings, live.say))
                    if with_people
                    else run.run(executor)
                )
                said = ""
                for _ in playing:
                    live.update()
                    if run.sprt and not said and (said := run.sprt.outlook(settings.pairs)):
                        live.say(f"note: {said}")
        except (KeyboardInterrupt, PeerError, WorkerError) as fault:
            if run.results:
                _print_report(run, title, as_json=options.as_json)
            if run.results or isinstance(fault, KeyboardInterrupt):
                print("note: results are stored; the same command goes on", file=sys.stderr)
            raise
    _note_changes_meanwhile(run)
    _print_report(run, title, as_json=options.as_json)
    _write_files(run, title, options)
    return run


def _announced(settings: EventSettings, options: EventOptions, *, is_local: bool) -> EventSettings:
    """Say what people should know before the first game; return what is played.

    That is the event without the programs that do not start, if they are to be left out.
    """
    from plyboard.agents.programs.notes import allow_unsafe_programs, note_of
    from plyboard.arena.punctuality import clock_note, wake_up_lateness

    if options.unsafe_programs:
        allow_unsafe_programs()
    if note := note_of(settings.agents):
        print(f"note: {note}", file=sys.stderr)
    control = settings.control
    if control and is_local and (note := clock_note(control, wake_up_lateness)):
        print(f"note: {note}", file=sys.stderr)
    if options.skip_broken:
        settings = _without_broken(settings, is_local=is_local)
    return settings


def _check_programs(settings: EventSettings) -> None:
    """Raise if a program does not start; name all of them."""
    broken = _broken(settings)
    faults = list(broken.values())
    if len(faults) > 1:
        for fault in faults:
            print(f"note: {fault.first_line}", file=sys.stderr)
        names = ", ".join(shown(spec, LONGEST) for spec in broken)
        raise BotError(f"{len(faults)} programs cannot be started", reason=names)
    if faults:
        raise faults[0]


def _without_broken(settings: EventSettings, *, is_local: bool) -> EventSettings:
    """Return the settings without the programs that do not start, and name those."""
    if not is_local:
        raise UsageError("option not wanted", got="'--skip-broken'", expected="it with --on local")
    broken = _broken(settings)
    for fault in broken.values():
        print(f"note: left out: {fault.first_line}", file=sys.stderr)
    if settings.format == GAUNTLET and settings.agents[0] in broken:
        raise broken[settings.agents[0]]
    left = tuple(spec for spec in settings.agents if spec not in broken)
    if len(left) < 2:
        raise BotError("too few agents", reason=f"{len(broken)} programs cannot be started")
    rounds = min(settings.rounds, max(1, len(left) - 1))
    return replace(settings, agents=left, rounds=rounds).checked()


def _broken(settings: EventSettings) -> dict[str, PlyboardError]:
    from plyboard.agents.programs.start_check import broken_programs
    from plyboard.games import game as find_game

    return broken_programs(settings.agents, find_game(settings.game))


def _check_outputs(store: Path, options: EventOptions) -> None:
    """Raise before the first game if a file could not be written after the last one."""
    taken = {store.resolve(): "--store"}
    for option, name in (("--html", options.html), ("--save", options.save)):
        if name:
            check_new(name, force=options.force)
            other = taken.setdefault(Path(name).resolve(), option)
            if other != option:
                raise UsageError(
                    "file given twice", got=shown(name), expected=f"not that of {other}"
                )


def _note_earlier_games(run: EventRun) -> None:
    """Say how many games were played before, and why others are played anew."""
    if run.resumed:
        total = "" if run.total is None else f" of {run.total}"
        text = f"{run.resumed}{total} games were played before; --again plays them again"
        print(f"note: {text}", file=sys.stderr)
    for name, changes in run.changes.items():
        shown_changes = [printable(each) for each in changes[:MOST_CHANGES]]
        more = len(changes) - len(shown_changes)
        told = ", ".join(shown_changes + [f"{more:,} more"] * bool(more))
        print(f"note: games of {printable(name, LONGEST)} are played anew: {told}", file=sys.stderr)


def _note_changes_meanwhile(run: EventRun) -> None:
    """Say whose results will not count next time, because they changed while it was played."""
    for name in run.keys.changed_since():
        text = f"{printable(name, LONGEST)} changed while its games were played"
        print(f"note: {text}; the same command plays them anew", file=sys.stderr)


def _print_report(run: EventRun, title: str, *, as_json: bool) -> None:
    from plyboard.cli.common.event_report import event_report, print_report

    print_report(event_report(run, title), as_json=as_json)


def _write_files(run: EventRun, title: str, options: EventOptions) -> None:
    if options.save:
        text = "\n".join(result.record for _, result in run.counted())
        write_new(options.save, text, force=options.force)
    if options.html:
        from plyboard.arena.report import report_html
        from plyboard.cli.common.event_report import event_report

        write_new(options.html, report_html(event_report(run, title)), force=options.force)
