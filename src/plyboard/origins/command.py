"""`plyboard origins`: the five programs that Plyboard grew from, run as their texts describe."""

from __future__ import annotations

import typer

from plyboard.cli.common.help import PlainCommand, PlainGroup
from plyboard.origins.alice import command as alice
from plyboard.origins.conniption import command as conniption
from plyboard.origins.extended import command as extended
from plyboard.origins.four_in_a_row import command as four_in_a_row
from plyboard.origins.squatter import command as squatter

NAME = "origins"
PANEL = "Play"
EXAMPLE = "plyboard origins alice board.txt"

app = typer.Typer(cls=PlainGroup, epilog=f"Example: [bold]{EXAMPLE}[/]", rich_markup_mode="rich")


@app.callback(invoke_without_command=True)
def overview(context: typer.Context) -> None:
    """Run the five programs that Plyboard grew from, as they were described."""
    if context.invoked_subcommand is None:
        print(context.get_help())


for module in (conniption, extended, four_in_a_row, alice, squatter):
    example = f"Example: [bold]{module.EXAMPLE}[/]"
    app.command(name=module.NAME, cls=PlainCommand, epilog=example)(module.command)
