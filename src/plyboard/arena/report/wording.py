"""Numbers of reports as texts, the same on a terminal and on a page."""

from __future__ import annotations

import math

from plyboard.arena.report.event_report import EventReport, Meeting
from plyboard.arena.statistics.elo import CONFIDENCE, EloEstimate
from plyboard.arena.statistics.ratings import Rating
from plyboard.play.match_text import safe

PLUS_MINUS = "\N{PLUS-MINUS SIGN}"


def elo_text(found: EloEstimate) -> str:
    """Return an Elo difference with its interval; a bound if all games had the same winner."""
    if math.isinf(found.elo):
        bound = found.low if found.elo > 0 else found.high
        return f"{'more than' if found.elo > 0 else 'less than'} {bound:+z.0f}"
    if math.isinf(found.low) or math.isinf(found.high):
        return f"{found.elo:+z.0f} (from {found.low:+z.0f} to {found.high:+z.0f})"
    return f"{found.elo:+z.0f} {PLUS_MINUS} {found.elo_error:.0f}"


def rating_text(rating: Rating) -> str:
    """Return a rating with its error."""
    return f"{rating.elo:+z.0f} {PLUS_MINUS} {rating.error:.0f}" if rating.games else "no games"


def points_text(meeting: Meeting) -> str:
    """Return the points of a meeting out of its games, as 7.5/12; empty without games."""
    return f"{meeting.points:g}/{meeting.count}" if meeting.count else ""


def score_text(meeting: Meeting) -> str:
    """Return the score in percent with the half-width of its interval."""
    if not meeting.count:
        return ""
    found = meeting.elo
    return f"{found.score:.1%} {PLUS_MINUS} {found.error:.1%}"


def effort_text(seconds: float) -> str:
    """Return a thinking time in a fitting unit."""
    if seconds >= 1:
        return f"{seconds:.2f} s"
    return f"{seconds * 1e3:.1f} ms" if seconds >= 1e-3 else f"{seconds * 1e6:.0f} µs"


def facts_of(report: EventReport) -> dict[str, str]:
    """Return what holds for the event as a whole, in the order to be shown."""
    colours, count = report.colours, len(report.counted)
    facts = dict(report.settings) | {"games": f"{count:,}"}
    if report.void:
        facts["void games"] = f"{report.void:,}"
    if count:
        facts["first player"] = (
            f"won {colours.wins / count:.1%}, drew {colours.draws / count:.1%}, "
            f"lost {colours.losses / count:.1%}"
        )
        facts["advantage of moving first"] = (
            f"{report.ratings.first_move:+z.0f} {PLUS_MINUS} {report.ratings.first_move_error:.0f}"
            " Elo"
        )
        facts["length"] = f"{report.mean_plies:.1f} plies"
        facts["ends"] = ", ".join(f"{safe(name)} {n:,}" for name, n in report.reasons.items())
    return facts


def match_facts(report: EventReport) -> dict[str, str]:
    """Return the figures of a match between two agents, for the first; empty for other events."""
    if len(report.agents) != 2 or not report.counted:
        return {}
    meeting = report.meeting(*report.agents)
    found, games, pairs = meeting.elo, meeting.games, meeting.pairs
    facts = {
        "score": f"{points_text(meeting)}, {score_text(meeting)}",
        "won, drawn, lost": f"{games.wins:,}, {games.draws:,}, {games.losses:,}",
        "Elo difference": elo_text(found),
        "likelihood of superiority": f"{found.los:.1%}",
        "pairs with 0 to 2 points": ", ".join(f"{n:,}" for n in pairs.frequencies),
    }
    if math.isfinite(found.normalized):
        facts["normalized Elo"] = (
            f"{found.normalized:+z.1f} {PLUS_MINUS} {found.normalized_error:.1f}"
        )
    if meeting.lead is not None:
        facts["lead"] = f"{meeting.lead:+z.1f} points a game"
    return facts | sprt_facts(report)


def sprt_facts(report: EventReport) -> dict[str, str]:
    """Return the state of a sequential test; empty without one."""
    test = report.sprt
    if test is None:
        return {}
    pairs = report.meeting(*report.agents[:2]).pairs
    lower, upper = test.bounds
    decision = test.decision(pairs)
    decided = {
        "H0": f"H0 accepted: {test.elo0:+g} Elo or less",
        "H1": f"H1 accepted: {test.elo1:+g} Elo or more",
    }
    return {
        "hypotheses": f"H0 {test.elo0:+g} Elo, H1 {test.elo1:+g} Elo, {test.model}",
        "log-likelihood ratio": f"{test.llr(pairs):+z.2f} (bounds {lower:.2f} and {upper:+z.2f})",
        "decision": decided[decision] if decision else "none yet",
    }


INTERVAL_NOTE = f"Intervals hold the true value with {CONFIDENCE:.0%} probability."
