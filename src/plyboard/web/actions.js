/** The buttons beside a game: takeback, draw, resign, rematch, invitation and the view. */

import { copyText } from "./announcer.js";
import { icon, labelled, textButton } from "./controls.js";
import { h, replace } from "./dom.js";
import { startGame, swapped } from "./new_game.js";
import { keepPlayerName, nameInput, ownGame } from "./seats.js";
import { toolBar } from "./tool_bar.js";

/** @import { IconName } from "./controls.js" */
/** @import { GameModel } from "./game_model.js" */
/** @import { GameView } from "./protocol.js" */

const SURE = 4000; // milliseconds to confirm
const LOCAL = /^(127\.|localhost$|\[::1\])/;

/** @param {GameModel} model @param {import("./board_panel.js").BoardPanel} panel */
export function actions(model, panel) {
	const offers = h("div.offers");
	const buttons = h("div.buttons");
	const element = h("section.actions", { "aria-label": "Game" }, offers, buttons, toolBar(panel));
	let shown = "";

	model.store.follow(({ view }) => {
		if (!view) return;
		const state = JSON.stringify([
			view.waiting,
			view.end,
			view.draw_offer,
			view.takeback_offer,
			view.rematch_offer,
			view.next,
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

/** @param {GameModel} model @param {GameView} view */
function gameButtons(model, view) {
	const opponent = view.seats[1 - model.bottom];
	const isFriend = opponent?.kind === "person" && model.mine.length === 1;
	if (view.end) {
		const name = view.spec.split(":")[0];
		const { settings } = ownGame(model.game);
		const ask = () =>
			isFriend ? model.command("rematch") : settings && startGame(swapped(settings));
		const canAsk = !view.next && (isFriend || (settings && opponent?.kind !== "open"));
		const hasAsked = isFriend && view.rematch_offer === model.bottom;
		return [
			canAsk && textButton("Rematch", "again", ask, "primary", hasAsked),
			view.next && h("a.button.primary", { href: `/game/${view.next}` }, "Go to the rematch"),
			h("a.button", { href: `/?new=${name}` }, icon("plus"), "New game"),
			view.moves.length > 0 &&
				h("a.button", { href: `/review/${view.game}` }, icon("graph"), "Review"),
			h("a.button", { href: `/export/${view.game}.txt`, download: true }, "Save"),
		];
	}
	if (!model.mine.length) return [];
	const hasOffer = view.draw_offer !== undefined;
	if (view.waiting) return [textButton("Cancel the game", "close", () => model.command("abort"))];
	return [
		textButton("Take back", "undo", () => model.command("takeback"), "", !view.moves.length),
		isFriend && textButton("Offer draw", "draw", () => model.command("draw"), "", hasOffer),
		!isFriend && textButton("Hint", "hint", () => model.hint()),
		sureButton("Resign", "flag", "Really resign?", () => model.command("resign")),
	];
}

/** @param {GameModel} model @param {GameView} view */
function offerBanners(model, view) {
	const banners = view.waiting && !view.end ? [invitation(model)] : [];
	const offers = /** @type {const} */ ([
		["draw", view.draw_offer, "offers a draw", "You offered a draw."],
		["takeback", view.takeback_offer, "asks to take a move back", "You asked to take a move back."],
		["rematch", view.rematch_offer, "wants a rematch", "You asked for a rematch."],
	]);
	for (const [what, player, asked, asking] of offers) {
		if (player === undefined || model.mine.length === 2) continue;
		if (model.mine.includes(player)) banners.push(h("p.banner", asking));
		else if (model.mine.length)
			banners.push(
				h(
					"div.banner",
					h("p", `${model.name(view, player)} ${asked}.`),
					textButton("Accept", "forward", () => model.command(what), "primary"),
					textButton("Decline", "close", () => model.command("decline")),
				),
			);
	}
	return banners;
}

/** @param {GameModel} model */
function invitation(model) {
	if (!model.mine.length) {
		const name = nameInput("seat-name");
		const sit = () => {
			keepPlayerName(name.value.trim());
			model.sit();
		};
		return h(
			"div.banner",
			h("p", "This game waits for a second player."),
			h(
				"div.copy",
				labelled("Your name", name),
				textButton("Take the open seat", "plus", sit, "primary"),
			),
		);
	}
	const facts = { readonly: true, value: location.href, "aria-label": "Invitation link" };
	const link = h("input", { ...facts, focus: () => link.select() });
	const where = LOCAL.test(location.hostname) ? " It works on this computer only." : "";
	const copy = textButton("Copy link", "copy", () => copyText(location.href), "primary");
	return h(
		"div.banner.invitation",
		h("p", `Send this link to the other player.${where}`),
		h("div.copy", link, copy),
	);
}

/**
 * Return a button that acts when it is pressed twice.
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
