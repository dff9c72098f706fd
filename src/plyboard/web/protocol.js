/**
 * Types of the messages of the server. docs/protocol.md describes them.
 * @typedef {{row: number, column: number}} Cell
 * @typedef {{player: number, fill: string, ink: string, radius: number, fills?: boolean}} PieceLook
 * @typedef {{
 *   points?: number[], circle?: [number, number, number], text?: string, at?: [number, number],
 *   size?: number, fill?: string, stroke?: string, width?: number
 * }} Shape
 * @typedef {Cell & {x: number, y: number, width: number, height: number, look: number}} Place
 * @typedef {{
 *   width: number, height: number, back: Shape[], names: Shape[], looks: Shape[][], places: Place[]
 * }} Drawing
 * @typedef {{
 *   rows: string[], columns: string[], names: string[], pieces: Record<string, PieceLook>,
 *   notes?: string[], line?: Cell[], last?: Cell[], territory?: (Cell & {player: number})[], ground?: string,
 *   hole?: string, drawing?: Drawing
 * }} BoardPicture
 * @typedef {{
 *   move: string, column?: number, row?: number, modifiers?: number[], lands?: number, path?: Cell[]
 * }} LegalMove
 * @typedef {{text: string, label: string, before?: boolean}} Modifier
 * @typedef {{name: string, default: number, least: number, most: number}} Parameter
 * @typedef {{title: string, text: string, moves: string, shown: number}} Lesson
 * @typedef {{
 *   name: string, title: string, summary: string, players: [string, string],
 *   parameters: Parameter[], rules: {heading: string, text: string}[], modifiers: Modifier[], agents: {spec: string, title: string}[],
 *   formats: {name: string, title: string}[], lessons: Lesson[], sample: string, board: BoardPicture,
 *   editable: boolean
 * }} GameKind
 * @typedef {{
 *   kind: "person" | "agent" | "open", name: string, symbol: string, agent?: string,
 *   left?: number
 * }} Seat
 * @typedef {{result: string, reason: string, detail?: string}} GameEnd
 * @typedef {{
 *   spec: string, moves: string[], text: string, mover: 0 | 1, board: BoardPicture,
 *   legal?: LegalMove[], modifiers?: Modifier[], end?: GameEnd, movers?: number[]
 * }} PositionView
 * @typedef {{
 *   text: string, board: BoardPicture, symbols: {symbol: string, name: string}[],
 *   settings: {label: string, value: string, values: string[], titles: string[]}[], reason?: string
 * }} EditedView
 * @typedef {{
 *   game: string, seq: number, title: string, seats: [Seat, Seat], running?: number,
 *   draw_offer?: number, takeback_offer?: number, rematch_offer?: number, next?: string,
 *   waiting?: boolean, start?: string, you?: number
 * }} GameFields
 * @typedef {PositionView & GameFields} GameView
 * @typedef {{kind: "me" | "agent" | "open", agent?: string, name?: string}} SeatChoice
 * @typedef {{
 *   game: string, seats: [SeatChoice, SeatChoice], start?: string, clock?: string, public?: boolean
 * }} GameSettings
 * @typedef {{game: string, start?: string, moves: string[]}} PositionRequest
 * @typedef {{
 *   move: string, text: string, share: number, exact?: boolean, score?: number, points?: number,
 *   depth?: number, line?: string[], reasons?: string[]
 * }} MoveValue
 * @typedef {{
 *   is_last: boolean, values: MoveValue[], seconds?: number, nodes?: number, share?: number,
 *   text?: string
 * }} AnalysisView
 * @typedef {{
 *   ply: number, move: string, value: string, exact?: boolean, mark?: "?!" | "?" | "??",
 *   loss?: number, points?: number, best?: string, best_value?: string, reasons?: string[]
 * }} ReviewedMove
 * @typedef {{
 *   is_last: boolean, done: number, of: number, is_exact?: boolean, shares?: number[],
 *   labels?: string[], moves?: ReviewedMove[], worst?: number[]
 * }} ReviewView
 * @typedef {{
 *   move: string, player: number, value?: string, bound?: "<=" | ">=", note?: string,
 *   best?: boolean, moves?: number
 * }} TreeNode
 * @typedef {{moves: string[], alpha: string, beta: string, why: string}} PrunedMoves
 * @typedef {{children: TreeNode[], pruned?: PrunedMoves}} TreeBranch
 * @typedef {{agent: string, best: string, facts: string, branch: TreeBranch}} TreeView
 * @typedef {{
 *   game: string, created: number, spec: string, first: string, second: string, result: string,
 *   reason: string
 * }} FinishedGame
 * @typedef {{game: string, player?: number, token?: string}} Created
 * @typedef {{game: string, spec: string, title: string, host: string, clock: string,
 *   here: boolean}} OpenGame
 */

export const VERSION = 1;
