"""What happens in a network game, in words for the local player."""

from __future__ import annotations

from plyboard.errors import shown
from plyboard.origins.four_in_a_row.network.wire import (
    ColumnReceived,
    PeerConnected,
    PeerEvent,
    PeerLost,
    RubbishReceived,
)
from plyboard.play.live_match import InputRefused, LiveEvent, MatchChanged
from plyboard.session.messages import refusal_message

SHOWN_BYTES = 20


def event_message(event: LiveEvent | PeerEvent) -> str:
    """Return the message for an event; empty if there is nothing to say."""
    if isinstance(event, InputRefused):
        return refusal_message(event)
    if isinstance(event, PeerConnected):
        return f"Connected to {event.address}."
    if isinstance(event, ColumnReceived) and event.ignored:
        return f"{_sentence(several_text(event))}; only the first character counts."
    if isinstance(event, RubbishReceived):
        return f"{_sentence(rubbish_text(event))}, which is no move."
    if isinstance(event, PeerLost):
        return f"{_sentence(event.reason)}."
    if isinstance(event, MatchChanged) and event.match.end and event.match.end.detail:
        return f"The game was cut off: {event.match.end.detail}."
    return ""


def rubbish_text(event: RubbishReceived) -> str:
    """Return what the peer has sent as a clause, shortened and escaped."""
    return f"the opponent sent {shown(event.data.decode('latin-1'), SHOWN_BYTES)}"


def several_text(event: ColumnReceived) -> str:
    """Return how much the peer has sent at once as a clause."""
    return f"the opponent sent {1 + len(event.ignored)} characters at once"


def _sentence(clause: str) -> str:
    return clause[:1].upper() + clause[1:]
