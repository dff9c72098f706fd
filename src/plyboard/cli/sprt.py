"""`plyboard sprt`: a sequential test of whether one agent is stronger than another."""

from __future__ import annotations

import re
from typing import Annotated

import typer

from plyboard.cli.common import completing
from plyboard.cli.common import event_options as options
from plyboard.cli.match import FirstAgent, SecondAgent
from plyboard.errors import UsageError, shown

EXAMPLE = "plyboard sprt engine:level=4 random --elo1 100"
NOT_ACCEPTED = 1


def command(
    first: FirstAgent,
    second: SecondAgent,
    elo0: Annotated[
        str, typer.Option("--elo0", help="Elo difference of the hypothesis H0.", metavar="ELO")
    ] = "0",
    elo1: Annotated[
        str, typer.Option("--elo1", help="Elo difference of the hypothesis H1.", metavar="ELO")
    ] = "10",
    alpha: Annotated[
        str, typer.Option("--alpha", help="Chance to accept H1 although H0 is true.", metavar="P")
    ] = "0.05",
    beta: Annotated[
        str, typer.Option("--beta", help="Chance to accept H0 although H1 is true.", metavar="P")
    ] = "0.05",
    model: Annotated[
        str,
        typer.Option(
            "--model",
            help="What Elo means: logistic or normalized.",
            metavar="MODEL",
            autocompletion=completing.offered_words("logistic", "normalized"),
        ),
    ] = "logistic",
    game: options.GameOption = "connect-four",
    games: Annotated[
        str, typer.Option("--games", help="Most games to play, an even number.", metavar="N")
    ] = "20000",
    nodes: options.NodesOption = None,
    depth: options.DepthOption = None,
    seconds: options.SecondsOption = None,
    clock: options.ClockOption = None,
    openings: options.OpeningsOption = options.BALANCED,
    plies: options.PliesOption = None,
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
) -> int:
    """Play games until it is decided whether A is stronger than B by elo1 or only by elo0.

    It is the generalized sequential probability ratio test on pairs of games, as fishtest uses it.
    The exit code is 0 if H1 is accepted, else 1. Results are stored as they come: after any
    interruption the same command goes on.
    """
    from plyboard.arena.event import EventSettings
    from plyboard.arena.statistics.sprt import SprtTest
    from plyboard.cli.common.events import EventOptions, play_event

    budget, control = options.limits_of(nodes, depth, seconds, clock)
    given = {"elo0": elo0, "elo1": elo1, "alpha": alpha, "beta": beta}
    numbers = {name: _number(text, name) for name, text in given.items()}
    test = SprtTest(**numbers, model=model)  # type: ignore[arg-type]  # checked there
    settings = EventSettings(
        agents=(first, second),
        game=game,
        pairs=options.pairs_of(games),
        seed=options.seed_of(seed),
        budget=budget,
        control=control,
        plies=options.plies_of(plies),
        balanced=options.is_balanced(openings),
        faults=options.faults_of(faults),
        sprt=test,
    )
    how = EventOptions(
        workers, place, store, again, renew, as_json, html, save, force, unsafe_programs
    )
    run = play_event(settings, f"{first} against {second}", how)
    return 0 if run.sprt is not None and run.sprt.decision == "H1" else NOT_ACCEPTED


def _number(text: str, name: str) -> float:
    """Return a number in ASCII digits, with an optional sign and fraction."""
    text = text.strip(" ")
    if re.fullmatch(r"-?[0-9]{1,5}(\.[0-9]{1,9})?", text, re.ASCII):
        return float(text)
    expected = "a number, such as 5 or -2.5"
    raise UsageError(f"wrong {name}", got=shown(text), expected=expected)
