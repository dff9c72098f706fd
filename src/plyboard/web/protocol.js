/**
 * Types of the messages of the server. docs/protocol.md describes them.
 *
 * @typedef {{row: number, column: number}} Cell
 * @typedef {{player: number, fill: string, ink: string, radius: number}} PieceLook
 * @typedef {{row: number, column: number, player: number}} Territory
 *
 * @typedef {object} BoardPicture
 * @property {string[]} rows Symbols, the top row first.
 * @property {string[]} columns Names of the columns.
 * @property {string[]} names Names of the rows; none where moves name only columns.
 * @property {Record<string, PieceLook>} pieces
 * @property {string[]} [notes]
 * @property {Cell[]} [line]
 * @property {Cell[]} [last]
 * @property {Territory[]} [territory]
 * @property {string} [ground]
 * @property {string} [hole]
 *
 * @typedef {{move: string, column?: number, row?: number, modifiers?: number[]}} LegalMove
 * @typedef {{text: string, label: string, before?: boolean}} Modifier
 * @typedef {{heading: string, text: string}} Paragraph
 * @typedef {{name: string, default: number, least: number, most: number}} Parameter
 * @typedef {{spec: string, title: string}} AgentKind
 *
 * @typedef {object} GameKind
 * @property {string} name
 * @property {string} title
 * @property {string} summary
 * @property {[string, string]} players Symbols of the players.
 * @property {Parameter[]} parameters
 * @property {Paragraph[]} rules
 * @property {Modifier[]} modifiers
 * @property {AgentKind[]} agents
 * @property {BoardPicture} board
 *
 * @typedef {object} Seat
 * @property {"person" | "agent" | "open"} kind
 * @property {string} name
 * @property {string} symbol
 * @property {string} [agent]
 * @property {number} [left] Seconds left on the clock.
 *
 * @typedef {{result: string, reason: string, detail?: string}} GameEnd
 *
 * @typedef {object} PositionFields
 * @property {string} spec
 * @property {string[]} moves
 * @property {string} text
 * @property {number} mover
 * @property {BoardPicture} board
 * @property {LegalMove[]} [legal]
 * @property {Modifier[]} [modifiers]
 * @property {GameEnd} [end]
 *
 * @typedef {PositionFields & {t: "position"}} PositionView
 *
 * @typedef {object} GameFields
 * @property {"game"} t
 * @property {string} game
 * @property {number} seq
 * @property {string} title
 * @property {[Seat, Seat]} seats
 * @property {number} [running] The player whose clock runs.
 * @property {number} [draw_offer]
 * @property {number} [takeback_offer]
 * @property {boolean} [waiting]
 * @property {string} [start]
 * @property {number} [you] The seat of this socket.
 *
 * @typedef {PositionFields & GameFields} GameView
 *
 * @typedef {{kind: "me" | "agent" | "open", agent?: string, name?: string}} SeatChoice
 *
 * @typedef {object} GameSettings
 * @property {string} game
 * @property {[SeatChoice, SeatChoice]} seats
 * @property {string} [clock]
 * @property {boolean} [public]
 *
 * @typedef {{game: string, start?: string, moves: string[]}} PositionRequest
 *
 * @typedef {object} MoveValue
 * @property {string} move
 * @property {string} text In words.
 * @property {number} share The expected result for the player to move, from 0 to 1.
 * @property {boolean} [exact]
 * @property {number} [score] On the scale of the solver.
 * @property {number} [depth]
 * @property {string[]} [line] The best play, this move first.
 * @property {string[]} [reasons]
 *
 * @typedef {object} AnalysisView
 * @property {"analysis"} t
 * @property {boolean} is_last
 * @property {MoveValue[]} values The best first.
 * @property {number} [seconds]
 * @property {number} [nodes]
 *
 * @typedef {object} FinishedGame
 * @property {string} game
 * @property {number} created Milliseconds since 1970.
 * @property {string} spec
 * @property {string} first
 * @property {string} second
 * @property {string} result
 * @property {string} reason
 *
 * @typedef {{t: "created", game: string, player?: number, token?: string}} Created
 * @typedef {{game: string, spec: string, title: string, host: string, clock: string}} OpenGame
 */

export const VERSION = 1;
