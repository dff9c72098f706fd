"""`plyboard compliance`: tells a bot author what is wrong with a program."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from plyboard.cli.common import completing
from plyboard.cli.common import event_options as options
from plyboard.cli.common.game_files import game_spec

EXAMPLE = 'plyboard compliance "python3 examples/json_bot.py"'


def command(
    program: Annotated[
        str,
        typer.Argument(
            help="The command of the program, in quotes, or its spec such as uci:COMMAND.",
            metavar="COMMAND",
        ),
    ],
    protocol: Annotated[
        str, typer.Option(help="What a command speaks: json or uci.", metavar="NAME")
    ] = "json",
    game: Annotated[
        str | None,
        typer.Option(
            help="Check this game only; default: all that it plays.",
            metavar="GAME",
            autocompletion=completing.games,
            parser=game_spec,
        ),
    ] = None,
    positions: Annotated[
        str, typer.Option(help="Positions to try in each game.", metavar="N")
    ] = "20",
    seconds: Annotated[str, typer.Option(help="Time for each move.", metavar="S")] = "0.2",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    unsafe_programs: options.UnsafeOption = False,
) -> None:
    """Check a program that plays by UCI or by JSON lines. Exits with 1 if something is wrong."""
    from plyboard.agents import agent
    from plyboard.agents.programs.notes import allow_unsafe_programs, note_of
    from plyboard.agents.programs.program_agent import PROTOCOLS, ProgramAgent
    from plyboard.agents.settings import SECONDS
    from plyboard.cli.common.arguments import whole
    from plyboard.conformance.programs import PROGRAM_CHECKS, ProgramSuite
    from plyboard.errors import UsageError, shown
    from plyboard.games import game as find_game

    if protocol not in ("json", "uci"):
        raise UsageError(
            "unknown protocol", where="--protocol", got=shown(protocol), expected="json or uci"
        )
    is_spec = program.partition(":")[0] in PROTOCOLS
    spec = program if is_spec else f"{protocol}:command={program}"
    made = agent(spec)
    assert isinstance(made, ProgramAgent)
    if game is not None:
        find_game(game)
    if unsafe_programs:
        allow_unsafe_programs()
    note_of([spec])
    count = whole(positions, "positions", 1, 100_000)
    suite = ProgramSuite(made, (game,) if game else (), count, SECONDS.read(seconds))
    done = []
    for check in PROGRAM_CHECKS:
        known = len(suite.findings)
        said = suite.run(check)
        found = suite.findings[known:]
        title = (check.__doc__ or "").partition("\n")[0].rstrip(".")
        done.append({
            "check": title,
            "seen": said,
            "findings": [{"what": each.what, "lines": list(each.lines)} for each in found],
        })  # fmt: skip
        if not as_json:
            print(f"{'wrong' if found else 'ok   '}  {title}: {said}", flush=True)
            for each in found:
                print("\n".join([f"       {each.what}", *(f"         {x}" for x in each.lines)]))
        if not suite.games:
            break
    if as_json:
        print(json.dumps({"protection": suite.protection, "checks": done}, indent=2))
    elif suite.protection:
        print(suite.protection)
    if suite.findings:
        raise typer.Exit(1)
