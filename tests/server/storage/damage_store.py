"""Damages a store at random and checks that no game is ever read wrongly.

    python tests/server/storage/damage_store.py --trials 1000

The files are those of a server that ended, or of one that was killed: then the newest moves are in
the write-ahead log. Every trial flips a bit, overwrites a page, or cuts off or deletes a file.
After it the store is refused, or every game that can be read is what was written. A damaged log
looks to SQLite like a write that was cut short, so the last moves of a game may be missing then;
its other moves are right. A store that was closed may be moved away: a new one takes its place.
"""

from __future__ import annotations

import argparse
import random
import shutil
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from server.postgres import fast_folder
from server.stored_games import new_game, play

from plyboard.errors import UnusableError
from plyboard.server.game.events import DamagedGameError, GameState
from plyboard.server.storage.reader import StorageError
from plyboard.server.storage.store import GameStore

PAGE = 4096
GAMES = 12
LOG = "-wal"
FILES = ("", LOG, ".lock")


@dataclass
class Report:
    """What became of the store in each trial."""

    outcomes: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)


def stores(folder: Path) -> dict[str, GameState]:
    """Leave the files of a server that was killed, and of one that ended; return their games."""
    original = folder / "closed.db"
    store = GameStore(str(original))
    games = [play(store, new_game(store), "44556") for _ in range(GAMES)]
    with store.engine.connect() as connection:  # some games are in the file, some in the log
        connection.exec_driver_sql("ROLLBACK")
        connection.exec_driver_sql("PRAGMA wal_checkpoint(FULL)")
        connection.exec_driver_sql("BEGIN")
    games = [play(store, game, "67") if index % 3 else game for index, game in enumerate(games)]
    games.append(play(store, new_game(store), "4455667"))
    for end in FILES:
        shutil.copyfile(f"{original}{end}", folder / f"killed.db{end}")
    store.close()
    return {game.id: game for game in games}


def damage(file: Path, chance: random.Random, *, may_delete: bool) -> str:
    """Damage a file of the store; return how."""
    kind = chance.choice(("flip", "flip", "flip", "page", "cut", "delete")[: 5 + may_delete])
    data = bytearray(file.read_bytes())
    if kind == "flip":
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    elif kind == "page":
        start = chance.randrange(len(data) // PAGE) * PAGE
        data[start : start + PAGE] = chance.randbytes(PAGE)
    elif kind == "cut":
        del data[chance.randrange(len(data)) :]
    if kind == "delete":
        file.unlink()
    else:
        file.write_bytes(data)
    return kind


def read_all(file: Path, games: dict[str, GameState], may_lack: bool) -> tuple[str, list[str]]:
    """Read a damaged store; return what it did, and what it got wrong."""
    try:
        store = GameStore(str(file))
    except UnusableError:
        return "refused", []
    try:
        named = {game for game, _ in store.verify()}
        faults, missing = list[str](), list[str]()
        for game_id, game in games.items():
            try:
                stored = store.load(game_id)
            except (DamagedGameError, StorageError):
                missing.append(game_id)
                continue
            if stored is None:
                missing.append(game_id)
            elif stored.state != game and not (may_lack and _is_before(stored.state, game)):
                faults.append(f"{game_id} is wrong")
        try:
            faults += [
                f"{each.id} is listed wrongly" for each in store.finished()
                if each.result != games[each.id].match.result.value
            ]  # fmt: skip
        except StorageError:
            missing.append("the list")
        if missing and not named and not may_lack:
            faults.append(f"nothing was noticed, but {missing} cannot be read")
        return ("noticed" if named or missing else "harmless"), faults
    finally:
        store.close()


def _is_before(state: GameState, game: GameState) -> bool:
    turns = state.match.turns
    return state.sequence <= game.sequence and game.match.turns[: len(turns)] == turns


def run(trials: int, seed: int, folder: Path) -> Report:
    """Damage the store so often, each time a new copy of it."""
    report, chance, games = Report(), random.Random(seed), stores(folder)
    for trial in range(trials):
        place = folder / f"trial{trial}"
        place.mkdir()
        state, end = chance.choice((("closed", ""), ("killed", ""), ("killed", LOG)))
        for part in FILES:
            if (source := folder / f"{state}.db{part}").exists():
                shutil.copyfile(source, place / f"games.db{part}")
        kind = damage(place / f"games.db{end}", chance, may_delete=state == "killed")
        try:
            outcome, faults = read_all(place / "games.db", games, may_lack=end == LOG)
        except Exception as fault:
            outcome, faults = "crash", [f"{type(fault).__name__}: {fault}"]
        report.outcomes[outcome] += 1
        report.faults += [f"trial {trial}, {kind} games.db{end}: {fault}" for fault in faults]
        shutil.rmtree(place)
    return report


def main() -> None:
    parser = argparse.ArgumentParser(description="Damage a store and read it.")
    parser.add_argument("--trials", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=fast_folder()) as folder:
        report = run(options.trials, options.seed, Path(folder))
    counts = ", ".join(f"{count} {name}" for name, count in sorted(report.outcomes.items()))
    print(f"{options.trials} trials: {counts}; {len(report.faults)} faults")
    for fault in report.faults[:20]:
        print(fault)
    sys.exit(bool(report.faults))


if __name__ == "__main__":
    main()
