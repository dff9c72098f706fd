/** Moves discs from one picture to the next: short, interruptible, and not if motion is unwanted. */

/** @import { Layout } from "./board.js" */
/** @import { BoardPicture } from "./protocol.js" */
/** @typedef {{row: number, column: number, from: number}} Fall */
/**
 * @typedef {object} Motion
 * @property {boolean} isTurn Whether the board is turned upside down.
 * @property {Fall[]} falls Discs that come from another row; -1 is above the board.
 * @property {string[]} fresh Cells, as "row,column", with something new in them.
 * @property {number[]} slides Columns that lost their lowest disc.
 */

const UNIT = 100;
const LONGEST = 340; // milliseconds
const still = window.matchMedia("(prefers-reduced-motion: reduce)");

/**
 * Return how the second picture follows from the first, as far as their cells show it.
 *
 * @param {BoardPicture} before
 * @param {BoardPicture} after
 * @returns {Motion | null}
 */
export function motionOf(before, after) {
	if (before.rows.length !== after.rows.length || before.columns.length !== after.columns.length)
		return null;
	const fresh = freshCells(before, after);
	const nothing = { isTurn: false, falls: [], fresh: [], slides: [] };
	if (after.names.length) return fresh.length ? { ...nothing, fresh } : null;
	if (!fresh.length && before.rows.join() === after.rows.join()) return null;
	const pairs = after.columns.map((_, column) => [stack(before, column), stack(after, column)]);
	const steps = pairs.map(([old = "", now = ""]) => step(old, now));
	if (steps.every((each) => each !== null)) {
		const falls = steps.flatMap((each, column) => fallsOf(each, column, after.rows.length, pairs));
		const slides = steps.flatMap((each, column) => (each === "slide" ? [column] : []));
		return { ...nothing, falls, slides };
	}
	if (pairs.every(([old = "", now = ""]) => isTurned(old, now)))
		return { ...nothing, isTurn: true };
	return { ...nothing, fresh };
}

/**
 * Return the discs of a column, the lowest first.
 *
 * @param {BoardPicture} picture
 * @param {number} column
 */
function stack(picture, column) {
	const symbols = picture.rows.map((row) => row[column] ?? "").reverse();
	return symbols.filter((symbol) => symbol in picture.pieces).join("");
}

/**
 * @param {string} old
 * @param {string} now
 * @returns {"same" | "drop" | "slide" | null}
 */
function step(old, now) {
	if (old === now) return "same";
	if (now.length === old.length + 1 && now.startsWith(old)) return "drop";
	if (now === old.slice(1)) return "slide";
	return null;
}

/**
 * @param {string | null | undefined} kind
 * @param {number} column
 * @param {number} rows
 * @param {string[][]} pairs
 * @returns {Fall[]}
 */
function fallsOf(kind, column, rows, pairs) {
	const height = pairs[column]?.[1]?.length ?? 0;
	if (kind === "drop") return [{ row: rows - height, column, from: -1 }];
	if (kind !== "slide") return [];
	return Array.from({ length: height }, (_, index) => {
		const row = rows - 1 - index;
		return { row, column, from: row - 1 };
	});
}

/**
 * Return whether a column may have been turned upside down, with at most one new disc.
 *
 * @param {string} old
 * @param {string} now
 */
function isTurned(old, now) {
	const turned = [...old].reverse().join("");
	const added = now.length === old.length + 1;
	if (!added) return now === turned || now === old;
	return [turned, old].some((base) => now.startsWith(base) || now.endsWith(base));
}

/**
 * @param {BoardPicture} before
 * @param {BoardPicture} after
 */
function freshCells(before, after) {
	const owner = (
		/** @type {BoardPicture} */ picture,
		/** @type {number} */ row,
		/** @type {number} */ column,
	) => (picture.territory ?? []).find((cell) => cell.row === row && cell.column === column)?.player;
	return after.rows.flatMap((symbols, row) =>
		[...symbols].flatMap((symbol, column) =>
			symbol !== before.rows[row]?.[column] ||
			owner(before, row, column) !== owner(after, row, column)
				? [`${row},${column}`]
				: [],
		),
	);
}

/**
 * Play a motion. The new body is drawn in its final state already, so that nothing is lost if the
 * next picture comes first.
 *
 * @param {Motion} motion
 * @param {SVGGElement} before
 * @param {SVGGElement} after
 * @param {SVGGElement} marks
 * @param {Layout} layout
 */
export function animate(motion, before, after, marks, layout) {
	if (still.matches || document.visibilityState !== "visible") return;
	if (motion.isTurn) turn(before, after, layout);
	for (const fall of motion.falls) drop(fall, after);
	for (const column of motion.slides) leave(column, before, after, layout);
	motion.fresh.forEach((cell) => appear(cell, after));
	marks.animate([{ opacity: 0 }, { opacity: 0, offset: 0.8 }, { opacity: 1 }], LONGEST);
}

/**
 * @param {Fall} fall
 * @param {SVGGElement} body
 */
function drop({ row, column, from }, body) {
	const disc = body.querySelector(`.place[data-cell="${row},${column}"] .disc`);
	const distance = (row - from) * UNIT;
	const duration = Math.min(LONGEST, 110 + 40 * (row - from));
	disc?.animate([{ transform: `translateY(${-distance}px)` }, { transform: "translateY(0)" }], {
		duration,
		easing: "cubic-bezier(.5, 0, .9, .6)",
	});
}

/**
 * Let the lowest disc of a column leave the board.
 *
 * @param {number} column
 * @param {SVGGElement} before
 * @param {SVGGElement} after
 * @param {Layout} layout
 */
function leave(column, before, after, layout) {
	const old = before.querySelector(`.place[data-cell="${layout.rows - 1},${column}"]`);
	const gone = old?.cloneNode(true);
	if (!(gone instanceof SVGGElement)) return;
	after.querySelector(".discs")?.append(gone);
	const fall = [{ transform: "translateY(0)" }, { transform: `translateY(${UNIT}px)` }];
	const moving = gone.querySelector(".disc")?.animate(fall, { duration: 180, easing: "ease-in" });
	moving?.finished.catch(() => {}).finally(() => gone.remove());
}

/**
 * @param {string} cell
 * @param {SVGGElement} body
 */
function appear(cell, body) {
	for (const part of body.querySelectorAll(`.place[data-cell="${cell}"] .disc`))
		part.animate(
			[
				{ transform: "scale(.3)", opacity: 0 },
				{ transform: "scale(1)", opacity: 1 },
			],
			{ duration: 180, easing: "cubic-bezier(.2, .8, .3, 1.2)" },
		);
	for (const part of body.querySelectorAll(`.territory[data-cell="${cell}"]`))
		part.animate([{ opacity: 0 }, { opacity: 1 }], { duration: LONGEST, easing: "ease-out" });
}

/**
 * Turn the board around its horizontal axis: the old side closes, then the new one opens.
 *
 * @param {SVGGElement} before
 * @param {SVGGElement} after
 * @param {Layout} layout
 */
function turn(before, after, layout) {
	const half = LONGEST / 2;
	const middle = layout.top + (layout.rows * UNIT) / 2;
	const origin = `${layout.width / 2}px ${middle}px`;
	before.style.transformOrigin = origin;
	after.style.transformOrigin = origin;
	after.before(before);
	const close = before.animate([{ transform: "scaleY(1)" }, { transform: "scaleY(0)" }], {
		duration: half,
		easing: "ease-in",
		fill: "forwards",
	});
	close.finished.catch(() => {}).finally(() => before.remove());
	after.animate([{ transform: "scaleY(0)" }, { transform: "scaleY(1)" }], {
		duration: half,
		delay: half,
		easing: "ease-out",
		fill: "backwards",
	});
}
