/** Draws a described board as SVG. It knows no rules: it draws what the server describes. */

import { replace, setAttributes, svg } from "./dom.js";
import { animate } from "./motion.js";

/** @import { BoardPicture, Cell, PieceLook } from "./protocol.js" */
/** @typedef {{column: number, row?: number}} Spot */

export const UNIT = 100;
const FRAME = 22; // around the cells
const NAMES = 54; // the strip with the names of columns or rows
const HOPPER = 96; // above a board of columns, where the ghost disc waits
const HOLE = 41; // radius

let boards = 0; // for ids that are unique in the document

/** Where everything is, in the units of the view box. */
export class Layout {
	/**
	 * @param {BoardPicture} picture
	 * @param {boolean} turned
	 * @param {boolean} isSmall Without names and hopper, as in the gallery.
	 */
	constructor(picture, turned = false, isSmall = false) {
		this.rows = picture.rows.length;
		this.columns = picture.columns.length;
		this.turned = turned;
		/** Whether moves name cells; otherwise they name columns. */
		this.hasCells = picture.names.length > 0;
		const top = isSmall ? 0 : this.hasCells ? NAMES : HOPPER;
		const side = isSmall || !this.hasCells ? 0 : NAMES;
		this.left = side + FRAME;
		this.top = top + FRAME;
		this.width = this.columns * UNIT + 2 * FRAME + side;
		this.height = top + this.rows * UNIT + 2 * FRAME + (isSmall || this.hasCells ? 0 : NAMES);
		this.namesY = this.hasCells ? NAMES / 2 : this.height - NAMES / 2 + 4;
		this.namesX = NAMES / 2;
		this.hopperY = HOPPER / 2;
		this.nameSize = Math.max(30, 3.4 * this.columns);
	}

	/** @param {number} column */
	x(column) {
		return this.left + (this.turned ? this.columns - 1 - column : column) * UNIT + UNIT / 2;
	}

	/** @param {number} row */
	y(row) {
		const shown = this.turned && this.hasCells ? this.rows - 1 - row : row;
		return this.top + shown * UNIT + UNIT / 2;
	}

	/** @param {Spot} spot Of a cell, or of the hopper above a column. */
	at({ column, row }) {
		return `translate(${this.x(column)} ${row === undefined ? this.hopperY : this.y(row)})`;
	}
}

/** A board on the page. */
export class BoardView {
	element = svg("svg.board", { "aria-hidden": "true", focusable: "false" });
	/** @type {BoardPicture | null} */
	picture = null;
	/** @type {Layout | null} */
	layout = null;
	#id = `board-${(boards += 1)}`;
	#drawn = "";
	#names = svg("g.board-names");
	#body = svg("g.board-body");
	#marks = svg("g.board-marks");
	#values = svg("g.board-values");
	#above = svg("g.board-above");

	/** @param {{isSmall?: boolean}} [options] */
	constructor({ isSmall = false } = {}) {
		this.isSmall = isSmall;
		replace(
			this.element,
			hatching(this.#id),
			this.#names,
			this.#body,
			this.#marks,
			this.#values,
			this.#above,
		);
	}

	/**
	 * Draw a picture; move the discs there if it follows from the one before.
	 * @param {BoardPicture} picture
	 * @param {{turned?: boolean, isAnimated?: boolean}} [options]
	 */
	draw(picture, { turned = false, isAnimated = false } = {}) {
		const drawn = JSON.stringify([picture, turned]);
		if (drawn === this.#drawn) return;
		this.#drawn = drawn;
		const layout = new Layout(picture, turned, this.isSmall);
		const old = isAnimated ? this.picture : null;
		const before = this.#body;
		this.#body = body(picture, layout, this.#id);
		for (const old of this.element.querySelectorAll(".board-body"))
			if (old !== before) old.remove();
		before.replaceWith(this.#body);
		setAttributes(this.element, { viewBox: `0 0 ${layout.width} ${layout.height}` });
		this.element.style.setProperty("--board-ratio", String(layout.width / layout.height));
		if (!this.isSmall) replace(this.#names, ...names(picture, layout));
		replace(this.#marks, ...marks(picture, layout));
		this.element.classList.toggle("has-line", (picture.line ?? []).length > 0);
		[this.picture, this.layout] = [picture, layout];
		if (old) animate([old, picture], before, this.#body, this.#marks, layout);
	}

	/**
	 * Show values of moves where they would be made.
	 * @param {{spot: Spot, text: string, isBest: boolean}[]} values
	 */
	showValues(values) {
		const drawn = values.map(({ spot, text, isBest }) =>
			svg("g", { class: isBest ? "best" : "", transform: this.layout?.at(spot) }, label(text)),
		);
		replace(this.#values, ...drawn);
	}

	/**
	 * Mark the discs that another picture does not have as ghosts.
	 * @param {BoardPicture} before
	 */
	markNew(before) {
		for (const place of this.#body.querySelectorAll(".place")) {
			const [row = 0, column = 0] = (place.getAttribute("data-cell") ?? "").split(",").map(Number);
			const isNew = before.rows[row]?.[column] !== this.picture?.rows[row]?.[column];
			place.classList.toggle("is-new", isNew);
		}
	}

	/**
	 * Show ghosts: discs of a symbol, or texts.
	 * @param {{spot: Spot, text: string}[]} ghosts
	 */
	showGhosts(ghosts) {
		const drawn = ghosts.map(({ spot, text }) => {
			const look = this.picture?.pieces[text];
			return svg(
				"g.ghost",
				{ transform: this.layout?.at(spot) },
				look ? disc(text, look) : label(text),
			);
		});
		replace(this.#above, ...drawn);
	}
}

/** @param {string} text */
function label(text) {
	const width = Math.min(92, 36 + text.length * 20);
	return svg(
		"g.label",
		svg("rect", { x: -width / 2, y: -28, width, height: 56, rx: 28 }),
		svg("text", { dy: ".35em" }, text),
	);
}

/** @param {string} id */
function hatching(id) {
	const pattern = (/** @type {number} */ player, /** @type {number} */ angle) =>
		svg(
			"pattern",
			{
				id: `${id}-hatch-${player}`,
				width: 16,
				height: 16,
				patternUnits: "userSpaceOnUse",
				patternTransform: `rotate(${angle})`,
			},
			svg("line", { x1: 0, y1: 0, x2: 0, y2: 16, class: `hatch player-${player}` }),
		);
	return svg("defs", pattern(0, 45), pattern(1, -45));
}

/** @param {BoardPicture} picture @param {Layout} layout */
function names(picture, layout) {
	const columns = picture.columns.map((name, column) =>
		svg("text", { x: layout.x(column), y: layout.namesY, dy: ".35em" }, name),
	);
	const rows = picture.names.map((name, row) =>
		svg("text", { x: layout.namesX, y: layout.y(row), dy: ".35em" }, name),
	);
	return [svg("g", { "font-size": layout.nameSize }, ...columns, ...rows)];
}

/** @param {BoardPicture} picture @param {Layout} layout @param {string} id */
function body(picture, layout, id) {
	const parts = layout.hasCells ? cellBoard(picture, layout, id) : columnBoard(picture, layout);
	return svg("g.board-body", ...parts);
}

/**
 * A board with holes, behind which the discs fall.
 * @param {BoardPicture} picture
 * @param {Layout} layout
 */
function columnBoard(picture, layout) {
	const arc = `a${HOLE} ${HOLE} 0 1 0`;
	const holes = cellsOf(picture).map(({ row, column }) => {
		const start = `M${layout.x(column) - HOLE} ${layout.y(row)}`;
		return `${start}${arc} ${2 * HOLE} 0${arc} ${-2 * HOLE} 0z`;
	});
	const { x, y, width, height } = frame(layout, 0);
	const edge = `M${x + 26} ${y}h${width - 52}a26 26 0 0 1 26 26v${height - 52}a26 26 0 0 1-26 26h${52 - width}a26 26 0 0 1-26-26v${52 - height}a26 26 0 0 1 26-26z`;
	const d = edge + holes.join("");
	return [
		svg("rect", { ...frame(layout, -4), rx: 24, fill: picture.hole ?? "" }),
		discs(picture, layout),
		svg("path.plate", { d, fill: picture.ground ?? "", "fill-rule": "evenodd" }),
	];
}

/**
 * A board of cells, some of which belong to a player.
 * @param {BoardPicture} picture
 * @param {Layout} layout
 * @param {string} id
 */
function cellBoard(picture, layout, id) {
	const cells = cellsOf(picture).map((cell) => square(layout, cell, { fill: picture.hole ?? "" }));
	const owned = (picture.territory ?? []).map((cell) =>
		svg(
			"g.territory",
			{ "data-cell": `${cell.row},${cell.column}` },
			square(layout, cell, { class: `owned player-${cell.player}` }),
			square(layout, cell, { fill: `url(#${id}-hatch-${cell.player})` }),
		),
	);
	return [
		svg("rect", { ...frame(layout, 0), rx: 26, fill: picture.ground ?? "" }),
		...cells,
		...owned,
		discs(picture, layout),
		svg("rect.gloss", { ...frame(layout, 0), rx: 26 }),
	];
}

/** @param {Layout} layout @param {number} more */
function frame(layout, more) {
	return {
		x: layout.left - FRAME - more,
		y: layout.top - FRAME - more,
		width: layout.columns * UNIT + 2 * (FRAME + more),
		height: layout.rows * UNIT + 2 * (FRAME + more),
	};
}

/** @param {Layout} layout @param {Cell} cell @param {import("./dom.js").Attributes} attributes */
function square(layout, cell, attributes) {
	const [x, y] = [layout.x(cell.column) - 46, layout.y(cell.row) - 46];
	return svg("rect", { x, y, width: 92, height: 92, rx: 12, ...attributes });
}

/** @param {BoardPicture} picture @returns {Cell[]} */
function cellsOf(picture) {
	return picture.rows.flatMap((_, row) => picture.columns.map((_, column) => ({ row, column })));
}

/** @param {BoardPicture} picture @param {Layout} layout */
function discs(picture, layout) {
	const line = new Set((picture.line ?? []).map(({ row, column }) => `${row},${column}`));
	const drawn = cellsOf(picture).flatMap(({ row, column }) => {
		const symbol = picture.rows[row]?.[column] ?? "";
		const look = picture.pieces[symbol];
		if (!look) return [];
		const cell = `${row},${column}`;
		const kind = line.has(cell) ? "place in-line" : "place";
		const place = { class: kind, transform: layout.at({ row, column }), "data-cell": cell };
		return [svg("g", place, disc(symbol, look))];
	});
	return svg("g.discs", ...drawn);
}

/**
 * Return a disc around the origin. The symbol on it tells players apart without colours.
 * @param {string} symbol
 * @param {PieceLook} look
 */
export function disc(symbol, look) {
	const r = look.radius + (look.radius >= 40 ? 2 : 0);
	return svg(
		"g.disc",
		svg("circle", { r, fill: look.fill }),
		svg("circle.disc-edge", { r: r - 1.5 }),
		svg("circle.disc-groove", { r: r * 0.74, stroke: look.ink }),
		svg("text", { dy: ".35em", fill: look.ink, "font-size": Math.round(r * 0.86) }, symbol),
	);
}

/** @param {BoardPicture} picture @param {Layout} layout */
function marks(picture, layout) {
	const circle = (
		/** @type {Cell} */ cell,
		/** @type {string} */ kind,
		/** @type {number} */ r,
	) => {
		const look = picture.pieces[picture.rows[cell.row]?.[cell.column] ?? ""];
		const tone = look && isLight(look.fill) ? "on-light" : "on-dark";
		const [cx, cy] = [layout.x(cell.column), layout.y(cell.row)];
		return svg("circle", { class: `${kind} ${tone}`, cx, cy, r });
	};
	const line = picture.line ?? [];
	const isInLine = (/** @type {Cell} */ cell) =>
		line.some(({ row, column }) => row === cell.row && column === cell.column);
	return [
		...(picture.last ?? [])
			.filter((cell) => !isInLine(cell))
			.map((cell) => circle(cell, "last", 36)),
		...line.map((cell) => circle(cell, "line", 37)),
	];
}

/** @param {string} colour Six hexadecimal digits after a `#`. */
function isLight(colour) {
	const [red = 0, green = 0, blue = 0] = (colour.match(/[0-9a-f]{2}/gi) ?? []).map((part) =>
		parseInt(part, 16),
	);
	return 0.299 * red + 0.587 * green + 0.114 * blue > 140;
}
