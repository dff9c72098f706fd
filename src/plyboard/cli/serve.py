"""`plyboard serve`: games in the browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from plyboard.errors import UsageError

NAME = "serve"
EXAMPLE = "plyboard serve --open"
LOOPBACK = ("127.0.0.1", "::1", "localhost")


def command(
    host: Annotated[
        str, typer.Option(help="Address to listen on.", metavar="ADDRESS")
    ] = "127.0.0.1",
    port: Annotated[
        str, typer.Option(help="Port to listen on; 0 for any.", metavar="PORT")
    ] = "8000",
    store: Annotated[
        str, typer.Option(help="File of the games; default: in your data folder.", metavar="FILE")
    ] = "",
    open_page: Annotated[bool, typer.Option("--open", help="Open the page in a browser.")] = False,
) -> None:
    """Serve games to browsers on this machine."""
    from plyboard.cli.common.arguments import whole
    from plyboard.cli.common.extras import server_extra

    number = whole(port, "port", 0, 65_535)
    with server_extra():
        from plyboard.server.running import run_server
    if host not in LOOPBACK:
        raise UsageError(
            "wrong host",
            got=f"'{host}'",
            expected="127.0.0.1, ::1 or localhost; others cannot join",
        )
    run_server(host, number, store or _default_store(), open_page=open_page)


def _default_store() -> str:
    from platformdirs import user_data_path

    folder: Path = user_data_path("plyboard")
    folder.mkdir(parents=True, exist_ok=True)
    return str(folder / "games.db")
