/** Starts the client: one connection, and the page of the address. */

import { analysisPage, reviewPage } from "./analysis_page.js";
import { Connection } from "./connection.js";
import { setText } from "./dom.js";
import { galleryPage } from "./gallery_page.js";
import { gamePage } from "./game_page.js";
import { gamesPage } from "./games_page.js";
import { learnPage } from "./learn_page.js";
import { lobbyPage } from "./lobby_page.js";
import { startRouter } from "./router.js";

const connection = new Connection(`${location.origin.replace(/^http/, "ws")}/play`);

connection.status.follow(({ isOnline, tries }) => {
	const mark = document.getElementById("connection");
	if (!mark) return;
	mark.dataset.state = isOnline ? "online" : tries ? "lost" : "connecting";
	setText(mark, isOnline ? "Connected" : tries ? "Reconnecting" : "Connecting");
});

startRouter([
	{ pattern: /^\/$/, open: () => galleryPage(connection) },
	{ pattern: /^\/game\/([a-z0-9]+)$/, open: (game) => gamePage(connection, game) },
	{ pattern: /^\/learn\/([a-z0-9-]+)$/, open: (name) => learnPage(connection, name) },
	{ pattern: /^\/analysis$/, open: () => analysisPage(connection) },
	{ pattern: /^\/review\/([a-z0-9]+)$/, open: (game) => reviewPage(connection, game) },
	{ pattern: /^\/games$/, open: () => gamesPage(connection) },
	{ pattern: /^\/lobby$/, open: () => lobbyPage(connection) },
]);
