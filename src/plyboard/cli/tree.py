"""`plyboard tree`: shows the search tree of an agent."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Annotated

import typer

from plyboard.cli.common import completing
from plyboard.cli.common.game_files import game_spec
from plyboard.errors import DecidedError, Place, UnusableError, UsageError, shown

if TYPE_CHECKING:
    from plyboard.analysis.trees.tree import SearchTree
    from plyboard.games import Game, Position
    from plyboard.games.formats import Format

DEFAULT_GAME = "connect-four"
EXAMPLE = "plyboard tree board.txt tree.html --depth 5"
FORMATS = ("text", "rich", "json", "dot", "html")
MOST = {"json": 100_000, "dot": 2_000, "html": 20_000}  # nodes shown by default
MOST_SEED = 2**53

TreeGame = Annotated[
    str | None,
    typer.Option(
        help="Read FILE as moves or a position text of this game.",
        metavar="GAME",
        autocompletion=completing.games,
        parser=game_spec,
    ),
]
TreeAgent = Annotated[
    str | None,
    typer.Option(
        help="The agent that searches; default: the first one of the game that can explain.",
        metavar="AGENT",
        autocompletion=completing.agents,
    ),
]


def command(
    file: Annotated[
        str, typer.Argument(help="Seven lines of a and b; - for standard input.", metavar="FILE")
    ],
    out: Annotated[
        str | None,
        typer.Argument(help="Write to this file instead of standard output.", metavar="OUT"),
    ] = None,
    game: TreeGame = None,
    agent: TreeAgent = None,
    depth: Annotated[
        str | None, typer.Option(help="Search depth in plies.", metavar="PLIES")
    ] = None,
    form: Annotated[
        str | None,
        typer.Option(
            "--format",
            help="text, rich, json, dot or html.",
            metavar="FORMAT",
            autocompletion=completing.offered_words(*FORMATS),
        ),
    ] = None,
    plies: Annotated[
        str | None, typer.Option(help="Show at most this many plies.", metavar="PLIES")
    ] = None,
    round_: Annotated[
        str | None,
        typer.Option(
            "--round", help="Show this depth of an iterative deepening search.", metavar="PLIES"
        ),
    ] = None,
    seed: Annotated[str, typer.Option(help="Random seed.", metavar="N")] = "0",
    force: Annotated[bool, typer.Option("--force", help="Replace an existing file.")] = False,
) -> None:
    """Choose a move and show the search tree, with its cutoffs.

    The file lists the columns of a Connect Four board, bottom first, e for an empty one; a moves
    next. With --game, FILE is moves or a position text instead, or startpos.
    """
    from plyboard.agents.catalogue import explainer, explainer_spec, own_format
    from plyboard.analysis.trees.tree_builder import build_tree
    from plyboard.cli.common.arguments import check_new, whole, write_new
    from plyboard.cli.common.progress import watched
    from plyboard.games.formats import format_named
    from plyboard.search.common.budget import DEEPEST, Budget

    chosen = _format(form, out)
    ahead = None if depth is None else whole(depth, "depth", 1, DEEPEST)
    most_plies = None if plies is None else whole(plies, "plies", 1, DEEPEST)
    wanted = None if round_ is None else whole(round_, "round", 1, DEEPEST)
    budget = Budget(depth=ahead, seed=whole(seed, "seed", 0, MOST_SEED))
    if out is not None:
        check_new(out, force=force)
    reader = format_named(own_format(DEFAULT_GAME)) if game is None else None
    position = _from_text(game or "", file) if reader is None else from_file(file, reader)
    spec = explainer_spec(agent, ahead, position.game.name)
    thinker = explainer(spec, position.game.name)
    (choice,) = watched([lambda: thinker.explain(position, budget)], "searching")
    most = MOST.get(chosen) if most_plies is None else None
    tree = build_tree(position, choice, wanted, most_plies, most)
    names = None if reader is None else reader.players
    lines = _lines(tree, chosen, spec, names)
    if out is not None:
        write_new(out, "".join(f"{line}\n" for line in lines), force=force)
    elif chosen == "rich":
        _print_rich(tree)
    else:
        sys.stdout.writelines(f"{line}\n" for line in lines)
    _tell_what_is_missing(tree, cut=most_plies is None)


def _format(form: str | None, out: str | None) -> str:
    """Return the requested format, else the one of the file name's suffix, else text."""
    ending = PurePath(out).suffix[1:] if out else ""
    chosen = form if form is not None else ending if ending in FORMATS else "text"
    if chosen not in FORMATS:
        raise UsageError(
            "unknown format", got=shown(chosen), expected=f"one of {', '.join(FORMATS)}"
        )
    return chosen


def from_file(name: str, form: Format) -> Position:
    """Return the position in a file; raise if the game is over."""
    from plyboard.games import game as find_game
    from plyboard.games.reading import read_file

    try:
        text = read_file(name, tabs=True)
    except UnusableError as fault:
        if Path(name).exists():
            raise
        reason = f"{fault.reason}; for moves or a position text add --game {form.games[0]}"
        raise UnusableError("cannot read", where=Place(file=name), reason=reason) from fault
    position = form.read(text, find_game(form.games[0]))
    check_not_over(position, form.players)
    return position


def _from_text(spec: str, text: str) -> Position:
    """Return the position of a text; raise if the game is over."""
    from plyboard.games import Position, spec_of
    from plyboard.games.catalogue import game as find_game
    from plyboard.games.reading import read_file

    chosen: Game = find_game(spec)
    told = read_file("-").strip("\n ") if text == "-" else text
    start = spec_of(chosen)
    position = Position.read(start if told == "startpos" else f"{start} {told}")
    check_not_over(position)
    return position


def check_not_over(position: Position, names: tuple[str, str] | None = None) -> None:
    """Raise if the game is over, with the names of the player to move and of the other one."""
    from plyboard.games.grid_text import lines_of

    game, mover, outcome = position.game, position.mover, position.outcome()
    told = names or (game.players[mover], game.players[1 - mover])
    line = getattr(game, "line", None)  # some formats have boards on which the next player has won
    rows = position.text().partition(" ")[0].split("/")
    has_won = line is not None and lines_of(rows, game.players[mover], line)
    if outcome is None and not has_won:
        return
    winner = mover if outcome is None else outcome.winner
    how = "a draw" if winner is None else f"{told[0 if winner == mover else 1]} has won"
    raise DecidedError("game over", reason=f"{how}; no move is left to choose")


def _lines(tree: SearchTree, form: str, agent: str, names: tuple[str, str] | None) -> Iterator[str]:
    if form == "text":
        from plyboard.analysis.trees.to_text import symbols, text

        yield from text(tree, [name[0] for name in names] if names else symbols(tree.position))
    elif form == "json":
        from plyboard.analysis.trees.to_json import as_json

        yield from as_json(tree)
    elif form == "dot":
        from plyboard.analysis.trees.to_dot import dot

        yield from dot(tree)
    elif form == "html":
        from plyboard.analysis.trees.to_html import html

        yield html(tree, agent)
    else:
        from io import StringIO

        from rich.console import Console

        from plyboard.analysis.trees.to_rich import rich_tree

        paper = StringIO()
        Console(file=paper, width=200).print(rich_tree(tree))
        yield paper.getvalue().rstrip("\n")


def _print_rich(tree: SearchTree) -> None:
    from rich.console import Console

    from plyboard.analysis.trees.to_rich import rich_tree

    Console(highlight=False).print(rich_tree(tree))


def _tell_what_is_missing(tree: SearchTree, *, cut: bool) -> None:
    if not tree.is_whole:
        print("note: the log was full: the end of the search is missing", file=sys.stderr)
    if cut and any(node.hidden for node in tree.root.walk()):
        print(f"note: shown up to ply {tree.plies}; use --plies for more", file=sys.stderr)
