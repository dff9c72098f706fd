/** Draws a described board as SVG. It knows no rules: it draws what the server describes. */

import { replace, setAttributes, svg } from "./dom.js";
import { animate } from "./motion.js";

/** @import { BoardPicture, Cell, PieceLook, Shape } from "./protocol.js" */
/** @typedef {{column: number, row?: number}} Spot */

export const UNIT = 100;
const FRAME = 22; // around the cells
const NAMES = 54; // the strip with the names of columns or rows
const HOPPER = 96; // above a board of columns, where the ghost disc waits
const HOLE = 41; // radius
const LEAST = 40; // the side of a target to click

let boards = 0; // for ids that are unique in the document

/** Where everything is, in the units of the view box, and how it is drawn there. */
export class Layout {
	/**
	 * @param {BoardPicture} picture
	 * @param {boolean} turned
	 * @param {boolean} isSmall Without names and hopper, as in the gallery.
	 */
	constructor(picture, turned = false, isSmall = false) {
		this.picture = picture;
		this.rows = picture.rows.length;
		this.columns = picture.columns.length;
		this.turned = turned;
		/** How a board that is no grid of holes is drawn. */
		this.drawing = picture.drawing;
		/** Whether moves name cells; otherwise they name columns. */
		this.hasCells = picture.names.length > 0 || this.drawing !== undefined;
		const top = isSmall ? 0 : this.hasCells ? NAMES : HOPPER;
		const side = isSmall || !this.hasCells ? 0 : NAMES;
		this.left = side + FRAME;
		this.top = top + FRAME;
		this.width = this.columns * UNIT + 2 * FRAME + side;
		this.height = top + this.rows * UNIT + 2 * FRAME + (isSmall || this.hasCells ? 0 : NAMES);
		if (this.drawing) [this.width, this.height] = [this.drawing.width, this.drawing.height];
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
		if (this.drawing) {
			const { x, y } = this.box({ column, row });
			return `translate(${x} ${y})`;
		}
		return `translate(${this.x(column)} ${row === undefined ? HOPPER / 2 : this.y(row)})`;
	}

	/**
	 * Return the middle and the size of what is clicked for a cell or a column.
	 * @param {Spot} spot
	 */
	box({ column, row }) {
		if (this.drawing) {
			const place = this.#place(column, row);
			const { x = 0, y = 0, width = 0, height = 0 } = place ?? {};
			return { ...this.#turn(x, y), width: Math.max(width, LEAST), height: Math.max(height, LEAST) };
		}
		if (row !== undefined) return { x: this.x(column), y: this.y(row), width: UNIT, height: UNIT };
		const height = this.top + this.rows * UNIT + FRAME;
		return { x: this.x(column), y: height / 2, width: UNIT, height };
	}

	/** @param {Spot} spot Whether the board has such a cell or column. */
	has({ column, row }) {
		return !this.drawing || this.#place(column, row) !== undefined;
	}

	/** @param {number} column @param {number | undefined} row */
	#place(column, row) {
		return this.drawing?.places.find((each) => each.column === column && each.row === row);
	}

	/** @param {number} x @param {number} y */
	#turn(x, y) {
		return this.turned ? { x: this.width - x, y: this.height - y } : { x, y };
	}

	/** Draw a board of shapes. */
	drawShapes() {
		const { back, looks, places } = /** @type {import("./protocol.js").Drawing} */ (this.drawing);
		const around = `rotate(${this.turned ? 180 : 0} ${this.width / 2} ${this.height / 2})`;
		const cells = places.map((place) => {
			const { row, column, look } = place;
			const isInLine = (this.picture.line ?? []).some((each) => isSame(each, place));
			const kind = isInLine ? "place in-line" : "place";
			const traits = { class: kind, transform: this.at(place), "data-cell": `${row},${column}` };
			return svg("g", traits, ...(looks[look] ?? []).map(shape));
		});
		return [svg("g", { transform: around }, ...back.map(shape)), svg("g.discs", ...cells)];
	}

	drawNames() {
		if (this.drawing) {
			const named = this.drawing.names.map((each) => {
				const { x, y } = this.#turn(...(each.at ?? [0, 0]));
				return svg("text", { x, y, dy: ".35em", "font-size": each.size }, each.text);
			});
			return svg("g", ...named);
		}
		const y = this.hasCells ? NAMES / 2 : this.height - NAMES / 2 + 4;
		const columns = this.picture.columns.map((name, column) =>
			svg("text", { x: this.x(column), y, dy: ".35em" }, name),
		);
		const rows = this.picture.names.map((name, row) =>
			svg("text", { x: NAMES / 2, y: this.y(row), dy: ".35em" }, name),
		);
		return svg("g", { "font-size": Math.max(30, 3.4 * this.columns) }, ...columns, ...rows);
	}

	/** Draw a board with holes, behind which the discs fall. */
	drawColumns() {
		const arc = `a${HOLE} ${HOLE} 0 1 0`;
		const holes = this.#cells.map(({ row, column }) => {
			const start = `M${this.x(column) - HOLE} ${this.y(row)}`;
			return `${start}${arc} ${2 * HOLE} 0${arc} ${-2 * HOLE} 0z`;
		});
		const { x, y, width, height } = this.#frame(0);
		const edge = `M${x + 26} ${y}h${width - 52}a26 26 0 0 1 26 26v${height - 52}a26 26 0 0 1-26 26h${52 - width}a26 26 0 0 1-26-26v${52 - height}a26 26 0 0 1 26-26z`;
		const { ground, hole } = this.picture;
		return [
			svg("rect", { ...this.#frame(-4), rx: 24, fill: hole }),
			this.#discs(),
			svg("path.plate", { d: edge + holes.join(""), fill: ground, "fill-rule": "evenodd" }),
		];
	}

	/**
	 * Draw a board of cells, some of which belong to a player.
	 * @param {string} id Of the hatching.
	 */
	drawCells(id) {
		const { ground, hole, territory = [] } = this.picture;
		const owned = territory.map((cell) =>
			svg(
				"g.territory",
				{ "data-cell": `${cell.row},${cell.column}` },
				this.#square(cell, { class: `owned player-${cell.player}` }),
				this.#square(cell, { fill: `url(#${id}-hatch-${cell.player})` }),
			),
		);
		return [
			svg("rect", { ...this.#frame(0), rx: 26, fill: ground }),
			...this.#cells.map((cell) => this.#square(cell, { fill: hole })),
			...owned,
			this.#discs(),
			svg("rect.gloss", { ...this.#frame(0), rx: 26 }),
		];
	}

	drawMarks() {
		if (this.drawing) return []; // they are part of the looks
		const { line = [], last = [], rows, pieces } = this.picture;
		const circle = (/** @type {Cell} */ { row, column }, kind = "line", r = 37) => {
			const look = pieces[rows[row]?.[column] ?? ""];
			const tone = look && isLight(look.fill) ? "on-light" : "on-dark";
			return svg("circle", { class: `${kind} ${tone}`, cx: this.x(column), cy: this.y(row), r });
		};
		const others = last.filter((cell) => !line.some((each) => isSame(each, cell)));
		return [...others.map((cell) => circle(cell, "last", 36)), ...line.map((cell) => circle(cell))];
	}

	/** @returns {Cell[]} */
	get #cells() {
		const { rows, columns } = this.picture;
		return rows.flatMap((_, row) => columns.map((_, column) => ({ row, column })));
	}

	/** @param {number} more */
	#frame(more) {
		return {
			x: this.left - FRAME - more,
			y: this.top - FRAME - more,
			width: this.columns * UNIT + 2 * (FRAME + more),
			height: this.rows * UNIT + 2 * (FRAME + more),
		};
	}

	/** @param {Cell} cell @param {import("./dom.js").Attributes} attributes */
	#square({ row, column }, attributes) {
		const [x, y] = [this.x(column) - 46, this.y(row) - 46];
		return svg("rect", { x, y, width: 92, height: 92, rx: 12, ...attributes });
	}

	#discs() {
		const { rows, pieces, line = [] } = this.picture;
		const drawn = this.#cells.map((cell) => {
			const { row, column } = cell;
			const symbol = rows[row]?.[column] ?? "";
			const look = pieces[symbol];
			const kind = line.some((each) => isSame(each, cell)) ? "place in-line" : "place";
			const place = { class: kind, transform: this.at(cell), "data-cell": `${row},${column}` };
			return look && svg("g", place, disc(symbol, look));
		});
		return svg("g.discs", ...drawn);
	}
}

/** A board on the page. */
export class BoardView {
	element = svg("svg.board", { "aria-hidden": "true" });
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
		const layers = [this.#names, this.#body, this.#marks, this.#values, this.#above];
		replace(this.element, hatching(this.#id), ...layers);
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
		const old = isAnimated ? this.layout?.picture : null;
		const before = this.#body;
		const parts = layout.drawing
			? layout.drawShapes()
			: layout.hasCells
				? layout.drawCells(this.#id)
				: layout.drawColumns();
		this.#body = svg("g.board-body", ...parts);
		for (const old of this.element.querySelectorAll(".board-body"))
			if (old !== before) old.remove();
		before.replaceWith(this.#body);
		setAttributes(this.element, { viewBox: `0 0 ${layout.width} ${layout.height}` });
		this.element.style.setProperty("--board-ratio", String(layout.width / layout.height));
		if (!this.isSmall) replace(this.#names, layout.drawNames());
		replace(this.#marks, ...layout.drawMarks());
		this.element.classList.toggle("has-line", (picture.line ?? []).length > 0);
		this.layout = layout;
		if (old) animate([old, picture], before, this.#body, this.#marks, layout);
	}

	/** @param {{spot: Spot, text: string, isBest: boolean}[]} values */
	showValues(values) {
		const drawn = values.map(({ spot, text, isBest }) =>
			svg("g", { class: isBest ? "best" : "", transform: this.layout?.at(spot) }, label(text)),
		);
		replace(this.#values, ...drawn);
	}

	/** @param {BoardPicture} before */
	markNew(before) {
		for (const place of this.#body.querySelectorAll(".place")) {
			const [row = 0, column = 0] = (place.getAttribute("data-cell") ?? "").split(",").map(Number);
			const isNew = before.rows[row]?.[column] !== this.layout?.picture.rows[row]?.[column];
			place.classList.toggle("is-new", isNew);
		}
	}

	/** @param {{spot: Spot, text: string}[]} ghosts */
	showGhosts(ghosts) {
		const drawn = ghosts.map(({ spot, text }) => {
			const look = this.layout?.picture.pieces[text];
			return svg(
				"g.ghost",
				{ transform: this.layout?.at(spot) },
				look && !look.fills ? disc(text, look) : !this.layout?.drawing && label(text),
			);
		});
		replace(this.#above, ...drawn);
	}
}

/** @param {Shape} shape */
function shape({ points, circle, text, at = [0, 0], size, fill = "none", stroke, width }) {
	if (text) {
		const [x, y] = at;
		return svg("text", { x, y, dy: ".35em", "font-size": size, fill }, text);
	}
	const colours = { fill, stroke, "stroke-width": width, "stroke-linejoin": "round" };
	if (circle) {
		const [cx, cy, r] = circle;
		return svg("circle", { cx, cy, r, ...colours });
	}
	return svg(fill === "none" ? "polyline" : "polygon", { points: points?.join(" "), ...colours });
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
	const patterns = [45, -45].map((angle, player) => {
		const place = { id: `${id}-hatch-${player}`, patternTransform: `rotate(${angle})` };
		const size = { width: 16, height: 16, patternUnits: "userSpaceOnUse" };
		const line = svg("line", { y2: 16, class: `hatch player-${player}` });
		return svg("pattern", { ...place, ...size }, line);
	});
	return svg("defs", ...patterns);
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

/** @param {Cell} one @param {Cell} other */
function isSame(one, other) {
	return one.row === other.row && one.column === other.column;
}

/** @param {string} colour Six hexadecimal digits after a `#`. */
function isLight(colour) {
	const parts = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
	const [red = 0, green = 0, blue = 0] = parts;
	return 0.299 * red + 0.587 * green + 0.114 * blue > 140;
}
