/** The games of the server, asked for once. */

/** @import { Connection } from "./connection.js" */
/** @import { GameKind } from "./protocol.js" */

/** @type {Promise<GameKind[]> | null} */
let games = null;

/**
 * @param {Connection} connection
 * @returns {Promise<GameKind[]>}
 */
export function gameKinds(connection) {
	games ??= connection.request({ t: "games" }).then((answer) => answer.games);
	return games;
}
