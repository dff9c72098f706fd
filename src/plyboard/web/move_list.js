/** The moves of a game, with buttons to look at past positions. */

import { iconButton } from "./controls.js";
import { drawRows, h, replace, setAttributes } from "./dom.js";

const OWN_ARROWS = "input, select, textarea, .targets, [role=tree]";

/**
 * What has moves and a current position.
 * @typedef {object} Walker
 * @property {(listener: (moves: string[], ply: number) => void) => void} followMoves
 * @property {(ply: number) => void} step Go to the position after so many moves.
 */

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

	walker.followMoves((moves, ply) => {
		now = ply;
		const pairs = moves.flatMap((_, at) => (at % 2 ? [] : [moves.slice(at, at + 2)]));
		drawRows(list, pairs, row);
		if (!moves.length) replace(list, h("li.no-moves", "No moves yet"));
		for (const button of list.querySelectorAll("button"))
			setAttributes(button, { "aria-current": button.dataset.ply === String(now) ? "step" : null });
		for (const button of back) button.disabled = now === 0;
		for (const button of forward) button.disabled = now >= moves.length;
		const current = list.querySelector("[aria-current]")?.closest("li");
		if (current) list.scrollTop = current.offsetTop - list.clientHeight + 2 * current.offsetHeight;
		else if (now === 0) list.scrollTop = 0;
	});

	/** @param {string[]} pair @param {number} index */
	function row(pair, index) {
		const buttons = pair.map((move, at) => {
			const ply = 2 * index + at + 1;
			const label = `Move ${ply}: ${move}`;
			const click = () => walker.step(ply);
			return h("button", { "data-ply": ply, "aria-label": label, click }, move);
		});
		return h("li", h("span.move-number", { "aria-hidden": "true" }, `${index + 1}.`), ...buttons);
	}

	/** @param {KeyboardEvent} event */
	const press = ({ key, target }) => {
		const by = { ArrowLeft: -1, ArrowRight: 1 }[key];
		if (by && target instanceof Element && !target.closest(OWN_ARROWS)) walker.step(now + by);
	};
	return { element, press };
}
