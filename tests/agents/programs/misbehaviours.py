"""Promise A1: each misbehaviour of a program costs only its own game, with the reason stored.

    python tests/agents/programs/misbehaviours.py --repeats 25

plays each of them so many times against an honest program, four games at a time, and prints the
longest time past the limit. The tests play each once.
"""

from __future__ import annotations

import argparse
import atexit
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path

from plyboard.agents import Budget, agent
from plyboard.games import Position
from plyboard.play.live_match import conduct
from plyboard.play.match import Match
from plyboard.play.referee import Referee
from plyboard.play.seat import AgentSeat

HERE = Path(__file__).parent
BOT = HERE / "bad_bot.py"
SECONDS, MARGIN = 0.3, 0.1
ENOUGH = 20.0  # seconds for a culprit that does not wait for the limit, on a busy machine
PROMISED = 0.5  # seconds past the limit
CULPRIT = 1  # the player, who moves second


@dataclass(frozen=True)
class Case:
    """A misbehaviour and the kinds of fault that may be stored; an empty kind costs nothing."""

    name: str
    kind: str  # several if it depends on the machine: "timeout memory"
    spec: str = ""
    moves: str = ""  # before the culprit's first move
    game: str = "connect-four"
    start: float = 10.0  # seconds that it may take to start
    fails_at_start: bool = False
    needs_namespaces: bool = False

    def agent_spec(self, token: str, secret: str = "-") -> str:
        """Return the spec of the culprit, with a token by which its processes are found."""
        limits = f"start={self.start},margin={MARGIN},memory=64"
        if self.spec:
            folder = unreadable_source() if self.name == "syntax error" else HERE
            return f"sandbox:start=10,margin={MARGIN},command={folder}/{self.spec}"
        words = [sys.executable, str(BOT), self.name, token, secret]
        return f"json:{limits},command={shlex.join(words)}"


@cache
def unreadable_source() -> Path:
    """Return a folder with a file that is no Python; linters would find it among the tests."""
    folder = Path(tempfile.mkdtemp(prefix="plyboard-bad-syntax-"))
    atexit.register(shutil.rmtree, folder)
    folder.chmod(0o755)
    (folder / "bad_syntax.py").write_text("this is no Python\n")
    return folder


CASES = (
    Case("import error", "crash", "bad_import.py:Bot", fails_at_start=True),
    Case("syntax error", "crash", "bad_syntax.py:Bot", fails_at_start=True),
    Case("no entry point", "crash", "bad_agents.py:NoSuchClass", fails_at_start=True),
    Case("wrong version", "protocol", fails_at_start=True),
    Case("slow start", "timeout", start=0.4, fails_at_start=True),
    Case("print_rubbish", "protocol"),
    Case("write_half_a_line", "timeout"),
    Case("write_no_newline", "protocol"),
    Case("write_a_gigabyte", "protocol timeout"),
    Case("write_invalid_utf8", "protocol"),
    Case("close_stdout", "crash"),
    Case("none", "protocol"),
    Case("a number", "protocol"),
    Case("a float", "protocol"),
    Case("true", "protocol"),
    Case("not a number", "protocol"),
    Case("a list", "protocol"),
    Case("no column", "illegal"),
    Case("a full column", "illegal", moves="1111112"),
    Case("the other's move", "illegal", moves="0", game="extended"),
    Case("returns a text", "protocol", "bad_agents.py:Returning"),
    Case("raises", "crash", "bad_agents.py:Raising"),
    Case("fail", "crash"),
    Case("exit_politely", "crash"),
    Case("exit_at_once", "crash"),
    Case("segfault", "crash"),
    Case("loop", "timeout"),
    Case("sleep", "timeout"),
    Case("hold_the_gil", "timeout"),
    Case("take_memory", "memory"),
    Case("recurse", "crash"),
    Case("fork_bomb", "timeout memory crash"),
    Case("leave_a_grandchild", "crash"),
    Case("stop_itself", "timeout"),
    Case("kill_the_parent", "timeout", needs_namespaces=True),
    Case("ignore_sigterm", "timeout"),
    Case("open_files", "crash"),
    Case("fill_the_disk", "crash"),
    Case("open_a_socket", "crash"),
    Case("read_secrets", "crash", needs_namespaces=True),
    Case("changes the state", "", "bad_agents.py:ChangesTheState"),
    Case("patches the rules", "", "bad_agents.py:PatchesTheRules"),
    Case("think_in_the_others_time", ""),
    Case("answer_late", "timeout"),
)


@dataclass(frozen=True)
class Played:
    """A game against a culprit."""

    case: Case
    match: Match
    overtime: float  # seconds past the limit, of the culprit's slowest turn
    left: tuple[int, ...]  # processes that outlived it

    @property
    def mistake(self) -> str:
        """What is not as promised; empty if nothing."""
        end = self.match.end
        assert end is not None
        if self.left:
            return f"processes {self.left} are left"
        has_lost = end.result.winner == 1 - CULPRIT
        return mistake_of(self.case, end.result.value, has_lost, end.reason, end.detail)


def mistake_of(case: Case, result: str, has_lost: bool, reason: str, detail: str) -> str:
    """Return what is not as promised in the end of a game; empty if nothing."""
    told = f"{result} {reason}: {detail}"
    if not case.kind:
        return "" if reason in ("line", "full") else told
    kind = "illegal" if reason == "illegal move" else detail.partition(":")[0]
    expected = {"timeout": "time", "illegal": "illegal move"}.get(kind, "fault")
    return "" if kind in case.kind.split() and reason == expected and has_lost else told


def seconds_of(case: Case) -> float:
    """Return the time for a move of a culprit."""
    return SECONDS if "timeout" in case.kind else ENOUGH


def play(case: Case, secret: str = "-") -> Played:
    """Play a game between an honest agent and a culprit, whose program is started before."""
    seconds = seconds_of(case)
    token, budget = uuid.uuid4().hex, Budget(seconds=seconds, seed=1)
    honest = AgentSeat(agent("random"), budget)
    culprit = AgentSeat(agent(case.agent_spec(token, secret)), budget)
    moves = case.moves or Position(case.game).legal_moves()[-1]
    match = Match.leading_to(Position(case.game).play(*moves))
    times = [time.monotonic()]
    try:
        if not case.fails_at_start:
            culprit.prepare(match)
        times.append(time.monotonic())
        ended = conduct(
            match, (honest, culprit), Referee(wrong_moves=0),
            [lambda _: times.append(time.monotonic())],
        )  # fmt: skip
    finally:
        culprit.close()
        honest.close()
    slowest = max(after - before for before, after in pairwise(times[1:]))
    limit = case.start if case.fails_at_start else seconds
    return Played(case, ended, slowest - limit, tuple(processes_with(token)))


@cache
def has_namespaces() -> bool:
    """Return whether this system lets us make namespaces, as another program finds."""
    done = subprocess.run(
        ["unshare", "-Urpnmf", "--mount-proc", "true"], capture_output=True, check=False
    )
    return done.returncode == 0


def processes_with(token: str) -> Iterator[int]:
    """Yield the processes whose command holds a token."""
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                command = (folder / "cmdline").read_bytes()
            except OSError:
                continue
            if token.encode() in command:
                yield int(folder.name)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--repeats", type=int, default=25, help="of each case (default 25)")
    parser.add_argument("--workers", type=int, default=4, help="games at a time (default 4)")
    parser.add_argument("--case", help="this case only")
    options = parser.parse_args()
    cases = [
        case
        for case in CASES
        if options.case in (None, case.name) and (has_namespaces() or not case.needs_namespaces)
    ]
    mistakes, longest = 0, 0.0
    with ThreadPoolExecutor(options.workers) as pool:
        for played in pool.map(play, cases * options.repeats):
            longest = max(longest, played.overtime)
            is_late = played.overtime > PROMISED
            mistakes += bool(played.mistake) or is_late
            if played.mistake or is_late:
                late = f"{played.overtime:.3f} s past the limit" if is_late else ""
                print(f"{played.case.name}: {played.mistake} {late}", flush=True)
    total = len(cases) * options.repeats
    print(f"{total} games, {mistakes} mistakes; longest {longest:.3f} s past the limit")
    return int(mistakes > 0)


if __name__ == "__main__":
    raise SystemExit(main())
