"""Tells before an event whether its outside programs start, so that no game is lost for a typo."""

from __future__ import annotations

from collections.abc import Iterable

from plyboard.agents.catalogue import agent
from plyboard.agents.programs.program_agent import ProgramAgent
from plyboard.errors import BotError, UsageError, shown
from plyboard.games import Game
from plyboard.specs import WITH_COMMAND

LONGEST = 120  # characters of a spec in a message


def check_programs(specs: Iterable[str], game: Game) -> None:
    """Start the outside programs among these agents once; raise if one does not get ready."""
    for spec in specs:
        if spec.partition(":")[0] in WITH_COMMAND:
            made = agent(spec)
            assert isinstance(made, ProgramAgent)
            with made.open(game) as bot:
                try:
                    bot.prepare().result()
                except BotError as fault:
                    raise BotError(
                        f"cannot start {shown(spec, LONGEST)}",
                        reason=f"{fault.kind}: {fault.reason}; plyboard compliance tells more",
                    ) from None
                except UsageError as fault:  # it does not play this game
                    raise UsageError(
                        f"cannot start {shown(spec, LONGEST)}", reason=fault.first_line
                    ) from None
