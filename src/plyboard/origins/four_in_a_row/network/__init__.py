"""Four in a row between two machines: one digit per move over plain TCP."""

from plyboard.origins.four_in_a_row.network.connection import ConnectionState, PeerConnection
from plyboard.origins.four_in_a_row.network.network_match import NetworkEvent, NetworkMatch
from plyboard.origins.four_in_a_row.network.wire import (
    ColumnReceived,
    PeerConnected,
    PeerEvent,
    PeerLost,
    RubbishReceived,
)

__all__ = [
    "ColumnReceived", "ConnectionState", "NetworkEvent", "NetworkMatch", "PeerConnected",
    "PeerConnection", "PeerEvent", "PeerLost", "RubbishReceived",
]  # fmt: skip
