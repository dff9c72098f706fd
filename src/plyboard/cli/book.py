"""`plyboard book`: builds, merges, shows, checks and exports opening books."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from plyboard.cli.common import completing
from plyboard.cli.common.game_files import game_spec
from plyboard.cli.common.help import PlainCommand, PlainGroup
from plyboard.cli.common.places import HERE, PlaceOption

if TYPE_CHECKING:
    from plyboard.games import Position
    from plyboard.search.book.book import Book

EXAMPLE = "plyboard book show x.book 44"
BUILD_EXAMPLE = "plyboard book build --game connect-four:columns=4,rows=4 --plies 3 --out x.book"
MOST_FAULTS = 10
MOST_POSITIONS = 1_000_000

app = typer.Typer(cls=PlainGroup, epilog=f"Example: [bold]{EXAMPLE}[/]", rich_markup_mode="rich")

BookFile = Annotated[str, typer.Argument(help="A book file.", metavar="FILE")]
Threads = Annotated[str, typer.Option(help="Number of solver threads.", metavar="N")]
Hash = Annotated[
    str, typer.Option("--hash", help="Size of the solver's table in MiB.", metavar="MIB")
]
Force = Annotated[bool, typer.Option("--force", help="Replace an existing file.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@app.callback(invoke_without_command=True)
def overview(context: typer.Context) -> None:
    """Build and inspect opening books: exact scores of the first plies."""
    if context.invoked_subcommand is None:
        print(context.get_help())


@app.command(
    cls=PlainCommand,
    epilog=f"Example: [bold]{BUILD_EXAMPLE}[/]",
)
def build(
    plies: Annotated[
        str, typer.Option(help="Ply of the last positions in the book.", metavar="PLY")
    ],
    out: Annotated[
        str, typer.Option("--out", "-o", help="Write the book to this file.", metavar="FILE")
    ],
    spec: Annotated[
        str,
        typer.Option(
            "--game",
            help="The board.",
            metavar="GAME",
            autocompletion=completing.games,
            parser=game_spec,
        ),
    ] = "connect-four",
    threads: Threads = "1",
    mebibytes: Hash = "64",
    share: Annotated[
        str, typer.Option("--part", help="Solve only part K of N, for `book merge`.", metavar="K/N")
    ] = "1/1",
    workers: Annotated[
        str | None,
        typer.Option(
            help="Processes with --on, each with its own --hash; default: one per core.",
            metavar="N",
        ),
    ] = None,
    place: PlaceOption = HERE,
    force: Force = False,
) -> None:
    """Solve all positions of a ply and derive the scores of earlier plies.

    Solved positions are kept in FILE.part; after Ctrl-C the same command resumes there. --part 2/4
    solves the second quarter into FILE.2-of-4.part, so that other machines can solve the others.
    """
    import sys
    from pathlib import Path

    from plyboard.cli.common.arguments import mebibytes_of, thread_count, whole
    from plyboard.cli.common.places import executor_or_here
    from plyboard.cli.common.progress import watched, with_progress
    from plyboard.errors import shown
    from plyboard.games import game
    from plyboard.search.book.build import BookBuild
    from plyboard.search.solver.solver import Solver, check_board

    board = check_board(game(spec))
    count = whole(plies, "plies", 0, board.columns * board.rows - 1)
    executor = executor_or_here(place, workers)
    memory = mebibytes_of(mebibytes, executor.slots if executor else 1)
    helpers = thread_count(threads)
    solver = Solver(board, memory, helpers)
    work = BookBuild(board, count, Path(out), force, _share(share))
    work.begin()
    try:
        wanted = work.unsolved
        if sys.stderr.isatty():
            print(f"{len(wanted)} positions to solve, {len(work.scores)} solved", file=sys.stderr)
        if executor:
            solved = work.solve_with(executor, memory, helpers)
            done = with_progress(solved, f"solving {len(wanted)}", len(wanted))
        else:
            tasks = [lambda key=key: work.solve(key, solver) for key in wanted]
            done = watched(tasks, f"solving {len(wanted)}")
        for _ in done:
            pass
        book = work.finish() if work.share[1] == 1 else None
    finally:
        work.close()
    if book:
        _say_made(book)
    else:
        print(f"{len(work.scores)} positions of ply {count} are solved in {shown(str(work.part))}")


def _share(text: str) -> tuple[int, int]:
    """Return the part and the number of parts in a text such as `2/4`."""
    import re

    from plyboard.errors import UsageError, shown

    match = re.fullmatch(r"([1-9][0-9]{0,3})/([1-9][0-9]{0,3})", text.strip(" "), re.ASCII)
    if match and int(match[1]) <= int(match[2]):
        return int(match[1]), int(match[2])
    raise UsageError("wrong part", got=shown(text), expected="K/N with K up to N, such as 2/4")


def _say_made(book: Book) -> None:
    solved = len(book.pages[-1].keys)
    print(f"{len(book)} positions up to ply {book.plies}, of which {solved} were solved")


@app.command(
    cls=PlainCommand, epilog="Example: [bold]plyboard book merge parts/* --out whole.book[/]"
)
def merge(
    files: Annotated[
        list[str], typer.Argument(help="The files of book build --part.", metavar="FILE...")
    ],
    out: Annotated[
        str, typer.Option("--out", "-o", help="Write the book to this file.", metavar="FILE")
    ],
    force: Force = False,
) -> None:
    """Merge parts that were solved separately into a book."""
    from pathlib import Path

    from plyboard.search.book.build import merge_builds

    _say_made(merge_builds([Path(file) for file in files], Path(out), force=force))


@app.command(cls=PlainCommand, epilog=f"Example: [bold]{EXAMPLE}[/]")
def show(
    file: BookFile,
    moves: Annotated[
        list[str] | None,
        typer.Argument(help="Moves to a position, or startpos.", metavar="MOVES..."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Show a summary of a book, or the scores of a position and its moves."""
    from plyboard.games import Position, spec_of
    from plyboard.search.book.book import Book

    book = Book.load(file)
    if moves:
        position = Position(book.game)
        if moves != ["startpos"]:
            position = position.play(" ".join(moves))
        _show_position(book, position, as_json=as_json)
        return
    rows = [{"ply": ply, **page.summary} for ply, page in enumerate(book.pages)]
    if as_json:
        print(json.dumps({"game": spec_of(book.game), "plies": rows}, indent=2))
        return
    print(f"{spec_of(book.game)}: {len(book)} positions up to ply {book.plies}")
    for row in rows:
        print(
            "ply {ply}: {positions} positions, {won} won, {drawn} drawn, {lost} lost, "
            "scores {least} to {most}".format(**row)
        )


def _show_position(book: Book, position: Position, *, as_json: bool) -> None:
    from plyboard.games import game_over_error

    if position.is_over:
        raise game_over_error("nothing to look up", position)
    score = book.score(position)
    found = book.move_scores(position)
    if as_json:
        facts = {"position": position.text(), "score": score, "moves": found}
        print(json.dumps(facts, indent=2))
    else:
        print(f"{position.text()}: {_told(score)}")
        for move, value in found.items():
            print(f"{move}: {_told(value)}")
    if score is None:
        raise typer.Exit(1)


def _told(score: int | None) -> str:
    return "not in the book" if score is None else str(score)


@app.command(cls=PlainCommand, epilog="Example: [bold]plyboard book check x.book --positions 5[/]")
def check(
    file: BookFile,
    positions: Annotated[
        str, typer.Option(help="Number of last-ply positions to solve again.", metavar="N")
    ] = "10",
    seed: Annotated[
        str, typer.Option(help="Random seed for the choice of positions.", metavar="N")
    ] = "0",
    threads: Threads = "1",
    mebibytes: Hash = "64",
) -> None:
    """Check a book: checksum, consistency of the scores, and a sample against the solver."""
    from functools import partial

    from plyboard.cli.common.arguments import mebibytes_of, thread_count, whole
    from plyboard.cli.common.progress import watched
    from plyboard.errors import NotationError
    from plyboard.search.book.book import Book
    from plyboard.search.book.build import faults, sample, solver_fault
    from plyboard.search.solver.solver import Solver

    count = whole(positions, "positions", 0, MOST_POSITIONS)
    start = whole(seed, "seed", 0, 2**53)
    size, workers = mebibytes_of(mebibytes), thread_count(threads)
    try:
        book = Book.load(file)
    except NotationError as fault:
        _say_wrong([str(fault)])
    print("ok  the checksum fits", flush=True)
    told = next(watched([lambda: list(faults(book))], "following"))
    if told:
        _say_wrong(told)
    print(f"ok  {len(book)} positions follow from ply {book.plies}", flush=True)
    chosen, solver = sample(book, count, start), Solver(book.game, size, workers)
    tasks = [partial(solver_fault, book, position, solver) for position in chosen]
    wrong = [fault for fault in watched(tasks, f"solving {len(tasks)}") if fault]
    if wrong:
        _say_wrong(wrong)
    print(f"ok  {len(chosen)} positions of ply {book.plies} solved again")


def _say_wrong(faults: list[str]) -> NoReturn:
    """Print the first faults and exit with code 1."""
    for fault in faults[:MOST_FAULTS]:
        print(f"wrong: {fault}")
    if len(faults) > MOST_FAULTS:
        print(f"and {len(faults) - MOST_FAULTS} more")
    raise typer.Exit(1)


@app.command(
    cls=PlainCommand,
    epilog="Example: [bold]plyboard book export x.book --format json[/]",
)
def export(
    file: BookFile,
    layout: Annotated[
        str,
        typer.Option(
            "--format",
            help="csv or json.",
            metavar="FORMAT",
            autocompletion=completing.offered_words("csv", "json"),
        ),
    ] = "csv",
    out: Annotated[
        str | None, typer.Option("--out", "-o", help="Write to this file.", metavar="FILE")
    ] = None,
    force: Force = False,
) -> None:
    """Export all positions of a book with their scores."""
    from plyboard.cli.common.arguments import write_new
    from plyboard.errors import UsageError, shown
    from plyboard.games import spec_of
    from plyboard.games.connect_four import discs_played
    from plyboard.search.book.book import Book

    if layout not in ("csv", "json"):
        raise UsageError("unknown format", got=shown(layout), expected="csv or json")
    book = Book.load(file)
    rows = [
        (discs_played(position.state), position.text(), score) for position, score in book.entries()
    ]
    if layout == "csv":
        lines = ["ply,position,score", *(f"{ply},{text},{score}" for ply, text, score in rows)]
        text = "\n".join(lines) + "\n"
    else:
        names = ("ply", "position", "score")
        entries = [dict(zip(names, row, strict=True)) for row in rows]
        text = json.dumps({"game": spec_of(book.game), "positions": entries}, indent=1) + "\n"
    if out is not None:
        write_new(out, text, force=force)
    else:
        print(text, end="")
