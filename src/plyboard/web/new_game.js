/** Makes new games, and finds the settings that most people want. */

import { keepSeat } from "./seats.js";

/** @import { Connection } from "./connection.js" */
/** @import { Created, GameKind, GameSettings } from "./protocol.js" */

const USUAL_AGENT = "engine:level=3";

/**
 * Return the settings of a game against the engine.
 *
 * @param {GameKind} kind
 * @returns {GameSettings}
 */
export function usualSettings(kind) {
	const agents = kind.agents.map(({ spec }) => spec);
	const agent = agents.includes(USUAL_AGENT) ? USUAL_AGENT : (agents[0] ?? "");
	return { game: kind.name, seats: [{ kind: "me" }, { kind: "agent", agent }] };
}

/**
 * Make a game, keep the seats of this browser, and return the address of its page. A person who
 * plays both sides takes the second seat as a guest would.
 *
 * @param {Connection} connection
 * @param {GameSettings} settings
 * @returns {Promise<string>}
 */
export async function startGame(connection, settings) {
	const [first, second] = settings.seats;
	const isShared = first.kind === "me" && second.kind === "me";
	/** @type {GameSettings["seats"]} */
	const seats = isShared ? [first, { kind: "open" }] : settings.seats;
	/** @type {Created} */
	const made = await connection.request({
		t: "create",
		...settings,
		seats,
		public: !isShared && (settings.public ?? false),
	});
	if (made.player !== undefined && made.token)
		keepSeat(made.game, made.player, made.token, settings);
	if (isShared) {
		const name = second.name ? { name: second.name } : {};
		/** @type {Created} */
		const joined = await connection.request({ t: "sit", game: made.game, ...name });
		if (joined.player !== undefined && joined.token)
			keepSeat(made.game, joined.player, joined.token);
	}
	return `/game/${made.game}`;
}

/**
 * Return the settings with the sides exchanged.
 *
 * @param {GameSettings} settings
 * @returns {GameSettings}
 */
export function swapped(settings) {
	return { ...settings, seats: [settings.seats[1], settings.seats[0]] };
}
