/** A line of moves that can be walked, branched and analysed. */

import { showFault } from "./announcer.js";
import { connection } from "./connection.js";
import { Store } from "./store.js";

/** @import { AnalysisView, MoveValue, PositionView } from "./protocol.js" */
/** @typedef {{game: string, start: string, moves: string[], ply: number}} Line */
/** @typedef {{ply: number, move: string, best: MoveValue, loss: number}} Mistake */
/**
 * @typedef {object} AnalysisState
 * @property {string[]} moves
 * @property {number} ply
 * @property {PositionView | null} position
 * @property {AnalysisView | null} view
 * @property {string[][]} variations Lines that were left for others.
 * @property {string} progress Of the review.
 */

const REVIEW_SECONDS = 1.2; // for each move of a review
const LEAST_LOSS = 0.1; // of the expected result, to be called a mistake

export class AnalysisModel {
	/** @type {Store<AnalysisState>} */
	store;
	/** The best analysis of each position, by its moves.
	 * @type {Map<string, AnalysisView>} */
	#known = new Map();
	/** The player to move before the first move. */
	#firstMover = 0;
	#stop = () => {};
	#isReviewing = false;

	/** @param {Line} line */
	constructor({ game, start, moves, ply }) {
		this.game = game;
		this.start = start;
		/** @type {AnalysisState} */
		const state = { moves, ply, position: null, view: null, variations: [], progress: "" };
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
		const view = this.#known.get(key(moves, now)) ?? null;
		this.#stop();
		this.store.set({ ply: now, view });
		const position = await this.position(moves.slice(0, now));
		if (this.store.value.ply !== now || this.store.value.moves !== moves) return;
		this.#firstMover = (position.mover + now) % 2;
		this.store.set({ position });
		if (!position.end && !this.#isReviewing) this.#analyse(moves, now);
	}

	/**
	 * Make a move: follow the line, or leave it for a new one.
	 * @param {string} move
	 */
	play(move) {
		const { moves, ply, variations } = this.store.value;
		if (moves[ply] !== move) {
			const isLeft = ply < moves.length;
			this.store.set({
				moves: [...moves.slice(0, ply), move],
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
			await this.position(line);
			await this.resume(line);
			await this.step(line.length);
		} catch (fault) {
			showFault(fault);
			this.store.set({});
		}
	}

	/** @param {string[]} moves @returns {Promise<PositionView>} */
	position(moves) {
		return connection.request({ t: "position", ...this.#request(moves) });
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

	/** @param {(moves: string[], ply: number) => void} listener */
	followMoves(listener) {
		this.store.follow(({ moves, ply }) => listener(moves, ply));
	}

	/** Analyse all positions of the line for a short time each. */
	async review() {
		if (this.#isReviewing) return;
		this.#isReviewing = true;
		this.#stop();
		const { moves } = this.store.value;
		for (let ply = 0; ply < moves.length && this.#isReviewing; ply += 1) {
			this.store.set({ progress: `Move ${ply + 1} of ${moves.length}` });
			if (!this.#known.get(key(moves, ply))?.is_last) await this.#analyseShortly(moves, ply);
		}
		this.#isReviewing = false;
		this.store.set({ progress: "" });
		this.step(this.store.value.ply);
	}

	/** The expected result of the first player after each move, where it is known. */
	get shares() {
		const { moves } = this.store.value;
		return Array.from({ length: moves.length + 1 }, (_, ply) => {
			const best = this.#known.get(key(moves, ply))?.values[0];
			if (!best) return null;
			return (this.#firstMover + ply) % 2 ? 1 - best.share : best.share;
		});
	}

	/** @returns {Mistake[]} The moves that gave away most, the worst first. */
	get mistakes() {
		const { moves } = this.store.value;
		const found = moves.flatMap((move, ply) => {
			const values = this.#known.get(key(moves, ply))?.values ?? [];
			const [best] = values;
			const played = values.find((value) => value.move === move);
			return best && played ? [{ ply, move, best, loss: best.share - played.share }] : [];
		});
		return found
			.filter(({ loss }) => loss >= LEAST_LOSS)
			.sort((one, other) => other.loss - one.loss);
	}

	close() {
		this.#isReviewing = false;
		this.#stop();
	}

	/** @param {string[]} moves */
	#request(moves) {
		return { game: this.game, start: this.start, moves };
	}

	/** @param {string[]} moves @param {number} ply @param {(view: AnalysisView) => void} [then] */
	#analyse(moves, ply, then = () => {}, onRefused = showFault) {
		const keep = (/** @type {AnalysisView} */ view) => {
			this.#keep(moves, ply, view);
			then(view);
		};
		const message = { t: "analyse", ...this.#request(moves.slice(0, ply)) };
		this.#stop = connection.follow(message, keep, onRefused);
	}

	/** @param {string[]} moves @param {number} ply @returns {Promise<void>} */
	#analyseShortly(moves, ply) {
		return new Promise((resolve) => {
			let timer = 0;
			const end = () => {
				clearTimeout(timer);
				this.#stop();
				resolve();
			};
			const view = ({ is_last = false }) => {
				if (is_last) end();
				else timer ||= window.setTimeout(end, 1000 * REVIEW_SECONDS);
			};
			this.#analyse(moves, ply, view, end);
		});
	}

	/** @param {string[]} moves @param {number} ply @param {AnalysisView} view */
	#keep(moves, ply, view) {
		if (!view.values.length) return;
		this.#known.set(key(moves, ply), view);
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
