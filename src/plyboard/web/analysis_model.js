/** A line of moves that can be walked, branched and analysed. */

import { showFault } from "./announcer.js";
import { connection } from "./connection.js";
import { Store } from "./store.js";

/** @import { AnalysisView, PositionView, ReviewedMove, ReviewView } from "./protocol.js" */
/** @typedef {{game: string, start: string, moves: string[], ply: number}} Line */
/**
 * @typedef {object} AnalysisState
 * @property {string[]} moves
 * @property {number} ply
 * @property {PositionView | null} position
 * @property {AnalysisView | null} view
 * @property {string[][]} variations Lines that were left for others.
 * @property {string} progress Of the review.
 * @property {string} fault Why there is nothing to show.
 */

export class AnalysisModel {
	/** @type {Store<AnalysisState>} */
	store;
	/** The best analysis of each position, by its moves, and the player to move there.
	 * @type {Map<string, {view: AnalysisView, mover: number}>} */
	#known = new Map();
	/** Who makes the last of some moves, by these moves.
	 * @type {Map<string, number>} */
	#movers = new Map();
	#stop = () => {};
	/** Ends the review that is being made.
	 * @type {(() => void) | null} */
	#stopReview = null;
	/** The review of a line.
	 * @type {{moves: string[], view: ReviewView} | null} */
	#reviewed = null;

	/** @param {Line} line */
	constructor({ game, start, moves, ply }) {
		this.game = game;
		this.start = start;
		/** @type {AnalysisState} */
		const state = { moves, ply, position: null, view: null, variations: [], progress: "", fault: "" };
		state.variations = history.state?.variations ?? [];
		this.store = new Store(state);
		this.step(ply);
	}

	/**
	 * Show the position after so many moves, and analyse it.
	 * @param {number} ply
	 */
	async step(ply) {
		const { moves } = this.store.value;
		const now = Math.max(0, Math.min(ply, moves.length));
		const view = this.#known.get(key(moves, now))?.view ?? null;
		this.#stop();
		this.store.set({ ply: now, view });
		try {
			const [position] = await Promise.all([
				this.position(moves.slice(0, now)),
				this.#movers.has(key(moves, moves.length)) || this.position(moves).catch(() => null),
			]);
			this.#show(moves, now, position);
		} catch (fault) {
			if (this.store.value.position) throw fault;
			this.store.set({ fault: fault instanceof Error ? fault.message : String(fault) });
		}
	}

	/**
	 * @param {string[]} moves
	 * @param {number} ply
	 * @param {PositionView} position
	 */
	#show(moves, ply, position) {
		if (this.store.value.ply !== ply || this.store.value.moves !== moves) return;
		const played = position.moves; // several, if they were written without blanks between them
		const line = played.length === ply ? moves : [...played, ...moves.slice(ply)];
		this.store.set({ moves: line, ply: played.length, position, fault: "" });
		if (!position.end) this.#analyse(line, played.length, position.mover);
	}

	/**
	 * Make a move: follow the line, or leave it for a new one.
	 * @param {string} move
	 */
	play(move) {
		const { moves, ply, position, variations } = this.store.value;
		if (moves[ply] !== move) {
			const isLeft = ply < moves.length;
			const line = [...moves.slice(0, ply), move];
			if (position) this.#movers.set(key(line, ply + 1), position.mover);
			this.store.set({
				moves: line,
				variations: isLeft ? [...variations, moves] : variations,
			});
		}
		return this.step(ply + 1);
	}

	/**
	 * Return to a line that was left; the current one is kept.
	 * @param {string[]} line
	 */
	resume(line) {
		const { moves, variations } = this.store.value;
		const others = variations.filter((each) => each !== line);
		const isPart = moves.every((move, index) => move === line[index]);
		this.store.set({ moves: line, variations: isPart ? others : [...others, moves] });
		return this.step(this.store.value.ply);
	}

	/**
	 * Show another line, unless the server refuses it.
	 * @param {string[]} line
	 */
	async load(line) {
		try {
			const { moves } = await this.position(line);
			await this.resume(moves);
			await this.step(moves.length);
		} catch (fault) {
			showFault(fault);
			this.store.set({});
		}
	}

	/** @param {string[]} moves @returns {Promise<PositionView>} */
	async position(moves) {
		/** @type {PositionView} */
		const view = await connection.request({ t: "position", ...this.#request(moves) });
		view.movers?.forEach((mover, ply) => this.#movers.set(key(view.moves, ply + 1), mover));
		return view;
	}

	/** Who made each move of the line, as far as the server has said it. */
	get movers() {
		const { moves } = this.store.value;
		return moves.map((_, ply) => this.#movers.get(key(moves, ply + 1)) ?? 0);
	}

	/**
	 * Return the moves below a node of the search tree of the shown position.
	 * @param {number} depth
	 * @param {string[]} path
	 * @returns {Promise<import("./protocol.js").TreeView>}
	 */
	tree(depth, path) {
		const { moves, ply } = this.store.value;
		return connection.request({ t: "tree", ...this.#request(moves.slice(0, ply)), depth, path });
	}

	/** @param {(moves: string[], ply: number, movers: number[]) => void} listener */
	followMoves(listener) {
		this.store.follow(({ moves, ply }) => listener(moves, ply, this.movers));
	}

	/** Let the server review the line; it knows the reviews that it has made. */
	review() {
		if (this.#stopReview) return;
		const { moves } = this.store.value;
		const end = () => {
			this.#stopReview = null;
			this.store.set({ progress: "" });
		};
		const onView = (/** @type {ReviewView} */ view) => {
			if (!view.is_last) return this.store.set({ progress: `Position ${view.done} of ${view.of}` });
			this.#reviewed = { moves, view };
			end();
		};
		const onRefused = (/** @type {Error} */ fault) => {
			end();
			showFault(fault);
		};
		this.store.set({ progress: "Waiting" });
		this.#stopReview = connection.follow(
			{ t: "review", ...this.#request(moves) },
			onView,
			onRefused,
		);
	}

	/** The review of the line, as far as the line has its moves.
	 * @returns {ReviewView | null} */
	get reviewed() {
		const { moves } = this.store.value;
		const isSame = this.#reviewed?.moves.every((move, ply) => move === (moves[ply] ?? move));
		return isSame ? (this.#reviewed?.view ?? null) : null;
	}

	/** Where the graph stands after each move, from 0 to 1, where it is known. */
	get shares() {
		const { moves } = this.store.value;
		const known = this.reviewed?.shares;
		return Array.from({ length: moves.length + 1 }, (_, ply) =>
			known ? (known[ply] ?? null) : this.share(ply),
		);
	}

	/**
	 * Return what the first player can expect after so many moves; null if it is not known.
	 * @param {number} ply
	 */
	share(ply) {
		const known = this.#known.get(key(this.store.value.moves, ply));
		if (known?.view.share === undefined) return null;
		return known.mover ? 1 - known.view.share : known.view.share;
	}

	/** @returns {ReviewedMove[]} The moves that gave away most, the worst first. */
	get mistakes() {
		const view = this.reviewed;
		const shown = this.store.value.moves.length;
		const moves = new Map((view?.moves ?? []).map((each) => [each.ply, each]));
		return (view?.worst ?? []).flatMap((ply) => (ply <= shown ? (moves.get(ply) ?? []) : []));
	}

	close() {
		this.#stopReview?.();
		this.#stop();
	}

	/** @param {string[]} moves */
	#request(moves) {
		return { game: this.game, start: this.start, moves };
	}

	/** @param {string[]} moves @param {number} ply @param {number} mover */
	#analyse(moves, ply, mover) {
		const keep = (/** @type {AnalysisView} */ view) => this.#keep(moves, ply, { view, mover });
		const message = { t: "analyse", ...this.#request(moves.slice(0, ply)) };
		this.#stop = connection.follow(message, keep, showFault);
	}

	/** @param {string[]} moves @param {number} ply @param {{view: AnalysisView, mover: number}} found */
	#keep(moves, ply, found) {
		const { view } = found;
		if (!view.values.length) return;
		this.#known.set(key(moves, ply), found);
		const now = this.store.value;
		const isShown = now.ply === ply && key(now.moves, ply) === key(moves, ply);
		this.store.set(isShown ? { view } : {});
	}
}

/** @param {string[]} moves @param {number} ply */
function key(moves, ply) {
	return moves.slice(0, ply).join(" ");
}

/** @param {Line} line */
export function analysisPath({ game, start, moves, ply }) {
	const parts = new URLSearchParams({ game });
	if (start) parts.set("start", start);
	if (moves.length) parts.set("moves", moves.join("."));
	if (ply < moves.length) parts.set("ply", String(ply));
	return `/analysis?${parts}`;
}
