"""`plyboard origins conniption`: games against the player of the Conniption AI."""

from __future__ import annotations

from typing import Annotated

import typer

NAME = "conniption"
EXAMPLE = "plyboard origins conniption"
PLAYER, AGAINST_RANDOM = "conniption", "conniption:depth=4"


def command(
    seed: Annotated[
        str | None, typer.Option(help="Random seed of the agents.", metavar="N")
    ] = None,
) -> None:
    """Conniption: ask who begins, whether you move at random, and how many games, then play.

    The questions and the commands can also come from a pipe.
    """
    from plyboard.cli.common.arguments import write_new
    from plyboard.cli.common.opponents import budget_per_move
    from plyboard.cli.play import left
    from plyboard.session.new_match import new_match
    from plyboard.session.saved_games import SavedGames
    from plyboard.session.series import Series
    from plyboard.session.setup import Setup
    from plyboard.terminal.prompt.dialogue import Dialogue, QuitError
    from plyboard.terminal.prompt.prompt_games import play_series
    from plyboard.terminal.prompt.questions import CHANCE, ask_classic
    from plyboard.terminal.viewing.watch import AgentGames

    dialogue, budget = Dialogue(), budget_per_move(None, seed)
    try:
        setup = ask_classic(Setup(game=NAME, opponent=PLAYER), dialogue)
        is_random = setup.me == CHANCE
        if is_random:
            setup = Setup(NAME, AGAINST_RANDOM, CHANCE, setup.first, setup.games)
        match, players = new_match(setup, budget)
        games = setup.games or 1
        if is_random:
            AgentGames(match, players, dialogue.screen, watch=True).run(games)
        else:
            series = Series(match, players, SavedGames(write_new), games)
            play_series(series, dialogue, pauses=False)
    except QuitError:
        dialogue.screen.say("bye")
    except KeyboardInterrupt:
        raise left(dialogue) from None
