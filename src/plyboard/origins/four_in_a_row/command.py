"""`plyboard four-in-a-row`: a game between two machines, or between two programs on one."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from plyboard.cli.common import completing

if TYPE_CHECKING:
    from plyboard.origins.four_in_a_row.network.setup import NetworkSetup
    from plyboard.search.common.budget import Budget
    from plyboard.session.saved_games import SeriesFile
    from plyboard.session.tally import Tally

NAME = "four-in-a-row"
PANEL = "Play"
EXAMPLE = "plyboard four-in-a-row human 8000 --headless --bind 127.0.0.1"
ILLEGAL_ARGUMENTS = "Illegal program arguments."
HUMAN, AI = "human", "ai"
DEFAULT_AGENT = "jericho"
LARGEST_PORT = 65_535
OPEN = "waiting on all addresses; --bind 127.0.0.1 lets in only programs on this machine"

Words = Annotated[
    list[str] | None,
    typer.Argument(
        help="human or ai; the port; the address of the other machine, to connect to it.",
        metavar="PLAYER PORT [IP]",
        autocompletion=completing.offered_words(HUMAN, AI),
    ),
]
AgentSpec = Annotated[
    str | None,
    typer.Option(
        help=f"The agent that plays for ai; default: {DEFAULT_AGENT}.",
        metavar="AGENT",
        autocompletion=completing.agents,
    ),
]
MoveSeconds = Annotated[
    str | None, typer.Option(help="Time limit of the agent per move.", metavar="SECONDS")
]
Seed = Annotated[str | None, typer.Option(help="Random seed of the agent.", metavar="N")]
Headless = Annotated[bool, typer.Option("--headless", help="Play in the terminal, not a window.")]
BindAddress = Annotated[
    str | None,
    typer.Option(
        help="Address to wait on; default: 0.0.0.0, all addresses. 127.0.0.1 is only for programs "
        "on this machine.",
        metavar="ADDRESS",
    ),
]
WaitSeconds = Annotated[
    str | None,
    typer.Option(help="How long to wait for the other side; default: for ever.", metavar="SECONDS"),
]
Patience = Annotated[
    str | None,
    typer.Option(
        help="How long the other side may take for a move; default: for ever.", metavar="SECONDS"
    ),
]
Linger = Annotated[
    str | None,
    typer.Option(
        help="How long the connection stays open after the end; default: 4.", metavar="SECONDS"
    ),
]
SaveFile = Annotated[
    str | None, typer.Option(help="Save all games to this file, move by move.", metavar="FILE")
]
Games = Annotated[
    str | None,
    typer.Option(help="Number of games; the other side needs the same number.", metavar="N"),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print the results of ai --headless as JSON.")]


def command(
    words: Words = None,
    agent: AgentSpec = None,
    seconds: MoveSeconds = None,
    seed: Seed = None,
    headless: Headless = False,
    bind: BindAddress = None,
    wait: WaitSeconds = None,
    patience: Patience = None,
    linger: Linger = None,
    games: Games = None,
    save: SaveFile = None,
    as_json: AsJson = False,
) -> None:
    """Play four in a row against a program on another machine, or on this one.

    Without an address it waits as player one, who moves first; with one it connects as player two.
    """
    from plyboard.cli.common.arguments import seconds_of, whole, write_new
    from plyboard.origins.four_in_a_row.network.connection import EVERY_ADDRESS
    from plyboard.origins.four_in_a_row.network.setup import LINGER_SECONDS, NetworkSetup
    from plyboard.play.record import MOST_GAMES
    from plyboard.session.saved_games import SavedGames, SeriesFile

    player, port, host = _read_words(words or [])
    is_human = player == HUMAN
    _refuse(
        {"--agent": agent, "--seconds": seconds, "--seed": seed, "--json": as_json or None},
        "it with ai" if is_human else "",
    )
    _refuse({"--bind": bind}, "it without an address to connect to" if host else "")
    _refuse({"--json": as_json or None}, "" if headless else "it with --headless")
    setup = NetworkSetup(
        player=HUMAN if is_human else _checked_agent(agent or DEFAULT_AGENT),
        port=port,
        host=host,
        bind=bind or EVERY_ADDRESS,
        budget=_budget(seconds, seed),
        wait=None if wait is None else seconds_of(wait),
        patience=None if patience is None else seconds_of(patience),
        linger=LINGER_SECONDS if linger is None else _seconds_from_0(linger),
        games=1 if games is None else whole(games, "games", 1, MOST_GAMES),
    )
    saved_games = SavedGames(write_new)
    if save is not None:
        saved_games.check(save)
    file = SeriesFile(saved_games, save or "")
    if host is None and bind is None:
        _note(OPEN)
    if headless:
        _play_in_terminal(setup, file, as_json=as_json)
    else:
        _play_in_window(setup, file)


def _read_words(words: list[str]) -> tuple[str, int, str | None]:
    """Return player, port and address; anything wrong gets the message of the original, too."""
    from plyboard.cli.common.arguments import whole
    from plyboard.errors import UsageError, shown
    from plyboard.origins.four_in_a_row.network.addresses import resolve

    try:
        if len(words) not in (2, 3):
            told = shown(" ".join(words)) if words else "none"
            right = "human or ai, a port, and an address to connect to it"
            raise UsageError("wrong arguments", got=told, expected=right)
        player, host = words[0], words[2] if len(words) == 3 else None
        if player not in (HUMAN, AI):
            raise UsageError("wrong player", got=shown(player), expected="human or ai")
        port = whole(words[1], "port", 0 if host is None else 1, LARGEST_PORT)
        if host is not None:
            resolve(host, port)
    except UsageError:
        print(ILLEGAL_ARGUMENTS, file=sys.stderr, flush=True)
        raise
    return player, port, host


def _refuse(options: dict[str, object], expected: str) -> None:
    """Raise if one of these options is given but not expected."""
    from plyboard.errors import UsageError

    for name, value in options.items():
        if expected and value is not None:
            raise UsageError("option not wanted", got=f"'{name}'", expected=expected)


def _checked_agent(spec: str) -> str:
    from plyboard.agents import agent
    from plyboard.agents.catalogue import check_plays
    from plyboard.origins.four_in_a_row.network.setup import GAME

    agent(spec)
    check_plays(spec, GAME)
    return spec


def _budget(seconds: str | None, seed: str | None) -> Budget:
    import secrets

    from plyboard.agents import Budget
    from plyboard.agents.settings import SECONDS
    from plyboard.cli.common.arguments import whole

    limit = None if seconds is None else SECONDS.read(seconds.strip(" "))
    start = secrets.randbelow(2**53) if seed is None else whole(seed, "seed", 0, 2**53)
    return Budget(seconds=limit, seed=start)


def _seconds_from_0(text: str) -> float:
    from plyboard.cli.common.arguments import seconds_of

    return 0.0 if text.strip(" ") == "0" else seconds_of(text)


def _play_in_terminal(setup: NetworkSetup, file: SeriesFile, *, as_json: bool) -> None:
    from plyboard.origins.four_in_a_row.network_games import NetworkGames
    from plyboard.terminal.prompt.dialogue import Dialogue

    games = NetworkGames(setup, Dialogue(), file, _note if as_json else None)
    try:
        games.run()
    finally:
        if as_json and games.tally.games:  # also the games before one that was cut off
            print(json.dumps(_facts(setup, games.tally), indent=2), flush=True)


def _play_in_window(setup: NetworkSetup, file: SeriesFile) -> None:
    try:
        from plyboard.origins.four_in_a_row.network_window import play_in_window
    except ImportError:
        from plyboard.window.display import open_root

        open_root("--headless")  # raises what to install if Tk is missing
        raise
    play_in_window(setup, file)


def _note(text: str) -> None:
    print(f"note: {text}", file=sys.stderr, flush=True)


def _facts(setup: NetworkSetup, tally: Tally) -> dict[str, object]:
    """Return the results so far, from the point of view of the local agent."""
    return {
        "player": setup.local_player + 1, "agent": setup.player, "seed": setup.budget.seed,
        "games": tally.games, "wins": tally.wins, "losses": tally.losses, "draws": tally.draws,
    }  # fmt: skip
