/** One game: what the server says about it, and what this browser may do in it. */

import { announce, showFault } from "./announcer.js";
import { dropSeat, keepSeat, ownGame, playerName } from "./seats.js";
import { Store } from "./store.js";
import { endText, seatName } from "./words.js";

/** @import { Connection } from "./connection.js" */
/** @import { GameView, PositionFields } from "./protocol.js" */
/** @typedef {"resign" | "draw" | "takeback" | "decline" | "abort"} Command */
/**
 * @typedef {object} GameState
 * @property {GameView | null} view
 * @property {number} receivedAt Milliseconds, when the view came.
 * @property {number | null} ply The past position that is shown; null for the current one.
 * @property {PositionFields | null} past
 * @property {{move: string} | null} pending The move that the server has not acknowledged.
 * @property {boolean} turned
 * @property {string} fault Why the game cannot be shown.
 */

export class GameModel {
	/** @type {Store<GameState>} */
	store = new Store(
		/** @type {GameState} */ ({
			view: null,
			receivedAt: 0,
			ply: null,
			past: null,
			pending: null,
			turned: false,
			fault: "",
		}),
	);
	#stop;

	/**
	 * @param {Connection} connection
	 * @param {string} game
	 */
	constructor(connection, game) {
		this.connection = connection;
		this.game = game;
		this.#stop = connection.watch(game, {
			token: ownGame(game).token,
			onView: (view) => this.#receive(view),
			onRefused: (fault) => this.#refused(fault.code, fault.message),
		});
	}

	/** The seats of this browser: none for spectators, both for two people at one screen. */
	get mine() {
		return ownGame(this.game).players;
	}

	/** The seat that is at the bottom of the page. */
	get bottom() {
		const [first = 0, ...others] = this.mine;
		return others.length ? 0 : first;
	}

	/** Whether this browser can make a move now. */
	get canMove() {
		const { view, ply, pending } = this.store.value;
		if (!view || view.end || view.waiting || ply !== null || pending !== null) return false;
		return this.mine.includes(view.mover);
	}

	/**
	 * Return the name of a player as this browser's people see it.
	 *
	 * @param {GameView} view
	 * @param {number} player
	 */
	name(view, player) {
		const seat = view.seats[player === 1 ? 1 : 0];
		if (this.mine.length === 1 && this.mine[0] === player) return "You";
		if (this.mine.length === 2) return `Player ${seat.symbol}`;
		return seatName(seat);
	}

	/** @param {string} move */
	async play(move) {
		const { view } = this.store.value;
		if (!view || !this.canMove) return;
		const pending = { move };
		this.store.set({ pending });
		await this.#send({ t: "move", game: this.game, seq: view.seq, move });
		if (this.store.value.pending === pending) this.store.set({ pending: null });
	}

	/** @param {Command} what */
	async command(what) {
		const { view } = this.store.value;
		if (!view) return;
		await this.#send({ t: "do", game: this.game, seq: view.seq, what });
	}

	/** Take the open seat. */
	async sit() {
		const name = playerName();
		try {
			const made = await this.connection.request({
				t: "sit",
				game: this.game,
				...(name ? { name } : {}),
			});
			keepSeat(this.game, [made.player], made.token);
			this.connection.useSeat(this.game, made.token);
			this.store.set({});
		} catch (fault) {
			showFault(fault);
		}
	}

	/**
	 * Show the position after so many moves.
	 *
	 * @param {number} ply
	 */
	async step(ply) {
		const { view } = this.store.value;
		if (!view) return;
		const wanted = Math.max(0, ply);
		if (wanted >= view.moves.length) return this.store.set({ ply: null, past: null });
		this.store.set({ ply: wanted });
		const start = view.start ? { start: view.start } : {};
		const moves = view.moves.slice(0, wanted);
		try {
			const past = await this.connection.request({
				t: "position",
				game: view.spec,
				...start,
				moves,
			});
			if (this.store.value.ply === wanted) this.store.set({ past });
		} catch (fault) {
			showFault(fault);
		}
	}

	close() {
		this.#stop();
	}

	/** @param {{t: string, [field: string]: unknown}} message */
	async #send(message) {
		try {
			await this.connection.request(message);
		} catch (fault) {
			showFault(fault);
		}
	}

	/** @param {GameView} view */
	#receive(view) {
		const before = this.store.value.view;
		if (before && view.seq < before.seq) return;
		const isNews = before !== null && view.seq > before.seq;
		const ply = isNews && view.moves.length !== before.moves.length ? null : this.store.value.ply;
		const past = ply === null ? null : this.store.value.past;
		const pending = isNews ? null : this.store.value.pending;
		this.store.set({ view, receivedAt: performance.now(), ply, past, pending, fault: "" });
		if (isNews) announce(this.#news(view, before));
	}

	/**
	 * Return what has changed, in words.
	 *
	 * @param {GameView} view
	 * @param {GameView} before
	 */
	#news(view, before) {
		const names = [this.name(view, 0), this.name(view, 1)];
		const parts = [];
		if (view.moves.length > before.moves.length)
			parts.push(
				`${this.name(before, before.mover)} played ${view.moves.slice(before.moves.length).join(", ")}.`,
			);
		if (view.moves.length < before.moves.length) parts.push("A move was taken back.");
		if (before.waiting && !view.waiting) parts.push("Both seats are taken.");
		if (view.draw_offer !== undefined && before.draw_offer === undefined)
			parts.push(`${names[view.draw_offer]}: draw offered.`);
		if (view.takeback_offer !== undefined && before.takeback_offer === undefined)
			parts.push(`${names[view.takeback_offer]}: takeback asked for.`);
		const notes = (view.board.notes ?? []).join(". ");
		if (notes && notes !== (before.board.notes ?? []).join(". ")) parts.push(`${notes}.`);
		if (view.end) parts.push(`${endText(view.end, names)}.`);
		else if (this.mine.includes(view.mover) && this.mine.length === 1) parts.push("Your move.");
		return parts.join(" ");
	}

	/** @param {string} code @param {string} message */
	#refused(code, message) {
		if (code !== "wrong_token") return this.store.set({ fault: message });
		dropSeat(this.game);
		this.#stop();
		this.#stop = this.connection.watch(this.game, {
			token: null,
			onView: (view) => this.#receive(view),
			onRefused: (fault) => this.store.set({ fault: fault.message }),
		});
	}
}
