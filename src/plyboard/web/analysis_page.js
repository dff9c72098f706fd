/** The analysis of any position: the values of all moves, the best lines, and a graph. */

import { AnalysisModel } from "./analysis_model.js";
import { announce, showFault, showMessage } from "./announcer.js";
import { BoardPanel } from "./board_panel.js";
import { gameKinds } from "./catalogue.js";
import { icon, textButton } from "./controls.js";
import { drawRows, h, replace, setAttributes, setText } from "./dom.js";
import { evaluationGraph } from "./graph.js";
import { moveList, stepByKey } from "./move_list.js";
import { go, setTitle } from "./router.js";
import { endText, parameterText, valueText } from "./words.js";

/** @import { Line, Mistake } from "./analysis_model.js" */
/** @import { Connection } from "./connection.js" */
/** @import { GameKind, MoveValue } from "./protocol.js" */

const SHOWN_VALUES = 8;
const SHOWN_MISTAKES = 5;

/**
 * Return the address of the analysis of a line.
 *
 * @param {Line} line
 */
function analysisPath({ game, start, moves, ply }) {
	const parts = new URLSearchParams({ game });
	if (start) parts.set("start", start);
	if (moves.length) parts.set("moves", moves.join("."));
	if (ply < moves.length) parts.set("ply", String(ply));
	return `/analysis?${parts}`;
}

/**
 * Return the page of the line in the address.
 *
 * @param {Connection} connection
 * @returns {import("./router.js").Page}
 */
export function analysisPage(connection) {
	const parts = new URLSearchParams(location.search);
	const moves = (parts.get("moves") ?? "").split(".").filter(Boolean);
	const game = parts.get("game") ?? "connect-four";
	const line = {
		game,
		start: parts.get("start") ?? "",
		moves,
		ply: Number(parts.get("ply") ?? moves.length),
	};
	return linePage(connection, line, false);
}

/**
 * Return the review of a game: all its moves are analysed.
 *
 * @param {Connection} connection
 * @param {string} game
 * @returns {import("./router.js").Page}
 */
export function reviewPage(connection, game) {
	const element = h("div", { class: "page" });
	let close = () => {};
	const stop = connection.watch(game, {
		token: null,
		onView: (view) => {
			stop();
			if (!element.isConnected) return;
			const { spec, start = "", moves } = view;
			const page = linePage(connection, { game: spec, start, moves, ply: moves.length }, true);
			close = page.close ?? close;
			element.replaceWith(page.element);
		},
		onRefused: showFault,
	});
	return {
		element,
		title: "Review",
		close: () => {
			stop();
			close();
		},
	};
}

/**
 * @param {Connection} connection
 * @param {Line} line
 * @param {boolean} isReview
 * @returns {import("./router.js").Page}
 */
function linePage(connection, line, isReview) {
	const model = new AnalysisModel(connection, line);
	const panel = new BoardPanel({ onMove: (move) => model.play(move), onRefused: showMessage });
	const title = h("h1", {}, "Analysis");
	const status = h("p", { class: "status" });
	const values = h("ol", { class: "values", "aria-label": "Values of the moves" });
	const facts = h("p", { class: "muted facts" });
	const why = h("ul", { class: "why", "aria-label": "Reasons", tabindex: 0 });
	const bar = h("div", { class: "bar" }, h("div", { class: "bar-first" }));
	const mistakes = h("ol", { class: "mistakes", "aria-label": "Mistakes" });
	const variations = h("ul", { class: "variations", "aria-label": "Variations" });
	const review = textButton("Analyse all moves", "forward", () => model.review());
	const side = h(
		"section",
		{ class: "analysis-side", "aria-label": "Analysis" },
		bar,
		values,
		facts,
		why,
	);
	const typed = h("input", { type: "text", "aria-label": "Moves", placeholder: "Moves" });
	typed.addEventListener("change", () => model.load(typed.value.split(/[\s.,]+/).filter(Boolean)));
	const lineSide = h(
		"section",
		{ class: "actions", "aria-label": "Line" },
		evaluationGraph(model),
		mistakes,
		variations,
		typed,
		review,
	);
	const choice = h("select", { "aria-label": "Game" });
	choice.addEventListener("change", () => go(`/analysis?game=${choice.value}`));
	const head = h(
		"div",
		{ class: "game-head" },
		h("div", { class: "game-title" }, title, choice),
		status,
	);
	const stage = h("section", { class: "stage", "aria-label": "Position" }, panel.element);
	const element = h(
		"div",
		{ class: "game analysis" },
		head,
		stage,
		side,
		moveList(walker(model)),
		lineSide,
	);
	/** @type {GameKind | undefined} */
	let kind;

	const stop = model.store.follow((now) => {
		const { position, view, ply, moves } = now;
		element.hidden = !position;
		if (!position) return;
		const names = (kind?.players ?? ["1", "2"]).map((symbol) => `Player ${symbol}`);
		setText(
			status,
			position.end ? endText(position.end, names) : `${names[position.mover]} to move`,
		);
		panel.showValues(position.end ? [] : (view?.values ?? []));
		panel.show({
			board: position.board,
			legal: position.legal ?? [],
			modifiers: position.modifiers ?? [],
			symbol: kind?.players[position.mover === 1 ? 1 : 0] ?? "",
			isActive: !position.end,
			isAnimated: true,
		});
		const shown = position.end ? [] : (view?.values ?? []).slice(0, SHOWN_VALUES);
		const first = model.shares[ply] ?? { "1-0": 1, "0-1": 0 }[position.end?.result ?? ""] ?? 0.5;
		bar.style.setProperty("--share", String(first));
		const at = `${moves.slice(0, ply)}`;
		if (at !== values.dataset.at || !values.matches(":hover, :focus-within"))
			drawRows(values, shown, (value) => valueRow(value, model, panel));
		values.dataset.at = at;
		setText(facts, factsText(view, Boolean(position.end)));
		drawRows(why, shown[0]?.reasons ?? [], (reason) => h("li", {}, reason));
		const worst = model.mistakes.slice(0, SHOWN_MISTAKES);
		drawRows(mistakes, worst, (mistake) => mistakeRow(mistake, model));
		drawRows(variations, now.variations, (each) => variationRow(model, each));
		if (typed !== document.activeElement) typed.value = moves.join(" ");
		review.disabled = Boolean(now.progress) || !moves.length;
		review.replaceChildren(icon("forward"), now.progress || "Analyse all moves");
		if (!location.pathname.startsWith("/review/"))
			history.replaceState(null, "", analysisPath({ ...line, moves, ply }));
	});
	gameKinds(connection).then((kinds) => {
		kind = kinds.find(({ name }) => name === line.game.split(":")[0]);
		if (!kind) return;
		const options = parameterText(line.game);
		setText(title, options ? `Analysis: ${options}` : "Analysis");
		replace(choice, ...kinds.map((each) => h("option", { value: each.name }, each.title)));
		choice.value = kind.name;
		setTitle(`Analysis · ${kind.title}`);
		model.store.set({});
	}, showFault);
	if (isReview) model.review();
	const press = (/** @type {KeyboardEvent} */ event) => {
		panel.press(event);
		stepByKey(event, walker(model), model.store.value.ply);
	};
	document.addEventListener("keydown", press);
	const close = () => {
		document.removeEventListener("keydown", press);
		stop();
		model.close();
	};
	return { element, title: "Analysis", close };
}

/**
 * Return the model as the list of moves wants it.
 *
 * @param {AnalysisModel} model
 * @returns {import("./move_list.js").Walker}
 */
function walker(model) {
	return {
		follow: (listener) => model.store.follow(({ moves, ply }) => listener(moves, ply)),
		step: (ply) => model.go(ply),
	};
}

/**
 * @param {import("./protocol.js").AnalysisView | null} view
 * @param {boolean} isOver
 */
function factsText(view, isOver) {
	if (isOver) return "The game is over here.";
	if (!view) return "Analysing";
	const depth = Math.max(...view.values.map((value) => value.depth ?? 0));
	const parts = [view.is_last ? "Done" : "Analysing"];
	if (view.values.every(({ exact }) => exact)) parts.push("exact values");
	else if (depth) parts.push(`depth ${depth}`);
	if (view.nodes) parts.push(`${view.nodes.toLocaleString("en")} nodes`);
	return parts.join(" · ");
}

/**
 * Return a move with its value. Its best line is on the board while it is pointed at.
 *
 * @param {MoveValue} value
 * @param {AnalysisModel} model
 * @param {BoardPanel} panel
 */
function valueRow(value, model, panel) {
	const line = value.line ?? [value.move];
	const show = async () => {
		const { moves, ply } = model.store.value;
		try {
			const position = await model.position([...moves.slice(0, ply), ...line]);
			if (button.matches(":hover, :focus")) panel.preview(position.board);
		} catch (fault) {
			showFault(fault);
		}
	};
	const hide = () => {
		panel.preview(null);
		model.store.set({}); // the values may have changed meanwhile
	};
	const choose = () => {
		panel.preview(null);
		announce(`${value.move} was played.`);
		model.play(value.move);
	};
	const button = h(
		"button",
		{ type: "button", "data-move": value.move },
		h("strong", {}, value.move),
		h("span", { class: "value-short" }, valueText(value)),
		h("span", { class: "value-words" }, value.text),
		h("span", { class: "value-line" }, line.slice(1).join(" ")),
	);
	const listeners = { pointerenter: show, focus: show, pointerleave: hide, blur: hide };
	setAttributes(button, { ...listeners, click: choose });
	return h("li", {}, button);
}

/**
 * @param {Mistake} mistake
 * @param {AnalysisModel} model
 */
function mistakeRow({ ply, move, best, loss }, model) {
	const text = `cost ${Math.round(100 * loss)}% of a win; ${best.move} was better (${best.text})`;
	return h(
		"li",
		{},
		h(
			"button",
			{ type: "button", click: () => model.go(ply) },
			h("strong", {}, `${(ply >> 1) + 1}.${ply % 2 ? ".." : ""} ${move}`),
			h("span", {}, text),
		),
	);
}

/**
 * @param {AnalysisModel} model
 * @param {string[]} line
 */
function variationRow(model, line) {
	const text = line.join(" ");
	const label = `Return to the line ${text}`;
	return h(
		"li",
		{},
		h("button", { type: "button", "aria-label": label, click: () => model.resume(line) }, text),
	);
}
