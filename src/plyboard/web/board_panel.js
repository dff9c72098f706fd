/** A board to play on, by mouse, touch and keys: its targets, its modifiers and its notes. */

import { showMessage } from "./announcer.js";
import { BoardView } from "./board.js";
import { drawRows, h, replace, setAttributes, setText } from "./dom.js";
import { valueText } from "./words.js";

/** @import { Layout, Spot } from "./board.js" */
/** @import { BoardPicture, Cell, LegalMove, Modifier } from "./protocol.js" */
/** @typedef {Spot & {key: string, button: HTMLButtonElement}} Target */
/**
 * @typedef {object} Shown
 * @property {BoardPicture} board
 * @property {LegalMove[]} legal
 * @property {Modifier[]} modifiers
 * @property {string} symbol Of the player to move.
 * @property {boolean} isActive Whether a move can be made here and now.
 * @property {boolean} [hasCells] Whether cells are chosen, whatever moves name.
 * @property {boolean} [isAnimated]
 */

const TYPING = "input, select, textarea, [contenteditable]";

export class BoardPanel {
	#view = new BoardView();
	#targetLayer = h("div.targets", {
		role: "group",
		"aria-label": "Board",
		keydown: (event) => this.#walk(event),
		pointerup: (event) => this.#drop(event),
		pointercancel: () => (this.#pressed = null),
	});
	#area = h("div.board-area", this.#view.element, this.#targetLayer);
	#notes = h("p.notes");
	#modifierBar = h("div.modifiers", { role: "group", "aria-label": "Kind of move" });
	#others = h("div.other-moves", { role: "group", "aria-label": "Other moves" });
	#fit = h("div.board-fit", this.#area);
	element = h("div.board-panel", this.#fit, this.#notes, this.#modifierBar, this.#others);
	/** The panel as a part of a page. */
	stage = h("section.stage", { "aria-label": "Position" }, this.element);

	/** @type {Shown | null} */
	#shown = null;
	/** @type {Target[]} */
	#targets = [];
	#shape = "";
	/** @type {Map<string, import("./protocol.js").MoveValue>} */
	#values = new Map();
	#previewed = false;
	/** @type {Set<number>} */
	#on = new Set();
	#typed = "";
	/** The cells clicked for a move that is being entered. @type {Cell[]} */
	#path = [];
	/** Moves that the last click can mean. @type {LegalMove[]} */
	#choices = [];
	/** @type {Target | null} */
	#pressed = null;
	/** @type {Target | null} */
	#pointed = null;
	#turned = false;
	/** Called when somebody chooses a target while no move can be made. */
	onInactive = () => {};

	/** @param {(move: string) => void} onMove */
	constructor(onMove) {
		this.onMove = onMove;
	}

	/** @param {Shown} shown */
	show(shown) {
		const before = this.#shown;
		this.#shown = shown;
		if (before?.legal !== shown.legal) {
			this.#on.clear();
			this.#setPath([]);
		}
		const { board, isAnimated = true } = shown;
		if (JSON.stringify(before?.board) !== JSON.stringify(board)) this.#previewed = false;
		if (!this.#previewed) this.#view.draw(board, { turned: this.#turned, isAnimated });
		this.#area.style.setProperty(
			"--board-ratio",
			this.#view.element.style.getPropertyValue("--board-ratio"),
		);
		this.#makeTargets(shown);
		setText(this.#notes, (board.notes ?? []).join("\n"));
		this.#makeModifiers(shown.modifiers);
		this.#update();
	}

	/** Show the board from the other side. */
	turn() {
		this.#turned = !this.#turned;
		if (this.#shown) this.show({ ...this.#shown, isAnimated: false });
	}

	/**
	 * Use a key that was pressed anywhere on the page: names of columns and cells, and modifiers.
	 * @param {KeyboardEvent} event
	 */
	press(event) {
		const { key, target } = event;
		if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
		if (key.length !== 1 || key === " " || (target instanceof Element && target.closest(TYPING)))
			return;
		const modifier = (this.#shown?.modifiers ?? []).findIndex(
			(_, index) => this.#keyOf(index) === key,
		);
		if (modifier >= 0) return this.#toggle(modifier);
		const fitting = (/** @type {string} */ text) =>
			this.#targets.filter((each) => each.key.startsWith(text));
		this.#typed = fitting(this.#typed + key).length ? this.#typed + key : key;
		const found = fitting(this.#typed);
		const exact = found.find((each) => each.key === this.#typed);
		if (!exact) return;
		exact.button.focus();
		if (found.length > 1) return;
		this.#typed = "";
		this.#choose(exact);
	}

	/**
	 * Show the values of the moves, the best first.
	 * @param {import("./protocol.js").MoveValue[]} values
	 */
	showValues(values) {
		this.#values = new Map(values.map((each) => [each.move, each]));
		this.#drawValues();
	}

	/**
	 * Show another board for a while, with what it has more as ghosts; null ends this.
	 * @param {BoardPicture | null} board
	 */
	preview(board) {
		if (!this.#shown || (!board && !this.#previewed)) return;
		this.#previewed = board !== null;
		this.#view.draw(board ?? this.#shown.board, { turned: this.#turned });
		if (board) this.#view.markNew(this.#shown.board);
		this.#drawValues();
	}

	/**
	 * Return the key that toggles a modifier. Of two with the same letter the second needs Shift.
	 * @param {number} index
	 */
	#keyOf(index) {
		const all = this.#shown?.modifiers ?? [];
		const text = all[index]?.text.charAt(0) ?? "";
		const isSecond = all.slice(0, index).some((each) => each.text.charAt(0) === text);
		return isSecond ? text.toUpperCase() : text;
	}

	/** @param {Shown} shown */
	#makeTargets({ board, hasCells = false }) {
		const turned = this.#turned;
		const layout = this.#view.layout;
		const shape = JSON.stringify([board.columns, board.names, board.rows.length, turned]);
		if (!layout || shape === this.#shape) return;
		this.#shape = shape;
		const columns = [...board.columns.keys()];
		const rows = [...board.rows.keys()];
		if (turned) columns.reverse();
		if (turned && layout.hasCells) rows.reverse();
		/** @type {Spot[]} */
		const places =
			layout.hasCells || hasCells
				? rows.flatMap((row) => columns.map((column) => ({ column, row })))
				: columns.map((column) => ({ column }));
		this.#targets = places
			.filter((place) => layout.has(place))
			.map((place) => this.#makeTarget(place, board, layout));
		const first = this.#targets[layout.hasCells ? 0 : Math.floor(this.#targets.length / 2)];
		if (first) first.button.tabIndex = 0;
		replace(this.#targetLayer, ...this.#targets.map(({ button }) => button));
	}

	/** @param {Spot} place @param {BoardPicture} board @param {Layout} layout @returns {Target} */
	#makeTarget(place, board, layout) {
		const { column, row } = place;
		const rowName = row === undefined ? "" : (board.names[row] ?? `,${row + 1}`);
		const key = `${board.columns[column]}${rowName}`;
		const focus = () => this.#focus(target); // it may come from a tap, which points at nothing
		const button = h("button.target", {
			tabindex: -1,
			"data-key": key,
			...{ pointerenter: () => this.#point(target), pointerleave: () => this.#point(null) },
			...{ focus, blur: () => this.#drawGhost() },
			pointerdown: () => (this.#pressed = target),
			click: () => this.#choose(target),
		});
		/** @type {Target} */
		const target = { ...place, key, button };
		const { x, y, width, height } = layout.box(place);
		const { style } = button;
		style.left = `${(100 * (x - width / 2)) / layout.width}%`;
		style.width = `${(100 * width) / layout.width}%`;
		style.top = `${(100 * (y - height / 2)) / layout.height}%`;
		style.height = `${(100 * height) / layout.height}%`;
		style.setProperty("--top", row === undefined ? `${(100 * (layout.top - 22)) / height}%` : "0%");
		return target;
	}

	/** @param {Modifier[]} modifiers */
	#makeModifiers(modifiers) {
		drawRows(this.#modifierBar, modifiers, ({ label }, index) =>
			h(
				"button.chip",
				{ click: () => this.#toggle(index) },
				label,
				h("kbd", { "aria-hidden": "true" }, this.#keyOf(index)),
			),
		);
	}

	/** @param {number} index */
	#toggle(index) {
		if (!this.#shown?.isActive) return;
		if (!this.#isUsable([index]))
			return showMessage(`${this.#shown.modifiers[index]?.label} is not possible now.`);
		if (this.#on.has(index)) this.#on.delete(index);
		else this.#on.add(index);
		if (!this.#isUsable([...this.#on])) this.#on = new Set(this.#on.has(index) ? [index] : []);
		this.#update();
	}

	/**
	 * Return whether some legal move has all these modifiers.
	 * @param {number[]} wanted
	 */
	#isUsable(wanted) {
		return (this.#shown?.legal ?? []).some((move) =>
			wanted.every((each) => move.modifiers?.includes(each)),
		);
	}

	/**
	 * Return the legal moves that a target means with the modifiers that are on. Without any, moves
	 * that need one are a choice where no others are.
	 * @param {Spot} target
	 */
	#movesAt({ column, row }) {
		const there = (this.#shown?.legal ?? []).filter(
			(move) =>
				move.column === column &&
				(move.row === undefined || move.row === row) &&
				isSamePath(move.path ?? [], this.#path),
		);
		const found = there.filter(
			({ modifiers = [] }) =>
				modifiers.length === this.#on.size && modifiers.every((each) => this.#on.has(each)),
		);
		return found.length || this.#on.size ? found : there;
	}

	/** Return the legal moves of several clicks that begin with these cells. @param {Cell[]} path */
	#movesAlong(path) {
		return (this.#shown?.legal ?? []).filter(
			(move) =>
				(move.path?.length ?? 0) >= path.length &&
				isSamePath((move.path ?? []).slice(0, path.length), path),
		);
	}

	/** Return the legal moves that a click on a target leads to. @param {Spot} target */
	#movesVia(target) {
		const { column, row } = target;
		if (row === undefined) return this.#movesAt(target);
		return [...this.#movesAt(target), ...this.#movesAlong([...this.#path, { row, column }])];
	}

	/** @param {Cell[]} path @param {LegalMove[]} choices */
	#setPath(path, choices = []) {
		this.#path = path;
		this.#choices = choices;
	}

	/** @param {Target} target */
	#choose(target) {
		this.#makeFocusable(target);
		if (!this.#shown?.isActive) return this.onInactive();
		const { column, row = -1, key } = target;
		const cell = { row, column };
		const moves = this.#movesAt(target);
		const longer = [...this.#path, cell];
		const last = this.#path.at(-1);
		if (this.#movesAlong(longer).length) this.#setPath(longer, moves);
		else if (moves.length > 1) this.#setPath(this.#path, moves);
		else if (moves[0]) {
			this.#setPath([]);
			this.onMove(moves[0].move);
		} else if (last) {
			const begins = !isSamePath([last], [cell]) && this.#movesAlong([cell]).length;
			this.#setPath(begins ? [cell] : []);
		} else showMessage(this.#whyNot(key));
		this.#update();
	}

	/** @param {string} key */
	#whyNot(key) {
		if (this.#movesAlong([]).some(({ path = [] }) => path.length))
			return `No move begins at ${key}.`;
		return `${key} cannot be played${this.#on.size ? " that way" : ""}.`;
	}

	/** Take a piece that was dragged from one target to another. @param {PointerEvent} event */
	#drop({ clientX, clientY }) {
		const from = this.#pressed;
		const under = document.elementFromPoint(clientX, clientY);
		const to = this.#targets.find(({ button }) => button === under);
		this.#pressed = null;
		if (!from || from === to || from.row === undefined || !this.#shown?.isActive) return;
		const cell = { row: from.row, column: from.column };
		if (!this.#movesAlong([cell]).length) return;
		this.#setPath([cell]);
		if (to && this.#movesVia(to).length) this.#choose(to);
		else this.#setPath([]);
		this.#update();
	}

	/** @param {Target | null} target */
	#point(target) {
		this.#pointed = target;
		this.#drawGhost();
	}

	/** @param {Target} target */
	#focus(target) {
		this.#makeFocusable(target);
		this.#drawGhost();
	}

	#drawGhost() {
		const shown = this.#shown;
		const focused = this.#targets.find(({ button }) => button.matches(":focus-visible"));
		const target = this.#pointed ?? focused;
		const [move] = target && shown?.isActive ? this.#movesAt(target) : [];
		if (!target || !move || !shown) return this.#view.showGhosts([]);
		const { column, row = -1 } = target;
		const text = this.#on.size ? move.move : shown.symbol;
		const isTaken = (shown.board.rows[row]?.[column] ?? "") in shown.board.pieces;
		const isShown = !this.#values.size && !isTaken && text;
		const ghosts = isShown ? [{ spot: /** @type {Spot} */ (target), text }] : [];
		if (move.lands !== undefined) ghosts.push({ spot: { column, row: move.lands }, text });
		this.#view.showGhosts(ghosts);
	}

	#drawValues() {
		const [best] = this.#values.values();
		const drawn = this.#targets.flatMap((target) => {
			const moves = new Set(this.#movesVia(target).map(({ move }) => move));
			const value = [...this.#values.values()].find(({ move }) => moves.has(move));
			if (!value || this.#previewed) return [];
			return [{ spot: target, text: valueText(value), isBest: value.text === best?.text }];
		});
		this.#view.showValues(drawn);
	}

	#update() {
		const shown = this.#shown;
		if (!shown) return;
		for (const target of this.#targets) {
			const isLegal = shown.isActive && this.#movesVia(target).length > 0;
			const { row = -1, column } = target;
			const isChosen = this.#path.some((each) => isSamePath([each], [{ row, column }]));
			const begins = shown.isActive && this.#movesAlong([{ row, column }]).length > 0;
			setAttributes(target.button, {
				"aria-label": describe(target, shown.board) + (isChosen ? ", chosen" : ""),
				"aria-disabled": isLegal || isChosen || begins ? "false" : "true",
			});
			target.button.classList.toggle("is-chosen", isChosen);
			target.button.classList.toggle("is-source", begins && !this.#path.length);
			target.button.classList.toggle("is-open", isLegal && this.#path.length > 0 && !isChosen);
		}
		[...this.#modifierBar.children].forEach((button, index) =>
			setAttributes(button, {
				"aria-pressed": this.#on.has(index) ? "true" : "false",
				disabled: !shown.isActive || !this.#isUsable([index]),
			}),
		);
		const elsewhere = shown.legal.filter((move) => move.column === undefined);
		const others = shown.isActive ? [...this.#choices, ...elsewhere] : [];
		drawRows(this.#others, others, ({ move }) =>
			h("button.chip", { click: () => this.onMove(move) }, move),
		);
		this.#drawValues();
		this.#drawGhost();
	}

	/** @param {Target} target */
	#makeFocusable(target) {
		for (const each of this.#targets) each.button.tabIndex = each === target ? 0 : -1;
	}

	/** @param {KeyboardEvent} event */
	#walk(event) {
		if (event.key === "Escape" && this.#path.length) {
			this.#setPath([]);
			return this.#update();
		}
		const at = this.#targets.find(({ button }) => button === document.activeElement);
		if (!at || event.ctrlKey || event.metaKey || event.altKey) return;
		const across = this.#targets.filter((each) => each.row === at.row);
		const down = this.#targets.filter((each) => each.column === at.column);
		const [place, level] = [across.indexOf(at), down.indexOf(at)];
		const to = {
			ArrowLeft: across[place - 1] ?? at,
			ArrowRight: across[place + 1] ?? at,
			ArrowUp: down[level - 1] ?? at,
			ArrowDown: down[level + 1] ?? at,
			Home: across[0],
			End: across.at(-1),
		}[event.key];
		if (to === undefined) return;
		event.preventDefault();
		to.button.focus();
	}
}

/** @param {Cell[]} one @param {Cell[]} other */
function isSamePath(one, other) {
	return (
		one.length === other.length &&
		one.every(({ row, column }, at) => row === other[at]?.row && column === other[at]?.column)
	);
}

/** @param {Target} target @param {BoardPicture} board */
function describe({ column, row, key }, board) {
	if (row === undefined) {
		const symbols = board.rows.map((symbols) => symbols[column] ?? "").reverse();
		const discs = symbols.filter((symbol) => symbol in board.pieces);
		return `Column ${key}: ${discs.length ? `${discs.join(" ")}` : "empty"}`;
	}
	const symbol = board.rows[row]?.[column] ?? "";
	const owner = (board.territory ?? []).find((cell) => cell.row === row && cell.column === column);
	const owned = owner ? `, captured by player ${owner.player + 1}` : "";
	const name = board.names.length ? key : `Column ${board.columns[column]}, row ${row + 1}`;
	return `${name}: ${symbol in board.pieces ? symbol : "empty"}${owned}`;
}
