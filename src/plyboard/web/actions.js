/** The buttons beside a game: takeback, draw, resign, rematch, invitation and the view. */

import { showFault, showMessage } from "./announcer.js";
import { icon, iconButton, textButton } from "./controls.js";
import { h, replace } from "./dom.js";
import { startGame, swapped } from "./new_game.js";
import { go } from "./router.js";
import { isSoundOn, keepSound, ownGame, playerName } from "./seats.js";

/** @import { IconName } from "./controls.js" */
/** @import { GameModel } from "./game_model.js" */
/** @import { GameSettings, GameView } from "./protocol.js" */

const SURE = 4000; // milliseconds to confirm

/**
 * Return the buttons that fit the state of a game.
 *
 * @param {GameModel} model
 */
export function actions(model) {
	const offers = h("div", { class: "offers" });
	const buttons = h("div", { class: "buttons" });
	const tools = h("div", { class: "tools" });
	const element = h("section", { class: "actions", "aria-label": "Game" }, offers, buttons, tools);
	replace(tools, ...toolButtons(model));
	let shown = "";

	model.store.follow(({ view }) => {
		if (!view) return;
		const state = JSON.stringify([
			view.waiting,
			view.end,
			view.draw_offer,
			view.takeback_offer,
			model.mine,
			view.moves.length === 0,
		]);
		if (state === shown) return;
		shown = state;
		replace(offers, ...offerBanners(model, view));
		replace(buttons, ...gameButtons(model, view));
	});
	return element;
}

/**
 * @param {GameModel} model
 * @param {GameView} view
 */
function gameButtons(model, view) {
	const opponent = view.seats[1 - model.bottom];
	if (view.end) {
		const name = view.spec.split(":")[0];
		const canRepeat = model.mine.length > 0;
		const text = opponent?.kind === "person" && model.mine.length === 1 ? "Play again" : "Rematch";
		return [
			canRepeat && textButton(text, "again", () => rematch(model, view), "primary"),
			h("a", { class: "button", href: `/?new=${name}` }, icon("plus"), "New game"),
			view.moves.length > 0 &&
				h("a", { class: "button", href: `/review/${view.game}` }, icon("graph"), "Review"),
			h("a", { class: "button", href: `/export/${view.game}.txt`, download: true }, "Save"),
		];
	}
	if (!model.mine.length)
		return view.waiting
			? [textButton("Take the open seat", "plus", () => model.sit(), "primary")]
			: [];
	if (view.waiting) return [textButton("Cancel the game", "close", () => model.command("abort"))];
	const isPerson = opponent?.kind === "person" && model.mine.length === 1;
	return [
		textButton("Take back", "undo", () => model.command("takeback"), "", !view.moves.length),
		isPerson &&
			textButton(
				"Offer draw",
				"draw",
				() => model.command("draw"),
				"",
				view.draw_offer !== undefined,
			),
		sureButton("Resign", "flag", "Really resign?", () => model.command("resign")),
	];
}

/**
 * @param {GameModel} model
 * @param {GameView} view
 */
function offerBanners(model, view) {
	if (view.end) return [];
	const banners = [];
	if (view.waiting) banners.push(invitation(model));
	const offers = /** @type {const} */ ([
		["draw", view.draw_offer, "offers a draw", "You offered a draw."],
		["takeback", view.takeback_offer, "asks to take a move back", "You asked to take a move back."],
	]);
	for (const [what, player, asked, asking] of offers) {
		if (player === undefined || model.mine.length === 2) continue;
		if (model.mine.includes(player)) banners.push(h("p", { class: "banner" }, asking));
		else if (model.mine.length)
			banners.push(
				h(
					"div",
					{ class: "banner" },
					h("p", {}, `${model.name(view, player)} ${asked}.`),
					textButton("Accept", "forward", () => model.command(what), "primary"),
					textButton("Decline", "close", () => model.command("decline")),
				),
			);
	}
	return banners;
}

/** @param {GameModel} model */
function invitation(model) {
	if (!model.mine.length)
		return h("p", { class: "banner" }, "This game waits for a second player.");
	const link = h("input", {
		type: "text",
		readonly: true,
		value: location.href,
		"aria-label": "Invitation link",
	});
	link.addEventListener("focus", () => link.select());
	return h(
		"div",
		{ class: "banner invitation" },
		h("p", {}, "Send this link to the other player, who must be on this computer for now."),
		h(
			"div",
			{ class: "copy" },
			link,
			textButton("Copy link", "copy", () => copyLink(), "primary"),
		),
	);
}

/** @param {GameModel} model */
function toolButtons(model) {
	const turn = iconButton("Turn the board", "turn", () =>
		model.store.set({ turned: !model.store.value.turned }),
	);
	const copy = iconButton("Copy the link of this game", "copy", () => copyLink());
	const sound = iconButton("Sound", isSoundOn() ? "sound" : "mute", () => {
		keepSound(!isSoundOn());
		sound.setAttribute("aria-pressed", String(isSoundOn()));
		sound.replaceChildren(icon(isSoundOn() ? "sound" : "mute"));
	});
	sound.setAttribute("aria-pressed", String(isSoundOn()));
	return [turn, copy, sound];
}

async function copyLink() {
	try {
		await navigator.clipboard.writeText(location.href);
		showMessage("The link is copied.");
	} catch {
		showMessage(`The link of this game: ${location.href}`);
	}
}

/**
 * Start the game once more with the sides exchanged.
 *
 * @param {GameModel} model
 * @param {GameView} view
 */
async function rematch(model, view) {
	const known = ownGame(model.game).settings;
	/** @type {(player: 0 | 1) => import("./protocol.js").SeatChoice} */
	const seat = (player) => {
		if (model.mine.includes(player))
			return playerName() ? { kind: "me", name: playerName() } : { kind: "me" };
		const { kind, agent = "" } = view.seats[player];
		return kind === "agent" ? { kind: "agent", agent } : { kind: "open" };
	};
	/** @type {GameSettings} */
	const settings = known ?? { game: view.spec, seats: [seat(0), seat(1)] };
	try {
		go(await startGame(model.connection, swapped(settings)));
	} catch (fault) {
		showFault(fault);
	}
}

/**
 * Return a button that acts when it is pressed twice.
 *
 * @param {string} text
 * @param {IconName} name
 * @param {string} question
 * @param {() => void} action
 */
function sureButton(text, name, question, action) {
	let timer = 0;
	const made = textButton(text, name, () => {
		if (made.classList.contains("danger")) {
			clearTimeout(timer);
			return action();
		}
		made.classList.add("danger");
		made.replaceChildren(icon(name), question);
		timer = window.setTimeout(() => {
			made.classList.remove("danger");
			made.replaceChildren(icon(name), text);
		}, SURE);
	});
	return made;
}
