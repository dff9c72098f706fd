/** Names and sentences about games. */

/** @import { GameEnd, Seat } from "./protocol.js" */

const REASONS = /** @type {Record<string, string>} */ ({
	line: "with a line",
	resignation: "by resignation",
	time: "on time",
	"illegal move": "by an illegal move",
	fault: "because the agent failed",
	abandoned: "because the game was abandoned",
	agreed: "by agreement",
	full: "The board is full",
	"no action": "No moves are left",
});

/**
 * Return the name of an agent: `engine:level=3` is "Engine level 3".
 * @param {string} spec
 */
export function agentName(spec) {
	const [name = "", settings = ""] = spec.split(":");
	const words = settings.split(",").join(" ").replaceAll("=", " ");
	return `${name.charAt(0).toUpperCase()}${name.slice(1)} ${words}`.trim();
}

/** @param {Seat} seat */
export function seatName(seat) {
	if (seat.kind === "open") return "Open seat";
	if (seat.kind === "agent") return agentName(seat.agent ?? seat.name);
	return personName(seat.name);
}

/** @param {string} name */
export function personName(name) {
	return !name || name === "guest" ? "Guest" : name;
}

/**
 * Return how a game ended, in one sentence.
 * @param {GameEnd} end
 * @param {string[]} names Of the players.
 */
export function endText(end, names) {
	const winner = { "1-0": 0, "0-1": 1 }[end.result];
	const reason = REASONS[end.reason] ?? end.reason;
	const how = /^[A-Z]/.test(reason) ? `. ${reason}` : ` ${reason}`;
	if (winner === undefined) {
		if (end.reason === "abandoned") return `No result: ${end.detail || "abandoned"}`;
		return (end.result === "*" ? "No result" : "Draw") + how;
	}
	return `${names[winner]} ${names[winner] === "You" ? "win" : "wins"}${how}`;
}

/** @param {number} seconds */
export function clockText(seconds) {
	const left = Math.max(0, seconds);
	if (left < 10) return (Math.floor(left * 10) / 10).toFixed(1);
	const whole = Math.ceil(left);
	const minutes = Math.floor(whole / 60) % 60;
	const hours = Math.floor(whole / 3600);
	const rest = String(whole % 60).padStart(2, "0");
	return hours ? `${hours}:${String(minutes).padStart(2, "0")}:${rest}` : `${minutes}:${rest}`;
}

/**
 * Return a time control in words: `180+2` is "3 min + 2 s".
 * @param {string} clock
 */
export function controlText(clock) {
	if (!clock) return "No clock";
	const [base = "", increment = ""] = clock.split("+");
	if (base.endsWith("/move")) return `${base.slice(0, -5)} s per move`;
	const seconds = Number(base);
	const main = seconds % 60 ? `${seconds} s` : `${seconds / 60} min`;
	return Number(increment) ? `${main} + ${increment} s` : main;
}

/**
 * Return a game with its parameters: `connect-four:columns=8` is "columns 8".
 * @param {string} spec
 */
export function parameterText(spec) {
	return (spec.split(":")[1] ?? "").split(",").join(", ").replaceAll("=", " ");
}

/**
 * Return the value of a move in a few characters: the solver's score, points, or a percentage.
 * @param {import("./protocol.js").MoveValue} value
 */
export function valueText({ score, points, share, exact = false }) {
	if (score !== undefined) return signed(score);
	if (points !== undefined) return signed(Math.round(points));
	const percent = Math.round(100 * share);
	return `${exact ? percent : Math.max(1, Math.min(percent, 99))}%`;
}

/** @param {number} number */
function signed(number) {
	return number > 0 ? `+${number}` : String(number).replace("-", "\u2212");
}
