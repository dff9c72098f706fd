/** The options of a new game: its size, who plays each side, and the clock. */

import { iconButton, labelled, openDialog, select } from "./controls.js";
import { h } from "./dom.js";
import { startGame, usualSettings } from "./new_game.js";
import { pieceIcon } from "./players.js";
import { keepPlayerName, nameInput, playerName } from "./seats.js";
import { agentName, controlText } from "./words.js";

/** @import { GameKind, SeatChoice } from "./protocol.js" */

const CLOCKS = ["", "60", "180+2", "300", "600+5", "10/move", "30/move"];
const ABSENT = "Without a clock, a player who does not move for 10 minutes ends the game.";

/** @param {GameKind} kind */
export function openSetup(kind) {
	const first = seatSelect(kind, 0, "me");
	const second = seatSelect(kind, 1, usualSettings(kind).seats[1].agent ?? "");
	const numbers = kind.parameters.map(numberInput);
	const clocks = CLOCKS.map((text) => [text, controlText(text)]);
	const clock = select({ id: "setup-clock" }, clocks);
	const name = nameInput("setup-name");
	const isPublic = h("input", { id: "setup-public", type: "checkbox" });
	const publicRow = h("label.check", isPublic, "Show this game in the lobby");
	const nameRow = labelled("Your name", name);
	const absent = h("p.muted", ABSENT);
	const swap = iconButton("Exchange the sides", "swap", () => {
		[first.value, second.value] = [second.value, first.value];
		update();
	});
	const error = h("p.form-error", { role: "alert" });
	const play = h("button.button.primary", { type: "submit" }, "Play");
	const row = (/** @type {HTMLSelectElement} */ seat, /** @type {0 | 1} */ player) =>
		h(
			"div.seat-row",
			pieceIcon(kind.board, kind.players[player]),
			labelled(player ? "Second" : "First", seat),
		);
	const form = h(
		"form",
		{ method: "dialog", change: update },
		h("fieldset.seats", h("legend", "Players"), row(first, 0), swap, row(second, 1)),
		nameRow,
		publicRow,
		numbers.length > 0 &&
			h("fieldset.numbers", h("legend", "Board"), ...numbers.map(({ element }) => element)),
		labelled("Clock", clock),
		absent,
		error,
		play,
	);
	function update() {
		const hasFriend = [first.value, second.value].includes("open");
		publicRow.hidden = nameRow.hidden = !hasFriend;
		absent.hidden = !hasFriend || Boolean(clock.value);
	}

	form.addEventListener("submit", async (event) => {
		event.preventDefault();
		keepPlayerName(name.value.trim());
		play.disabled = true;
		const changed = numbers.flatMap(({ setting }) => setting() ?? []);
		try {
			await startGame({
				game: [kind.name, ...(changed.length ? [changed.join(",")] : [])].join(":"),
				seats: [seatChoice(first.value), seatChoice(second.value)],
				clock: clock.value,
				public: isPublic.checked && !publicRow.hidden,
			});
			dialog.close();
		} catch (fault) {
			play.disabled = false;
			error.textContent = fault instanceof Error ? fault.message : String(fault);
		}
	});
	update();
	const dialog = openDialog(kind.title, form);
	dialog.addEventListener("close", () => {
		if (location.search) history.replaceState(null, "", location.pathname);
	});
	play.focus();
}

/** @param {GameKind} kind @param {0 | 1} player @param {string} chosen */
function seatSelect({ agents }, player, chosen) {
	const options = agents.map(({ spec, title }) => {
		const name = agentName(spec);
		return [spec, spec.includes(":") ? name : `${name}: ${title}`];
	});
	options.unshift(["me", "Me"], ["open", "A friend, by link"]);
	const seat = select({ id: `setup-seat-${player}` }, options);
	seat.value = chosen;
	return seat;
}

/** @param {string} value @returns {SeatChoice} */
function seatChoice(value) {
	if (value === "me") return { kind: "me", name: playerName() };
	return value === "open" ? { kind: "open" } : { kind: "agent", agent: value };
}

/**
 * Return the field of a parameter, and its setting if that differs from the default.
 * @param {import("./protocol.js").Parameter} parameter
 */
function numberInput({ name, default: usual, least: min, most: max }) {
	const range = { type: "number", min, max, value: usual, required: true, inputmode: "numeric" };
	const input = h("input", { id: `setup-${name}`, ...range });
	const setting = () => (Number(input.value) === usual ? null : `${name}=${input.value}`);
	return { element: labelled(name.charAt(0).toUpperCase() + name.slice(1), input), setting };
}
