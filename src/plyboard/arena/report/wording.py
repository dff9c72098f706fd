"""Numbers of reports as texts, the same on a terminal and on a page."""

from __future__ import annotations

import math

from plyboard.arena.report.event_report import EventReport, Meeting, SwissRow
from plyboard.arena.sprt_run import left_text
from plyboard.arena.statistics.elo import CONFIDENCE, EloEstimate, expected_score
from plyboard.arena.statistics.ratings import Rating, RatingTable
from plyboard.play.match_text import safe

MOST_CROSSED = 30  # agents whose results against each other are shown
PLUS_MINUS = "\N{PLUS-MINUS SIGN}"


def interval_text(value: float, low: float, high: float, form: str = "+z.0f") -> str:
    """Return a value with its interval: `+60 ± 20`, or `+223 [+134, +352]` if it is asymmetric.

    >>> interval_text(60, 40, 80), interval_text(223, 134, 352)
    ('+60 ± 20', '+223 [+134, +352]')
    """
    below, above = (format(each, form.lstrip("+")) for each in (value - low, high - value))
    if below == above:
        return f"{value:{form}} {PLUS_MINUS} {above}"
    return f"{value:{form}} [{low:{form}}, {high:{form}}]"


def elo_text(found: EloEstimate) -> str:
    """Return an Elo difference with its interval; a bound if all games had the same winner."""
    return bounded_text(found.elo, found.low, found.high)


def bounded_text(elo: float, low: float, high: float) -> str:
    """Return an Elo number with its interval, or only the end that this has.

    >>> bounded_text(math.inf, 120, math.inf), bounded_text(-800, -math.inf, -400)
    ('more than +120', 'less than -400')
    """
    if math.isinf(high):
        return f"more than {low:+z.0f}" if math.isfinite(low) else "unknown"
    return f"less than {high:+z.0f}" if math.isinf(low) else interval_text(elo, low, high)


def rating_text(rating: Rating) -> str:
    """Return a rating with its interval."""
    return bounded_text(rating.elo, rating.low, rating.high) if rating.games else "no games"


def first_move_text(ratings: RatingTable) -> str:
    """Return the advantage of moving first."""
    elo, error = ratings.first_move, ratings.first_move_error
    return f"{interval_text(elo, elo - error, elo + error)} Elo"


SWISS_HEADINGS = ("points", "Buchholz", "byes")


def swiss_cells(row: SwissRow) -> tuple[str, str, str]:
    """Return what stands below `SWISS_HEADINGS`."""
    return f"{row.points:g}", f"{row.buchholz:g}", str(row.byes) if row.byes else ""


def points_text(meeting: Meeting) -> str:
    """Return the points of a meeting out of its games, as 7.5/12; empty without games."""
    return f"{meeting.points:g}/{meeting.count}" if meeting.count else ""


def score_text(meeting: Meeting) -> str:
    """Return the score in percent with its interval."""
    if not meeting.count:
        return ""
    low, high = (expected_score(bound) for bound in (meeting.elo.low, meeting.elo.high))
    return interval_text(meeting.elo.score, low, high, ".1%")


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
        facts["advantage of moving first"] = first_move_text(report.ratings)
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
    if math.isfinite(found.normalized_error):
        low, high = (found.normalized + sign * found.normalized_error for sign in (-1, 1))
        facts["normalized Elo"] = interval_text(found.normalized, low, high, "+z.1f")
    if meeting.lead is not None:
        facts["lead"] = f"{meeting.lead:+z.1f} points a game"
    if report.sprt is not None and report.sprt.decision(pairs):
        facts["Elo difference"] += BIASED
    return facts | sprt_facts(report)


def sprt_facts(report: EventReport) -> dict[str, str]:
    """Return the state of a sequential test; empty without one."""
    test = report.sprt
    if test is None:
        return {}
    pairs = report.meeting(*report.agents[:2]).pairs
    lower, upper = test.bounds
    decision = test.decision(pairs)
    played = sum(pairs.frequencies)
    decided = {
        "H0": f"H0 accepted: {test.elo0:+g} Elo or less",
        "H1": f"H1 accepted: {test.elo1:+g} Elo or more",
    }
    left = f"; {left_text(test.pairs_left(pairs))}" if played else ""
    return {
        "hypotheses": f"H0 {test.elo0:+g} Elo, H1 {test.elo1:+g} Elo, {test.model}",
        "log-likelihood ratio": f"{test.llr(pairs):+z.2f} (bounds {lower:.2f} and {upper:+z.2f})",
        "decision": decided[decision] if decision else f"none after {played:,} pairs{left}",
    }


BIASED = "; too far from 0, because the test stops at such results"
INTERVAL_NOTE = f"Intervals hold the true value with {CONFIDENCE:.0%} probability."
