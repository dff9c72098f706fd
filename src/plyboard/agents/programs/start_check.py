"""Tells before an event whether its outside programs start, so that no game is lost for a typo."""

from __future__ import annotations

from collections.abc import Sequence

from plyboard.agents.catalogue import agent
from plyboard.agents.contents import hidden_files
from plyboard.agents.programs.program_agent import ProgramAgent, hiding
from plyboard.errors import BotError, PlyboardError, UnusableError, UsageError, shown
from plyboard.games import Game
from plyboard.specs import WITH_COMMAND

LONGEST = 120  # characters of a spec in a message


def broken_programs(specs: Sequence[str], game: Game) -> dict[str, PlyboardError]:
    """Start the outside programs among these agents once; return why some do not get ready."""
    hidden, found = hidden_files(specs), dict[str, PlyboardError]()
    for spec in specs:
        if spec.partition(":")[0] not in WITH_COMMAND:
            continue
        made = hiding(agent(spec), hidden.get(spec, ()))
        assert isinstance(made, ProgramAgent)
        what = f"cannot start {shown(spec, LONGEST)}"
        with made.open(game) as bot:
            try:
                bot.prepare().result()
            except BotError as fault:
                reason = f"{fault.kind}: {fault.reason}; plyboard compliance tells more"
                found[spec] = BotError(what, reason=reason)
            except (UnusableError, UsageError) as fault:  # no such program, or another game
                found[spec] = type(fault)(what, reason=fault.first_line)
    return found
