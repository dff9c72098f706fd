/** The first page: all games, each one click away. */

import { showFault } from "./announcer.js";
import { BoardView } from "./board.js";
import { gameKinds } from "./catalogue.js";
import { h, replace } from "./dom.js";
import { SAMPLES } from "./lessons.js";
import { playButton } from "./new_game.js";
import { openSetup } from "./setup_dialog.js";

/** @import { Connection } from "./connection.js" */
/** @import { GameKind } from "./protocol.js" */

/**
 * Return the gallery. The address `/?new=NAME` opens the options of a game.
 *
 * @param {Connection} connection
 * @returns {import("./router.js").Page}
 */
export function galleryPage(connection) {
	const cards = h("ul", { class: "cards" });
	const wanted = new URLSearchParams(location.search).get("new");
	gameKinds(connection).then((kinds) => {
		replace(cards, ...kinds.map((kind) => card(connection, kind)));
		const kind = kinds.find(({ name }) => name === wanted);
		if (kind && cards.isConnected) openSetup(connection, kind);
	}, showFault);
	const element = h(
		"div",
		{ class: "page" },
		h("h1", {}, "Pick a game"),
		h("p", { class: "lead" }, "Play against the engine or a friend. No account is needed."),
		cards,
	);
	return { element, title: "" };
}

/**
 * @param {Connection} connection
 * @param {GameKind} kind
 */
function card(connection, kind) {
	const heading = h("h2", {}, kind.title);
	const play = playButton(connection, kind, "Play");
	const options = h(
		"button",
		{
			type: "button",
			class: "button",
			"aria-label": `Options of ${kind.title}`,
			click: () => openSetup(connection, kind),
		},
		"Options",
	);
	const learn = h(
		"a",
		{ href: `/learn/${kind.name}`, "aria-label": `How to play ${kind.title}` },
		"How to play",
	);
	return h(
		"li",
		{ class: "card" },
		h("div", { class: "card-picture" }, picture(connection, kind).element),
		h(
			"div",
			{ class: "card-text" },
			heading,
			h("p", {}, kind.summary),
			h("div", { class: "card-buttons" }, play, options, learn),
		),
	);
}

/**
 * Return a small board: empty at first, then with the moves of a sample.
 *
 * @param {Connection} connection
 * @param {GameKind} kind
 */
function picture(connection, kind) {
	const board = new BoardView({ isSmall: true });
	board.draw(kind.board);
	const moves = SAMPLES[kind.name];
	if (moves) {
		connection.request({ t: "position", game: kind.name, moves: moves.split(" ") }).then(
			(position) => board.draw({ ...position.board, last: [] }),
			() => {}, // the empty board is a picture, too
		);
	}
	return board;
}
