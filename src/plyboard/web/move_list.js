/** The moves of a game, with buttons to look at past positions. */

import { iconButton } from "./controls.js";
import { h, replace, setAttributes } from "./dom.js";

/** @import { IconName } from "./controls.js" */

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
	const step = (
		/** @type {string} */ label,
		/** @type {IconName} */ name,
		/** @type {() => number} */ to,
	) => iconButton(label, name, () => walker.step(to()));
	const back = [
		step("First position", "first", () => 0),
		step("One move back", "back", () => now - 1),
	];
	const forward = [
		step("One move forward", "forward", () => now + 1),
		step("Last position", "last", () => Infinity),
	];
	const bar = h(
		"div.steps",
		{ role: "group", "aria-label": "Past positions" },
		...back,
		...forward,
	);
	const element = h("section.move-list", { "aria-label": "Moves" }, list, bar);
	let drawn = "";

	walker.followMoves((moves, ply) => {
		now = ply;
		if (moves.join() !== drawn || !list.childElementCount) {
			drawn = moves.join();
			replace(list, ...rows(walker, moves));
		}
		for (const button of list.querySelectorAll("button"))
			setAttributes(button, { "aria-current": button.dataset.ply === String(now) ? "step" : null });
		for (const button of back) button.disabled = now === 0;
		for (const button of forward) button.disabled = now >= moves.length;
		const current = list.querySelector("[aria-current]")?.closest("li");
		if (current) list.scrollTop = current.offsetTop - list.clientHeight + 2 * current.offsetHeight;
		else if (now === 0) list.scrollTop = 0;
	});
	/** @param {KeyboardEvent} event */
	const press = ({ key, target }) => {
		const by = { ArrowLeft: -1, ArrowRight: 1 }[key];
		if (by && target instanceof Element && !target.closest(OWN_ARROWS)) walker.step(now + by);
	};
	return { element, press };
}

/** @param {Walker} walker @param {string[]} moves */
function rows(walker, moves) {
	if (!moves.length) return [h("li.no-moves", "No moves yet")];
	const pairs = Math.ceil(moves.length / 2);
	return Array.from({ length: pairs }, (_, index) => {
		const plies = [2 * index, 2 * index + 1].filter((ply) => ply < moves.length);
		const buttons = plies.map((ply) =>
			h(
				"button",
				{
					"data-ply": ply + 1,
					"aria-label": `Move ${ply + 1}: ${moves[ply]}`,
					click: () => walker.step(ply + 1),
				},
				moves[ply],
			),
		);
		return h("li", h("span.move-number", { "aria-hidden": "true" }, `${index + 1}.`), ...buttons);
	});
}
