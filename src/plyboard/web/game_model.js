/** One game: what the server says about it, and what this browser may do in it. */

import { announce, showFault, showMessage } from "./announcer.js";
import { connection } from "./connection.js";
import { dropSeat, keepSeat, ownGame, playerName } from "./seats.js";
import { Store } from "./store.js";
import { endText, seatName } from "./words.js";

/** @import { AnalysisView, GameView, MoveValue, PositionView } from "./protocol.js" */
/** @typedef {"resign" | "draw" | "takeback" | "decline" | "abort" | "rematch"} Command */
/**
 * @typedef {object} GameState
 * @property {GameView | null} view
 * @property {number} receivedAt Milliseconds, when the view came.
 * @property {number | null} ply The past position that is shown; null for the current one.
 * @property {PositionView | null} past
 * @property {{move: string} | null} pending The move that the server has not acknowledged.
 * @property {MoveValue | null} hint The best move, if it was asked for.
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
			hint: null,
			fault: "",
		}),
	);
	#stop = () => {};
	#endHint = () => {};
	#hideHint = () => {};

	/** @param {string} game */
	constructor(game) {
		this.game = game;
		this.#watch();
	}

	/** Watch the game with the seat of this browser. */
	#watch() {
		const { token } = ownGame(this.game);
		this.#stop();
		this.#stop = connection.follow(
			{ t: "watch", game: this.game, ...(token ? { token } : {}) },
			(/** @type {GameView} */ view) => this.#receive(view),
			({ code, message }) => {
				if (code !== "wrong_token" || !token) return this.store.set({ fault: message });
				dropSeat(this.game);
				this.#watch();
			},
		);
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
		const answer = connection.request({ t: "move", game: this.game, seq: view.seq, move });
		if (!connection.status.value.isOnline)
			showMessage("You are offline. The move is made when the connection is back.");
		await answer.finally(() => {
			if (this.store.value.pending === pending) this.store.set({ pending: null });
		});
	}

	/** @param {Command} what */
	async command(what) {
		const { view } = this.store.value;
		if (!view) return;
		await connection.request({ t: "do", game: this.game, seq: view.seq, what });
	}

	/** Ask for the best move; it is shown until the game goes on. */
	hint() {
		const { view } = this.store.value;
		if (this.returnToGame() || !view || !this.canMove) return;
		const { spec: game, start = "", moves } = view;
		const show = (/** @type {AnalysisView} */ { values, is_last }) => {
			const hint = values[0] ?? null;
			this.store.set({ hint });
			if (is_last && hint)
				this.#hideHint = showMessage(`Hint: ${hint.move} (${hint.reasons?.[0] ?? hint.text})`);
		};
		this.#dropHint();
		this.#endHint = connection.follow({ t: "analyse", game, start, moves }, show, showFault);
	}

	/** Take the open seat. */
	async sit() {
		const made = await connection.request({ t: "sit", game: this.game, name: playerName() });
		keepSeat(this.game, [made.player], made.token);
		this.#watch();
		this.store.set({});
	}

	/** @param {number} ply */
	async step(ply) {
		const { view } = this.store.value;
		if (!view) return;
		const wanted = Math.max(0, ply);
		if (wanted >= view.moves.length) return this.store.set({ ply: null, past: null });
		this.store.set({ ply: wanted });
		const { spec: game, start = "" } = view;
		const moves = view.moves.slice(0, wanted);
		const past = await connection.request({ t: "position", game, start, moves });
		if (this.store.value.ply === wanted) this.store.set({ past });
	}

	/** @param {(moves: string[], ply: number, movers: number[]) => void} listener */
	followMoves(listener) {
		this.store.follow(({ view, ply }) => {
			const moves = view?.moves ?? [];
			listener(moves, ply ?? moves.length, view?.movers ?? []);
		});
	}

	close() {
		this.#dropHint();
		this.#stop();
	}

	/** End the search for a hint, and show it no longer. */
	#dropHint() {
		this.#endHint();
		this.#hideHint();
	}

	/**
	 * Go to the current position if a past one is shown, where nothing can be done, and say so.
	 * @returns {boolean} Whether a past position was shown.
	 */
	returnToGame() {
		const isPast = this.store.value.ply !== null;
		if (isPast) {
			showMessage("That was a past position. This is the current one.");
			this.step(Infinity);
		}
		return isPast;
	}

	/** @param {GameView} view */
	#receive(view) {
		const before = this.store.value.view;
		if (before && view.seq < before.seq) return;
		const isNews = before !== null && view.seq > before.seq;
		const isMove = isNews && view.moves.length !== before.moves.length;
		this.store.set({
			...{ view, receivedAt: performance.now(), fault: "" },
			...(isNews && { pending: null, hint: null }),
			...(isMove && { ply: null, past: null }),
		});
		if (!isNews) return;
		this.#dropHint();
		announce(this.#news(view, before));
		if (this.#isRefused(view, before)) showMessage("Your request was declined.");
	}

	/**
	 * Tell whether an offer of this browser's player was declined.
	 * @param {GameView} view
	 * @param {GameView} before
	 */
	#isRefused(view, before) {
		if (this.mine.length !== 1 || view.next || view.moves.length !== before.moves.length) return false;
		if (view.end && !before.end) return false;
		const offers = /** @type {const} */ (["takeback_offer", "draw_offer", "rematch_offer"]);
		return offers.some(
			(offer) => before[offer] === this.bottom && view[offer] === undefined,
		);
	}

	/** @param {GameView} view @param {GameView} before */
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
}
