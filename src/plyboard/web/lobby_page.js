/** The public games that wait for a player. */

import { connection } from "./connection.js";
import { drawRows, h } from "./dom.js";
import { controlText, parameterText, personName } from "./words.js";

/** @import { OpenGame } from "./protocol.js" */

const REFRESH = 3000; // milliseconds

export function lobbyPage() {
	const list = h("ul.rows");
	const empty = h(
		"p.lead",
		{ hidden: true },
		"Nobody waits for an opponent now. Start a game with “A friend, by link” and show it here.",
	);
	let timer = 0;

	async function refresh() {
		const { games } = await connection.request({ t: "lobby" });
		empty.hidden = games.length > 0;
		drawRows(list, games, row);
		if (timer >= 0) timer = window.setTimeout(refresh, REFRESH);
	}

	refresh().catch(() => {});
	const close = () => {
		clearTimeout(timer);
		timer = -1;
	};
	const element = h(
		"div.page.narrow",
		h("h1", "Lobby"),
		h("p.lead", "Open games that anybody may join."),
		list,
		empty,
		h("a.button", { href: "/" }, "Start a game"),
	);
	return { element, title: "Lobby", close };
}

/** @param {OpenGame} game */
function row({ game, spec, title, host, clock, here }) {
	const presence = here ? "" : "away";
	const details = [parameterText(spec), controlText(clock), presence].filter(Boolean).join(" · ");
	return h(
		"li",
		h("div", h("strong", title), h("span.muted", `${personName(host)} · ${details}`)),
		h(
			"a.button.primary",
			{ href: `/game/${game}?join`, "aria-label": `Join ${title} against ${personName(host)}` },
			"Join",
		),
	);
}
