"""`plyboard tournament`: games between any number of agents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from plyboard.cli.common import completing
from plyboard.cli.common import event_options as options
from plyboard.cli.common.game_files import game_spec
from plyboard.errors import UsageError, shown

if TYPE_CHECKING:
    from plyboard.arena.event import EventSettings

EXAMPLE = "plyboard tournament random mcts engine:level=3 --games 4 --nodes 2000"
TOML = ".toml"


Agents = Annotated[
    list[str],
    typer.Argument(
        help="Agent specs, or one file with the settings (FILE.toml).",
        metavar="FILE|AGENTS...",
        autocompletion=completing.agents,
    ),
]
FormatOption = Annotated[
    str | None,
    typer.Option(
        "--format",
        help="round-robin (default), gauntlet, knockout or swiss.",
        metavar="FORMAT",
        autocompletion=completing.offered_words("round-robin", "gauntlet", "knockout", "swiss"),
    ),
]
GameOption = Annotated[
    str | None,
    typer.Option(
        "--game",
        help="A game spec; default: connect-four.",
        metavar="GAME",
        autocompletion=completing.games,
        parser=game_spec,
    ),
]
GamesOption = Annotated[
    str | None,
    typer.Option(
        "--games", help="Games of each pairing, an even number; default: 10.", metavar="N"
    ),
]
RoundsOption = Annotated[
    str | None, typer.Option("--rounds", help="Rounds of a Swiss tournament.", metavar="N")
]
OpeningsOption = Annotated[
    str | None,
    typer.Option(
        "--openings",
        help="balanced (default): no proved wins; or random.",
        metavar="WHICH",
        autocompletion=completing.offered_words(options.BALANCED, options.RANDOM),
    ),
]
RulesOption = Annotated[
    str | None,
    typer.Option(
        "--rules",
        help="standard (default): illegal moves lose; or the rules of a plug-in.",
        metavar="RULES",
        autocompletion=completing.offered_rules,
    ),
]
FaultsOption = Annotated[
    str | None,
    typer.Option(
        "--faults",
        help="Withdraw an agent after so many faults in a row; 0: never; default: 3.",
        metavar="N",
    ),
]
SeedOption = Annotated[
    str | None,
    typer.Option("--seed", help="Seed of openings and agents; default: 0.", metavar="N"),
]


def command(
    agents: Agents,
    form: FormatOption = None,
    game: GameOption = None,
    games: GamesOption = None,
    least_openings: options.LeastOption = None,
    rounds: RoundsOption = None,
    nodes: options.NodesOption = None,
    depth: options.DepthOption = None,
    seconds: options.SecondsOption = None,
    clock: options.ClockOption = None,
    openings: OpeningsOption = None,
    plies: options.PliesOption = None,
    rules: RulesOption = None,
    faults: FaultsOption = None,
    seed: SeedOption = None,
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
    skip_broken: Annotated[
        bool, typer.Option("--skip-broken", help="Leave out programs that do not start.")
    ] = False,
) -> None:
    """Play a tournament, and report crosstable and ratings.

    Each opening is played with both colours. Results are stored as they come: after any
    interruption the same command goes on. A file has the same settings as the options, by name, and
    the list agents.
    """
    from plyboard.cli.common.events import EventOptions, play_event

    given: dict[str, Any] = {
        "format": form, "game": game, "games": games, "rounds": rounds, "nodes": nodes,
        "least-openings": least_openings,
        "depth": depth, "seconds": seconds, "clock": clock, "openings": openings, "plies": plies,
        "rules": rules, "faults": faults, "seed": seed,
    }  # fmt: skip
    texts = {name: value for name, value in given.items() if value is not None}
    title = ""
    if len(agents) == 1 and agents[0].endswith(TOML):
        title, specs, texts = _from_file(agents[0], texts)
    else:
        specs = tuple(agents)
    how = EventOptions(
        workers,
        place,
        store,
        again,
        renew,
        as_json,
        html,
        save,
        force,
        unsafe_programs,
        skip_broken,
    )
    settings = _settings(specs, texts)
    play_event(settings, title or f"{settings.format} of {len(specs)} agents", how)


def _from_file(name: str, given: dict[str, str]) -> tuple[str, tuple[str, ...], dict[str, str]]:
    """Return the title, the agents and the settings of a file; options must not add to them."""
    from plyboard.cli.common.event_file import read_event_file

    for option in given:
        raise UsageError("option not wanted", got=f"'--{option}'", expected=f"it in {shown(name)}")
    title, agents, texts = read_event_file(name)
    if "game" in texts:
        texts["game"] = game_spec(texts["game"])
    return title, agents, texts


def _settings(agents: tuple[str, ...], texts: dict[str, str]) -> EventSettings:
    from plyboard.arena.event import ROUND_ROBIN, SWISS, EventSettings, usual_rounds
    from plyboard.cli.common.arguments import whole

    form, rounds = texts.get("format", ROUND_ROBIN), texts.get("rounds")
    if rounds is not None and form != SWISS:
        raise UsageError("option not wanted", got="'--rounds'", expected="it with --format swiss")
    limits = (texts.get(name) for name in ("nodes", "depth", "seconds", "clock"))
    budget, control = options.limits_of(*limits)
    usual = usual_rounds(form, max(2, len(agents)))
    return EventSettings(
        agents=agents,
        game=texts.get("game", "connect-four"),
        pairs=options.pairs_of(texts.get("games", "10"), texts.get("least-openings")),
        format=form,
        rounds=usual if rounds is None else whole(rounds, "rounds", 1, 1000),
        seed=options.seed_of(texts.get("seed", "0")),
        budget=budget,
        control=control,
        rules=texts.get("rules", "standard"),
        plies=options.plies_of(texts.get("plies")),
        balanced=options.is_balanced(texts.get("openings", options.BALANCED)),
        faults=options.faults_of(texts.get("faults", options.USUAL_FAULTS)),
    )
