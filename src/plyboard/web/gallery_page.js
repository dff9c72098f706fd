/** The first page: all games, each one click away. */

import { BoardView } from "./board.js";
import { connection, gameKinds } from "./connection.js";
import { h, replace } from "./dom.js";
import { playButton } from "./new_game.js";
import { openSetup } from "./setup_dialog.js";

/** @import { GameKind } from "./protocol.js" */

/** Return the gallery. The address `/?new=NAME` opens the options of a game. */
export function galleryPage() {
	const cards = h("ul.cards");
	const wanted = new URLSearchParams(location.search).get("new");
	gameKinds().then((kinds) => {
		replace(cards, ...kinds.map((kind) => card(kind)));
		const kind = kinds.find(({ name }) => name === wanted);
		if (kind && cards.isConnected) openSetup(kind);
	});
	const element = h(
		"div.page",
		h("h1", "Pick a game"),
		h("p.lead", "Play against the engine or a friend. No account is needed."),
		cards,
	);
	return { element, title: "" };
}

/** @param {GameKind} kind */
function card(kind) {
	const heading = h("h2", kind.title);
	const play = playButton(kind, "Play");
	const open = { "aria-label": `Options of ${kind.title}`, click: () => openSetup(kind) };
	const options = h("button.button", open, "Options");
	const page = { href: `/learn/${kind.name}`, "aria-label": `How to play ${kind.title}` };
	const learn = h("a", page, "How to play");
	return h(
		"li.card",
		h("div.card-picture", picture(kind).element),
		h("div.card-text", heading, h("p", kind.summary), h("div.card-buttons", play, options, learn)),
	);
}

/**
 * Return a small board: empty at first, then with the moves of a sample.
 * @param {GameKind} kind
 */
function picture(kind) {
	const board = new BoardView({ isSmall: true });
	board.draw(kind.board);
	if (kind.sample) {
		connection.request({ t: "position", game: kind.name, moves: kind.sample.split(" ") }).then(
			(position) => board.draw({ ...position.board, last: [] }),
			() => {}, // the empty board is a picture, too
		);
	}
	return board;
}
