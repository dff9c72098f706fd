/** What this browser remembers: its seats, the settings of its games, and the player's name. */

/** @import { GameSettings } from "./protocol.js" */
/** @typedef {{tokens: Record<string, string>, settings?: GameSettings}} OwnGame */

const GAMES = "plyboard.games";
const NAME = "plyboard.name";
const SOUND = "plyboard.sound";
const MOST_GAMES = 200;

/** @returns {Record<string, OwnGame>} */
function load() {
	try {
		return JSON.parse(localStorage.getItem(GAMES) ?? "{}");
	} catch {
		return {};
	}
}

/**
 * Return what is known about a game.
 *
 * @param {string} game
 * @returns {OwnGame}
 */
export function ownGame(game) {
	return load()[game] ?? { tokens: {} };
}

/**
 * Keep the token of a seat, and the settings of the game if it was made here.
 *
 * @param {string} game
 * @param {number} player
 * @param {string} token
 * @param {GameSettings} [settings]
 */
export function keepSeat(game, player, token, settings) {
	const { [game]: known, ...others } = load();
	const tokens = { ...known?.tokens, [player]: token };
	const kept = Object.entries(others).slice(1 - MOST_GAMES);
	const all = { ...Object.fromEntries(kept), [game]: { settings, ...known, tokens } };
	save(GAMES, JSON.stringify(all));
}

/**
 * Forget a token that the server does not accept.
 *
 * @param {string} game
 * @param {string} token
 */
export function dropSeat(game, token) {
	const all = load();
	const known = all[game];
	if (!known) return;
	const tokens = Object.entries(known.tokens).filter(([, each]) => each !== token);
	all[game] = { ...known, tokens: Object.fromEntries(tokens) };
	save(GAMES, JSON.stringify(all));
}

export function playerName() {
	return read(NAME);
}

/** @param {string} name */
export function keepPlayerName(name) {
	save(NAME, name);
}

export function isSoundOn() {
	return read(SOUND) === "on";
}

/** @param {boolean} isOn */
export function keepSound(isOn) {
	save(SOUND, isOn ? "on" : "off");
}

/** @param {string} key */
function read(key) {
	try {
		return localStorage.getItem(key) ?? "";
	} catch {
		return "";
	}
}

/** @param {string} key @param {string} text */
function save(key, text) {
	try {
		localStorage.setItem(key, text);
	} catch {
		// The browser forbids storage: the seat lasts as long as the page.
	}
}
