/** The analysis of any position: the values of all moves, the best lines, and a graph. */

import { AnalysisModel, analysisPath } from "./analysis_model.js";
import { announce } from "./announcer.js";
import { BoardPanel } from "./board_panel.js";
import { connection, gameKinds } from "./connection.js";
import { icon, textButton } from "./controls.js";
import { drawRows, h, replace, setAttributes, setText } from "./dom.js";
import { evaluationGraph } from "./graph.js";
import { moveList, moveNumber } from "./move_list.js";
import { startGame, swapped, usualSettings } from "./new_game.js";
import { go, setTitle } from "./router.js";
import { pressTool, toolBar } from "./tool_bar.js";
import { transferPanel } from "./transfer_panel.js";
import { treePanel } from "./tree_panel.js";
import { endText, parameterText, seatName, valueText } from "./words.js";

/** @import { Line } from "./analysis_model.js" */
/** @import { GameKind, MoveValue, ReviewedMove } from "./protocol.js" */

const SHOWN_VALUES = 8;
const SHOWN_MISTAKES = 5;
const LEGEND = [
	[
		"+3",
		"Connect Four, exact: a win that leaves the winner 2 discs. 0 is a draw, \u22123 such a loss.",
	],
	["win in 9", "Proved: the game ends with the ninth move from here, of both players."],
	["+12 points", "Proved: the lead of the player to move at the end. With \u201cabout\u201d, an estimate."],
	["62%", "An estimate: what the engine scores from such positions against itself."],
];
const REVIEW = "Review all moves";
const POINTED = 80; // milliseconds, before a line is shown

export function analysisPage() {
	const parts = new URLSearchParams(location.search);
	const moves = (parts.get("moves") ?? "").split(".").filter(Boolean);
	const game = parts.get("game") ?? "connect-four";
	const line = {
		game,
		start: parts.get("start") ?? "",
		moves,
		ply: plyOf(parts.get("ply"), moves.length),
	};
	return linePage(line);
}

/**
 * Return the number of a position in an address; what is no number means the last one.
 * @param {string | null} text
 * @param {number} last
 */
function plyOf(text, last) {
	return text !== null && /^\d+$/.test(text) ? Math.min(Number(text), last) : last;
}

/**
 * Return the review of a game: what each move cost, and the mistakes.
 * @param {string} game
 */
export function reviewPage(game) {
	const element = h("div.page");
	/** @type {import("./router.js").Page | null} */
	let page = null;
	const stop = connection.follow(
		{ t: "watch", game },
		({ spec, start = "", moves, seats }) => {
			stop();
			if (!element.isConnected) return;
			const title = `Review: ${seats.map(seatName).join(" – ")}`;
			page = linePage({ game: spec, start, moves, ply: moves.length }, title);
			element.replaceWith(page.element);
		},
		(fault) => replace(element, ...faultRows("No review", fault.message)),
	);
	return {
		element,
		title: "Review",
		press: (/** @type {KeyboardEvent} */ event) => page?.press?.(event),
		close: () => {
			stop();
			page?.close?.();
		},
	};
}

/** @param {Line} line @param {string} [heading] Of a review. */
function linePage(line, heading = "") {
	const model = new AnalysisModel(line);
	const panel = new BoardPanel((move) => model.play(move));
	let timer = 0;
	/** @type {(line: string[] | null) => void} Shows a line on the board as ghosts. */
	const preview = (line) => {
		clearTimeout(timer);
		timer = line ? window.setTimeout(show, POINTED, line) : 0;
		panel.preview(null);
		model.store.set({}); // the values may have changed meanwhile
	};
	const show = async (/** @type {string[]} */ line) => {
		const { moves, ply } = model.store.value;
		const mine = timer;
		const position = await model.position([...moves.slice(0, ply), ...line]);
		if (mine === timer) panel.preview(position.board);
	};
	const title = h("h1", heading || "Analysis");
	const status = h("p.status");
	const values = h("ol.values", { "aria-label": "Values of the moves" });
	const facts = h("p.muted.facts");
	const why = h("ul.why", { "aria-label": "Reasons", tabindex: 0 });
	const barText = h("span.bar-text", { "aria-hidden": "true" });
	const bar = h("div.bar", { role: "img" }, h("div.bar-first"), barText);
	const proof = h("p.muted.proof", { role: "status" });
	const mistakes = h("ol.mistakes", { "aria-label": "Mistakes" });
	const branches = h("ul.variations", { "aria-label": "Variations" });
	const review = textButton(REVIEW, "forward", () => model.review());
	const side = h("section.analysis-side", { "aria-label": "Analysis" }, bar, values, facts, why);
	const hide = textButton("Hide values", "hide", () => {
		side.hidden = !side.hidden;
		hide.ariaPressed = String(side.hidden);
		model.store.set({});
	});
	const play = textButton("Play from here", "plus", () => {
		const { position } = model.store.value;
		if (!kind || !position || position.end) return;
		const { seats } = usualSettings(kind);
		const settings = { game: line.game, start: position.text, seats };
		startGame(position.mover ? swapped(settings) : settings);
	});
	const edit = textButton("Edit board", "edit", () => {
		const start = model.store.value.position?.text ?? "";
		go(`/editor?${new URLSearchParams({ game: line.game, start })}`, { isOpened: true });
	});
	const load = () => model.load(typed.value.split(/[\s.,]+/).filter(Boolean));
	const typing = { "aria-label": "Moves", placeholder: "Moves", change: load };
	const typed = h("input", { type: "text", ...typing });
	const transfer = transferPanel(model);
	const lineSide = h(
		"section.actions",
		{ "aria-label": "Line" },
		evaluationGraph(model),
		proof,
		mistakes,
		branches,
		typed,
		h("div.buttons", review, play, hide, edit),
		treePanel(model, preview),
		transfer.element,
		legend(),
		toolBar(panel),
	);
	const moveRows = moveList(model);
	const change = () => go(`/analysis?game=${choice.value}`);
	const choice = h("select", { "aria-label": "Game", change });
	const head = h("div.game-head", h("div.game-title", title, choice), status);
	const board = h("div.game.analysis", head, panel.stage, side, moveRows.element, lineSide);
	const fault = h("div.page.narrow", { hidden: true });
	const element = h("div", board, fault);
	/** @type {GameKind | undefined} */
	let kind;

	const stop = model.store.follow((now) => {
		const { position, view, ply, moves, variations } = now;
		board.hidden = !position;
		fault.hidden = Boolean(position) || !now.fault;
		replace(fault, ...(now.fault ? faultRows("No such position", now.fault) : []));
		if (!position) return;
		const names = (kind?.players ?? ["1", "2"]).map((symbol) => `Player ${symbol}`);
		const { end, mover } = position;
		const known = end ? [] : (view?.values ?? []);
		setText(status, end ? endText(end, names) : `${names[mover]} to move`);
		panel.showValues(side.hidden ? [] : known);
		panel.show({
			board: position.board,
			legal: position.legal ?? [],
			modifiers: position.modifiers ?? [],
			symbol: kind?.players[mover] ?? "",
			isActive: !end,
		});
		const shown = known.slice(0, SHOWN_VALUES);
		const first = model.share(ply) ?? { "1-0": 1, "0-1": 0 }[end?.result ?? ""] ?? 0.5;
		bar.style.setProperty("--share", String(first));
		const best = shown[0];
		const told = best ? `${names[mover]}: ${view?.text}` : status.textContent;
		setText(barText, best?.points === undefined ? "" : told);
		setAttributes(bar, { "aria-label": `Value of the position. ${told}` });
		const at = `${moves.slice(0, ply)}`;
		if (at !== values.dataset.at || !values.matches(":hover:not(:empty), :focus-within"))
			drawRows(values, shown, (value) => valueRow(value, model, preview));
		values.dataset.at = at;
		setText(facts, end ? "The game is over here." : factsText(view));
		drawRows(why, shown[0]?.reasons ?? [], (reason) => h("li", reason));
		const worst = model.mistakes.slice(0, SHOWN_MISTAKES);
		drawRows(mistakes, worst, (mistake) => mistakeRow(mistake, model));
		setText(proof, proofText(model));
		drawRows(branches, variations, (each) => variationRow(model, each));
		if (typed !== document.activeElement) typed.value = moves.join(" ");
		review.disabled = Boolean(now.progress) || !moves.length;
		review.replaceChildren(icon("forward"), now.progress || REVIEW);
		if (!heading)
			history.replaceState(
				{ ...history.state, variations },
				"",
				analysisPath({ ...line, moves, ply }),
			);
	});
	gameKinds().then((kinds) => {
		kind = kinds.find(({ name }) => name === line.game.split(":")[0]);
		if (!kind) return;
		const facts = history.state?.title || parameterText(line.game);
		if (!heading) setText(title, facts ? `Analysis: ${facts}` : "Analysis");
		transfer.setKind(kind);
		edit.hidden = !kind.editable;
		replace(choice, ...kinds.map((each) => h("option", { value: each.name }, each.title)));
		choice.value = kind.name;
		setTitle(`${heading || "Analysis"} · ${kind.title}`);
		model.store.set({});
	});
	if (heading) model.review();
	const close = () => {
		stop();
		model.close();
	};
	const press = (/** @type {KeyboardEvent} */ event) => {
		panel.press(event);
		moveRows.press(event);
		pressTool(event, panel);
	};
	return { element, title: "Analysis", press, close };
}

/** @param {string} heading @param {string} text */
function faultRows(heading, text) {
	return [h("h1", heading), h("p", text), h("a.button", { href: "/" }, "All games")];
}

/** What the values mean. */
function legend() {
	const rows = LEGEND.map(([value = "", text = ""]) =>
		h("li", h("strong", value), h("span", text)),
	);
	return h("details.fold", h("summary", "What the values mean"), h("ul.keys", ...rows));
}

/** @param {import("./protocol.js").AnalysisView | null} view */
function factsText(view) {
	if (!view) return "Analysing";
	const depth = Math.max(...view.values.map((value) => value.depth ?? 0));
	const proved = view.values.filter(({ exact }) => exact).length;
	const all = view.values.length;
	const parts = [view.is_last ? (proved === all ? "Done" : "Estimated") : "Analysing"];
	if (proved === all) parts.push("all values proved");
	else if (proved) parts.push(`${proved} of ${all} values proved`);
	if (view.text && view.text !== view.values[0]?.text) parts.push(`${view.text} by a book`);
	if (depth && proved < all) parts.push(`depth ${depth}`);
	if (view.nodes) parts.push(`${view.nodes.toLocaleString("en")} nodes`);
	return parts.join(" · ");
}

/** What is known of the line, and how surely.
 * @param {AnalysisModel} model */
function proofText(model) {
	const view = model.reviewed;
	if (!view) return "";
	const found = view.worst?.length ? "" : "No mistakes. ";
	const exact = "All values are proved.";
	return found + (view.is_exact ? exact : "Values with \u201cabout\u201d are estimates.");
}

/**
 * Return a move with its value. Its best line is on the board while it is pointed at.
 * @param {MoveValue} value
 * @param {AnalysisModel} model
 * @param {(line: string[] | null) => void} preview
 */
function valueRow(value, model, preview) {
	const line = value.line ?? [value.move];
	const show = () => preview(line);
	const hide = () => preview(null);
	const choose = () => {
		preview(null);
		announce(`${value.move} was played.`);
		model.play(value.move);
	};
	const listeners = { pointerenter: show, focus: show, pointerleave: hide, blur: hide };
	const button = h(
		"button",
		{ "data-move": value.move, ...listeners, click: choose },
		h("strong", value.move),
		h("span.value-short", valueText(value)),
		h("span.value-words", value.text),
		h("span.value-line", line.slice(1).join(" ")),
	);
	return h("li", button);
}

/** @param {ReviewedMove} mistake @param {AnalysisModel} model */
function mistakeRow({ ply, move, mark, value, best, best_value: better }, model) {
	const number = moveNumber(model.movers, ply);
	return h(
		"li",
		h(
			"button",
			{ click: () => model.step(ply - 1) },
			h("strong", `${number} ${move}${mark ?? ""}`),
			h("span", `${value}; ${best} was better: ${better}`),
		),
	);
}

/** @param {AnalysisModel} model @param {string[]} line */
function variationRow(model, line) {
	const text = line.join(" ");
	const label = `Return to the line ${text}`;
	return h("li", h("button", { "aria-label": label, click: () => model.resume(line) }, text));
}
