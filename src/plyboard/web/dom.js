/** Short ways to make elements. Text is always set as text, never as markup. */

/** @typedef {string | number | Node | null | undefined | false} Child */
/** @typedef {Record<string, string | number | boolean | null | undefined | ((event: any) => void)>} Attributes */

const SVG = "http://www.w3.org/2000/svg";

/**
 * Return a new HTML element: `h("p.lead", { hidden: true }, "text")`. Classes follow the tag.
 * Attributes that are functions become event listeners.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K | `${K}.${string}`} selector
 * @param {...(Attributes | Child)} parts
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(selector, ...parts) {
	const tag = /** @type {K} */ (selector.split(".")[0]);
	const made = document.createElement(tag);
	if (made instanceof HTMLButtonElement) made.type = "button";
	return fill(made, selector, parts);
}

/**
 * Return a new SVG element.
 * @template {keyof SVGElementTagNameMap} K
 * @param {K | `${K}.${string}`} selector
 * @param {...(Attributes | Child)} parts
 * @returns {SVGElementTagNameMap[K]}
 */
export function svg(selector, ...parts) {
	const tag = /** @type {K} */ (selector.split(".")[0]);
	return fill(document.createElementNS(SVG, tag), selector, parts);
}

/**
 * @template {Element} E
 * @param {E} element
 * @param {string} selector
 * @param {(Attributes | Child)[]} parts
 * @returns {E}
 */
function fill(element, selector, parts) {
	element.classList.add(...selector.split(".").slice(1));
	for (const part of parts) {
		if (part && typeof part === "object" && !(part instanceof Node)) setAttributes(element, part);
		else element.append(...nodes([part]));
	}
	return element;
}

/**
 * Set attributes. `null`, `undefined` and `false` remove one; `true` sets it empty.
 * @param {Element} element
 * @param {Attributes} attributes
 */
export function setAttributes(element, attributes) {
	for (const [name, value] of Object.entries(attributes)) {
		if (typeof value === "function") element.addEventListener(name, value);
		else if (value === null || value === undefined || value === false)
			element.removeAttribute(name);
		else element.setAttribute(name, value === true ? "" : String(value));
	}
}

/** @param {Element} element @param {...Child} children */
export function replace(element, ...children) {
	element.replaceChildren(...nodes(children));
}

/** @type {WeakMap<Element, string>} */
const drawn = new WeakMap();

/**
 * Replace the rows of a list if what they show has changed, so that clicks are not lost.
 * @template T
 * @param {Element} list
 * @param {T[]} items
 * @param {(item: T, index: number) => Node} row
 */
export function drawRows(list, items, row) {
	const now = JSON.stringify(items);
	if (drawn.get(list) === now) return;
	drawn.set(list, now);
	list.replaceChildren(...items.map(row));
}

/**
 * Set the text of an element if it differs, so that nothing is announced or selected anew.
 * @param {Element} element
 * @param {string} text
 */
export function setText(element, text) {
	if (element.textContent !== text) element.textContent = text;
}

/** @param {Child[]} children @returns {(string | Node)[]} */
function nodes(children) {
	const shown = children.filter((child) => child || child === 0 || child === "");
	return shown.map((child) => (child instanceof Node ? child : String(child)));
}
