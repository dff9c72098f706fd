/** The page of one game: the board, the players, the moves and what can be done. */

import { actions } from "./actions.js";
import { announce, showMessage } from "./announcer.js";
import { BoardPanel } from "./board_panel.js";
import { h, replace, setText } from "./dom.js";
import { GameModel } from "./game_model.js";
import { moveList, stepByKey } from "./move_list.js";
import { playerCard } from "./players.js";
import { setTitle } from "./router.js";
import { playSound } from "./sound.js";
import { endText, parameterText } from "./words.js";

/** @import { Connection } from "./connection.js" */
/** @import { GameState } from "./game_model.js" */
/** @import { GameView } from "./protocol.js" */

/**
 * Return the page of a game.
 *
 * @param {Connection} connection
 * @param {string} game
 * @returns {import("./router.js").Page}
 */
export function gamePage(connection, game) {
	const model = new GameModel(connection, game);
	const panel = new BoardPanel({
		onMove: (move) => model.play(move),
		onRefused: (text) => showMessage(text),
	});
	const title = h("h1");
	const status = h("p", { class: "status" });
	const rules = h("a", {}, "How to play");
	const head = h(
		"div",
		{ class: "game-head" },
		h("div", { class: "game-title" }, title, rules),
		status,
	);
	const [top, bottom] = [playerCard(model, "top"), playerCard(model, "bottom")];
	const stage = h("section", { class: "stage", "aria-label": "Position" }, panel.element);
	const element = h("div", { class: "game", hidden: true });
	const fault = h("div", { class: "page narrow", hidden: true });
	replace(
		element,
		head,
		top.element,
		stage,
		bottom.element,
		actions(model),
		moveList(walker(model)),
	);

	const stop = model.store.follow((now, before) => {
		fault.hidden = !now.fault;
		if (now.fault)
			replace(
				fault,
				h("h1", {}, "No game"),
				h("p", {}, now.fault),
				h("a", { class: "button", href: "/" }, "All games"),
			);
		element.hidden = !now.view || Boolean(now.fault);
		if (!now.view) return;
		const options = parameterText(now.view.spec);
		setText(title, options ? `${now.view.title}: ${options}` : now.view.title);
		rules.href = `/learn/${now.view.spec.split(":")[0]}`;
		setText(status, statusText(model, now));
		element.classList.toggle("is-over", Boolean(now.view.end) && now.ply === null);
		setTitle(`${statusText(model, now)} · ${now.view.title}`);
		drawBoard(panel, model, now, before);
		makeSound(now.view, before.view);
	});
	if (location.search === "?join") {
		history.replaceState(null, "", location.pathname);
		if (!model.mine.length) model.sit();
	}
	const press = (/** @type {KeyboardEvent} */ event) => {
		panel.press(event);
		const { ply, view } = model.store.value;
		stepByKey(event, walker(model), ply ?? view?.moves.length ?? 0);
	};
	document.addEventListener("keydown", press);
	const close = () => {
		document.removeEventListener("keydown", press);
		announce("");
		stop();
		top.close();
		bottom.close();
		model.close();
	};
	return { element: h("div", {}, element, fault), title: "Game", close };
}

/**
 * Return the model as the list of moves wants it.
 *
 * @param {GameModel} model
 * @returns {import("./move_list.js").Walker}
 */
function walker(model) {
	return {
		follow: (listener) =>
			model.store.follow(({ view, ply }) => {
				const moves = view?.moves ?? [];
				listener(moves, ply ?? moves.length);
			}),
		step: (ply) => model.step(ply),
	};
}

/**
 * @param {BoardPanel} panel
 * @param {GameModel} model
 * @param {GameState} now
 * @param {GameState} before
 */
function drawBoard(panel, model, now, before) {
	const { view } = now;
	if (!view) return;
	const shown = now.ply === null ? view : now.past;
	if (!shown) return;
	const seat = view.seats[view.mover === 1 ? 1 : 0];
	panel.show({
		board: shown.board,
		legal: view.legal ?? [],
		modifiers: view.modifiers ?? [],
		symbol: seat.symbol,
		isActive: model.canMove,
		turned: now.turned,
		isAnimated: before.view !== null && before.turned === now.turned,
	});
}

/**
 * @param {GameView} view
 * @param {GameView | null} before
 */
function makeSound(view, before) {
	if (!before || view.seq <= before.seq) return;
	if (view.end && !before.end) playSound("end");
	else if (view.moves.length !== before.moves.length) playSound("move");
}

/**
 * Return whose move it is, or how the game ended.
 *
 * @param {GameModel} model
 * @param {GameState} state
 */
function statusText(model, { view, ply }) {
	if (!view) return "";
	if (ply !== null)
		return ply === 0 ? "The first position" : `After move ${ply} of ${view.moves.length}`;
	const names = [model.name(view, 0), model.name(view, 1)];
	if (view.end) return endText(view.end, names);
	if (view.waiting) return "Waiting for a player";
	const name = names[view.mover] ?? "";
	if (name === "You") return "Your move";
	return view.seats[view.mover === 1 ? 1 : 0].kind === "agent"
		? `${name} is thinking`
		: `${name} to move`;
}
