/** The web socket: requests with answers, games that are watched, and coming back when it is lost. */

import { VERSION } from "./protocol.js";
import { Store } from "./store.js";

/** @import { GameView } from "./protocol.js" */
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
 * @typedef {object} Watched
 * @property {string | null} token
 * @property {(view: GameView) => void} onView
 * @property {(fault: RefusedError) => void} onRefused
 */

/**
 * @typedef {object} Stream
 * @property {Message} message
 * @property {(view: import("./protocol.js").AnalysisView) => void} onView
 * @property {(fault: RefusedError) => void} onRefused
 */

const FIRST_DELAY = 250; // milliseconds
const LONGEST_DELAY = 10_000;
const PING_EVERY = 15_000;
const PING_PATIENCE = 10_000;
/** Requests that may be sent twice: the server answers a repeated move or command from memory. */
const REPEATABLE = new Set(["move", "do", "games", "lobby", "position", "finished"]);

/** The server refused a request. */
export class RefusedError extends Error {
	/** @param {string} code @param {string} message */
	constructor(code, message) {
		super(message);
		this.code = code;
	}
}

/** The connection was lost before the answer came. */
class LostError extends Error {}

/** One connection to the server, for all parts of the page. */
export class Connection {
	/** Whether the server answers now, for the mark in the header. */
	status = new Store({ isOnline: false, tries: 0 });
	/** @type {Map<string, Pending>} */
	#pending = new Map();
	/** @type {Map<string, Watched>} */
	#watched = new Map();
	/** @type {Map<string, Stream>} */
	#streams = new Map();
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
	 *
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
	 * Watch a game. Every new connection watches it again. Returns a function that ends this.
	 *
	 * @param {string} game
	 * @param {Watched} watched
	 */
	watch(game, watched) {
		this.#watched.set(game, watched);
		if (this.#isWelcome) this.#sendWatch(game);
		return () => {
			this.#watched.delete(game);
			if (this.#isWelcome) this.request({ t: "unwatch", game }).catch(() => {});
		};
	}

	/**
	 * Use another seat of a watched game from now on.
	 *
	 * @param {string} game
	 * @param {string} token
	 */
	useSeat(game, token) {
		const watched = this.#watched.get(game);
		if (!watched || watched.token === token) return;
		watched.token = token;
		if (this.#isWelcome) this.#sendWatch(game);
	}

	/**
	 * Analyse a position; the answers come until one is the last. Returns a function that ends this.
	 *
	 * @param {import("./protocol.js").PositionRequest} position
	 * @param {Stream["onView"]} onView
	 * @param {Stream["onRefused"]} onRefused
	 */
	analyse(position, onView, onRefused) {
		const message = { t: "analyse", id: this.#newId(), ...position };
		this.#streams.set(message.id, { message, onView, onRefused });
		if (this.#isWelcome) this.#socket?.send(JSON.stringify(message));
		return () => {
			if (!this.#streams.delete(message.id) || !this.#isWelcome) return;
			this.request({ t: "stop", analysis: message.id }).catch(() => {});
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
		socket.addEventListener("close", () => {
			if (this.#socket === socket) this.#lost();
		});
	}

	#lost() {
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
				each.reject(new LostError("The connection was lost. Try again."));
			}
		}
		const delay = Math.min(LONGEST_DELAY, FIRST_DELAY * 2 ** Math.min(tries - 1, 10));
		this.#timer = window.setTimeout(() => this.#connect(), delay * (0.5 + Math.random() / 2));
	}

	/** @param {any} message */
	#receive(message) {
		if (message.t === "welcome") {
			this.#isWelcome = true;
			for (const game of this.#watched.keys()) this.#sendWatch(game);
			for (const { message } of this.#streams.values()) this.#socket?.send(JSON.stringify(message));
			this.#flush();
			this.status.set({ isOnline: true, tries: 0 });
			this.#schedulePing();
			return;
		}
		if (message.t === "game") this.#watched.get(message.game)?.onView(message);
		const stream = this.#streams.get(message.re);
		if (stream) return this.#receiveStream(stream, message);
		const pending = message.re ? this.#pending.get(message.re) : undefined;
		if (!pending) return;
		this.#pending.delete(message.re);
		if (message.t === "error") pending.reject(new RefusedError(message.code, message.message));
		else pending.resolve(message);
	}

	/** @param {Stream} stream @param {any} message */
	#receiveStream(stream, message) {
		if (message.t === "ack") return;
		if (message.t === "error" || message.is_last) this.#streams.delete(message.re);
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
	 * Send a watch at once: moves that wait for the connection need the seat.
	 *
	 * @param {string} game
	 */
	#sendWatch(game) {
		const watched = this.#watched.get(game);
		if (!watched || !this.#socket) return;
		const token = watched.token ? { token: watched.token } : {};
		const message = { t: "watch", id: this.#newId(), game, ...token };
		const reject = (/** @type {Error} */ fault) => {
			if (fault instanceof RefusedError) watched.onRefused(fault);
		};
		const pending = { message, repeats: false, isSent: true, resolve: () => {}, reject };
		this.#pending.set(message.id, pending);
		this.#socket.send(JSON.stringify(message));
	}

	/**
	 * Do not wait for a socket any longer.
	 *
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
