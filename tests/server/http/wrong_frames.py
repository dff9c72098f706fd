"""Sends malformed frames and raw bytes to a server while a game is played beside it.

    python tests/server/http/wrong_frames.py --frames 1000000

Every hundred frames the game beside it, the canary, must go on within a generous limit. In the end
the server must still answer, and its log must hold no error.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, get_args

import msgspec

sys.path.insert(0, str(Path(__file__).parents[2]))

from server.raw_http import BINARY, CLOSE, CONTINUED, PING, TEXT, UPGRADE, frame, lines

from plyboard.server.protocol import ClientMessage

LIMIT = 60.0  # seconds; only a hang takes longer
BATCH = 100  # frames between two moves of the canary
RAW_SHARE = 0.1  # of the frames that are bytes instead
KINDS = [str(each.__struct_config__.tag) for each in get_args(ClientMessage)]
FIELDS = sorted({name for each in get_args(ClientMessage) for name in each.__struct_fields__})
VALUES: list[Any] = [
    None, True, 0, -1, 1, 2**31, 2**63, 10**30, 1.5, "", "a", "4", "\x00", "\u202e", "x" * 65,
    "\ud800", "../../etc/passwd", "' or 1=1; --", "connect-four", "squatter", "abcdefghabcdefgh",
    [], [[]], {}, {"kind": "me"}, [{"kind": "me"}, {"kind": "open"}], ["4"] * 50, {"a": {"b": []}},
]  # fmt: skip
SERVER = """
import sys
import uvicorn
from dataclasses import replace
from plyboard.server.http.app import create_app
from plyboard.server.http.logs import configure_logs
from plyboard.server.http.running import listener, server_config, within_file_handles
from plyboard.server.limits import LOCAL_LIMITS
from plyboard.server.storage.store import GameStore

configure_logs()
limits = within_file_handles(replace(
    LOCAL_LIMITS, messages=10**9, content_errors=10**9, sockets_per_address=1000,
    games_per_address=10**9, new_games_per_minute=10**9, requests_per_minute=10**9,
    failed_tokens_per_minute=10**9,
))
bound = listener("127.0.0.1", 0)
print(bound.getsockname()[1], flush=True)
uvicorn.Server(server_config(create_app(GameStore(sys.argv[1]), limits))).run([bound])
"""


@dataclass
class FrameReport:
    """What was sent, and what came back."""

    frames: int = 0
    streams: int = 0
    moves: int = 0
    slowest: float = 0.0  # seconds, of a move of the canary
    answers: Counter[str] = field(default_factory=Counter)
    log: str = ""


def wrong_text(chance: random.Random) -> bytes:
    """Return the text of a message that is wrong in some way, or right by chance."""
    message: dict[str, Any] = {"t": chance.choice(KINDS), "id": f"r{chance.randrange(1000)}"}
    for _ in range(chance.randrange(5)):
        message[chance.choice(FIELDS)] = chance.choice(VALUES)
    if chance.random() < 0.3:
        message.pop(chance.choice(list(message)))
    text = json.dumps(message).encode()
    way = chance.randrange(6)
    if way == 0:  # change a byte
        place = chance.randrange(len(text))
        text = text[:place] + bytes([chance.randrange(256)]) + text[place + 1 :]
    elif way == 1:
        text = text[: chance.randrange(len(text))]
    elif way == 2:
        text = text * chance.randrange(1, 4)
    return text


def wrong_frame(chance: random.Random) -> bytes:
    """Return a frame, most often with a message in it."""
    if chance.random() < 0.8:
        return frame(wrong_text(chance))
    data = chance.randbytes(chance.choice((0, 1, 2, 125, 126, 200, 4096, 4097, 5000)))
    kind = chance.choice((TEXT, BINARY, CLOSE, PING, CONTINUED, 0xA, 0x3, 0xF))
    flags = chance.choice((0, 0, 0, 0x40, 0x20, 0x10))
    return frame(data, kind, last=chance.random() < 0.8, flags=flags, mask=chance.random() < 0.9)


class Attacker:
    """One socket that is opened again whenever the server closes it."""

    def __init__(self, port: int, chance: random.Random, report: FrameReport) -> None:
        self.port, self.chance, self.report = port, chance, report
        self.reader: asyncio.StreamReader | None = None
        self.writer: asyncio.StreamWriter | None = None
        self.reading: asyncio.Task[None] | None = None

    async def close(self) -> None:
        if self.writer is not None:
            await close_stream(self.writer)
            self.writer = None
        if self.reading is not None:
            await self.reading

    async def send_some(self, count: int) -> None:
        for _ in range(count):
            if self.chance.random() < RAW_SHARE:
                await self._send_bytes()
            else:
                await self._send_frame()

    async def _send_bytes(self) -> None:
        """Send bytes that are no HTTP, or almost."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        start = self.chance.choice(
            (b"", b"GET / HTTP/1.1\r\n", lines(UPGRADE), b"POST /x HTTP/1.1\r\n")
        )
        writer.write(start + self.chance.randbytes(self.chance.randrange(1, 300)) + b"\r\n\r\n")
        try:
            async with asyncio.timeout(0.05):
                await reader.read(1000)
        except (OSError, TimeoutError):
            pass
        await close_stream(writer)
        self.report.streams += 1

    async def _send_frame(self) -> None:
        for _ in range(10):
            try:
                await self._open()
                assert self.writer is not None
                self.writer.write(wrong_frame(self.chance))
                await self.writer.drain()
                break
            except (OSError, EOFError):
                await self.close()
        self.report.frames += 1

    async def _open(self) -> None:
        if self.writer is not None and not self.writer.is_closing():
            assert self.reader is not None
            if not self.reader.at_eof():
                return
        await self.close()
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)
        self.writer.write(lines(UPGRADE))
        await self.reader.readuntil(b"\r\n\r\n")
        self.writer.write(frame(b'{"t":"hello","id":"h","version":1}'))
        self.reading = asyncio.create_task(self._read(self.reader))

    async def _read(self, reader: asyncio.StreamReader) -> None:
        try:
            while data := await reader.read(65_536):
                self.report.answers["error" if b'"error"' in data else "other"] += 1
        except OSError:
            pass


async def close_stream(writer: asyncio.StreamWriter) -> None:
    """Drop a connection, and wait until it is closed."""
    writer.transport.abort()
    with contextlib.suppress(OSError):
        await writer.wait_closed()


class Canary:
    """A player of both sides, whose game must go on."""

    def __init__(self, port: int, report: FrameReport) -> None:
        self.port, self.report, self.number = port, report, 0
        self.view: dict[str, Any] = {"end": {}}

    async def open(self) -> None:
        from websockets.asyncio.client import connect

        url = f"ws://127.0.0.1:{self.port}/play"
        self.socket = await connect(url, compression=None, open_timeout=LIMIT).__aenter__()
        await self.ask("hello", version=1)

    async def ask(self, kind: str, **fields: object) -> dict[str, Any]:
        self.number += 1
        request = f"c{self.number}"
        async with asyncio.timeout(LIMIT):
            await self.socket.send(
                msgspec.json.encode({"t": kind, "id": request, **fields}).decode()
            )
            while (answer := json.loads(await self.socket.recv())).get("re") != request:
                pass
        found: dict[str, Any] = answer
        return found

    async def move(self) -> None:
        if "end" in self.view:
            seats = [{"kind": "me"}, {"kind": "me"}]
            made = await self.ask("create", game="connect-four", seats=seats)
            self.game, self.token = made["game"], made["token"]
            self.view = await self.ask("watch", game=self.game, token=self.token)
        began = time.monotonic()
        move = self.view["legal"][self.number % len(self.view["legal"])]["move"]
        answer = await self.ask("move", game=self.game, seq=self.view["seq"], move=move)
        assert answer["t"] == "ack", answer
        self.report.slowest = max(self.report.slowest, time.monotonic() - began)
        self.report.moves += 1
        self.view = await self.ask("watch", game=self.game, token=self.token)


async def attack(port: int, frames: int, seed: int, report: FrameReport) -> None:
    """Send so many frames from a few sockets, with a move of the canary after each batch."""
    canary = Canary(port, report)
    await canary.open()
    attackers = [Attacker(port, random.Random(seed + each), report) for each in range(4)]
    await canary.move()
    while report.frames + report.streams < frames:
        await asyncio.gather(*(each.send_some(BATCH // 4) for each in attackers))
        await canary.move()
    await canary.socket.close()
    for attacker in attackers:
        await attacker.close()


async def run(frames: int, seed: int) -> FrameReport:
    """Attack a server of its own; return what happened."""
    report = FrameReport()
    with tempfile.TemporaryDirectory() as folder:
        server = await asyncio.create_subprocess_exec(
            sys.executable, "-c", SERVER, f"{folder}/games.db",
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE, limit=2**24,
        )  # fmt: skip
        assert server.stdout is not None
        assert server.stderr is not None
        logged = asyncio.create_task(server.stderr.read())
        try:
            await attack(int(await server.stdout.readline()), frames, seed, report)
        finally:
            try:
                server.terminate()
            except ProcessLookupError:
                report.log += "the server has ended"
            async with asyncio.timeout(LIMIT):
                await server.wait()
            report.log += (await logged).decode()
    assert server.returncode in (0, -signal.SIGTERM), report.log
    return report


def main() -> None:
    parser = argparse.ArgumentParser(description="Send malformed frames to a server.")
    parser.add_argument("--frames", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    began = time.monotonic()
    report = asyncio.run(run(options.frames, options.seed))
    print(
        f"{report.frames} frames and {report.streams} streams of bytes in "
        f"{time.monotonic() - began:.0f} s; {report.moves} moves of the canary, the slowest "
        f"{report.slowest * 1000:.0f} ms; {len(report.log.splitlines())} lines in the log"
    )
    print(report.log[:2000], end="")
    sys.exit(bool(report.log))


if __name__ == "__main__":
    main()
