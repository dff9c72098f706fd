"""`plyboard play`: games at the prompt."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from plyboard.play import Match
    from plyboard.search.budget import Budget
    from plyboard.terminal.questions import Setup
    from plyboard.terminal.sides import Sides

NAME = "play"
EXAMPLE = "plyboard play conniption --first them --level 7"


def command(
    game: Annotated[str | None, typer.Argument(help="A spec; see plyboard games.")] = None,
    opponent: Annotated[str | None, typer.Option(help="An agent, or human.")] = None,
    level: Annotated[
        str | None, typer.Option(help="How strong engine plays: 1 to 10; 0 holds nothing back.")
    ] = None,
    first: Annotated[str | None, typer.Option(help="Who begins: me or them.")] = None,
    me: Annotated[str | None, typer.Option(help="An agent that plays in your place.")] = None,
    games: Annotated[str | None, typer.Option(help="How many games.")] = None,
    seconds: Annotated[str | None, typer.Option(help="What agents may take for a move.")] = None,
    seed: Annotated[str | None, typer.Option(help="Makes agents repeat themselves.")] = None,
    load: Annotated[str | None, typer.Option(help="Go on with the game in this file.")] = None,
    save: Annotated[str | None, typer.Option(help="Keep all games in this file.")] = None,
) -> None:
    """Play in the terminal. What no option says is asked, where somebody is there to answer."""
    import secrets

    from plyboard.agents import Budget
    from plyboard.cli.arguments import whole, write_new
    from plyboard.errors import UsageError
    from plyboard.terminal.advice import USUAL
    from plyboard.terminal.dialogue import Dialogue, LeaveError
    from plyboard.terminal.questions import asked
    from plyboard.terminal.shelf import Shelf
    from plyboard.terminal.sitting import Sitting

    if load is not None and game is not None:
        raise UsageError("two games: got --load and a game; expected one of them")
    spent = None if seconds is None else _seconds(seconds)
    start = secrets.randbelow(2**53) if seed is None else whole(seed, "seed", 0, 2**53)
    setup = _setup(game, _opponent(opponent, level, spent), me, first, games)
    dialogue, shelf = Dialogue(), Shelf(write_new)
    if save is not None:
        shelf.check(save)
    loaded = None if load is None else shelf.load(load)[0]
    try:
        ready = asked(setup, dialogue) if dialogue.has_person and not loaded else setup.filled()
    except LeaveError:
        dialogue.screen.say("bye")
        return
    match, sides = _match(ready, loaded, Budget(seconds=spent, seed=start))
    advice = USUAL if spent is None else Budget(seconds=spent)
    Sitting(match, sides, dialogue, shelf, ready.games or 1, save or "", advice).run()


def _setup(
    game: str | None, opponent: str | None, me: str | None, first: str | None, games: str | None
) -> Setup:
    """Return what the options say; refuse at once what could not be played."""
    from plyboard.agents import agent
    from plyboard.games import game as find_game
    from plyboard.terminal.questions import Setup, read_first, read_games
    from plyboard.terminal.sides import HUMAN

    if game is not None:
        find_game(game)
    for spec in (opponent, me):
        if spec is not None and spec != HUMAN:
            agent(spec)
    begins = None if first is None else read_first(first)
    return Setup(game, opponent, me, begins, None if games is None else read_games(games))


def _opponent(spec: str | None, level: str | None, seconds: float | None) -> str | None:
    """Return the spec of the opponent with its level; with time to think it holds nothing back."""
    from plyboard.agents.levels import LEVELS
    from plyboard.cli.arguments import whole
    from plyboard.errors import UsageError, shown

    if level is None:
        return "engine" if spec is None and seconds is not None else spec
    number = whole(level, "level", 0, len(LEVELS))
    if spec not in (None, "engine"):
        raise UsageError(f"level not wanted: got it for {shown(spec or '')}; expected engine")
    return f"engine:level={number}" if number else "engine"


def _seconds(text: str) -> float:
    from plyboard.agents.settings import SECONDS

    return SECONDS.read(text.strip(" "))


def _match(setup: Setup, loaded: Match | None, budget: Budget) -> tuple[Match, Sides]:
    """Return the match to begin with, and who plays it."""
    from datetime import UTC, datetime

    from plyboard.games import Position
    from plyboard.play import Heading, Match
    from plyboard.terminal.questions import ME, USUAL_GAME
    from plyboard.terminal.sides import HUMAN, Side, as_recorded

    mine, theirs = Side(setup.me or HUMAN, budget), Side(setup.opponent or HUMAN, budget)
    sides = (mine, theirs) if setup.first == ME else (theirs, mine)
    if loaded is None:
        today = datetime.now(UTC).date().isoformat()
        heading = Heading(mine.name, theirs.name, date=today, seed=budget.seed)
        match = Match.of(Position(setup.game or USUAL_GAME), heading)
    else:
        match, sides = loaded, as_recorded(sides, loaded)
    for side in sides:
        side.check(match.start.game)
    return match, sides
