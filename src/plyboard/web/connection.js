/** The web socket: requests, watched games, and coming back when it is lost. */

import { VERSION } from "./protocol.js";
import { Store } from "./store.js";

/** @import { GameKind } from "./protocol.js" */
/** @typedef {{id: string, t: string, [field: string]: unknown}} Message */
/**
 * A request that waits for its answer, or for many: the views of a game or an analysis.
 * @typedef {object} Waiting
 * @property {Message} message
 * @property {boolean} isSent
 * @property {(answer: any) => void} onAnswer
 * @property {(fault: any) => void} onFault
 */

const FIRST_DELAY = 250; // milliseconds
const LONGEST_DELAY = 10_000;
const PING_EVERY = 15_000;
const PING_PATIENCE = 10_000;
const LONGEST = 4096; // characters of a message, as the server accepts them
const STREAMS = ["watch", "analyse", "review"]; // requests with many answers
const SLOW = ["tree", ...STREAMS]; // whose answer may come after an `ack`
/** Requests that may be sent twice: the server remembers moves and commands. */
const REPEATABLE = ["move", "do", "games", "lobby", "position", "edit", "finished", ...SLOW];

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
	/** @type {Map<string, Waiting>} */
	#waiting = new Map();
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
		return new Promise((resolve, reject) => this.#ask(fields, resolve, reject));
	}

	/**
	 * Watch a game, analyse a position or review a game. Every new connection asks again. Returns a function that
	 * ends this.
	 * @param {{t: string, game: string, [field: string]: unknown}} fields
	 * @param {(view: any) => void} onView
	 * @param {(fault: RefusedError) => void} onRefused
	 */
	follow(fields, onView, onRefused) {
		const id = this.#ask(fields, onView, onRefused);
		return () => {
			if (!this.#waiting.delete(id) || !this.#isWelcome) return;
			const { t, game } = fields;
			const end = t === "watch" ? { t: "unwatch", game } : { t: "stop", analysis: id };
			this.request(end).catch(() => {});
		};
	}

	/**
	 * @param {{t: string, [field: string]: unknown}} fields
	 * @param {Waiting["onAnswer"]} onAnswer
	 * @param {Waiting["onFault"]} onFault
	 */
	#ask(fields, onAnswer, onFault) {
		const message = { ...fields, id: this.#newId() };
		if (JSON.stringify(message).length > LONGEST) {
			onFault(new RefusedError("too_big", "That is too long for the server."));
			return message.id;
		}
		this.#waiting.set(message.id, { message, isSent: false, onAnswer, onFault });
		this.#flush();
		return message.id;
	}

	#newId() {
		this.#count += 1;
		return `${this.#prefix}-${this.#count}`;
	}

	#connect() {
		if (this.#socket && this.#socket.readyState <= WebSocket.OPEN) return;
		clearTimeout(this.#timer);
		const game = /^\/game\/(\w+)/.exec(location.pathname)?.[1]; // so that a proxy can bring players together
		const socket = new WebSocket(game ? `${this.url}?game=${game}` : this.url);
		this.#socket = socket;
		const hello = { t: "hello", id: this.#newId(), version: VERSION };
		socket.onopen = () => socket.send(JSON.stringify(hello));
		socket.onmessage = ({ data }) => {
			if (this.#socket === socket) this.#receive(JSON.parse(data));
		};
		socket.onclose = ({ code }) => {
			if (this.#socket === socket) this.#lost(code);
		};
	}

	/** @param {number} [code] */
	#lost(code) {
		clearTimeout(this.#pingTimer);
		this.#socket = null;
		this.#isWelcome = false;
		const tries = this.status.value.tries + 1;
		this.status.set({ isOnline: false, tries });
		for (const each of this.#waiting.values()) {
			if (each.isSent && !REPEATABLE.includes(each.message.t)) {
				this.#waiting.delete(each.message.id);
				each.onFault(new Error("The connection was lost. Try again."));
			}
			each.isSent = false;
		}
		if (code === 4009) return; // other tabs use the seat
		const delay = Math.min(LONGEST_DELAY, FIRST_DELAY * 2 ** Math.min(tries - 1, 10));
		this.#timer = window.setTimeout(() => this.#connect(), delay * (0.5 + Math.random() / 2));
	}

	/** @param {any} message */
	#receive(message) {
		if (message.t === "welcome") {
			this.#isWelcome = true;
			this.#flush(); // a watched game before its moves, which need its seat
			this.status.set({ isOnline: true, tries: 0 });
			this.#schedulePing();
			return;
		}
		for (const each of [...this.#waiting.values()]) {
			const { id, t, game } = each.message;
			const isNews = message.t === "game" && t === "watch" && game === message.game;
			if (isNews || id === message.re) this.#tell(each, message);
		}
	}

	/** @param {Waiting} waiting @param {any} answer */
	#tell({ message: { id, t }, onAnswer, onFault }, answer) {
		const isRefused = answer.t === "error";
		if (answer.t === "ack" && SLOW.includes(t)) return;
		if (isRefused || answer.is_last || !STREAMS.includes(t)) this.#waiting.delete(id);
		if (isRefused) onFault(new RefusedError(answer.code, answer.message));
		else onAnswer(answer);
	}

	#flush() {
		if (!this.#isWelcome || !this.#socket) return;
		for (const each of this.#waiting.values()) {
			if (each.isSent) continue;
			each.isSent = true;
			this.#socket.send(JSON.stringify(each.message));
		}
	}

	/** @param {WebSocket | null} socket */
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

/** @type {Promise<any> | null} */
let kinds = null;

/** @returns {Promise<GameKind[]>} The games of the server, which are asked for once. */
export function gameKinds() {
	return (kinds ??= connection.request({ t: "games" }).then(({ games }) => games));
}
