/** The games of the server, asked for once. */

import { connection } from "./connection.js";

/** @import { GameKind } from "./protocol.js" */

/** @type {Promise<GameKind[]> | null} */
let games = null;

/** @returns {Promise<GameKind[]>} */
export function gameKinds() {
	games ??= connection.request({ t: "games" }).then((answer) => answer.games);
	return games;
}
