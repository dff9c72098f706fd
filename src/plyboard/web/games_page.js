/** Finished games: search, replay and review. */

import { connection, gameKinds } from "./connection.js";
import { labelled, select } from "./controls.js";
import { h, replace } from "./dom.js";
import { agentName, parameterText, personName } from "./words.js";

/** @import { FinishedGame } from "./protocol.js" */

const MOST = 50;

export function gamesPage() {
	const list = h("ul.rows");
	const empty = h("p.lead", { hidden: true }, "No finished games were found.");
	const game = select({ id: "games-game" }, [["", "All games"]]);
	const player = h("input", { id: "games-player", maxlength: 32, placeholder: "Anybody" });
	const next = () => find(shown.at(-1)?.created);
	const more = h("button.button", { hidden: true, click: next }, "Show more");
	/** @type {Map<string, string>} */
	const titles = new Map();
	/** @type {FinishedGame[]} */
	let shown = [];
	let asked = 0;

	/** @param {number} [before] */
	async function find(before) {
		asked += 1;
		const number = asked;
		const wanted = { game: game.value, player: player.value.trim(), most: MOST, before };
		/** @type {{games: FinishedGame[]}} */
		const { games } = await connection.request({ t: "finished", ...wanted });
		if (number !== asked) return;
		shown = before === undefined ? games : [...shown, ...games];
		replace(list, ...shown.map((each) => row(each, titles)));
		empty.hidden = shown.length > 0;
		more.hidden = games.length < MOST;
	}

	gameKinds().then((kinds) => {
		for (const kind of kinds) {
			titles.set(kind.name, kind.title);
			game.append(h("option", { value: kind.name }, kind.title));
		}
		find();
	});
	const fields = [labelled("Game", game), labelled("Player", player)];
	const filters = h("div.filters", { input: () => find() }, ...fields);
	const element = h("div.page.narrow", h("h1", "Finished games"), filters, list, empty, more);
	return { element, title: "Finished games" };
}

/** @param {FinishedGame} game @param {Map<string, string>} titles */
function row({ game, created, spec, first, second, result, reason }, titles) {
	const name = spec.split(":")[0] ?? "";
	const options = parameterText(spec);
	const title = `${titles.get(name) ?? name}${options ? `, ${options}` : ""}`;
	const players = [first, second].map(playerText).join(" – ");
	const date = new Date(created).toLocaleDateString("en", { dateStyle: "medium" });
	return h(
		"li",
		h("div", h("strong", players), h("span.muted", `${title} · ${result} (${reason}) · ${date}`)),
		h(
			"div.buttons",
			h("a.button", { href: `/game/${game}`, "aria-label": `Replay ${players}` }, "Replay"),
			h("a.button", { href: `/review/${game}`, "aria-label": `Review ${players}` }, "Review"),
		),
	);
}

/** @param {string} name */
function playerText(name) {
	return /^[a-z-]+(:[a-z]+=\d+)?$/.test(name) && name !== "guest"
		? agentName(name)
		: personName(name);
}
