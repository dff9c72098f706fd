"""`plyboard match`: many games between two agents."""

from __future__ import annotations

from typing import Annotated

import typer

from plyboard.cli.common import completing
from plyboard.cli.common import event_options as options

EXAMPLE = "plyboard match engine:level=3 mcts --games 20 --nodes 500"

FirstAgent = Annotated[
    str, typer.Argument(help="An agent spec.", metavar="A", autocompletion=completing.agents)
]
SecondAgent = Annotated[
    str, typer.Argument(help="Its opponent.", metavar="B", autocompletion=completing.agents)
]


def command(
    first: FirstAgent,
    second: SecondAgent,
    game: options.GameOption = "connect-four",
    games: options.GamesOption = "100",
    least_openings: options.LeastOption = None,
    nodes: options.NodesOption = None,
    depth: options.DepthOption = None,
    seconds: options.SecondsOption = None,
    clock: options.ClockOption = None,
    openings: options.OpeningsOption = options.BALANCED,
    plies: options.PliesOption = None,
    rules: options.RulesOption = "standard",
    faults: options.FaultsOption = options.USUAL_FAULTS,
    seed: options.SeedOption = "0",
    workers: options.WorkersOption = None,
    place: options.OnOption = "local",
    store: options.StoreOption = None,
    again: options.AgainOption = False,
    renew: options.RenewOption = None,
    html: options.HtmlOption = None,
    save: options.SaveOption = None,
    force: options.ForceOption = False,
    as_json: options.JsonOption = False,
    unsafe_programs: options.UnsafeOption = False,
) -> None:
    """Play many games between two agents, and report the score with its error bars.

    Each opening is played with both colours. Results are stored as they come: after any
    interruption the same command goes on. With the same seed, and without limits of time, the games
    are the same whatever the number of workers.

    A person (a spec such as person:server=http://127.0.0.1:8000) plays on a server: the address of
    each game is printed. Games with people are played one at a time.
    """
    from plyboard.arena.event import EventSettings
    from plyboard.cli.common.events import EventOptions, play_event

    budget, control = options.limits_of(nodes, depth, seconds, clock)
    settings = EventSettings(
        agents=(first, second),
        game=game,
        pairs=options.pairs_of(games, least_openings),
        seed=options.seed_of(seed),
        budget=budget,
        control=control,
        rules=rules,
        plies=options.plies_of(plies),
        balanced=options.is_balanced(openings),
        faults=options.faults_of(faults),
    )
    how = EventOptions(
        workers, place, store, again, renew, as_json, html, save, force, unsafe_programs
    )
    play_event(settings, f"{first} against {second}", how)
