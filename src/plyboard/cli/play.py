"""`plyboard play`: games at the prompt, or between two agents."""

from __future__ import annotations

import json
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from plyboard.cli.common import completing
from plyboard.cli.common.event_options import UnsafeOption
from plyboard.cli.common.game_files import GameFiles, game_spec
from plyboard.cli.common.leaving import LeaveError

if TYPE_CHECKING:
    from collections.abc import Callable

    from plyboard.games import Position
    from plyboard.play import Match
    from plyboard.session.players import Players
    from plyboard.session.saved_games import SavedGames
    from plyboard.session.series import Series
    from plyboard.session.setup import Setup
    from plyboard.terminal.prompt.dialogue import Dialogue

EXAMPLE = "plyboard play conniption --first them --level 7"
RECORD = "record"
STANDARD = "standard"

GameName = Annotated[
    str | None,
    typer.Argument(
        help="A game spec, see plyboard games; or FILE.py:CLASS for your own game.",
        metavar="GAME",
        autocompletion=completing.games,
        parser=game_spec,
    ),
]
Opponent = Annotated[
    str | None,
    typer.Option(
        help="An agent spec, or human; default: engine.",
        metavar="AGENT",
        autocompletion=completing.opponents,
    ),
]
LevelNumber = Annotated[
    str | None,
    typer.Option(
        help="Strength of engine: 1 to 10, default 5; 0 is full strength.",
        metavar="N",
        autocompletion=completing.levels,
    ),
]
FirstPlayer = Annotated[
    str | None,
    typer.Option(
        help="Who moves first: me or them.",
        metavar="WHO",
        autocompletion=completing.offered_words("me", "them"),
    ),
]
OwnAgent = Annotated[
    str | None,
    typer.Option(
        help="An agent that plays for you.", metavar="AGENT", autocompletion=completing.agents
    ),
]
LoadFormat = Annotated[
    str,
    typer.Option(
        "--from",
        help="Format of that file: record, or one listed by plyboard convert --list.",
        metavar="FORMAT",
        autocompletion=completing.loadable_formats,
    ),
]
MoveSeconds = Annotated[
    str | None, typer.Option(help="Time limit of agents per move.", metavar="SECONDS")
]
LoadFile = Annotated[
    str | None, typer.Option(help="Continue the game or position in this file.", metavar="FILE")
]
Questions = Annotated[
    str,
    typer.Option(
        help="What to ask: standard, in a terminal; classic, also in a pipe.",
        metavar="WHICH",
        autocompletion=completing.offered_words("standard", "classic"),
    ),
]


def command(
    game: GameName = None,
    opponent: Opponent = None,
    level: LevelNumber = None,
    first: FirstPlayer = None,
    me: OwnAgent = None,
    games: Annotated[str | None, typer.Option(help="Number of games.", metavar="N")] = None,
    seconds: MoveSeconds = None,
    seed: Annotated[
        str | None, typer.Option(help="Random seed of the agents.", metavar="N")
    ] = None,
    load: LoadFile = None,
    source: LoadFormat = RECORD,
    save: Annotated[
        str | None, typer.Option(help="Save all games to this file.", metavar="FILE")
    ] = None,
    questions: Questions = STANDARD,
    watch: Annotated[
        bool, typer.Option("--watch", help="Show every move of games between two agents.")
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the results of games between two agents as JSON.")
    ] = False,
    unsafe_programs: UnsafeOption = False,
    _game_files: GameFiles = None,
) -> None:
    """Play a game. Prompts for missing options when run in a terminal."""
    from plyboard.agents.programs.notes import allow_unsafe_programs
    from plyboard.cli.common.arguments import write_new
    from plyboard.cli.common.opponents import budget_per_move, opponent_spec
    from plyboard.session.new_match import new_match
    from plyboard.session.saved_games import SavedGames
    from plyboard.session.series import Series
    from plyboard.terminal.prompt.dialogue import Dialogue, QuitError

    _check_load(load, source, {"a game": game, "--games": games, "--json": as_json or None})
    ask, budget = _asker(questions), budget_per_move(seconds, seed)
    if unsafe_programs:
        allow_unsafe_programs()
    setup = _setup(game, opponent_spec(opponent, level, budget), me, first, games)
    dialogue, saved_games = Dialogue(), SavedGames(write_new)
    loaded = None if load is None else _loaded(load, source, game, saved_games)
    output = _Output(save, watch=watch, as_json=as_json).checked(saved_games)
    if loaded is None and not as_json:
        try:
            setup = ask(setup, dialogue)
        except QuitError:
            dialogue.screen.say("bye")
            return
        except KeyboardInterrupt:
            raise left(dialogue) from None
    (match, players), count = new_match(setup, budget, loaded), setup.games or 1
    if any(player.is_person for player in players):
        output.check_people()
        series = Series(match, players, saved_games, count, output.save or "")
        _play_people(series, dialogue, pauses=questions == STANDARD)
    else:
        output.check_agents(count)
        _play_agents(match, players, count, saved_games, output)


@dataclass(frozen=True)
class _Output:
    """Where the games go, and how they are shown."""

    save: str | None = None  # the file that stores all games, if any
    watch: bool = False
    as_json: bool = False

    def checked(self, saved_games: SavedGames) -> _Output:
        """Raise if the options exclude each other, or if nothing can be saved there."""
        from plyboard.errors import UsageError

        if self.watch and self.as_json:
            raise UsageError(
                "conflicting options", got="'--watch' and '--json'", expected="one of them"
            )
        if self.save is not None:
            saved_games.check(self.save)
        return self

    def check_people(self) -> None:
        """Raise if an option is only for games between agents."""
        from plyboard.errors import UsageError

        if self.watch or self.as_json:
            option = "--json" if self.as_json else "--watch"
            raise UsageError("option not wanted", got=f"'{option}'", expected="it for two agents")

    def check_agents(self, count: int) -> None:
        """Raise if a file cannot hold so many games."""
        from plyboard.errors import UsageError
        from plyboard.play.record import MOST_GAMES

        if self.save and count > MOST_GAMES:
            raise UsageError(
                "wrong games", where="--save", got=f"'{count}'", expected=f"1 to {MOST_GAMES}"
            )


def _play_people(series: Series, dialogue: Dialogue, *, pauses: bool) -> None:
    """Play the games of people at the prompt."""
    from plyboard.terminal.prompt.prompt_games import play_series

    try:
        play_series(series, dialogue, pauses=pauses)
    except KeyboardInterrupt:
        raise left(dialogue) from None


def left(dialogue: Dialogue) -> LeaveError:
    """Return the error of a person who has left by a second Ctrl-C."""
    dialogue.screen.say("bye")
    return LeaveError()


def _asker(name: str) -> Callable[[Setup, Dialogue], Setup]:
    """Return the function that asks the questions of this name, where they are asked."""
    from plyboard.errors import UsageError, shown
    from plyboard.specs import choices
    from plyboard.terminal.prompt.questions import QUESTIONS

    if name not in QUESTIONS:
        right = choices(name, QUESTIONS)
        raise UsageError("unknown questions", where="--questions", got=shown(name), expected=right)

    def ask(setup: Setup, dialogue: Dialogue) -> Setup:
        asks = dialogue.is_interactive or name != STANDARD  # those are asked in a pipe, too
        return QUESTIONS[name](setup, dialogue) if asks else setup

    return ask


def _check_load(load: str | None, source: str, given: dict[str, object]) -> None:
    """Refuse options that conflict with --load; some formats need a game, too."""
    from plyboard.errors import UsageError, shown
    from plyboard.games.formats import known_formats
    from plyboard.specs import choices

    known = (RECORD, *(each.name for each in known_formats()))
    if source not in known:
        right = choices(source, known)
        raise UsageError("unknown format", where="--from", got=shown(source), expected=right)
    if load is None:
        if source != RECORD:
            raise UsageError(
                "option not wanted", got=f"'--from' {shown(source)}", expected="--load"
            )
        return
    for name, value in given.items():
        if value is not None and (name != "a game" or source == RECORD):
            raise UsageError(
                "too much", where="--load", got=name, expected="only the one that it loads"
            )


def _loaded(name: str, source: str, game: str | None, saved_games: SavedGames) -> Match | Position:
    """Return the match in a record, or the position in a file of another format."""
    from plyboard.cli.common.position_file import read_position
    from plyboard.errors import NotationError
    from plyboard.play.record_draft import NO_RECORD
    from plyboard.session.saved_games import path_of

    if source != RECORD:
        return read_position(str(path_of(name)), source, game, strict=True)
    try:
        return saved_games.load(name)[0]
    except NotationError as fault:
        if fault.what == NO_RECORD:
            hint = f"{fault.expected}, or --from and the format of the file"
            raise fault.replace(expected=hint) from None
        raise


def _setup(
    game: str | None, opponent: str | None, me: str | None, first: str | None, games: str | None
) -> Setup:
    """Return the setup given by the options; raise if one cannot be read."""
    from plyboard.agents import agent
    from plyboard.agents.programs.notes import note_of
    from plyboard.games import game as find_game
    from plyboard.session.players import HUMAN
    from plyboard.session.setup import Setup
    from plyboard.terminal.prompt.questions import read_first, read_games

    if game is not None:
        find_game(game)
    for spec in (opponent, me):
        if spec is not None and spec != HUMAN:
            agent(spec)
    if note := note_of(spec for spec in (opponent, me) if spec is not None):
        warnings.warn(note, stacklevel=2)
    begins = None if first is None else read_first(first)
    return Setup(game, opponent, me, begins, None if games is None else read_games(games))


def _play_agents(
    match: Match, players: Players, count: int, saved_games: SavedGames, output: _Output
) -> None:
    """Run games between two agents: show a single one, count or show several."""
    from contextlib import closing

    from plyboard.cli.common.progress import with_progress
    from plyboard.session.saved_games import SeriesFile
    from plyboard.terminal.drawing.screen import Screen
    from plyboard.terminal.viewing.watch import AgentGames

    with closing(SeriesFile(saved_games, output.save or "")) as file:
        games = AgentGames(match, players, Screen(), file, output.watch)
        if not output.as_json:
            games.run(count, lambda played: with_progress(played, "playing", count))
            return
        try:
            games.count(with_progress(games.games(count), "playing", count))
        finally:  # after Ctrl-C, report the games played so far
            print(json.dumps(games.facts(), indent=2), flush=True)
