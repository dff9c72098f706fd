"""`plyboard join`: a game on a server, from the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from plyboard.play import Match
    from plyboard.server.client import ServerClient
    from plyboard.terminal.prompt.dialogue import Dialogue

NAME = "join"
EXAMPLE = "plyboard join http://127.0.0.1:8000/game/abcdefghjkmnpqrs"
COMMANDS = ("resign", "draw", "takeback", "decline", "abort")
HELP = "Type a move, or one of: resign, draw, takeback, decline, abort, quit."


def command(
    url: Annotated[str, typer.Argument(help="The address of the game.", metavar="URL")],
    name: Annotated[str, typer.Option(help="Your name in the game.", metavar="NAME")] = "guest",
    watch: Annotated[bool, typer.Option("--watch", help="Only watch the game.")] = False,
) -> None:
    """Play or watch a game on a server in the terminal."""
    from plyboard.cli.common.extras import server_extra
    from plyboard.terminal.prompt.dialogue import Dialogue, QuitError

    with server_extra():
        from plyboard.server.client import ServerClient

    with ServerClient(url) as client:
        view = client.watch()
        if not watch and view.get("waiting"):
            view = client.sit(name)
        try:
            _play(client, view, Dialogue())
        except QuitError:
            print("bye")


def _play(client: ServerClient, view: dict[str, Any], dialogue: Dialogue) -> None:
    """Show the game and read moves until it is over."""
    from plyboard.server.client import RefusedError

    screen, shown = dialogue.screen, -1
    while True:
        if view["seq"] != shown:
            shown = view["seq"]
            _show(view, dialogue)
        if "end" in view:
            return
        if view.get("you") != view["mover"] or view.get("waiting"):
            view = client.wait(view)
            continue
        text = dialogue.ask("your move: ").strip(" \t\r\n").lower()
        if text in ("q", "quit", "exit"):
            screen.say("The game goes on without you; your seat is lost.")
            return
        if text in ("", "?", "help"):
            screen.say(HELP)
            continue
        try:
            view = client.do(view, text) if text in COMMANDS else client.move(view, text)
        except RefusedError as fault:
            screen.say(fault.message)
            view = client.watch()


def _show(view: dict[str, Any], dialogue: Dialogue) -> None:
    """Print the board and what the players need to know."""
    from plyboard.terminal.prompt.transcript import end_text

    screen, match = dialogue.screen, _match_of(view)
    screen.say()
    screen.show_board(match.position)
    for note in match.position.picture().notes:
        screen.say(note)
    you = view.get("you")
    if view.get("waiting"):
        screen.say("waiting for the other player")
    elif match.end is not None:
        screen.say(f"game over: {end_text(match.position, match.end, you)}")
    else:
        seat = view["seats"][view["mover"]]
        who = "you" if you == view["mover"] else seat["name"]
        screen.say(f"next: {seat['symbol']} ({who})")
    for offer in ("draw", "takeback"):
        if you is not None and view.get(f"{offer}_offer") == 1 - you:
            screen.say(f"The opponent offers a {offer}: type {offer} to accept, or decline.")


def _match_of(view: dict[str, Any]) -> Match:
    """Return the match that the server describes."""
    from plyboard.games import Position
    from plyboard.play import Match, Result

    start = Position(view["spec"], view["start"]) if view.get("start") else Position(view["spec"])
    match = Match.of(start)
    for move in view["moves"]:
        match = match.play(move)
    if match.end is None and (end := view.get("end")) is not None:
        match = match.ended(Result(end["result"]), end["reason"], end.get("detail", ""))
    return match
