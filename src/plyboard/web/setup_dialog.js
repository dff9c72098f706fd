/** The options of a new game: its size, who plays each side, and the clock. */

import { iconButton } from "./controls.js";
import { h } from "./dom.js";
import { startGame, usualSettings } from "./new_game.js";
import { pieceIcon } from "./players.js";
import { go } from "./router.js";
import { keepPlayerName, playerName } from "./seats.js";
import { agentName, controlText } from "./words.js";

/** @import { Connection } from "./connection.js" */
/** @import { GameKind, SeatChoice } from "./protocol.js" */

const CLOCKS = ["", "60", "180+2", "300", "600+5", "10/move", "30/move"];
const NAME_LENGTH = 32;

/**
 * Show the options; "Play" starts the game.
 *
 * @param {Connection} connection
 * @param {GameKind} kind
 */
export function openSetup(connection, kind) {
	const usual = usualSettings(kind);
	const seats = [seatSelect(kind, 0, "me"), seatSelect(kind, 1, usual.seats[1].agent ?? "")];
	const [first, second] = seats;
	if (!first || !second) return;
	const numbers = kind.parameters.map((each) => numberInput(each));
	const clock = h(
		"select",
		{ id: "setup-clock" },
		...CLOCKS.map((text) => h("option", { value: text }, controlText(text))),
	);
	const name = h("input", {
		id: "setup-name",
		type: "text",
		maxlength: NAME_LENGTH,
		autocomplete: "nickname",
		placeholder: "Guest",
		value: playerName(),
	});
	const isPublic = h("input", { id: "setup-public", type: "checkbox" });
	const publicRow = h(
		"label",
		{ class: "check", for: "setup-public" },
		isPublic,
		"Show this game in the lobby",
	);
	const nameRow = field("Your name", name);
	const swap = iconButton("Exchange the sides", "swap", () => {
		[first.value, second.value] = [second.value, first.value];
		update();
	});
	const error = h("p", { class: "form-error", role: "alert" });
	const play = h("button", { type: "submit", class: "button primary wide" }, "Play");
	const close = iconButton("Close", "close", () => dialog.close());
	const row = (
		/** @type {HTMLSelectElement} */ select,
		/** @type {string} */ text,
		/** @type {0 | 1} */ player,
	) =>
		h(
			"div",
			{ class: "seat-row" },
			pieceIcon(kind.board, kind.players[player]),
			h("label", { for: select.id }, text),
			select,
		);
	const form = h(
		"form",
		{ method: "dialog" },
		h("header", {}, h("h2", { id: "setup-title" }, kind.title), close),
		h(
			"fieldset",
			{ class: "seats" },
			h("legend", {}, "Players"),
			row(first, "First", 0),
			swap,
			row(second, "Second", 1),
		),
		nameRow,
		publicRow,
		numbers.length > 0 &&
			h(
				"fieldset",
				{ class: "numbers" },
				h("legend", {}, "Board"),
				...numbers.map(({ element }) => element),
			),
		field("Clock", clock),
		error,
		play,
	);
	const dialog = h("dialog", { class: "setup", "aria-labelledby": "setup-title" }, form);

	function update() {
		const hasFriend = seats.some((select) => select.value === "open");
		publicRow.hidden = !hasFriend;
		nameRow.hidden = !hasFriend;
	}

	form.addEventListener("submit", async (event) => {
		event.preventDefault();
		keepPlayerName(name.value.trim());
		play.disabled = true;
		try {
			const path = await startGame(connection, {
				game: spec(
					kind,
					numbers.map(({ input }) => input),
				),
				seats: [seatChoice(first.value), seatChoice(second.value)],
				clock: clock.value,
				public: isPublic.checked && !publicRow.hidden,
			});
			dialog.close();
			go(path);
		} catch (fault) {
			play.disabled = false;
			error.textContent = fault instanceof Error ? fault.message : String(fault);
		}
	});
	for (const select of seats) select.addEventListener("change", update);
	dialog.addEventListener("click", (event) => {
		if (event.target === dialog) dialog.close();
	});
	dialog.addEventListener("close", () => {
		dialog.remove();
		if (location.search) history.replaceState(null, "", location.pathname);
	});
	window.addEventListener("popstate", () => dialog.close(), { once: true });
	document.body.append(dialog);
	update();
	dialog.showModal();
	play.focus();
}

/**
 * @param {GameKind} kind
 * @param {0 | 1} player
 * @param {string} chosen
 */
function seatSelect(kind, player, chosen) {
	const people = [
		h("option", { value: "me" }, "Me"),
		h("option", { value: "open" }, "A friend, by link"),
	];
	const isEngine = (/** @type {{spec: string}} */ agent) => agent.spec.split(":")[0] === "engine";
	const option = (/** @type {import("./protocol.js").AgentKind} */ agent) => {
		const name = agentName(agent.spec);
		return h(
			"option",
			{ value: agent.spec },
			isEngine(agent)
				? agent.spec.includes(":")
					? name
					: `${name}, ${agent.title}`
				: `${name}: ${agent.title}`,
		);
	};
	const select = h(
		"select",
		{ id: `setup-seat-${player}` },
		h("optgroup", { label: "People" }, ...people),
		h("optgroup", { label: "Engine" }, ...kind.agents.filter(isEngine).map(option)),
		h(
			"optgroup",
			{ label: "Other agents" },
			...kind.agents.filter((each) => !isEngine(each)).map(option),
		),
	);
	select.value = chosen;
	return select;
}

/**
 * @param {string} value
 * @returns {SeatChoice}
 */
function seatChoice(value) {
	if (value === "me") return playerName() ? { kind: "me", name: playerName() } : { kind: "me" };
	return value === "open" ? { kind: "open" } : { kind: "agent", agent: value };
}

/** @param {import("./protocol.js").Parameter} parameter */
function numberInput({ name, default: usual, least, most }) {
	const id = `setup-${name}`;
	const input = h("input", {
		id,
		name,
		type: "number",
		min: least,
		max: most,
		value: usual,
		required: true,
		inputmode: "numeric",
	});
	const element = h(
		"div",
		{ class: "number" },
		h("label", { for: id }, name.charAt(0).toUpperCase() + name.slice(1)),
		input,
	);
	return { element, input };
}

/**
 * Return the spec of the game: its name, and the parameters that differ from the defaults.
 *
 * @param {GameKind} kind
 * @param {HTMLInputElement[]} inputs
 */
function spec(kind, inputs) {
	const changed = kind.parameters.flatMap(({ name, default: usual }, index) => {
		const value = Number(inputs[index]?.value);
		return value === usual ? [] : [`${name}=${value}`];
	});
	return changed.length ? `${kind.name}:${changed.join(",")}` : kind.name;
}

/**
 * @param {string} text
 * @param {HTMLElement} control
 */
function field(text, control) {
	return h("div", { class: "field" }, h("label", { for: control.id }, text), control);
}
