/** The web socket: requests, watched games, and coming back when it is lost. */

import { VERSION } from "./protocol.js";
import { Store } from "./store.js";

/** @typedef {{id: string, t: string, [field: string]: unknown}} Message */
/**
 * @typedef {object} Pending
 * @property {Message} message
 * @property {boolean} repeats Whether it is sent again on a new socket.
 * @property {boolean} isSent
 * @property {(answer: any) => void} resolve
 * @property {(fault: Error) => void} reject
 */
/**
 * A request with many answers: the views of a game or an analysis.
 * @typedef {object} Stream
 * @property {Message} message
 * @property {(view: any) => void} onView
 * @property {(fault: RefusedError) => void} onRefused
 */

const FIRST_DELAY = 250; // milliseconds
const LONGEST_DELAY = 10_000;
const PING_EVERY = 15_000;
const PING_PATIENCE = 10_000;
/** Requests that may be sent twice: the server remembers moves and commands. */
const REPEATABLE = new Set(["move", "do", "games", "lobby", "position", "finished", "tree"]);

/** The server refused a request. */
export class RefusedError extends Error {
	/** @param {string} code @param {string} message */
	constructor(code, message) {
		super(message);
		this.code = code;
	}
}

/** The client's end of the protocol. */
class Connection {
	/** Whether the server answers now, for the mark in the header. */
	status = new Store({ isOnline: false, tries: 0 });
	/** @type {Map<string, Pending>} */
	#pending = new Map();
	/** @type {Set<Stream>} */
	#streams = new Set();
	/** @type {WebSocket | null} */
	#socket = null;
	#isWelcome = false;
	#prefix = randomId();
	#count = 0;
	#timer = 0;
	#pingTimer = 0;

	/** @param {string} url */
	constructor(url) {
		this.url = url;
		window.addEventListener("online", () => this.#connect());
		window.addEventListener("offline", () => this.#giveUp(this.#socket));
		window.addEventListener("pageshow", () => this.#connect());
		document.addEventListener("visibilitychange", () => {
			if (document.visibilityState === "visible") this.#connect();
		});
		this.#connect();
	}

	/**
	 * Send a request and return its answer. Waits for the connection if there is none.
	 * @param {{t: string, [field: string]: unknown}} fields
	 * @returns {Promise<any>}
	 */
	request(fields) {
		const message = { ...fields, id: this.#newId() };
		return new Promise((resolve, reject) => {
			const repeats = REPEATABLE.has(fields.t);
			this.#pending.set(message.id, { message, repeats, isSent: false, resolve, reject });
			this.#flush();
		});
	}

	/**
	 * Watch a game or analyse a position. Every new connection asks again. Returns a function that
	 * ends this.
	 * @param {{t: "watch" | "analyse", game: string, [field: string]: unknown}} fields
	 * @param {Stream["onView"]} onView
	 * @param {Stream["onRefused"]} onRefused
	 */
	follow(fields, onView, onRefused) {
		const message = { ...fields, id: this.#newId() };
		const stream = { message, onView, onRefused };
		this.#streams.add(stream);
		if (this.#isWelcome) this.#socket?.send(JSON.stringify(message));
		return () => {
			if (!this.#streams.delete(stream) || !this.#isWelcome) return;
			const { t, game } = fields;
			const end = t === "watch" ? { t: "unwatch", game } : { t: "stop", analysis: message.id };
			this.request(end).catch(() => {});
		};
	}

	#newId() {
		this.#count += 1;
		return `${this.#prefix}-${this.#count}`;
	}

	#connect() {
		if (this.#socket && this.#socket.readyState <= WebSocket.OPEN) return;
		clearTimeout(this.#timer);
		const socket = new WebSocket(this.url);
		this.#socket = socket;
		socket.addEventListener("open", () => {
			socket.send(JSON.stringify({ t: "hello", id: this.#newId(), version: VERSION }));
		});
		socket.addEventListener("message", (event) => {
			if (this.#socket === socket) this.#receive(JSON.parse(event.data));
		});
		socket.addEventListener("close", ({ code }) => {
			if (this.#socket === socket) this.#lost(code);
		});
	}

	/** @param {number} [code] */
	#lost(code) {
		clearTimeout(this.#pingTimer);
		this.#socket = null;
		this.#isWelcome = false;
		const tries = this.status.value.tries + 1;
		this.status.set({ isOnline: false, tries });
		for (const [id, each] of this.#pending) {
			if (each.repeats) {
				each.isSent = false;
			} else if (each.isSent) {
				this.#pending.delete(id);
				each.reject(new Error("The connection was lost. Try again."));
			}
		}
		if (code === 4009) return; // other tabs use the seat
		const delay = Math.min(LONGEST_DELAY, FIRST_DELAY * 2 ** Math.min(tries - 1, 10));
		this.#timer = window.setTimeout(() => this.#connect(), delay * (0.5 + Math.random() / 2));
	}

	/** @param {any} message */
	#receive(message) {
		if (message.t === "welcome") {
			this.#isWelcome = true;
			for (const stream of this.#streams) this.#socket?.send(JSON.stringify(stream.message));
			this.#flush(); // moves that waited for the connection need the seat of a watched game
			this.status.set({ isOnline: true, tries: 0 });
			this.#schedulePing();
			return;
		}
		for (const stream of [...this.#streams]) {
			const { id, t, game } = stream.message;
			const isNews = message.t === "game" && t === "watch" && game === message.game;
			if (isNews || id === message.re) this.#tell(stream, message);
		}
		const pending = message.re ? this.#pending.get(message.re) : undefined;
		if (!pending || (message.t === "ack" && pending.message.t === "tree")) return;
		this.#pending.delete(message.re);
		if (message.t === "error") pending.reject(new RefusedError(message.code, message.message));
		else pending.resolve(message);
	}

	/** @param {Stream} stream @param {any} message */
	#tell(stream, message) {
		if (message.t === "ack") return;
		if (message.t === "error" || message.is_last) this.#streams.delete(stream);
		if (message.t === "error") stream.onRefused(new RefusedError(message.code, message.message));
		else stream.onView(message);
	}

	#flush() {
		if (!this.#isWelcome || !this.#socket) return;
		for (const each of this.#pending.values()) {
			if (each.isSent) continue;
			each.isSent = true;
			this.#socket.send(JSON.stringify(each.message));
		}
	}

	/**
	 * Do not wait for a socket any longer.
	 * @param {WebSocket | null} socket
	 */
	#giveUp(socket) {
		if (!socket || this.#socket !== socket) return;
		socket.close();
		this.#lost();
	}

	/** Close a socket over which no answer comes, as after a change of networks. */
	#schedulePing() {
		clearTimeout(this.#pingTimer);
		this.#pingTimer = window.setTimeout(() => {
			const socket = this.#socket;
			const patience = window.setTimeout(() => this.#giveUp(socket), PING_PATIENCE);
			this.request({ t: "ping" })
				.then(
					() => this.#schedulePing(),
					() => {},
				)
				.finally(() => clearTimeout(patience));
		}, PING_EVERY);
	}
}

/** Return a random text for the ids of requests, which are unique across visits. */
function randomId() {
	const bytes = crypto.getRandomValues(new Uint8Array(12));
	return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** One connection to the server, for all parts of the page. */
export const connection = new Connection(`${location.origin.replace(/^http/, "ws")}/play`);
