/** Addresses and pages: links within the client change the page without loading it again. */

import { setAttributes } from "./dom.js";

/** @typedef {(event: KeyboardEvent) => void} Press */
/** @typedef {{element: HTMLElement, title: string, press?: Press, close?: () => void}} Page */
/** @typedef {{pattern: RegExp, open: (part: string) => Page}} Route */

const SITE = "Plyboard";

/** @type {Route[]} */
let routes = [];
/** @type {Page | null} */
let current = null;

/**
 * Show the page of the address, and follow it from now on.
 * @param {Route[]} known
 */
export function startRouter(known) {
	routes = known;
	window.addEventListener("popstate", () => show());
	document.addEventListener("keydown", (event) => current?.press?.(event));
	document.addEventListener("click", (event) => {
		const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
		if (!(link instanceof HTMLAnchorElement) || link.origin !== location.origin) return;
		if (event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
		if (link.hash || link.download || link.target) return;
		if (!routes.some(({ pattern }) => pattern.test(link.pathname))) return;
		event.preventDefault();
		go(link.pathname + link.search);
	});
	show();
}

/** @param {string} path @param {object} [state] What the page remembers beside its address. */
export function go(path, state) {
	history.pushState(state, "", path);
	show();
	window.scrollTo(0, 0);
	document.querySelector("main")?.focus({ preventScroll: true });
}

/** @param {string} title */
export function setTitle(title) {
	document.title = title ? `${title} · ${SITE}` : SITE;
}

function show() {
	const main = document.querySelector("main");
	if (!main) return;
	current?.close?.();
	const path = location.pathname;
	const route = routes.find(({ pattern }) => pattern.test(path)) ?? routes[0];
	if (!route) return;
	current = route.open(route.pattern.exec(path)?.[1] ?? "");
	main.replaceChildren(current.element);
	setTitle(current.title);
	for (const link of document.querySelectorAll("header a[href]"))
		setAttributes(link, { "aria-current": link.getAttribute("href") === path && "page" });
}
