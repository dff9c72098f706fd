/** Says what changed to screen readers, and shows short messages. */

import { h, setText } from "./dom.js";

const SHOWN = 5000; // milliseconds

const spoken = h("p.unseen", { "aria-live": "polite", role: "status" });
const shown = h("p.toast", { role: "alert", hidden: true });
let timer = 0;

document.body.append(spoken, shown);

/** @param {string} text */
export function announce(text) {
	setText(spoken, text);
}

/**
 * Show a message for a while. Returns a function that hides it before that.
 * @param {string} text
 */
export function showMessage(text) {
	clearTimeout(timer);
	shown.textContent = text;
	shown.hidden = false;
	const mine = window.setTimeout(() => (shown.hidden = true), SHOWN);
	timer = mine;
	return () => {
		if (timer === mine) shown.hidden = true;
	};
}

/**
 * Copy a text, or show it where the browser does not allow that.
 * @param {string} text
 */
export async function copyText(text) {
	try {
		await navigator.clipboard.writeText(text);
		showMessage("Copied.");
	} catch {
		showMessage(text);
	}
}

// What a part of the page does not handle is shown, too.
window.addEventListener("unhandledrejection", (event) => {
	event.preventDefault();
	showFault(event.reason);
});

/** @param {unknown} fault */
export function showFault(fault) {
	showMessage(fault instanceof Error ? fault.message : String(fault));
}
