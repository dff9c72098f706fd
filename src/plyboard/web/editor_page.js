/** The board editor; the server judges what is put together. */

import { analysisPath } from "./analysis_model.js";
import { announce, showFault } from "./announcer.js";
import { BoardPanel } from "./board_panel.js";
import { connection } from "./connection.js";
import { icon, labelled, select, textButton } from "./controls.js";
import { h, replace, setText } from "./dom.js";
import { pieceIcon } from "./players.js";
import { go } from "./router.js";

/** @import { EditedView } from "./protocol.js" */

const PAUSE = 250; // milliseconds between requests

export function editorPage() {
	const parts = new URLSearchParams(location.search);
	const game = parts.get("game") ?? "connect-four";
	/** @type {EditedView | null} */
	let view = null;
	/**
	 * What is not judged yet.
	 * @type {{text?: string, rows?: string[], settings?: string[]} | null}
	 */
	let changes = null;
	let base = ""; // names the usual player to move
	let asking = Promise.resolve();
	let asked = -PAUSE;
	let [brush, empty] = ["", ""];
	/** @type {import("./protocol.js").LegalMove[]} */
	let cells = [];

	const panel = new BoardPanel(paint);
	const status = h("p.status");
	const palette = h("div.buttons", { role: "group", "aria-label": "What to put" });
	const taken = h("span.muted");
	const chosen = () => [...settings.querySelectorAll("select")];
	const set = () => change({ settings: chosen().map(({ value }) => value) });
	const settings = h("fieldset.numbers", { "aria-label": "Settings", change: set });
	const verdict = h("p.verdict", { role: "status" });
	const done = textButton("Done", "forward", finish, "primary");
	const clear = () => change({ rows: rows().map((row) => empty.repeat(row.length)) });
	const restart = () => change({ text: "", rows: undefined, settings: undefined });
	const cancel = () => (history.state?.isOpened ? history.back() : go(pathOf("")));
	const side = h(
		"section.analysis-side",
		{ "aria-label": "Editor" },
		palette,
		settings,
		verdict,
		h(
			"div.buttons",
			done,
			textButton("Cancel", "back", cancel),
			textButton("Clear", "close", clear),
			textButton("Start position", "again", restart),
		),
	);
	const head = h("div.game-head", h("div.game-title", h("h1", "Edit board")), status);
	const element = h("div.game.analysis", { hidden: true }, head, panel.stage, side);

	const pathOf = (/** @type {string} */ start) => analysisPath({ game, start, moves: [], ply: 0 });
	const rows = () => changes?.rows ?? view?.board.rows ?? [];
	const values = () => changes?.settings ?? view?.settings.map(({ value }) => value) ?? [];

	/** @param {NonNullable<typeof changes>} more */
	function change(more) {
		changes = { ...changes, ...more };
		show();
		asking = asking.then(judge).catch(showFault);
	}

	async function judge() {
		if (!changes) return;
		await new Promise((resolve) => setTimeout(resolve, asked + PAUSE - performance.now()));
		const sent = changes;
		asked = performance.now();
		const rows = view?.board.rows;
		view = await connection.request({ t: "edit", game, text: base, rows, ...sent });
		if (changes === sent) changes = null;
		if (!element.isConnected || !view) return;
		if (sent.settings || sent.text !== undefined) base = view.text;
		if (!cells.length) build(view);
		history.replaceState(history.state, "", pathOf(view.text).replace("analysis", "editor"));
		show();
	}

	/** @param {EditedView} view */
	function build({ board, symbols, settings: described }) {
		cells = board.rows.flatMap((_, row) =>
			board.columns.map((_, column) => ({ move: `${row},${column}`, row, column })),
		);
		brush = symbols[0]?.symbol ?? "";
		empty = symbols.at(-1)?.symbol ?? "";
		const brushes = symbols.map(({ symbol, name }) =>
			h(
				"button.chip",
				{ value: symbol, title: name, click: () => take(symbol) },
				symbol === empty ? icon("close") : pieceIcon(board, symbol),
			),
		);
		const fields = described.map(({ label, values, titles }) =>
			labelled(
				label,
				select(
					{},
					values.map((value, at) => [value, titles[at] ?? value]),
				),
			),
		);
		replace(palette, ...brushes, taken);
		replace(settings, ...fields);
	}

	const take = (/** @type {string} */ symbol) => {
		brush = symbol;
		show();
	};

	/** @param {string} symbol */
	const nameOf = (symbol) => view?.symbols.find((each) => each.symbol === symbol)?.name ?? "";

	/**
	 * Put the chosen symbol on a cell, or empty the cell if it has this symbol.
	 * @param {string} cell
	 */
	function paint(cell) {
		const [row = 0, column = 0] = cell.split(",").map(Number);
		const symbol = rows()[row]?.[column] === brush ? empty : brush;
		const painted = (/** @type {string} */ each) =>
			each.slice(0, column) + symbol + each.slice(column + 1);
		change({ rows: rows().map((each, at) => (at === row ? painted(each) : each)) });
		announce(nameOf(symbol));
	}

	async function finish() {
		await asking;
		if (view && !view.reason) go(pathOf(view.text));
	}

	function show() {
		element.hidden = !view;
		if (!view) return;
		const { board, reason } = view;
		setText(status, `Player ${values()[0]} to move`);
		setText(taken, nameOf(brush));
		setText(verdict, reason ? `Not possible: ${reason}.` : "The position is possible.");
		verdict.classList.toggle("form-error", Boolean(reason));
		done.disabled = Boolean(reason);
		for (const each of palette.querySelectorAll("button"))
			each.ariaPressed = String(each.value === brush);
		chosen().forEach((each, at) => (each.value = values()[at] ?? ""));
		panel.show({
			board: { ...board, rows: rows() },
			legal: cells,
			modifiers: [],
			symbol: brush === empty ? "" : brush,
			isActive: true,
			isAnimated: false,
			hasCells: true,
		});
	}

	change({ text: parts.get("start") ?? "" });
	return {
		element,
		title: "Edit board",
		press: (/** @type {KeyboardEvent} */ event) => panel.press(event),
	};
}
