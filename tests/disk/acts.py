"""What programs do to files, and what must be true of the files whenever they end.

Each act works in a folder of its own and says after each step that it counts on that it is done.
Its check gets the files of a folder that a kill or a loss of power has left, and how many steps had
been acknowledged; it returns what is wrong, or nothing. It goes on as the program would, so a file
that is refused is a fault, too.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from search.book.small_books import SMALL, Draws
from server.stored_games import new_game, play

from plyboard import durable
from plyboard.arena.event import EventSettings
from plyboard.arena.event_store import EventStore
from plyboard.arena.game_task import GameResult, GameTask
from plyboard.cli.common.answer_file import answer_file
from plyboard.errors import PlyboardError
from plyboard.games import Position
from plyboard.play.match import Match
from plyboard.play.record import read_records
from plyboard.play.record_file import RecordFile
from plyboard.search.book.book import Book
from plyboard.search.book.build import BookBuild
from plyboard.server.storage.copying import copy_store
from plyboard.server.storage.reader import StoreReader
from plyboard.server.storage.store import GameStore

Done = Callable[[], None]
RESULTS, ANSWERS, MOVES = 6, 5, "4455667"
DATA = Path(__file__).parents[1] / "server" / "storage" / "data"
TINY = "connect-four:columns=3,rows=3,line=3"
EVENT = EventSettings(("random", "alice"), TINY, 3)


@dataclass(frozen=True)
class Act:
    """A program's work on files: what is there before, what it does, and the check."""

    do: Callable[[Path, Done], None]
    fault: Callable[[Path, int], str]
    prepare: Callable[[Path], None] = lambda _: None


def play_event(folder: Path, done: Done) -> None:
    with EventStore.open(folder / "event", EVENT) as store:
        done()
        for number in range(RESULTS):
            store.add_results([_result(number)])
            done()


def _result(number: int) -> tuple[str, GameTask, GameResult]:
    task = GameTask(number, number // 2, "random", "alice", TINY)
    return f"key {number}", task, GameResult(number, "1-0", "line", None, 9, "", (1, 2), (0.1, 0.2))


def event_fault(folder: Path, steps: int) -> str:
    with EventStore.open(folder / "event", EVENT) as store:
        found = list(store.played())
    wanted = [_result(number) for number in range(RESULTS)]
    return (
        "" if wanted[: len(found)] == found and len(found) >= steps - 1 else f"{len(found)} games"
    )


def answer(folder: Path, done: Done) -> None:
    durable.SYNC_EVERY = 0.0  # so that each line counts
    with answer_file(str(folder / "out"), "test", {}, ["q"]) as file:
        for number in range(len(file.lines), ANSWERS):
            file.append(f"answer {number}")
            done()
    done()


def answer_fault(folder: Path, steps: int) -> str:
    wanted = [f"answer {number}" for number in range(ANSWERS)]
    out, part = folder / "out", folder / "out.part"
    if out.exists():
        return "" if out.read_text().splitlines() == wanted else "another output"
    if steps > ANSWERS:
        return "no output"
    with answer_file(str(out), "test", {}, ["q"]) as file:
        found = list(file.lines)
        for each in wanted[len(found) :]:
            file.append(each)
    good = found == wanted[: len(found)] and len(found) >= steps and not part.exists()
    return "" if good and out.read_text().splitlines() == wanted else f"{len(found)} answers"


def build(folder: Path, done: Done) -> None:
    durable.SYNC_EVERY = 0.0
    work = BookBuild(SMALL, 2, folder / "book")
    work.begin()
    for key in work.unsolved:
        work.solve(key, Draws())
        done()
    work.finish()
    done()


def build_fault(folder: Path, steps: int) -> str:
    work = BookBuild(SMALL, 2, folder / "book")
    last = len(work.openings[-1])
    if work.out.exists():
        return "" if len(Book.load(work.out).pages) == 3 else "another book"
    if steps > last:
        return "no book"
    work.begin()
    known = len(work.scores)
    for key in work.unsolved:
        work.solve(key, Draws())
    work.finish()
    return "" if known >= steps else f"{known} positions"


def make_store(folder: Path) -> None:
    with closing(GameStore(str(folder / "games.db"))) as store:
        for _ in range(3):
            play(store, new_game(store), MOVES)


def copy(folder: Path, done: Done) -> None:
    copy_store(str(folder / "games.db"), str(folder / "backup.db"))
    done()


def copy_fault(folder: Path, steps: int) -> str:
    backup = folder / "backup.db"
    if not backup.exists():
        return "no copy" if steps else ""
    return _store_fault(backup, 3)


def _store_fault(path: Path, games: int) -> str:
    with closing(StoreReader(str(path))) as reader:
        faults = list(reader.verify(replay=True))
        return f"{faults}" if faults or reader.count() != games else ""


def serve(folder: Path, done: Done) -> None:
    """Start a server's store for the first time, play, and stop."""
    with closing(GameStore(str(folder / "games.db"))) as store:
        done()
        game = new_game(store)
        done()
        for move in MOVES:
            game = play(store, game, move)
            done()


def serve_fault(folder: Path, steps: int) -> str:
    with closing(GameStore(str(folder / "games.db"))) as store:
        games = [*store.unfinished(), *(each.id for each in store.finished())]
        moves = store.load(games[0]) if games else None
        faults = list(store.verify(replay=True))
    found = -1 if moves is None else len(moves.state.match.turns)
    if faults or len(games) > 1 or found < steps - 2:
        return f"{faults}, {found} moves"
    return ""


def old_store(folder: Path) -> None:
    import sqlite3

    with closing(sqlite3.connect(folder / "games.db")) as connection, connection:
        connection.executescript((DATA / "store-1.sqlite.sql").read_text())


def migrate(folder: Path, done: Done) -> None:
    GameStore(str(folder / "games.db")).close()
    done()


def migrate_fault(folder: Path, steps: int) -> str:
    path = str(folder / "games.db")
    GameStore(path).close()
    with closing(StoreReader(path)) as reader:
        count, faults = reader.count(), list(reader.verify(replay=True))
    return "" if count == OLD_GAMES and not faults else f"{count} games, {faults}"


def save(folder: Path, done: Done) -> None:
    """Save two games, after each move, as `play --save` does."""
    file = RecordFile(folder / "games.txt")
    for _ in range(2):
        match = Match.of(Position("connect-four"))
        for move in MOVES:
            match = match.play(move)
            file.write(match)
            done()
        file.finish(match)
    file.close()


def save_fault(folder: Path, steps: int) -> str:
    path = folder / "games.txt"
    if not path.exists():
        return "no file" if steps else ""
    found = [
        "".join(match.position.move_text(turn.action or 0) for turn in match.turns)
        for match in read_records(str(path))
    ]
    moves = "".join(found)
    return "" if (MOVES * 2).startswith(moves) and len(moves) >= steps else f"{found}"


OLD_GAMES = (DATA / "store-1.sqlite.sql").read_text().count('INSERT INTO "games"')
ACTS = {
    "event": Act(play_event, event_fault),
    "batch": Act(answer, answer_fault),
    "book": Act(build, build_fault),
    "copy": Act(copy, copy_fault, make_store),
    "server": Act(serve, serve_fault),
    "migration": Act(migrate, migrate_fault, old_store),
    "record": Act(save, save_fault),
}


def fault_of(name: str, folder: Path, steps: int) -> str:
    """Check the files that an act has left; return what is wrong with them."""
    try:
        return ACTS[name].fault(folder, steps)
    except PlyboardError as fault:
        return f"refused: {fault}"


def acknowledge() -> None:
    os.write(1, b"done\n")


if __name__ == "__main__":  # one act in a folder; acknowledges to standard output
    name, place = sys.argv[1:]
    ACTS[name].do(Path(place), acknowledge)
