"""Games of Connect Four between `plyboard engine` and Fairy-Stockfish, both as UCI engines.

Each opening of two plies is played twice, with the colours changed. Both get the same time for
each move, and our own rules are the referee. We lose a game by a move that comes too late; where
the peer's moves come late they are counted and played all the same. Exit code 1: an illegal move,
a late move of ours, or an engine that died; 2: something is not installed.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import product
from pathlib import Path

from asking import progress, stop
from rich import box
from rich.console import Console
from rich.table import Table

from plyboard.errors import PlyboardError
from plyboard.games import Position
from plyboard.games.formats.cfour_fen import drop_text, read_drop
from plyboard.kernel import jit_is_on

HERE = Path(__file__).parent
PACKAGE = "fairy-stockfish-nnue.wasm@1.1.12"
FOLDER = HERE.parent / ".cache" / "fairy-stockfish"
OURS, THEIRS = "Plyboard", "Fairy-Stockfish"
START = Position("connect-four")


class EngineError(Exception):
    """An engine that does not answer as it should."""


class Engine:
    """A UCI engine in a process of its own."""

    def __init__(self, name: str, command: Sequence[str]) -> None:
        self.name = name
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )

    def say(self, line: str) -> None:
        assert self._process.stdin
        self._process.stdin.write(line + "\n")

    def hear(self, last: str) -> list[str]:
        """Return the lines up to the one that begins with a word."""
        assert self._process.stdout
        heard: list[str] = []
        while not (heard and heard[-1].split(" ")[0] == last):
            line = self._process.stdout.readline()
            if not line:
                raise EngineError(f"{self.name} left while {last} was awaited")
            heard.append(line.rstrip("\n"))
        return heard

    def begin(self, options: dict[str, str]) -> None:
        """Get it ready for a game."""
        self.say("uci")
        self.hear("uciok")
        for name, value in options.items():
            self.say(f"setoption name {name} value {value}")
        self.new_game()
        self.move(["P@d1"], 0.5)  # the first search of a process is slower than others

    def new_game(self) -> None:
        self.say("ucinewgame")
        self.say("isready")
        self.hear("readyok")

    def move(self, moves: Sequence[str], seconds: float) -> tuple[str, float]:
        """Return the move that it makes after these moves, and how long it took."""
        self.say(f"position startpos moves {' '.join(moves)}")
        start = time.perf_counter()
        self.say(f"go movetime {round(1000 * seconds)}")
        answer = self.hear("bestmove")[-1]
        return answer.split()[1], time.perf_counter() - start

    def end(self) -> None:
        self.say("quit")
        self._process.wait(timeout=10)


@dataclass(frozen=True)
class Result:
    """One game; the winner is empty for a draw, the fault for a game that ended by the rules."""

    moves: tuple[str, ...]
    first: str
    winner: str
    fault: str
    slowest: dict[str, float]  # seconds of the longest move of each
    late: dict[str, int]  # moves of each that took longer than the margin allows


def play(engines: Sequence[Engine], opening: Sequence[str], options: argparse.Namespace) -> Result:
    """Play a game from an opening; the engine that stands first has the first move."""
    position, moves = START, list(opening)
    for move in opening:
        position = position.apply_action(read_drop(position.game, move, position.state))
    slowest, late = {OURS: 0.0, THEIRS: 0.0}, {OURS: 0, THEIRS: 0}
    winner, fault = "", ""
    for engine in engines:
        engine.new_game()
    while not position.outcome():
        engine, other = engines[position.mover], engines[1 - position.mover]
        move, took = engine.move(moves, options.seconds)
        slowest[engine.name] = max(slowest[engine.name], took)
        late[engine.name] += took > options.seconds + options.margin
        moves.append(move)
        try:
            position = position.apply_action(read_drop(position.game, move, position.state))
        except PlyboardError as refusal:
            winner, fault = other.name, f"{engine.name}: {str(refusal).splitlines()[0]}"
            break
        if late[OURS]:
            winner, fault = other.name, f"{engine.name}: {move} took {took:.3f} s"
            break
    outcome = position.outcome()
    if outcome and not fault and outcome.winner is not None:
        winner = engines[outcome.winner].name
    return Result(tuple(moves), engines[0].name, winner, fault, slowest, late)


def openings(count: int, seed: int) -> list[tuple[str, str]]:
    """Return some of the openings of two plies, none twice."""
    pairs = []
    for first, second in product(range(7), repeat=2):
        after = START.apply_action(first)
        first_text = drop_text(START.game, first, START.state)
        pairs.append((first_text, drop_text(after.game, second, after.state)))
    return random.Random(seed).sample(pairs, count)


def games(options: argparse.Namespace) -> Iterator[Result]:
    """Yield the games as they end."""
    ours = Engine(OURS, [sys.executable, "-m", "plyboard", "engine"])
    script = [str(HERE / f"fairy_stockfish.{kind}") for kind in ("mjs", "ini")]
    theirs = Engine(THEIRS, ["node", script[0], str(FOLDER), script[1]])
    ours.begin({"UCI_Variant": "cfour", "Agent": options.agent})
    theirs.begin({"UCI_Variant": "cfour"})
    for opening in openings(options.games // 2, options.seed):
        for engines in ((ours, theirs), (theirs, ours)):
            yield play(engines, opening, options)
    for engine in (ours, theirs):
        engine.end()


def install() -> None:
    """Have npm put Fairy-Stockfish into a folder that belongs to no commit."""
    for program in ("node", "npm"):
        if not shutil.which(program):
            stop(f"{program} is not installed")
    if (FOLDER / "node_modules" / PACKAGE.partition("@")[0]).exists():
        return
    progress(f"installing {PACKAGE}")
    FOLDER.mkdir(parents=True, exist_ok=True)
    command = ["npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", str(FOLDER)]
    if subprocess.run([*command, PACKAGE]).returncode:
        stop(f"npm cannot install {PACKAGE}")


def points(results: Sequence[Result], name: str) -> float:
    """Return a point for each win and half a point for each draw."""
    return sum(1.0 if each.winner == name else 0.5 * (not each.winner) for each in results)


def show(results: Sequence[Result]) -> None:
    """Print the score by colour, and what went wrong."""
    table = Table(box=box.MARKDOWN)
    for head in ("Plyboard plays", "games", "won", "drawn", "lost", "score", "faults"):
        table.add_column(head, justify="left" if head == "Plyboard plays" else "right")
    first = [each for each in results if each.first == OURS]
    second = [each for each in results if each.first != OURS]
    for what, some in (("first", first), ("second", second), ("all", list(results))):
        won = sum(each.winner == OURS for each in some)
        drawn = sum(not each.winner for each in some)
        score = f"{points(some, OURS):g} of {len(some)}"
        faults = sum(bool(each.fault) for each in some)
        row = (len(some), won, drawn, len(some) - won - drawn, score, faults)
        table.add_row(what, *map(str, row))
    Console(width=120).print(table)
    for name in (OURS, THEIRS):
        longest = max(each.slowest[name] for each in results)
        late = sum(each.late[name] for each in results)
        print(f"{name}: longest move {longest:.3f} s, late moves {late}")


def pairs_of_games(text: str) -> int:
    number = int(text)
    if number < 2 or number % 2 or number > 98:
        raise argparse.ArgumentTypeError(f"got {number}; expected an even number from 2 to 98")
    return number


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument("--games", type=pairs_of_games, default=20, help="in all (default 20)")
    parser.add_argument("--seconds", type=float, default=0.2, help="for each move (default 0.2)")
    parser.add_argument("--margin", type=float, default=0.05, help="of lateness (default 0.05)")
    parser.add_argument("--agent", default="", help="a spec (default: the engine's own)")
    parser.add_argument("--seed", type=int, default=1, help="chooses the openings (default 1)")
    options = parser.parse_args()
    if not jit_is_on():
        stop("PLYBOARD_JIT is off; unset it to play at full strength")
    install()
    results: list[Result] = []
    try:
        for result in games(options):
            results.append(result)
            told = f"{result.winner} wins" if result.winner else "a draw"
            progress(f"game {len(results)}: {told} in {len(result.moves)} plies {result.fault}")
    except (EngineError, BrokenPipeError) as fault:
        stop(str(fault), code=1)
    if options.json:
        facts = {"score": points(results, OURS), "games": [asdict(each) for each in results]}
        print(json.dumps(facts, indent=2))
    else:
        show(results)
    return int(any(result.fault for result in results))


if __name__ == "__main__":
    raise SystemExit(main())
