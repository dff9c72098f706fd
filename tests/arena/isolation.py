"""Promise A1: misbehaving programs inside a running tournament cost only their own games.

    python tests/arena/isolation.py --repeats 25

plays a tournament in which one honest program meets each misbehaviour at least so many times, with
games of honest agents in between. Every game must end with the right winner and reason, in time and
with no process left; the honest games must be those that are played without the others; and
neither the command nor its workers may grow. It stops by itself after `--minutes`.

The bad programs run in the sandbox only, and only after its limits were seen to be in place.
"""

from __future__ import annotations

import argparse
import os
import shlex
import signal
import sys
import tempfile
import time
import uuid
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn

sys.path.insert(0, str(Path(__file__).parents[1]))

from agents.programs.misbehaviours import (
    CASES,
    PROMISED,
    Case,
    has_namespaces,
    mistake_of,
    processes_with,
    seconds_of,
)

from plyboard.agents import Budget, agent
from plyboard.agents.programs.program_agent import ProgramAgent
from plyboard.arena.event import EventSettings
from plyboard.arena.event_run import EventRun
from plyboard.arena.event_store import EventStore
from plyboard.arena.game_task import GameResult, GameTask
from plyboard.arena.play_game import play_game
from plyboard.games import game as find_game
from plyboard.processes.executor import LostTask
from plyboard.processes.local import LocalExecutor

EXAMPLES = Path(__file__).parents[2] / "examples"
HONEST = f"json:sh {EXAMPLES / 'json_bot.sh'}"  # plays the first legal move
BESIDE = ("random", "engine:level=2", f"json:python3 {EXAMPLES / 'json_bot.py'}")
LONG = "connect-four:line=7"  # nobody wins before a column is full
GAMES = ("connect-four", LONG, "extended")
MOST_GROWTH = 10.0  # MiB
LIMITS = """
import json, resource, sys
limits = {name: resource.getrlimit(getattr(resource, name))[1]
          for name in ("RLIMIT_DATA", "RLIMIT_FSIZE", "RLIMIT_NOFILE", "RLIMIT_NPROC")}
for line in sys.stdin:
    kind = json.loads(line)["t"]
    if kind == "hello":
        print('{"t":"hello","version":1,"name":"' + " ".join(map(str, limits.values())) + '"}')
    elif kind == "game":
        print('{"t":"ready"}')
    sys.stdout.flush()
"""


@dataclass(frozen=True)
class Seen:
    """A result, and what was seen around it in the process that played the game."""

    result: GameResult
    worker: int
    memory: float  # MiB, the most that the worker has had so far
    left: int  # processes that outlived the game


@dataclass(frozen=True)
class WatchedExecutor(LocalExecutor):
    """Runs games in processes, and keeps what was seen of each."""

    seen: dict[int, Seen] = field(default_factory=dict)

    def run(self, function: Callable[[Any], Any], tasks: Iterable[Any]) -> Any:
        """Yield the tasks with their results."""
        with closing(super().run(partial(watched_game, play=function), tasks)) as batches:
            for batch in batches:
                for task, each in batch:
                    if not isinstance(each, LostTask):
                        self.seen[task.number] = Seen(*each)
                yield [
                    (task, each if isinstance(each, LostTask) else each[0]) for task, each in batch
                ]


def watched_game(
    task: GameTask, play: Callable[[GameTask], GameResult]
) -> tuple[GameResult, int, float, int]:
    """Play a game in a worker; return what `Seen` holds."""
    result = play(task)
    return result, os.getpid(), most_memory(), sum(1 for _ in children(os.getpid()))


def most_memory() -> float:
    """Return the most memory that this process has had, in MiB."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM"))


def children(process: int) -> Iterator[int]:
    """Yield the processes that a process has started and that have not ended."""
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            state, parent = (folder / "stat").read_text().rpartition(")")[2].split()[:2]
        except OSError:
            continue
        if int(parent) == process and state != "Z":
            yield int(folder.name)


@dataclass
class IsolationReport:
    """What a tournament has shown."""

    played: Counter[str] = field(default_factory=Counter)  # games of each misbehaviour
    beside: int = 0  # games between honest agents
    mistakes: list[str] = field(default_factory=list)
    late: list[str] = field(default_factory=list)
    longest: float = 0.0  # seconds past a limit
    growth: dict[str, float] = field(default_factory=dict)  # MiB, of the command and its workers

    @property
    def is_good(self) -> bool:
        """Whether everything is as promised."""
        is_small = all(grown <= MOST_GROWTH for grown in self.growth.values())
        return not self.mistakes and not self.late and is_small


def check_limits(folder: Path) -> None:
    """Make sure that the sandbox limits what the worst of the programs try."""
    script = folder / "limits.py"
    script.write_text(LIMITS)
    command = shlex.join([sys.executable, str(script)])
    game = find_game("connect-four")
    made = agent(f"json:memory=64,command={command}")
    assert isinstance(made, ProgramAgent)
    conversation = made.converse(game)
    try:
        conversation.open()
        data, size, files, processes = map(int, conversation.name.split())
        assert data == 64 << 20, "no limit on memory"
        assert 0 < size <= 16 << 20, "no limit on files"
        assert 0 < files <= 256, "no limit on open files"
        assert 0 < processes <= 64 or not has_namespaces(), "no limit on processes"
        has_all = "namespaces" in conversation.process.protections
        assert has_all or not has_namespaces(), "no namespaces"
    finally:
        conversation.process.kill()


def play_tournament(
    cases: list[Case], game: str, pairs: int, workers: int, folder: Path
) -> IsolationReport:
    """Play a tournament among misbehaving programs, and check every game of it."""
    token, secret = uuid.uuid4().hex, folder / "secret"
    secret.write_text("token")
    culprits = {tournament_spec(case, token, f"at={secret}"): case for case in cases}
    settings = EventSettings(
        agents=(HONEST, *BESIDE, *culprits), game=game, pairs=pairs, format="gauntlet",
        budget=Budget(nodes=1000), balanced=False, faults=0,
    ).checked()  # fmt: skip
    executor, found = WatchedExecutor(workers), IsolationReport()
    with EventStore.open(folder / f"{game}.db", settings) as store:
        run = EventRun(store, settings)
        first_round, before = 2 * (len(settings.agents) - 1), 0.0
        for _ in run.run(executor):
            if len(run.results) <= first_round:  # everything was used once
                before = most_memory()
        found.growth["the command"] = most_memory() - before
        assert len(run.results) == run.total, "games are missing"
        for task, result in run.counted():
            case = next((culprits[each] for each in task.agents if each in culprits), None)
            if case is None:
                check_beside(task, result, found)
            else:
                check_game(case, task, result, found)
    check_workers(executor.seen, first_round, found)
    if left := list(processes_with(token)):
        found.mistakes.append(f"processes {left} are left")
    return found


def game_of(case: Case) -> str:
    """Return the game of the tournament in which a culprit can misbehave."""
    return LONG if case.moves and case.game == "connect-four" else case.game


def tournament_spec(case: Case, token: str, secret: str) -> str:
    """Return the spec of a culprit, with its own limit of time for a move."""
    protocol, _, rest = case.agent_spec(token, secret).partition(":")
    return f"{protocol}:seconds={seconds_of(case)},{rest}"


def check_game(case: Case, task: GameTask, result: GameResult, found: IsolationReport) -> None:
    """Check the result of a misbehaving program, and how late it was."""
    player = 1 - task.agents.index(HONEST)
    found.played[case.name] += 1
    mistake = mistake_of(
        case, result.result, result.winner == 1 - player, result.reason, result.fault
    )
    if mistake:
        found.mistakes.append(f"game {task.number}, {case.name}: {mistake}")
    if "timeout" in case.kind:
        limit = case.start if case.fails_at_start else seconds_of(case)
        late = result.seconds[player] - limit
        found.longest = max(found.longest, late)
        if late > PROMISED:
            found.late.append(f"game {task.number}, {case.name}: {late:.3f} s past the limit")


def check_beside(task: GameTask, result: GameResult, found: IsolationReport) -> None:
    """Check a game between honest agents: it is as it is without the others."""
    found.beside += 1
    alone = replace(play_game(task), seconds=result.seconds)
    if result.fault or alone != result:
        told = f"{result.result} {result.reason} {result.fault}"
        found.mistakes.append(f"game {task.number}, {task.first} and {task.second}: {told}")


def check_workers(seen: dict[int, Seen], first_round: int, found: IsolationReport) -> None:
    """Check what the workers have seen: processes that are left, and their memory."""
    memory: dict[int, list[float]] = {}
    for number, each in sorted(seen.items()):
        if each.left:
            found.mistakes.append(f"game {number}: {each.left} processes are left")
        known = memory.setdefault(each.worker, [0.0, 0.0])
        known[number >= first_round] = max(known[number >= first_round], each.memory)
    for index, (before, after) in enumerate(memory.values(), start=1):
        if before:
            found.growth[f"worker {index}"] = max(0.0, after - before)


def stop(_number: int, _frame: FrameType | None) -> NoReturn:
    """Give up: something hangs."""
    raise SystemExit("error: it takes longer than --minutes")


def main() -> int:
    """Play the tournaments and print what they have shown."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--repeats", type=int, default=25, help="of each misbehaviour (25)")
    parser.add_argument("--workers", type=int, default=2, help="games at a time (2)")
    parser.add_argument("--minutes", type=int, default=60, help="after which it stops (60)")
    parser.add_argument("--case", help="this misbehaviour only")
    options = parser.parse_args()
    signal.signal(signal.SIGALRM, stop)
    signal.alarm(60 * options.minutes)
    os.environ["PLYBOARD_SECRET"] = "token"
    is_good, pairs = True, (options.repeats + 1) // 2
    for game in GAMES:
        cases = [
            each
            for each in CASES
            if game_of(each) == game and options.case in (None, each.name)
            and (has_namespaces() or not each.needs_namespaces)
        ]  # fmt: skip
        if not cases:
            continue
        began = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            Path(folder).chmod(0o755)  # so that nothing but the sandbox protects the secret
            check_limits(Path(folder))
            found = play_tournament(cases, game, pairs, options.workers, Path(folder))
        is_good &= found.is_good
        for line in (*found.mistakes, *found.late):
            print(line, flush=True)
        grown = ", ".join(f"{each:.1f} MiB of {name}" for name, each in found.growth.items())
        print(
            f"{game}: {len(cases)} misbehaviours, {min(found.played.values())} times each, "
            f"{found.beside} games beside them; {len(found.mistakes)} mistakes, "
            f"{len(found.late)} late, longest {found.longest:.3f} s past the limit; "
            f"growth {grown}; {time.monotonic() - began:.0f} s",
            flush=True,
        )
    return int(not is_good)


if __name__ == "__main__":
    raise SystemExit(main())
