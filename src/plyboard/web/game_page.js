/** The page of one game: the board, the players, the moves and what can be done. */

import { actions } from "./actions.js";
import { announce } from "./announcer.js";
import { BoardPanel } from "./board_panel.js";
import { h, setText } from "./dom.js";
import { GameModel } from "./game_model.js";
import { moveList } from "./move_list.js";
import { playerCard } from "./players.js";
import { swapped } from "./new_game.js";
import { go, setTitle } from "./router.js";
import { keepSeat, ownGame } from "./seats.js";
import { playSound } from "./sound.js";
import { pressTool } from "./tool_bar.js";
import { endText, parameterText } from "./words.js";

/** @import { GameState } from "./game_model.js" */
/** @import { GameView } from "./protocol.js" */

/** @param {string} game */
export function gamePage(game) {
	const model = new GameModel(game);
	const panel = new BoardPanel((move) => model.play(move));
	panel.onInactive = () => model.returnToGame();
	const title = h("h1");
	const status = h("p.status");
	const rules = h("a", "How to play");
	const head = h("div.game-head", h("div.game-title", title, rules), status);
	const [top, bottom] = [playerCard(model, "top"), playerCard(model, "bottom")];
	const moves = moveList(model);
	const below = [bottom.element, actions(model, panel), moves.element];
	const element = h("div.game", { hidden: true }, head, top.element, panel.stage, ...below);
	const reason = h("p");
	const all = h("a.button", { href: "/" }, "All games");
	const fault = h("div.page.narrow", { hidden: true }, h("h1", "No game"), reason, all);

	const stop = model.store.follow((now, before) => {
		fault.hidden = !now.fault;
		setText(reason, now.fault);
		element.hidden = !now.view || Boolean(now.fault);
		if (!now.view) return;
		const options = parameterText(now.view.spec);
		setText(title, options ? `${now.view.title}: ${options}` : now.view.title);
		rules.href = `/learn/${now.view.spec.split(":")[0]}`;
		setText(status, statusText(model, now));
		element.classList.toggle("is-over", Boolean(now.view.end) && now.ply === null);
		setTitle(`${statusText(model, now)} · ${now.view.title}`);
		const shown = now.ply === null ? now.view : now.past;
		panel.showValues(now.hint && now.ply === null ? [now.hint] : []);
		if (shown)
			panel.show({
				board: shown.board,
				legal: now.view.legal ?? [],
				modifiers: now.view.modifiers ?? [],
				symbol: now.view.seats[now.view.mover].symbol,
				isActive: model.canMove,
				isAnimated: before.view !== null,
			});
		makeSound(now.view, before.view);
		if (before.view && now.view.next && !before.view.next) goToRematch(model, now.view.next);
	});
	if (location.search === "?join") {
		history.replaceState(null, "", location.pathname);
		if (!model.mine.length) model.sit();
	}
	const close = () => {
		announce("");
		stop();
		top.close();
		bottom.close();
		model.close();
	};
	const press = (/** @type {KeyboardEvent} */ event) => {
		panel.press(event);
		moves.press(event);
		pressTool(event, panel);
	};
	return { element: h("div", element, fault), title: "Game", press, close };
}

/**
 * Go to the next game of two players. The tokens are the same, the sides are exchanged.
 * @param {GameModel} model
 * @param {string} next
 */
function goToRematch(model, next) {
	const { token, settings } = ownGame(model.game);
	if (model.mine.length !== 1 || !token) return;
	keepSeat(next, [1 - model.bottom], token, settings && swapped(settings));
	go(`/game/${next}`);
}

/** @param {GameView} view @param {GameView | null} before */
function makeSound(view, before) {
	if (!before || view.seq <= before.seq) return;
	if (view.end && !before.end) playSound("end");
	else if (view.moves.length !== before.moves.length) playSound("move");
}

/** @param {GameModel} model @param {GameState} state */
function statusText(model, { view, ply }) {
	if (!view) return "";
	if (ply !== null)
		return ply === 0 ? "The first position" : `After move ${ply} of ${view.moves.length}`;
	const names = [model.name(view, 0), model.name(view, 1)];
	if (view.end) return endText(view.end, names);
	if (view.waiting) return "Waiting for a player";
	const name = names[view.mover] ?? "";
	if (name === "You") return "Your move";
	return view.seats[view.mover].kind === "agent" ? `${name} is thinking` : `${name} to move`;
}
