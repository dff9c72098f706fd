"""`plyboard store`: checks and copies the games of a server."""

from __future__ import annotations

from typing import Annotated

import typer

from plyboard.cli.common.help import PlainCommand, PlainGroup

EXAMPLE = "plyboard store verify games.db"
COPY_EXAMPLE = "plyboard store copy games.db backup.db"
DAMAGED = 1

app = typer.Typer(cls=PlainGroup, epilog=f"Example: [bold]{EXAMPLE}[/]", rich_markup_mode="rich")

Store = Annotated[str, typer.Argument(help="A file, or a PostgreSQL URL.", metavar="STORE")]


@app.callback(invoke_without_command=True)
def overview(context: typer.Context) -> None:
    """Check and copy the games of a server, which may be running."""
    if context.invoked_subcommand is None:
        print(context.get_help())


@app.command(cls=PlainCommand, epilog=f"Example: [bold]{EXAMPLE}[/]")
def verify(
    store: Store,
    replay: Annotated[
        bool, typer.Option("--replay", help="Play all moves again, too; takes longer.")
    ] = False,
) -> None:
    """Check the hashes of all games, and name the damaged ones."""
    from plyboard.cli.common.extras import server_extra

    with server_extra():
        from plyboard.server.storage.reader import StoreReader
    reader = StoreReader(store)
    try:
        faults = 0
        for _, fault in reader.verify(replay=replay):
            faults += 1
            print(fault)
        if faults:
            raise typer.Exit(DAMAGED)
        print(f"{reader.count()} games, no damage")
    finally:
        reader.close()


@app.command(cls=PlainCommand, epilog=f"Example: [bold]{COPY_EXAMPLE}[/]")
def copy(
    source: Annotated[
        str, typer.Argument(help="The store: a file or a PostgreSQL URL.", metavar="FROM")
    ],
    target: Annotated[
        str, typer.Argument(help="A new file, or an empty PostgreSQL database.", metavar="TO")
    ],
) -> None:
    """Copy all games as they are at one moment: a backup, or a move to another database."""
    from plyboard.cli.common.extras import server_extra

    with server_extra():
        from plyboard.server.storage.copying import copy_store
    print(f"copied {copy_store(source, target)} games")
