"""`plyboard replay`: steps through a recorded game."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from plyboard.cli.common.game_files import GameFiles

if TYPE_CHECKING:
    from plyboard.errors import PlyboardError
    from plyboard.play.match import Match

EXAMPLE = "plyboard replay games.txt --game 2 --at 3"
MOST_NOTES = 10


def command(
    record: Annotated[
        str, typer.Argument(help="A file of records; - for standard input.", metavar="FILE")
    ],
    game: Annotated[
        str | None, typer.Option(help="Number of the game in the file, from 1.", metavar="N")
    ] = None,
    at: Annotated[
        str | None,
        typer.Option(help="Show only the position after this many plies.", metavar="PLY"),
    ] = None,
    svg: Annotated[
        str | None,
        typer.Option(
            help="Write that position, or the last one, as SVG to this file.", metavar="FILE"
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace an existing file.")] = False,
    keep_good: Annotated[
        bool, typer.Option("--keep-good", help="Skip invalid games, with a note.")
    ] = False,
    log: Annotated[
        bool,
        typer.Option(
            "--log",
            help="Print the log that the game's original referee would have written.",
        ),
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    _game_files: GameFiles = None,
) -> None:
    """Step through a recorded game, or list the games of a file with several."""
    from plyboard.cli.common.arguments import whole, write_new
    from plyboard.play.record import MOST_GAMES
    from plyboard.terminal.viewing.replay import Replay

    faults: list[PlyboardError] | None = [] if keep_good else None
    if game is None:
        match = _only(record, faults, as_json)
    else:
        match = _numbered(record, faults, whole(game, "game", 1, MOST_GAMES))
    if match is None:
        return
    if log:
        from plyboard.arena.referees import log_of

        print(log_of(match.start.game.name)(match), end="")
        return
    last = len(match.turns)
    ply = None if at is None else whole(at, "ply", 0, last)
    if svg is not None:
        ply = last if ply is None else ply
        write_new(svg, match.positions[ply].svg(), force=force)
    replay = Replay(match, 0 if ply is None else ply)
    if as_json:
        print(json.dumps(_facts(match, ply), indent=2))
    elif record != "-" and svg is None and sys.stdin.isatty() and sys.stdout.isatty():
        replay.run()
    elif ply is None:
        replay.show_all()
    else:
        replay.show()


def _only(record: str, faults: list[PlyboardError] | None, as_json: bool) -> Match | None:
    """Return the only game of a file; print a list and return None if there are several."""
    from plyboard.errors import NotationError

    found, lines = None, []
    for number, match in _games(record, faults):
        found = match
        lines.append(_line(number, match, as_json))
    _note(faults, len(lines))
    if found is None:
        raise NotationError("no good game", got="only wrong ones", expected="a good one")
    if len(lines) == 1:
        return found
    print("[\n  " + ",\n  ".join(lines) + "\n]" if as_json else "\n".join(lines))
    return None


def _numbered(record: str, faults: list[PlyboardError] | None, wanted: int) -> Match:
    """Return a game by its number, without reading the rest of the file."""
    from plyboard.errors import UsageError

    last = 0
    for last, match in _games(record, faults):
        if last == wanted:
            _note(faults, last - len(faults or ()))
            return match
    last = max(last, len(faults or ()))
    raise UsageError("wrong game", got=f"'{wanted}'", expected=f"a good one from 1 to {last}")


def _games(record: str, faults: list[PlyboardError] | None) -> Iterator[tuple[int, Match]]:
    """Yield each valid game with its number in the file; invalid ones count, too."""
    from plyboard.cli.common.progress import with_progress
    from plyboard.play.record import read_records

    reading = read_records(record, None if faults is None else faults.append)
    for good, match in enumerate(with_progress(reading, "reading"), 1):
        yield good + len(faults or ()), match


def _note(faults: list[PlyboardError] | None, kept: int) -> None:
    """Print on standard error which games were skipped."""
    for fault in (faults or ())[:MOST_NOTES]:
        print(f"note: left out: {fault.first_line}", file=sys.stderr)
    if faults:
        print(f"note: {kept} games kept, {len(faults)} left out", file=sys.stderr)


def _line(number: int, match: Match, as_json: bool) -> str:
    """Return a game as one line of the list."""
    from plyboard.play.match_text import end_text, title

    if as_json:
        return json.dumps({"number": number, **_summary(match)})
    return f"{number:>5}  {title(match)}, {len(match.turns)} plies, {end_text(match)}"


def _summary(match: Match) -> dict[str, Any]:
    from plyboard.games import spec_of
    from plyboard.play.record_draft import GOES_ON

    return {
        "game": spec_of(match.start.game),
        "players": match.heading.players,
        "plies": len(match.turns),
        "result": match.result.value,
        "termination": match.end.reason if match.end else GOES_ON,
    }


def _facts(match: Match, only: int | None) -> dict[str, Any]:
    """Return a match with all its positions, or with only one, for JSON."""
    plies = range(len(match.positions)) if only is None else (only,)
    return {**_summary(match), "positions": [_position(match, ply) for ply in plies]}


def _position(match: Match, ply: int) -> dict[str, Any]:
    position, game = match.positions[ply], match.start.game
    turn = match.turns[ply - 1] if ply else None
    found: dict[str, Any] = {
        "ply": ply,
        "move": match.moves[ply - 1] if ply else None,
        "position": position.text(),
        "mover": game.players[position.mover],
    }
    if turn is not None:
        told = {"clock": turn.left, "eval": turn.value, "comment": turn.comment or None}
        found |= {key: value for key, value in told.items() if value is not None}
    return found
