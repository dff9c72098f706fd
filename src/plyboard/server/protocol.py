"""The messages between clients and the server, one JSON object each. See docs/protocol.md.

Each message has a type in `t`. Each message of a client has an `id`; the answer repeats it in
`re`. Unknown fields and wrong types are refused.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from plyboard.server.game.decisions import Command
from plyboard.server.limits import DEFAULT_LIMITS

VERSION = 1
REPLACED = 4009  # the code that closes a socket whose seat or token others have now

REQUEST_ID = r"^[A-Za-z0-9_-]{1,64}\Z"
RequestId = Annotated[str, msgspec.Meta(pattern=REQUEST_ID)]
GameId = Annotated[str, msgspec.Meta(max_length=64)]  # of any form: a wrong one names no game
Token = Annotated[str, msgspec.Meta(min_length=43, max_length=43)]
OwnToken = Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9_-]{43}\Z")]
Name = Annotated[str, msgspec.Meta(max_length=DEFAULT_LIMITS.name_length)]
Sequence = Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]
Text = Annotated[str, msgspec.Meta(max_length=1000)]
RowText = Annotated[str, msgspec.Meta(max_length=64)]
MoveText = Annotated[str, msgspec.Meta(max_length=20)]
Player = Annotated[int, msgspec.Meta(ge=0, le=1)]


class Request(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="t"):
    """Base of the messages of clients."""

    id: RequestId


class Hello(Request, frozen=True, tag="hello"):
    """The first message of a socket."""

    version: int


class SeatChoice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who plays one side of a new game: the sender, an agent, or whoever joins."""

    kind: Literal["me", "agent", "open"]
    agent: Annotated[str, msgspec.Meta(max_length=200)] = ""
    name: Name = ""


class CreateGame(Request, frozen=True, tag="create"):
    """Make a new game. A repeated request gives the same one, with an own token on any socket."""

    game: Annotated[str, msgspec.Meta(max_length=200)]
    seats: tuple[SeatChoice, SeatChoice]
    start: Text = ""
    clock: Annotated[str, msgspec.Meta(max_length=30)] = ""
    public: bool = False
    token: OwnToken | None = None


class Watch(Request, frozen=True, tag="watch"):
    """Get a game and all its events from now on; with a token as the player of that seat."""

    game: GameId
    token: Token | None = None


class Unwatch(Request, frozen=True, tag="unwatch"):
    """Get no more events of a game."""

    game: GameId


class Sit(Request, frozen=True, tag="sit"):
    """Take the open seat of a game; with a token of your own a repeated request is harmless."""

    game: GameId
    name: Name = ""
    token: OwnToken | None = None


class Rotate(Request, frozen=True, tag="rotate"):
    """Replace the token of a seat; with a `new` one of your own a repeated request is harmless."""

    game: GameId
    token: Token  # the one that is good until now
    new: OwnToken | None = None


class MakeMove(Request, frozen=True, tag="move"):
    """Make a move in the position after `seq` events."""

    game: GameId
    seq: Sequence
    move: MoveText


class Do(Request, frozen=True, tag="do"):
    """Resign, offer or accept a draw, a takeback or a rematch, decline, or abort."""

    game: GameId
    seq: Sequence
    what: Command


class ListOpen(Request, frozen=True, tag="lobby"):
    """Get the public games that wait for a player."""


class ListFinished(Request, frozen=True, tag="finished"):
    """Get finished games, the newest first."""

    game: Annotated[str, msgspec.Meta(max_length=200)] = ""
    player: Name = ""
    before: Annotated[int, msgspec.Meta(ge=0, le=2**53)] | None = None  # milliseconds since 1970
    most: Annotated[int, msgspec.Meta(ge=1, le=1000)] = 50


class ListGames(Request, frozen=True, tag="games"):
    """Get the games that can be played, with their rules and agents."""


class ShowPosition(Request, frozen=True, tag="position"):
    """Get the board of any position: a game, a start, and moves from there."""

    game: Annotated[str, msgspec.Meta(max_length=200)]
    start: Text = ""
    moves: Annotated[tuple[Text, ...], msgspec.Meta(max_length=400)] = ()  # one or more in each


class EditBoard(Request, frozen=True, tag="edit"):
    """Put a position together: a text, in which rows and settings are replaced if they are given.

    With rows and no settings the other player may come to move, where only that is possible.
    """

    game: Annotated[str, msgspec.Meta(max_length=200)]
    text: Text = ""
    rows: Annotated[tuple[RowText, ...], msgspec.Meta(max_length=64)] | None = None
    settings: Annotated[tuple[MoveText, ...], msgspec.Meta(max_length=16)] | None = None


class Analyse(Request, frozen=True, tag="analyse"):
    """Value every legal move of a position; the answers improve until one is the last."""

    game: Annotated[str, msgspec.Meta(max_length=200)]
    start: Text = ""
    moves: Annotated[tuple[MoveText, ...], msgspec.Meta(max_length=400)] = ()


class ShowReview(Request, frozen=True, tag="review"):
    """Review a game; the answers say how far that is, and the last one has the review."""

    game: Annotated[str, msgspec.Meta(max_length=200)]
    start: Text = ""
    moves: Annotated[tuple[MoveText, ...], msgspec.Meta(max_length=400)] = ()


class ShowTree(Request, frozen=True, tag="tree"):
    """Get the moves below a node of the search tree of a position."""

    game: Annotated[str, msgspec.Meta(max_length=200)]
    start: Text = ""
    moves: Annotated[tuple[MoveText, ...], msgspec.Meta(max_length=400)] = ()
    depth: Annotated[int, msgspec.Meta(ge=1, le=5)] = 3
    path: Annotated[tuple[MoveText, ...], msgspec.Meta(max_length=5)] = ()


class StopAnalysis(Request, frozen=True, tag="stop"):
    """Get no more answers to an analysis or a review."""

    analysis: RequestId


class Ping(Request, frozen=True, tag="ping"):
    """Get an answer."""


ClientMessage = (
    Hello | CreateGame | Watch | Unwatch | Sit | Rotate | MakeMove | Do | ListOpen
    | ListFinished | ListGames | ShowPosition | EditBoard | Analyse | ShowReview | ShowTree
    | StopAnalysis | Ping
)  # fmt: skip


class Answer(msgspec.Struct, frozen=True, tag_field="t", omit_defaults=True):
    """Base of the messages of the server."""


class Welcome(Answer, frozen=True, tag="welcome"):
    """The answer to `hello`."""

    re: str
    version: int
    server: str


class Ack(Answer, frozen=True, tag="ack"):
    """The request was executed, and its effect is on disk."""

    re: str
    seq: int | None = None


class Created(Answer, frozen=True, tag="created"):
    """The answer to `create` and `sit`: the game, the seat, and the token that proves it."""

    re: str
    game: str
    player: int | None = None
    token: str | None = None


class Rotated(Answer, frozen=True, tag="rotated"):
    """The answer to `rotate`: the token that is good from now on."""

    re: str
    game: str
    seq: int
    token: str


class ErrorAnswer(Answer, frozen=True, tag="error"):
    """The request was refused; nothing changed unless an event says so."""

    re: str | None
    code: str
    message: str


class RequestError(Exception):
    """A request that is refused, with the code and the text of the answer."""

    def __init__(self, code: str, message: str) -> None:
        self.code, self.message = code, message
        super().__init__(code, message)


class CellMark(msgspec.Struct, frozen=True, omit_defaults=True):
    """A cell of the board that is marked."""

    row: int
    column: int


class PieceLook(msgspec.Struct, frozen=True, omit_defaults=True):
    """How a symbol is drawn."""

    player: int
    fill: str
    ink: str
    radius: int
    fills: bool = False  # its whole cell; without it the piece is a disc


class Territory(msgspec.Struct, frozen=True):
    """A cell that belongs to a player."""

    row: int
    column: int
    player: int


class ShapeView(msgspec.Struct, frozen=True, omit_defaults=True):
    """A polygon, a line if it is not filled, a circle, or a text around its middle."""

    points: tuple[int, ...] = ()  # x, y, x, y ...
    circle: tuple[int, int, int] | None = None  # x, y, radius
    text: str = ""
    at: tuple[int, int] = (0, 0)
    size: int = 0
    fill: str = ""
    stroke: str = ""
    width: int = 0


class PlaceView(msgspec.Struct, frozen=True):
    """Where a cell is, its size, and the number of its look."""

    row: int
    column: int
    x: int
    y: int
    width: int
    height: int
    look: int


class DrawingView(msgspec.Struct, frozen=True):
    """A board that is no grid of holes, as shapes; those of a look are around its cell's place."""

    width: int
    height: int
    back: tuple[ShapeView, ...]
    names: tuple[ShapeView, ...]
    looks: tuple[tuple[ShapeView, ...], ...]
    places: tuple[PlaceView, ...]


class BoardPicture(msgspec.Struct, frozen=True, omit_defaults=True):
    """A board as it is drawn; the client knows no rules."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    names: tuple[str, ...]
    pieces: dict[str, PieceLook]
    notes: tuple[str, ...] = ()
    line: tuple[CellMark, ...] = ()
    last: tuple[CellMark, ...] = ()
    territory: tuple[Territory, ...] = ()
    ground: str = ""
    hole: str = ""
    drawing: DrawingView | None = None


class LegalMove(msgspec.Struct, frozen=True, omit_defaults=True):
    """A legal move, and the column or cell to click for it with the modifiers that are on.

    The cells of a path are clicked first, such as the one that a piece comes from. Without a column
    the move can only be chosen by its text.
    """

    move: str
    column: int | None = None
    row: int | None = None  # None for any cell of the column
    modifiers: tuple[int, ...] = ()  # their places in the list of modifiers of the game
    lands: int | None = None  # the row where the piece falls to, if it falls
    path: tuple[CellMark, ...] = ()  # the cells to click before


class ModifierView(msgspec.Struct, frozen=True, omit_defaults=True):
    """A choice beside the column or cell of a move, such as a flip."""

    text: str
    label: str
    before: bool = False


class Paragraph(msgspec.Struct, frozen=True):
    """A part of the rules with its heading."""

    heading: str
    text: str


class ParameterView(msgspec.Struct, frozen=True):
    """A parameter of a game, such as its number of columns."""

    name: str
    default: int
    least: int
    most: int


class AgentKind(msgspec.Struct, frozen=True):
    """An agent that plays a game."""

    spec: str
    title: str


class FormatKind(msgspec.Struct, frozen=True):
    """A format in which positions or games are imported and exported."""

    name: str
    title: str


class LessonView(msgspec.Struct, frozen=True):
    """A rule shown on a board: the position after `shown` moves, then the others."""

    title: str
    text: str
    moves: str
    shown: int


class GameKind(msgspec.Struct, frozen=True):
    """A game that can be played here."""

    name: str
    title: str
    summary: str
    players: tuple[str, str]
    parameters: tuple[ParameterView, ...]
    rules: tuple[Paragraph, ...]
    modifiers: tuple[ModifierView, ...]
    agents: tuple[AgentKind, ...]
    formats: tuple[FormatKind, ...]
    lessons: tuple[LessonView, ...]
    sample: str  # the moves of a picture
    board: BoardPicture
    editable: bool  # whether positions can be put together with `edit`


class SeatView(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who plays one side, as everybody may see it."""

    kind: str
    name: str
    symbol: str
    agent: str = ""
    left: float | None = None


class EndView(msgspec.Struct, frozen=True, omit_defaults=True):
    """How a game ended."""

    result: str
    reason: str
    detail: str = ""


class GameView(Answer, frozen=True, tag="game"):
    """A whole game: the answer to `watch` (with `re`), and news of every event (without)."""

    game: str
    seq: Sequence
    spec: str
    title: str
    seats: tuple[SeatView, SeatView]
    moves: tuple[str, ...]
    text: str
    mover: Player
    board: BoardPicture
    legal: tuple[LegalMove, ...] = ()
    modifiers: tuple[ModifierView, ...] = ()
    end: EndView | None = None
    running: Player | None = None  # whose clock runs
    draw_offer: Player | None = None
    takeback_offer: Player | None = None
    rematch_offer: Player | None = None
    next: str = ""  # the id of the rematch
    waiting: bool = False
    start: str = ""
    movers: tuple[Player, ...] = ()  # who made each move
    re: str | None = None
    you: Player | None = None  # your side; the player to move if you play both; None for spectators


class OpenGame(msgspec.Struct, frozen=True):
    """A game in the lobby."""

    game: str
    spec: str
    title: str
    host: str
    clock: str
    here: bool  # whether the host is connected now


class Lobby(Answer, frozen=True, tag="lobby"):
    """The answer to `lobby`."""

    re: str
    games: tuple[OpenGame, ...]


class Catalogue(Answer, frozen=True, tag="games"):
    """The answer to `games`."""

    re: str
    games: tuple[GameKind, ...]


class PositionView(Answer, frozen=True, tag="position"):
    """The answer to `position`."""

    re: str
    spec: str
    moves: tuple[str, ...]
    text: str
    mover: int
    board: BoardPicture
    legal: tuple[LegalMove, ...] = ()
    modifiers: tuple[ModifierView, ...] = ()
    end: EndView | None = None
    movers: tuple[int, ...] = ()  # who made each move


class SymbolView(msgspec.Struct, frozen=True):
    """A symbol that may stand in a cell, and its name."""

    symbol: str
    name: str


class SettingView(msgspec.Struct, frozen=True):
    """A part of a position beside its board, such as the player to move."""

    label: str
    value: str
    values: tuple[str, ...]
    titles: tuple[str, ...]  # what the values mean


class EditedView(Answer, frozen=True, tag="edited"):
    """The answer to `edit`: a board, whether or not it is a possible position."""

    re: str
    spec: str
    text: str
    board: BoardPicture
    symbols: tuple[SymbolView, ...]  # the last one is an empty cell
    settings: tuple[SettingView, ...]
    reason: str = ""  # why it is not a possible position


class FinishedGame(msgspec.Struct, frozen=True):
    """A finished game in a list."""

    game: str
    created: int  # milliseconds since 1970
    spec: str
    first: str
    second: str
    result: str
    reason: str


class FinishedGames(Answer, frozen=True, tag="finished"):
    """The answer to `finished`."""

    re: str
    games: tuple[FinishedGame, ...]


class MoveValue(msgspec.Struct, frozen=True, omit_defaults=True):
    """The value of a move for the player to move."""

    move: str
    text: str  # in words: `win in 7`, `about +0.3`, `+12 points`
    share: float  # the expected result, from 0 to 1
    exact: bool = False
    score: int | None = None  # on the scale of the solver, if that is known
    points: float | None = None  # the lead at the end, in games with points
    depth: int = 0
    line: tuple[str, ...] = ()  # the best play, this move first
    reasons: tuple[str, ...] = ()


class AnalysisView(Answer, frozen=True, tag="analysis"):
    """The values of all moves, the best first; the answers to `analyse`."""

    re: str
    is_last: bool
    values: tuple[MoveValue, ...]
    seconds: float = 0.0
    nodes: int = 0
    share: float | None = None  # what the player to move can expect: from a book, or the best move
    text: str = ""  # the same in words


class ReviewedMove(msgspec.Struct, frozen=True, omit_defaults=True):
    """A move of a reviewed game."""

    ply: int  # from 1
    move: str
    value: str  # in words, for the player who made it
    exact: bool = False
    mark: str = ""  # `?!`, `?` or `??`
    loss: float = 0.0  # of expected score, from 0 to 1
    points: float = 0.0  # given away, in games with points
    best: str = ""  # a better move, if it has a mark
    best_value: str = ""
    reasons: tuple[str, ...] = ()


class ReviewView(Answer, frozen=True, tag="review"):
    """How far a review is; the last one has all moves. The answers to `review`."""

    re: str
    is_last: bool
    done: int  # positions
    of: int
    is_exact: bool = False  # whether all values are proved
    shares: tuple[float, ...] = ()  # of the graph's height, after each move, from 0 to 1
    labels: tuple[str, ...] = ()  # at the top, in the middle and at the bottom of the graph
    moves: tuple[ReviewedMove, ...] = ()
    worst: tuple[int, ...] = ()  # the plies of the moves with a mark, the worst first


class TreeNode(msgspec.Struct, frozen=True, omit_defaults=True):
    """A move that a search looked at. Values are for the player to move at the root."""

    move: str
    player: int
    value: str = ""
    bound: str = ""  # `<=`, `>=`, or nothing for an exact value
    note: str = ""  # how it got its value
    best: bool = False  # whether it is on the principal variation
    moves: int = 0  # how many are below it, searched or pruned


class PrunedMoves(msgspec.Struct, frozen=True):
    """The moves that a search skipped at a node."""

    moves: tuple[str, ...]
    alpha: str
    beta: str
    why: str


class TreeBranch(msgspec.Struct, frozen=True, omit_defaults=True):
    """The moves below a node."""

    children: tuple[TreeNode, ...]
    pruned: PrunedMoves | None = None


class TreeView(Answer, frozen=True, tag="tree"):
    """The answer to `tree`."""

    re: str
    agent: str
    best: str
    facts: str
    branch: msgspec.Raw  # a `TreeBranch`, encoded


ServerMessage = (
    Welcome | Ack | Created | Rotated | ErrorAnswer | GameView | Lobby | Catalogue | PositionView
    | EditedView | AnalysisView | ReviewView | TreeView | FinishedGames
)  # fmt: skip

_ENCODER = msgspec.json.Encoder()


def decoded_request(value: object) -> ClientMessage:
    """Return the message of a client from parsed JSON; raise `ValueError` if it is not one."""
    message: ClientMessage = msgspec.convert(value, ClientMessage, strict=True)
    return message


def encode_answer(message: ServerMessage) -> str:
    """Return a message of the server as text."""
    return _ENCODER.encode(message).decode()
