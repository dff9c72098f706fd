"""A report as JSON."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import Any

from plyboard.arena.report.event_report import EventReport, Meeting

VERSION = 1  # of the format


def report_json(report: EventReport) -> dict[str, Any]:
    """Return all figures as JSON can hold them; null stands for an infinite or unknown number."""
    facts = {
        "version": VERSION,
        "title": report.title,
        "settings": dict(report.settings),
        "games": len(report.counted),
        "void": report.void,
        "agents": [
            {
                "agent": rating.player,
                "elo": rating.elo,
                "low": rating.low,
                "high": rating.high,
                "group": rating.group,
                **_meeting_facts(total),
                "moves": report.efforts[rating.player].moves,
                "nodes_per_move": report.efforts[rating.player].nodes_per_move,
                "seconds_per_move": report.efforts[rating.player].seconds_per_move,
            }
            for rating, total in report.standings
        ],
        "pairings": [
            {"agent": agent, "opponent": opponent, **_meeting_facts(meeting), "elo": asdict(found)}
            for index, agent in enumerate(report.agents)
            for opponent in report.agents[index + 1 :]
            if (meeting := report.meeting(agent, opponent)).count
            for found in [meeting.elo]
        ],
        "colours": {
            **asdict(report.colours),
            "first_move": report.ratings.first_move,
            "first_move_error": report.ratings.first_move_error,
            "dispersion": report.ratings.dispersion,
        },
        "plies": report.mean_plies,
        "reasons": dict(report.reasons),
        "faults": [asdict(fault) for fault in report.faults],
        "sprt": _sprt_facts(report),
        "swiss": [asdict(row) for row in report.swiss],
    }
    finite: dict[str, Any] = _finite(facts)
    return finite


def _meeting_facts(meeting: Meeting) -> dict[str, Any]:
    return {
        "games": meeting.count,
        "wins": meeting.games.wins,
        "draws": meeting.games.draws,
        "losses": meeting.games.losses,
        "points": meeting.points,
        "score": meeting.share,
        "pairs": list(meeting.pairs.frequencies),
        "lead": meeting.lead,
    }


def _sprt_facts(report: EventReport) -> dict[str, Any] | None:
    test = report.sprt
    if test is None:
        return None
    pairs = report.meeting(*report.agents[:2]).pairs
    return {
        **asdict(test),
        "llr": test.llr(pairs),
        "bounds": list(test.bounds),
        "decision": test.decision(pairs),
        "pairs_left": test.pairs_left(pairs),
    }


def _finite(value: Any) -> Any:
    """Return a value with None for infinite numbers, which JSON does not have."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {name: _finite(each) for name, each in value.items()}
    return [_finite(each) for each in value] if isinstance(value, list) else value
