/** The moves of a game, with buttons to look at past positions. */

import { iconButton } from "./controls.js";
import { drawRows, h, replace, setAttributes } from "./dom.js";

const OWN_ARROWS = "input, select, textarea, .targets, [role=tree]";

/**
 * What has moves and a current position.
 * @typedef {object} Walker
 * @property {(listener: (moves: string[], ply: number, movers: number[]) => void) => void} followMoves
 * @property {(ply: number) => void} step Go to the position after so many moves.
 */

/** @typedef {{move: string, ply: number}} MadeMove */
/**
 * A turn of the first player and one of the second; either may have several moves, or none.
 * @typedef {[MadeMove[], MadeMove[]]} Round
 */

/**
 * Return the rounds of a game. Each begins with a turn of the first player.
 * @param {string[]} moves
 * @param {number[]} movers
 */
export function rounds(moves, movers) {
	/** @type {Round[]} */
	const found = [];
	moves.forEach((move, at) => {
		const mover = movers[at] === 1 ? 1 : 0;
		if (!at || (mover === 0 && movers[at - 1] === 1)) found.push([[], []]);
		found[found.length - 1]?.[mover].push({ move, ply: at + 1 });
	});
	return found;
}

/**
 * Return the number before a move: `3.` for the first player, `3...` for the second.
 * @param {number[]} movers
 * @param {number} ply Of the move, from 1.
 */
export function moveNumber(movers, ply) {
	const made = movers.slice(0, ply);
	return `${rounds(made.map(String), made).length}.${made[ply - 1] === 1 ? ".." : ""}`;
}

/**
 * Return the list, and the handler of keys: arrows that are pressed elsewhere step through it.
 * @param {Walker} walker
 */
export function moveList(walker) {
	const list = h("ol.moves", { "aria-label": "Moves", tabindex: 0 });
	let now = 0;
	const back = [
		iconButton("First position", "first", () => walker.step(0)),
		iconButton("One move back", "back", () => walker.step(now - 1)),
	];
	const forward = [
		iconButton("One move forward", "forward", () => walker.step(now + 1)),
		iconButton("Last position", "last", () => walker.step(Infinity)),
	];
	const label = { role: "group", "aria-label": "Past positions" };
	const bar = h("div.steps", label, ...back, ...forward);
	const element = h("section.move-list", { "aria-label": "Moves" }, list, bar);

	walker.followMoves((moves, ply, movers) => {
		now = ply;
		drawRows(list, rounds(moves, movers), row);
		if (!moves.length) replace(list, h("li.no-moves", "No moves yet"));
		for (const button of list.querySelectorAll("button"))
			setAttributes(button, { "aria-current": button.dataset.ply === String(now) ? "step" : null });
		for (const button of back) button.disabled = now === 0;
		for (const button of forward) button.disabled = now >= moves.length;
		const current = list.querySelector("[aria-current]")?.closest("li");
		if (current) list.scrollTop = current.offsetTop - list.clientHeight + 2 * current.offsetHeight;
		else if (now === 0) list.scrollTop = 0;
	});

	/** @param {Round} round @param {number} index */
	function row(round, index) {
		const turns = round.map((turn) => h("span.turn", ...turn.map(button)));
		return h("li", h("span.move-number", { "aria-hidden": "true" }, `${index + 1}.`), ...turns);
	}

	/** @param {MadeMove} made */
	function button({ move, ply }) {
		const click = () => walker.step(ply);
		return h("button", { "data-ply": ply, "aria-label": `Move ${ply}: ${move}`, click }, move);
	}

	/** @param {KeyboardEvent} event */
	const press = ({ key, target }) => {
		const by = { ArrowLeft: -1, ArrowRight: 1 }[key];
		if (by && target instanceof Element && !target.closest(OWN_ARROWS)) walker.step(now + by);
	};
	return { element, press };
}
