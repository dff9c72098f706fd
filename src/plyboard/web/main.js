/** Starts the client: one connection, and the page of the address. */

import { analysisPage, reviewPage } from "./analysis_page.js";
import { connection } from "./connection.js";
import { setText } from "./dom.js";
import { editorPage } from "./editor_page.js";
import { galleryPage } from "./gallery_page.js";
import { gamePage } from "./game_page.js";
import { gamesPage } from "./games_page.js";
import { learnPage } from "./learn_page.js";
import { lobbyPage } from "./lobby_page.js";
import { startRouter } from "./router.js";

connection.status.follow(({ isOnline, tries }) => {
	const mark = document.getElementById("connection");
	if (!mark) return;
	mark.dataset.state = isOnline ? "online" : tries ? "lost" : "connecting";
	setText(mark, isOnline ? "Connected" : tries ? "Reconnecting" : "Connecting");
});

startRouter([
	{ pattern: /^\/$/, open: galleryPage },
	{ pattern: /^\/game\/([a-z0-9]+)$/, open: gamePage },
	{ pattern: /^\/learn\/([a-z0-9-]+)$/, open: learnPage },
	{ pattern: /^\/analysis$/, open: analysisPage },
	{ pattern: /^\/editor$/, open: editorPage },
	{ pattern: /^\/review\/([a-z0-9]+)$/, open: reviewPage },
	{ pattern: /^\/games$/, open: gamesPage },
	{ pattern: /^\/lobby$/, open: lobbyPage },
]);
