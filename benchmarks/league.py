"""The standing league of every game, and matches of each level of the engine with the one below.

Writes docs/league.md. Each event is stored in a file of its own as it is played, so the same
command goes on after an interruption. Openings are drawn from the seed, both colours play each,
and openings with a proved win are left out.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from asking import natural, progress

from plyboard.agents import Budget
from plyboard.agents.levels import levels_of
from plyboard.arena.event import EventSettings
from plyboard.arena.event_run import EventRun
from plyboard.arena.event_store import EventStore
from plyboard.arena.report import EventReport, report_json
from plyboard.arena.report.event_report import Meeting
from plyboard.arena.report.wording import first_move_text, rating_text, score_text
from plyboard.arena.statistics.elo import expected_score
from plyboard.games import game as find_game
from plyboard.games.level import DEFAULT_LEVELS
from plyboard.processes.choosing import executor_of

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "league.md"
NODES = 200_000  # a move, for agents without a limit of their own
ENGINE = [f"engine:level={number}" for number in range(1, len(DEFAULT_LEVELS) + 1)]
BEGINNER = "random:greedy=yes"
COMMON = ["random", BEGINNER, "mcts:simulations=1000", "jericho"]
PLAYERS = {
    "connect-four": [*COMMON, "expectimax:depth=4", "alice"],
    "conniption": [*COMMON, "expectimax:depth=3", "conniption:depth=4"],
    "extended": [*COMMON, "expectimax:depth=3", "extended:depth=4"],
    "squatter": [*COMMON, "expectimax:depth=2", "squatter:depth=3"],
}
SEEDS = {"connect-four": 1, "conniption": 2, "extended": 2, "squatter": 1}  # of the openings
LOWEST, HIGHEST = 0.6, 0.8  # score of a level against the one below it


@dataclass(frozen=True)
class LeagueOptions:
    """How much is played, and where results are kept."""

    pairs: int
    level_pairs: int
    workers: int
    folder: Path


def played(settings: EventSettings, title: str, options: LeagueOptions, name: str) -> EventReport:
    """Play what is missing of an event, and return its report."""
    began = time.perf_counter()
    settings = settings.checked()
    with EventStore.open(options.folder / f"{name}.sqlite", settings) as store:
        run = EventRun(store, settings)
        for _ in run.run(executor_of("local", options.workers)):
            pass
        games = run.counted()
    told = {"openings left out": f"{run.dropped_openings:,}"}
    report = EventReport.of(
        settings.agents, [task for task, _ in games], [result for _, result in games], title, told
    )
    progress(f"{title}: {len(games):,} games in {time.perf_counter() - began:.0f} s")
    return report


def league(game: str, options: LeagueOptions) -> EventReport:
    """Play the league of a game: everybody meets everybody."""
    settings = EventSettings(
        (*PLAYERS[game], *ENGINE),
        game,
        options.pairs,
        seed=SEEDS[game],
        budget=Budget(nodes=NODES),
    )
    return played(settings, f"league of {game}", options, f"league-{game}")


def level_steps(game: str, options: LeagueOptions) -> Iterator[tuple[str, str, EventReport]]:
    """Yield the matches of each level with the one below it; level 1 meets a beginner."""
    for lower, upper in zip([BEGINNER, *ENGINE], ENGINE, strict=False):
        settings = EventSettings(
            (upper, lower), game, options.level_pairs, seed=SEEDS[game], budget=Budget(nodes=NODES)
        )
        name = f"level-{game}-{upper.rpartition('=')[2]}"
        yield upper, lower, played(settings, f"{game}, {upper}", options, name)


def league_lines(game: str, report: EventReport) -> Iterator[str]:
    """Yield the table of a league."""
    ratings, drawn = report.ratings, report.colours.draws / len(report.counted)
    yield f"## {find_game(game).title}"
    yield ""
    yield (
        f"{len(report.counted):,} games with seed {SEEDS[game]}; "
        f"{report.settings['openings left out']} openings were left out. "
        f"Moving first is worth {first_move_text(ratings)}; "
        f"{drawn:.1%} of the games were drawn."
    )
    yield ""
    yield "| # | agent | Elo | score | games |"
    yield "|---|---|---|---|---|"
    for rank, (rating, total) in enumerate(report.standings, start=1):
        yield (
            f"| {rank} | `{rating.player}` | {rating_text(rating)} | {total.share:.1%} "
            f"| {total.count} |"
        )
    yield ""


def step_lines(game: str, steps: list[tuple[str, str, EventReport]]) -> Iterator[str]:
    """Yield the row of every level: its settings, and its score against the level below."""
    for (upper, lower, report), level in zip(steps, levels_of(find_game(game)), strict=True):
        number = upper.rpartition("=")[2]
        below = f"`{lower}`" if lower == BEGINNER else f"level {lower.rpartition('=')[2]}"
        meeting = report.meeting(upper, lower)
        yield f"| {number} | {level.about} | {below} | {score_text(meeting)} | {meeting.count} |"


def is_missed(upper: str, meeting: Meeting) -> bool:
    """Return whether the whole interval of a level's score is outside its target."""
    low, high = (0.0, 0.5) if upper == ENGINE[0] else (LOWEST, HIGHEST)
    found = meeting.elo
    return expected_score(found.high) < low or expected_score(found.low) > high


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print JSON; write no page")
    parser.add_argument("--pairs", type=natural, default=10, help="of games for each pairing (10)")
    parser.add_argument("--level-pairs", type=natural, default=100, help="for each level (100)")
    parser.add_argument("--workers", type=natural, default=os.cpu_count() or 1, help="processes")
    parser.add_argument("--only", default="", help="games with this word in their name")
    parser.add_argument("--folder", type=Path, default=Path("league"), help="of results (league)")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    options = LeagueOptions(given.pairs, given.level_pairs, given.workers, given.folder)
    games = [game for game in PLAYERS if given.only in game]
    steps = {game: list(level_steps(game, options)) for game in games}
    leagues = {game: league(game, options) for game in games}
    missed = [
        f"{game}, {upper}: {score_text(report.meeting(upper, lower))} against {lower}"
        for game in games
        for upper, lower, report in steps[game]
        if is_missed(upper, report.meeting(upper, lower))
    ]
    if given.json:
        facts: dict[str, Any] = {
            "leagues": {game: report_json(report) for game, report in leagues.items()},
            "levels": {game: [report_json(each[2]) for each in steps[game]] for game in games},
        }
        print(json.dumps(facts, indent=2))
    else:
        PAGE.write_text("\n".join(page_lines(games, steps, leagues, options)), "utf-8")
        progress(f"wrote {PAGE.relative_to(ROOT)}")
    for text in missed:
        progress(f"target missed: {text}")
    return 1 if missed else 0


def page_lines(
    games: list[str],
    steps: dict[str, list[tuple[str, str, EventReport]]],
    leagues: dict[str, EventReport],
    options: LeagueOptions,
) -> Iterator[str]:
    """Yield the page."""
    date = datetime.now(UTC).date().isoformat()
    yield "# League"
    yield ""
    yield (
        f"Made by `python benchmarks/league.py --pairs {options.pairs} --level-pairs"
        f" {options.level_pairs}` on {date}. Agents without a limit of their own had {NODES:,}"
        " nodes a move."
    )
    yield (
        "Both colours play each opening. Openings are drawn from the seed, four plies and more, and"
        " those with a proved win are left out."
    )
    yield (
        "Ratings are Bradley-Terry estimates; the mean of a league is 0. Every `±` is half the"
        " width of a 95 % interval; an asymmetric interval is given by its bounds."
    )
    yield ""
    for game in games:
        yield from league_lines(game, leagues[game])
    yield "## Levels of the engine"
    yield ""
    yield (
        "Each level should score 60 to 80 % against the one below it, and level 1 should lose to"
        f" `{BEGINNER}`. [Decision 36](decisions/0036-levels-are-measured.md) describes how they"
        " were set; these matches have other openings."
    )
    yield ""
    for game in games:
        yield f"### {find_game(game).title}"
        yield ""
        yield "| level | plays | against | score | games |"
        yield "|---|---|---|---|---|"
        yield from step_lines(game, steps[game])
        yield ""


if __name__ == "__main__":
    raise SystemExit(main())
