/** The two players with their pieces and clocks. */

import { disc } from "./board.js";
import { h, setAttributes, setText, svg } from "./dom.js";
import { clockText } from "./words.js";

/** @import { GameModel } from "./game_model.js" */
/** @import { BoardPicture } from "./protocol.js" */

const TICK = 100; // milliseconds
const LOW = 20; // seconds

/** @param {BoardPicture} board @param {string} symbol */
export function pieceIcon(board, symbol) {
	const look = board.pieces[symbol];
	const attributes = { viewBox: "-46 -46 92 92", "aria-hidden": "true" };
	return svg("svg.piece", attributes, look && disc(symbol, look));
}

/**
 * Return the card of the player at the top or at the bottom, and a function that ends its clock.
 * @param {GameModel} model
 * @param {"top" | "bottom"} place
 */
export function playerCard(model, place) {
	const piece = h("span.player-piece");
	const name = h("span.player-name");
	const kind = h("span.player-kind");
	const clock = h("span.clock", { role: "timer", hidden: true });
	const text = h("span.player-text", name, kind);
	const card = h("div", { class: `player player-${place}` }, piece, text, clock);
	let symbol = "";

	const player = () => (place === "bottom" ? model.bottom : 1 - model.bottom);

	function tick() {
		const { view, receivedAt } = model.store.value;
		const left = view?.seats[player()]?.left;
		if (!view || left === undefined) return;
		const isRunning = view.running === player() && !view.end;
		const shown = isRunning ? left - (performance.now() - receivedAt) / 1000 : left;
		setText(clock, clockText(shown));
		clock.classList.toggle("low", isRunning && shown < LOW);
	}

	const stop = model.store.follow(({ view }) => {
		if (!view) return;
		const seat = view.seats[player() === 1 ? 1 : 0];
		if (seat.symbol !== symbol) {
			symbol = seat.symbol;
			piece.replaceChildren(pieceIcon(view.board, symbol));
		}
		const toMove = !view.end && !view.waiting && view.mover === player();
		setText(name, model.name(view, player()));
		setText(kind, toMove ? "to move" : "");
		card.classList.toggle("to-move", toMove);
		setAttributes(clock, {
			hidden: seat.left === undefined,
			"aria-label": `Clock of ${seat.symbol}`,
		});
		tick();
	});
	const timer = window.setInterval(tick, TICK);
	const close = () => {
		stop();
		clearInterval(timer);
	};
	return { element: card, close };
}
