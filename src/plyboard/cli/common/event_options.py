"""The options that matches, tests and tournaments share."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from plyboard.cli.common import completing
from plyboard.cli.common.arguments import budget_of, whole
from plyboard.cli.common.game_files import game_spec
from plyboard.errors import UnusableError, UsageError, shown

if TYPE_CHECKING:
    from plyboard.agents import Budget
    from plyboard.arena.event import EventSettings
    from plyboard.play.clock import TimeControl

LARGEST_SEED = 2**53
USUAL_NODES = 100_000  # a move, unless another limit or a clock is given
BALANCED, RANDOM = "balanced", "random"
USUAL_FAULTS = "3"

GameOption = Annotated[
    str,
    typer.Option(
        "--game", help="A game spec, see plyboard games.", metavar="GAME",
        autocompletion=completing.games, parser=game_spec,
    ),
]  # fmt: skip
GamesOption = Annotated[
    str, typer.Option("--games", help="Number of games, an even one.", metavar="N")
]
LeastOption = Annotated[
    str | None,
    typer.Option(
        "--least-openings",
        help="Fewest openings of a pairing; more games are played if --games is less.",
        metavar="N",
    ),
]
SeedOption = Annotated[
    str, typer.Option("--seed", help="Seed of the openings and the agents.", metavar="N")
]
NodesOption = Annotated[
    str | None,
    typer.Option(
        "--nodes", help=f"Node limit per move; default: {USUAL_NODES:,} without other limits.",
        metavar="N",
    ),
]  # fmt: skip
DepthOption = Annotated[
    str | None, typer.Option("--depth", help="Search depth per move in plies.", metavar="PLIES")
]
SecondsOption = Annotated[
    str | None, typer.Option("--seconds", help="Time limit per move.", metavar="SECONDS")
]
ClockOption = Annotated[
    str | None,
    typer.Option("--clock", help="Time control: 60, 60+0.5 or 1/move, in seconds.", metavar="TIME"),
]
PliesOption = Annotated[
    str | None,
    typer.Option(
        "--plies", help="Plies of an opening; default: 4, more if those run out.", metavar="N"
    ),
]
OpeningsOption = Annotated[
    str,
    typer.Option(
        "--openings", help="balanced: no proved wins; or random.", metavar="WHICH",
        autocompletion=completing.offered_words(BALANCED, RANDOM),
    ),
]  # fmt: skip
RulesOption = Annotated[
    str,
    typer.Option(
        "--rules", help="standard: illegal moves lose; or the rules of a plug-in.",
        metavar="RULES", autocompletion=completing.offered_rules,
    ),
]  # fmt: skip
FaultsOption = Annotated[
    str,
    typer.Option(
        "--faults", help="Withdraw an agent after so many faults in a row; 0: never.", metavar="N"
    ),
]
WorkersOption = Annotated[
    str | None,
    typer.Option(
        "--workers",
        help="Games at the same time; default: one per core; 1 if people play.",
        metavar="N",
    ),
]
OnOption = Annotated[
    str,
    typer.Option(
        "--on", help="Where games are played: local, ray or ray:ADDRESS.", metavar="PLACE",
        autocompletion=completing.offered_words("local", "ray"),
    ),
]  # fmt: skip
StoreOption = Annotated[
    str | None,
    typer.Option("--store", help="File of the results; default: one per event.", metavar="FILE"),
]
AgainOption = Annotated[
    bool, typer.Option("--again", help="Discard stored results and play all games again.")
]
RenewOption = Annotated[
    str | None,
    typer.Option(
        "--renew", help="Discard the results of this agent alone and play its games again.",
        metavar="AGENT", autocompletion=completing.agents,
    ),
]  # fmt: skip
UnsafeOption = Annotated[
    bool,
    typer.Option(
        "--unsafe-programs",
        help="Start outside programs even where the system cannot contain them.",
    ),
]
HtmlOption = Annotated[
    str | None, typer.Option("--html", help="Also write the report as a page.", metavar="FILE")
]
SaveOption = Annotated[
    str | None, typer.Option("--save", help="Also write all games to this file.", metavar="FILE")
]
ForceOption = Annotated[bool, typer.Option("--force", help="Replace existing files.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print the report as JSON.")]


def pairs_of(text: str, least: str | None = None) -> int:
    """Return the number of pairs for a number of games, which must be even, and of openings."""
    from plyboard.arena.event import MOST_PAIRS

    games = whole(text, "games", 2, 2 * MOST_PAIRS)
    if games % 2:
        expected = "an even number: both colours are played from each opening"
        raise UsageError("wrong games", got=shown(text), expected=expected)
    return max(games // 2, 1 if least is None else whole(least, "openings", 1, MOST_PAIRS))


def seed_of(text: str) -> int:
    """Return the seed of an event."""
    return whole(text, "seed", 0, LARGEST_SEED)


def plies_of(text: str | None) -> int | None:
    """Return the length of openings; None for the usual ones."""
    from plyboard.arena.openings import MOST_PLIES

    return None if text is None else whole(text, "plies", 0, MOST_PLIES)


def faults_of(text: str) -> int:
    """Return after how many faults in a row an agent is withdrawn; 0 for never."""
    from plyboard.arena.withdrawals import MOST_FAULTS

    return whole(text, "faults", 0, MOST_FAULTS)


def is_balanced(text: str) -> bool:
    """Return whether openings with a proved win are dropped."""
    from plyboard.specs import choices

    if text not in (BALANCED, RANDOM):
        expected = choices(text, (BALANCED, RANDOM))
        raise UsageError("unknown openings", where="--openings", got=shown(text), expected=expected)
    return text == BALANCED


def limits_of(
    nodes: str | None, depth: str | None, seconds: str | None, clock: str | None
) -> tuple[Budget, TimeControl | None]:
    """Return the budget of each move and the time control; some nodes if none of them is given."""
    from plyboard.errors import NotationError
    from plyboard.play.clock import TimeControl

    try:
        control = None if clock is None else TimeControl.read(clock.strip(" "))
    except NotationError as fault:
        raise UsageError(
            fault.what, where="--clock", got=fault.got, expected=fault.expected
        ) from None
    if nodes is None and depth is None and seconds is None and control is None:
        nodes = str(USUAL_NODES)
    return budget_of(seconds, depth, nodes), control


def store_path(name: str | None, settings: EventSettings) -> Path:
    """Return the file of an event; by default one in the data folder, named by its settings."""
    if name is not None:
        return Path(name)
    from platformdirs import user_data_path

    from plyboard.arena.event_store import VERSION

    folder: Path = user_data_path("plyboard") / "events"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise UnusableError.of("cannot write", str(folder), fault) from None
    text = json.dumps([VERSION, settings.facts()], sort_keys=True)
    return folder / f"{hashlib.sha256(text.encode()).hexdigest()[:16]}.db"
