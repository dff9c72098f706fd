"""The interface of a game: notation, texts, outcome and picture around its rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Protocol, runtime_checkable

from plyboard.games.lesson import Lesson
from plyboard.games.level import Level
from plyboard.games.picture import Cell, Picture
from plyboard.games.rules import Rules, State
from plyboard.games.wording import Page
from plyboard.specs import Parameter, write_spec


@dataclass(frozen=True)
class Outcome:
    """How a game ended. The winner is 0, 1, or None for a draw."""

    winner: int | None
    reason: str
    scores: tuple[int, int] | None = None
    line: frozenset[Cell] = field(default_factory=frozenset)


@dataclass(frozen=True)
class Modifier:
    """A choice beside the column or cell of a move, such as a flip: its text and a label.

    The text stands before the column or cell in the move, or after it.
    """

    text: str
    is_before: bool = False
    label: str = ""

    @property
    def key(self) -> tuple[str, bool]:
        """What tells it from the others of a game: its text, and whether that comes first."""
        return self.text, self.is_before

    @property
    def title(self) -> str:
        """The label, or the text if there is none."""
        return self.label or self.text


@dataclass(frozen=True)
class PointMeasure:
    """The name of points in a game, and how many of them are worth a word.

    A move scores by enclosing cells, by making runs of pieces, or in some other way.
    """

    noun: str = "point"
    allowed: int = 1  # the smallest difference between what two moves allow the opponent
    threatened: int = 1
    encloses: bool = False
    makes_runs: bool = False


@dataclass(frozen=True)
class PositionSetting:
    """A part of a position text behind the board: its label and the values that it may have.

    Titles say what the values mean; without them the values are shown.
    """

    label: str
    values: tuple[str, ...]
    titles: tuple[str, ...] = ()
    separator: str = " "  # from the part before it


class Game(Protocol):
    """One game with its parameters. States are immutable values.

    Optional attributes: see `HasNotation`, `HasModifiers`, `HasClicks`, `MarksLastMove`,
    `HasPositionSettings`, `NamesSymbols`,
    `HasRulesPage`, `HasLegend`, `HasLessons`, `HasSampleMoves`, `HasLevels`, `HasLines`,
    `HasPointMeasure`, `HasCaptures`, `FindsZugzwang`, `ExplainsMoves`, `MayPass`, and
    `plyboard.evaluate.HasEvaluations`.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    players: ClassVar[tuple[str, str]]
    parameters: ClassVar[tuple[Parameter, ...]]

    @property
    def rules(self) -> Rules:
        """The kernels that play it."""

    def parse_move(self, state: State, text: str) -> int:
        """Return the action of a move text in a state; raise `NotationError` if it is no move.

        An action that is illegal in this state may be returned: `illegal_reason` then says why.
        """

    def format_move(self, state: State, action: int) -> str:
        """Return the text of an action in a state, as `parse_move` reads it there.

        Legal actions have different texts. That of an illegal one only appears in messages.
        """

    def illegal_reason(self, state: State, action: int) -> str:
        """Return why an action is illegal in an unfinished game."""

    def parse_position(self, text: str) -> State:
        """Return the state of a position text; raise `NotationError` if it is invalid."""

    def format_position(self, state: State) -> str:
        """Return a state as one line, as `parse_position` reads it."""

    def unreachable_reason(self, state: State) -> str | None:
        """Return why no game can reach this state; None if that is not known."""

    def outcome(self, state: State) -> Outcome | None:
        """Return how the game ended, or None while it goes on."""

    def picture(self, state: State) -> Picture:
        """Return the picture of the board."""


@runtime_checkable
class HasNotation(Protocol):
    """A game that describes the notation of its moves."""

    notation: ClassVar[str]  # completes the sentence "A move is "


@runtime_checkable
class HasModifiers(Protocol):
    """A game that names the modifiers of its moves."""

    modifiers: ClassVar[tuple[Modifier, ...]]


@runtime_checkable
class HasClicks(Protocol):
    """A game that says how its moves are entered by clicks, where their texts name no cells."""

    def clicks(self, state: State, action: int) -> tuple[Cell, ...]:
        """Return the cells to click for a legal action, in order; none if it has a button.

        A move from one cell to another is both. A move may have more, such as a piece to remove.
        """


@runtime_checkable
class MarksLastMove(Protocol):
    """A game that marks other cells as the last move than all that changed."""

    def last_cells(self, state: State, action: int) -> frozenset[Cell]:
        """Return the cells to mark after a legal action."""


@runtime_checkable
class HasPositionSettings(Protocol):
    """A game whose position texts hold more than the board and the player to move."""

    @property
    def position_settings(self) -> tuple[PositionSetting, ...]:
        """What follows the player to move, in order."""


@runtime_checkable
class NamesSymbols(Protocol):
    """A game that says what symbols mean which are neither a piece of a player nor empty."""

    symbol_names: ClassVar[Mapping[str, str]]


@runtime_checkable
class HasRulesPage(Protocol):
    """A game that explains its rules to players on one screen, whether they type or click."""

    @property
    def rules_page(self) -> Page:
        """The aim, the moves, the end and special cases, each with a heading."""


@runtime_checkable
class HasLegend(Protocol):
    """A game that says what the symbols on a printed board mean."""

    legend: ClassVar[str]


@runtime_checkable
class HasLessons(Protocol):
    """A game that shows its rules on boards, one at a time."""

    lessons: ClassVar[tuple[Lesson, ...]]


@runtime_checkable
class HasSampleMoves(Protocol):
    """A game with moves that lead to a typical position, for a small picture of it."""

    sample_moves: ClassVar[str]


@runtime_checkable
class HasLevels(Protocol):
    """A game in which the levels of the engine were measured."""

    levels: ClassVar[tuple[Level, ...]]  # ten, from the weakest on; the last one is `FULL`


@runtime_checkable
class HasLines(Protocol):
    """A game that is won by a straight line of pieces."""

    line: int  # how many pieces make one


@runtime_checkable
class HasPointMeasure(Protocol):
    """A game that says how its points are counted in words."""

    point_measure: ClassVar[PointMeasure]


@runtime_checkable
class HasCaptures(Protocol):
    """A game in which a move can capture cells."""

    def captured_cells(self, state: State, action: int) -> frozenset[Cell]:
        """Return the cells that a legal action captures."""


@runtime_checkable
class FindsZugzwang(Protocol):
    """A game in which a player may be forced to play below a threat, once other cells are full."""

    def zugzwang_threats(self, state: State, player: int) -> frozenset[Cell]:
        """Return the cells of a player's threats below which the opponent will have to play."""


@runtime_checkable
class ExplainsMoves(Protocol):
    """A game that explains its moves to players in words."""

    def moves_page(self, state: State) -> Page:
        """Return what can be typed in an unfinished game, and what it does."""

    def explain_refusal(self, state: State, text: str) -> str:
        """Return why a text is not a legal move in an unfinished game, and what would work."""


@runtime_checkable
class MayPass(Protocol):
    """A game in which a tournament may take a turn from a player; the rules have no pass."""

    def passed(self, state: State) -> State:
        """Return the same state with the other player to move."""


def values_of(game: Game) -> Mapping[str, int]:
    """Return the value of each parameter of a game."""
    return {parameter.name: getattr(game, parameter.name) for parameter in game.parameters}


def spec_of(game: Game) -> str:
    """Return the spec of a game."""
    return write_spec(game.name, game.parameters, values_of(game))
