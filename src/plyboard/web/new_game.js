/** Makes new games, and finds the settings that most people want. */

import { connection } from "./connection.js";
import { h } from "./dom.js";
import { go } from "./router.js";
import { keepSeat } from "./seats.js";

/** @import { Created, GameKind, GameSettings } from "./protocol.js" */

const USUAL_AGENT = "engine:level=5";

/** @param {GameKind} kind @returns {GameSettings} */
export function usualSettings(kind) {
	const agents = kind.agents.map(({ spec }) => spec);
	const agent = agents.includes(USUAL_AGENT) ? USUAL_AGENT : (agents[0] ?? "");
	return { game: kind.name, seats: [{ kind: "me" }, { kind: "agent", agent }] };
}

/**
 * Make a game, keep the seats of this browser, and go to its page.
 * @param {GameSettings} settings
 */
export async function startGame(settings) {
	/** @type {Created} */
	const { game, token } = await connection.request({ t: "create", ...settings });
	const mine = [0, 1].filter((player) => settings.seats[player === 1 ? 1 : 0].kind === "me");
	if (token) keepSeat(game, mine, token, settings);
	go(`/game/${game}`);
}

/** @param {GameKind} kind @param {string} text */
export function playButton(kind, text) {
	const label = text === "Play" ? `Play ${kind.title}` : text;
	const button = h("button.button.primary", { "aria-label": label }, text);
	button.addEventListener("click", async () => {
		button.disabled = true;
		await startGame(usualSettings(kind)).finally(() => (button.disabled = false));
	});
	return button;
}

/** @param {GameSettings} settings @returns {GameSettings} */
export function swapped(settings) {
	return { ...settings, seats: [settings.seats[1], settings.seats[0]] };
}
