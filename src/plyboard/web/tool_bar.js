/** The small buttons of a board: its view, its link, the sound and the keys. */

import { copyText } from "./announcer.js";
import { icon, iconButton, openDialog } from "./controls.js";
import { h } from "./dom.js";
import { isSoundOn, keepSound } from "./seats.js";

/** @import { BoardPanel } from "./board_panel.js" */

const KEYS = [
	["4 or c4", "Make the move with this name"],
	["f, F, p", "Choose a flip or a pop, where there are some"],
	["arrows, Home, End", "Walk on the board, Enter plays"],
	["left, right", "One move back or forward, outside the board"],
	["T", "Turn the board"],
	["?", "Show these keys"],
];

/** @param {BoardPanel} panel */
export function toolBar(panel) {
	const sound = iconButton("Sound", "mute", () => {
		keepSound(!isSoundOn());
		showSound();
	});
	const showSound = () => {
		sound.ariaPressed = String(isSoundOn());
		sound.replaceChildren(icon(isSoundOn() ? "sound" : "mute"));
	};
	showSound();
	return h(
		"div.tools",
		iconButton("Turn the board", "turn", () => panel.turn()),
		iconButton("Copy the link of this page", "copy", () => copyText(location.href)),
		sound,
		iconButton("Keys", "keys", showKeys),
	);
}

/** @param {KeyboardEvent} event @param {BoardPanel} panel */
export function pressTool({ key, target }, panel) {
	if (target instanceof Element && target.closest("input, select, textarea, dialog")) return;
	if (key === "T") panel.turn();
	if (key === "?") showKeys();
}

function showKeys() {
	const rows = KEYS.map(([key = "", text = ""]) => h("li", h("kbd", key), h("span", text)));
	openDialog("Keys", h("ul.keys", ...rows));
}
