/** Icons, buttons and fields. */

import { h, svg } from "./dom.js";

/** @typedef {keyof typeof ICONS} IconName */

const ICONS = {
	back: "M15 5l-7 7 7 7",
	forward: "M9 5l7 7-7 7",
	first: "M18 5l-7 7 7 7M7 5v14",
	last: "M6 5l7 7-7 7M17 5v14",
	undo: "M9 7L4 12l5 5M4 12h10a6 6 0 0 1 6 6",
	turn: "M4 9a8 8 0 0 1 14-3l2 2M20 4v4h-4M20 15a8 8 0 0 1-14 3l-2-2M4 20v-4h4",
	flag: "M6 21V4M6 4h12l-3 4.5L18 13H6",
	draw: "M5 9h14M5 15h14",
	plus: "M12 5v14M5 12h14",
	copy: "M9 9h10v11H9zM6 15H5V4h10v2",
	again: "M4 12a8 8 0 1 0 3-6.2M4 4v5h5",
	swap: "M7 4v15M3 8l4-4 4 4M17 20V5M13 16l4 4 4-4",
	sound: "M4 10v4h4l5 4V6l-5 4zM17 9a4 4 0 0 1 0 6M19.5 6.5a8 8 0 0 1 0 11",
	mute: "M4 10v4h4l5 4V6l-5 4zM17 10l4 4M21 10l-4 4",
	graph: "M4 19h16M4 15l5-6 4 4 7-8",
	close: "M6 6l12 12M18 6L6 18",
	hide: "M4 4l16 16M9 6a9 9 0 0 1 12 6 9 9 0 0 1-3 4M6 8a9 9 0 0 0-3 4 9 9 0 0 0 12 6",
	hint: "M9 18h6M10 21h4M12 3a6 6 0 0 0-4 10.5V16h8v-2.5A6 6 0 0 0 12 3z",
	edit: "M4 20l1-5L16 4l4 4L9 19zM13 7l4 4",
	keys: "M3 6h18v12H3zM7 10h0M12 10h0M17 10h0M8 14h8",
};

/** @param {IconName} name */
export function icon(name) {
	return svg(
		"svg.icon",
		{ viewBox: "0 0 24 24", "aria-hidden": "true" },
		svg("path", { d: ICONS[name] }),
	);
}

/**
 * @param {string} text
 * @param {IconName} name
 * @param {() => void} action
 * @param {string} [kind]
 * @param {boolean} [disabled]
 */
export function textButton(text, name, action, kind = "", disabled = false) {
	return h("button", { class: `button ${kind}`, disabled, click: action }, icon(name), text);
}

/**
 * Return a button with an icon alone; its label is for screen readers and the mouse.
 * @param {string} label
 * @param {IconName} name
 * @param {() => void} action
 */
export function iconButton(label, name, action) {
	return h("button.icon-button", { "aria-label": label, title: label, click: action }, icon(name));
}

/** @param {string} title @param {HTMLElement} content */
export function openDialog(title, content) {
	const close = iconButton("Close", "close", () => dialog.close());
	const head = h("header", h("h2", { id: "dialog-title" }, title), close);
	const click = (/** @type {MouseEvent} */ { target }) => target === dialog && dialog.close();
	const listeners = { click, close: () => dialog.remove() };
	const dialog = h("dialog", { "aria-labelledby": "dialog-title", ...listeners }, head, content);
	window.addEventListener("popstate", () => dialog.close(), { once: true });
	document.body.append(dialog);
	dialog.showModal();
	return dialog;
}

/** @param {string} text @param {HTMLElement} control */
export function labelled(text, control) {
	return h("label.field", h("span", text), control);
}

/** @param {import("./dom.js").Attributes} attributes @param {string[][]} options */
export function select(attributes, options) {
	const made = options.map(([value, text]) => h("option", { value }, text));
	return h("select", attributes, ...made);
}
