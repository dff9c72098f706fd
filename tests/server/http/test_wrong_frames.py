"""Promise Q2: malformed frames are never fatal, and the game beside them goes on."""

from __future__ import annotations

import asyncio

from server.http.wrong_frames import run

FRAMES = 2000


def test_malformed_frames_harm_nobody() -> None:
    report = asyncio.run(run(FRAMES, 1))

    assert report.frames + report.streams >= FRAMES
    assert report.streams > FRAMES / 20
    assert report.moves >= FRAMES / 100
    assert report.answers["error"] > 20
    assert report.log == ""
