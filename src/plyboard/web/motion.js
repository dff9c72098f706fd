/** Moves discs from one picture to the next: short, interruptible, and not if motion is unwanted. */

/** @import { Layout } from "./board.js" */
/** @import { BoardPicture } from "./protocol.js" */

const UNIT = 100;
const LONGEST = 340; // milliseconds
const still = window.matchMedia("(prefers-reduced-motion: reduce)");

/**
 * Show how the second picture follows from the first, as far as their cells tell. The new body is
 * drawn in its final state already, so that nothing is lost if the next picture comes first.
 * @param {[BoardPicture, BoardPicture]} pictures
 * @param {SVGGElement} before
 * @param {SVGGElement} after
 * @param {SVGGElement} marks
 * @param {Layout} layout
 */
export function animate([old, now], before, after, marks, layout) {
	const isSameBoard = old.rows.length === layout.rows && old.columns.length === layout.columns;
	if (still.matches || document.visibilityState !== "visible" || !isSameBoard) return;
	const [were, are] = [looks(old), looks(now)];
	const fresh = [...are.keys()].filter((cell) => were.get(cell) !== are.get(cell));
	if (!fresh.length) return;
	marks.animate([{ opacity: 0 }, { opacity: 0, offset: 0.8 }, { opacity: 1 }], LONGEST);
	const stacks = now.columns.map((_, column) => [stack(old, column), stack(now, column)]);
	const isMove = !layout.hasCells && stacks.every(isStep);
	if (!isMove && !layout.hasCells && stacks.every(isTurned)) return turn();
	if (!isMove) return fresh.forEach(appear);
	stacks.forEach(([lower = "", upper = ""], column) => {
		const top = layout.rows - upper.length;
		if (upper.length > lower.length) fall(top, column, top + 1);
		if (upper.length >= lower.length) return;
		for (let row = top; row < layout.rows; row += 1) fall(row, column, 1);
		leave(column);
	});

	/** @param {number} row @param {number} column @param {number} rows How far. */
	function fall(row, column, rows) {
		const disc = after.querySelector(`.place[data-cell="${row},${column}"] .disc`);
		disc?.animate([{ transform: `translateY(${-rows * UNIT}px)` }, { transform: "none" }], {
			duration: Math.min(LONGEST, 110 + 40 * rows),
			easing: "cubic-bezier(.5, 0, .9, .6)",
		});
	}

	/** @param {number} column Whose lowest disc leaves the board. */
	function leave(column) {
		const gone = before.querySelector(`.place[data-cell="${layout.rows - 1},${column}"]`);
		if (!gone) return;
		after.querySelector(".discs")?.append(gone);
		const down = [{ transform: "none" }, { transform: `translateY(${UNIT}px)` }];
		const moving = gone.querySelector(".disc")?.animate(down, { duration: 180, easing: "ease-in" });
		moving?.finished.catch(() => {}).finally(() => gone.remove());
	}

	/** @param {string} cell */
	function appear(cell) {
		const grow = { transform: ["scale(.3)", "none"], opacity: [0, 1] };
		for (const part of after.querySelectorAll(`.place[data-cell="${cell}"] .disc`))
			part.animate(grow, { duration: 180, easing: "cubic-bezier(.2, .8, .3, 1.2)" });
		for (const part of after.querySelectorAll(`.territory[data-cell="${cell}"]`))
			part.animate({ opacity: [0, 1] }, { duration: LONGEST, easing: "ease-out" });
	}

	/** Turn the board around its horizontal axis: the old side closes, then the new one opens. */
	function turn() {
		const half = LONGEST / 2;
		const origin = `${layout.width / 2}px ${layout.top + (layout.rows * UNIT) / 2}px`;
		for (const side of [before, after]) side.style.transformOrigin = origin;
		after.before(before);
		const close = { transform: ["none", "scaleY(0)"] };
		const closing = before.animate(close, { duration: half, easing: "ease-in", fill: "forwards" });
		closing.finished.catch(() => {}).finally(() => before.remove());
		const open = { transform: ["scaleY(0)", "none"] };
		after.animate(open, { duration: half, delay: half, easing: "ease-out", fill: "backwards" });
	}
}

/**
 * Return the discs of a column, the lowest first.
 * @param {BoardPicture} picture
 * @param {number} column
 */
function stack(picture, column) {
	const symbols = picture.rows.map((row) => row[column] ?? "").reverse();
	return symbols.filter((symbol) => symbol in picture.pieces).join("");
}

/** @param {string[]} stacks Whether a disc came on top or left at the bottom, or nothing changed. */
function isStep([old = "", now = ""]) {
	const isDrop = now.length === old.length + 1 && now.startsWith(old);
	return old === now || isDrop || now === old.slice(1);
}

/** @param {string[]} stacks Whether a column may have been turned, with at most one new disc. */
function isTurned([old = "", now = ""]) {
	const turned = [...old].reverse().join("");
	if (now.length !== old.length + 1) return now === turned || now === old;
	return [turned, old].some((base) => now.startsWith(base) || now.endsWith(base));
}

/** @param {BoardPicture} picture What is in each cell, by "row,column". */
function looks({ rows, territory = [] }) {
	const owners = new Map(territory.map(({ row, column, player }) => [`${row},${column}`, player]));
	const cells = rows.flatMap((symbols, row) =>
		[...symbols].map((symbol, column) => ({ symbol, cell: `${row},${column}` })),
	);
	return new Map(cells.map(({ symbol, cell }) => [cell, `${symbol} ${owners.get(cell)}`]));
}
