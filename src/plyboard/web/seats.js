/** What this browser remembers: its seats, the settings of its games, and the player's name. */

import { h } from "./dom.js";

/** @import { GameSettings } from "./protocol.js" */
/** @typedef {{players: number[], token: string | null, settings?: GameSettings}} OwnGame */

const GAMES = "plyboard.games";
const NAME = "plyboard.name";
const SOUND = "plyboard.sound";
const MOST_GAMES = 200;
const NAME_LENGTH = 32;

/** @type {Record<string, OwnGame>} */
let games = load();

/** @returns {Record<string, OwnGame>} */
function load() {
	try {
		return JSON.parse(read(GAMES) || "{}");
	} catch {
		return {};
	}
}

/**
 * Return the seats of this browser in a game, with the token that proves them.
 * @param {string} game
 * @returns {OwnGame}
 */
export function ownGame(game) {
	return games[game] ?? { players: [], token: null };
}

/**
 * Keep a seat, or both, and the settings of the game if it was made here.
 * @param {string} game
 * @param {number[]} players
 * @param {string} token
 * @param {GameSettings} [settings]
 */
export function keepSeat(game, players, token, settings) {
	const others = Object.entries({ ...games, ...load() }).filter(([each]) => each !== game);
	games = Object.fromEntries(others.slice(1 - MOST_GAMES));
	games[game] = { players, token, settings };
	save(GAMES, JSON.stringify(games));
}

/** @param {string} game */
export function dropSeat(game) {
	games = { ...games, ...load() };
	delete games[game];
	save(GAMES, JSON.stringify(games));
}

export function playerName() {
	return read(NAME);
}

/** @param {string} name */
export function keepPlayerName(name) {
	save(NAME, name);
}

/** @param {string} id */
export function nameInput(id) {
	const facts = { type: "text", maxlength: NAME_LENGTH, autocomplete: "nickname" };
	return h("input", { id, ...facts, placeholder: "Guest", value: playerName() });
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
