/** Short ways to make elements. Text is always set as text, never as markup. */

/** @typedef {string | number | Node | null | undefined | false} Child */
/** @typedef {Record<string, string | number | boolean | null | undefined | ((event: any) => void)>} Attributes */

const SVG = "http://www.w3.org/2000/svg";

/**
 * Return a new HTML element. Attributes that are functions become event listeners.
 *
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Attributes} [attributes]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(tag, attributes = {}, ...children) {
	return fill(document.createElement(tag), attributes, children);
}

/**
 * Return a new SVG element.
 *
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag
 * @param {Attributes} [attributes]
 * @param {...Child} children
 * @returns {SVGElementTagNameMap[K]}
 */
export function svg(tag, attributes = {}, ...children) {
	const made = /** @type {SVGElementTagNameMap[K]} */ (document.createElementNS(SVG, tag));
	return fill(made, attributes, children);
}

/**
 * @template {Element} E
 * @param {E} element
 * @param {Attributes} attributes
 * @param {Child[]} children
 * @returns {E}
 */
function fill(element, attributes, children) {
	setAttributes(element, attributes);
	element.append(...nodes(children));
	return element;
}

/**
 * Set attributes. `null`, `undefined` and `false` remove one; `true` sets it empty.
 *
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

/**
 * Replace the children of an element.
 *
 * @param {Element} element
 * @param {...Child} children
 */
export function replace(element, ...children) {
	element.replaceChildren(...nodes(children));
}

/** @type {WeakMap<Element, string>} */
const drawn = new WeakMap();

/**
 * Replace the rows of a list if what they show has changed, so that clicks are not lost.
 *
 * @template T
 * @param {Element} list
 * @param {T[]} items
 * @param {(item: T) => Node} row
 */
export function drawRows(list, items, row) {
	const now = JSON.stringify(items);
	if (drawn.get(list) === now) return;
	drawn.set(list, now);
	list.replaceChildren(...items.map(row));
}

/**
 * Set the text of an element if it differs, so that nothing is announced or selected anew.
 *
 * @param {Element} element
 * @param {string} text
 */
export function setText(element, text) {
	if (element.textContent !== text) element.textContent = text;
}

/**
 * @param {Child[]} children
 * @returns {(string | Node)[]}
 */
function nodes(children) {
	return children.flatMap((child) =>
		child === null || child === undefined || child === false
			? []
			: [typeof child === "number" ? String(child) : child],
	);
}
