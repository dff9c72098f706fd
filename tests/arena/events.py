"""Events with known results for the tests of reports."""

from __future__ import annotations

from collections.abc import Sequence

from plyboard.arena.game_task import GameResult, GameTask
from plyboard.arena.report import EventReport
from plyboard.games import Position
from plyboard.play.match import Heading, Match
from plyboard.play.record import write_record

MOVES = {"1-0": "4455667", "0-1": "14251627", "1/2-1/2": "4", "*": "44"}


def finished(task: GameTask, result: str, fault: str = "") -> GameResult:
    """Return a game of Connect Four with a result; draws are agreed."""
    match = Match.of(Position(task.game), Heading(task.first, task.second))
    for move in MOVES[result] if not fault else "":
        match = match.play(move)
    if fault:
        match = match.lost(0 if result == "0-1" else 1, "fault", fault)
    reason = match.end.reason if match.end else "agreed" if result == "1/2-1/2" else "abandoned"
    return GameResult(
        number=task.number, result=result, reason=reason, points=None, plies=len(match.turns),
        record=write_record(match), nodes=(400, 0), seconds=(0.04, 0.000_2), fault=fault,
    )  # fmt: skip


def event(
    games: Sequence[tuple[str, str, str]], title: str = "An event", fault: str = ""
) -> EventReport:
    """Return the report of games, each with its players and its result, in pairs as they come."""
    tasks = [
        GameTask(number, number // 2, first, second, "connect-four")
        for number, (first, second, _) in enumerate(games)
    ]
    results = [
        finished(task, result, fault if number == 0 else "")
        for number, (task, (_, _, result)) in enumerate(zip(tasks, games, strict=True))
    ]
    agents = list(dict.fromkeys(name for game in games for name in game[:2]))
    return EventReport.of(agents, tasks, results, title, {"game": "connect-four", "seed": "3"})


LEAGUE = [
    ("strong", "weak", "1-0"), ("weak", "strong", "0-1"),
    ("strong", "fair", "1-0"), ("fair", "strong", "1-0"),
    ("fair", "weak", "1/2-1/2"), ("weak", "fair", "0-1"),
    ("strong", "weak", "1-0"), ("weak", "strong", "*"),
]  # fmt: skip
