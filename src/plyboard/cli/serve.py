"""`plyboard serve`: games in the browser."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from plyboard.cli.common.game_files import game_spec
from plyboard.errors import UnusableError, UsageError, shown

EXAMPLE = "plyboard serve --open"


def _own_game(text: str) -> str:
    """Return the name of a game in a file; raise if the text names no file."""
    spec = game_spec(text)
    if spec == text:
        raise UsageError("wrong game", got=shown(text), expected="FILE.py:CLASS")
    return spec


def command(
    games: Annotated[
        list[str] | None,
        typer.Argument(
            help="Your own games to serve as well.", metavar="FILE.py:CLASS...", parser=_own_game
        ),
    ] = None,
    host: Annotated[
        str | None,
        typer.Option(help="Address to listen on; default: 127.0.0.1.", metavar="ADDRESS"),
    ] = None,
    port: Annotated[
        str | None,
        typer.Option(help="Port to listen on; 0 for any; default: 8000 if free.", metavar="PORT"),
    ] = None,
    store: Annotated[
        str | None, typer.Option(help="File of the games, or URL of PostgreSQL.", metavar="FILE")
    ] = None,
    open_page: Annotated[bool, typer.Option("--open", help="Open the page in a browser.")] = False,
    warm: Annotated[
        bool, typer.Option(help="Have searches compiled in the background from the start.")
    ] = True,
    public: Annotated[
        bool, typer.Option("--public", help="Serve other machines, too; needs --origin.")
    ] = False,
    origin: Annotated[
        list[str] | None,
        typer.Option(help="Address of a page that may connect; may be repeated.", metavar="URL"),
    ] = None,
    proxy: Annotated[
        list[str] | None,
        typer.Option(help="Proxy that tells the addresses of clients.", metavar="NETWORK"),
    ] = None,
    secret_file: Annotated[
        str | None, typer.Option(help="File with the secret for /metrics.", metavar="FILE")
    ] = None,
    config: Annotated[
        str | None, typer.Option(help="TOML file with these settings.", metavar="FILE")
    ] = None,
) -> None:
    """Serve games to browsers, on this machine or with --public to others."""
    from plyboard.cli.common.extras import server_extra

    with server_extra():
        from plyboard.server.http.running import run_server
        from plyboard.server.http.settings import ServerSettings, read_settings
    options: dict[str, object] = {
        "host": host, "port": port, "store": store, "public": public, "origins": origin,
        "proxies": proxy, "secret_file": secret_file,
    }  # fmt: skip

    def read() -> ServerSettings:
        settings = read_settings(options, config)
        return settings if settings.store else replace(settings, store=_default_store())

    run_server(read(), open_page=open_page, warm=warm, read_again=read)


def _default_store() -> str:
    from platformdirs import user_data_path

    folder: Path = user_data_path("plyboard")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise UnusableError.of("cannot keep games", str(folder), fault) from fault
    return str(folder / "games.db")
