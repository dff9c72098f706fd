/**
 * A value that parts of the page share and follow.
 * @template {object} T
 */
export class Store {
	/** @type {Set<(now: T, before: T) => void>} */
	#listeners = new Set();
	#value;

	/** @param {T} value */
	constructor(value) {
		this.#value = value;
	}

	get value() {
		return this.#value;
	}

	/**
	 * Change some fields and tell everybody who follows.
	 * @param {Partial<T>} changes
	 */
	set(changes) {
		const before = this.#value;
		this.#value = { ...before, ...changes };
		for (const listener of [...this.#listeners]) listener(this.#value, before);
	}

	/**
	 * Call the listener now and after every change. Returns a function that ends this.
	 * @param {(now: T, before: T) => void} listener
	 */
	follow(listener) {
		this.#listeners.add(listener);
		listener(this.#value, this.#value);
		return () => {
			this.#listeners.delete(listener);
		};
	}
}
