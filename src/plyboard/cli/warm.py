"""`plyboard warm`: compiles all searches in advance."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from plyboard.cli.common import completing
from plyboard.cli.common.game_files import game_spec

EXAMPLE = "plyboard warm connect-four"


def command(
    specs: Annotated[
        list[str] | None,
        typer.Argument(
            help="Game specs; default: all games with their default settings.",
            metavar="GAME...",
            autocompletion=completing.games,
            parser=game_spec,
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Compile each search for each game, and print the time it took."""
    from plyboard.cli.common.progress import watched
    from plyboard.games import game, spec_of
    from plyboard.games.catalogue import known_games
    from plyboard.kernel import jit_is_on
    from plyboard.search.catalogue import known_searches, warm

    chosen = [game(spec) for spec in specs or known_games()]
    searches = known_searches().items()
    pairs = [(search, each) for each in chosen for search in searches]
    tasks = [lambda run=run, each=each: warm(run, each) for (_, run), each in pairs]
    rows = []
    for ((search, _), each), (seconds, cached) in zip(
        pairs, watched(tasks, "compiling"), strict=True
    ):
        rows.append({
            "search": search, "game": spec_of(each),
            "seconds": round(seconds, 3), "from_disk": cached,
        })  # fmt: skip
        if not as_json:
            how = "from disk" if cached else "compiled"
            how = how if jit_is_on() else "the JIT is off"
            print(f"{search:10} {spec_of(each):30} {seconds:6.2f} s  {how}", flush=True)
    if as_json:
        print(json.dumps(rows, indent=2))
