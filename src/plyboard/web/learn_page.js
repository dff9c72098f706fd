/** How to play a game: lessons on boards, a board to try out, and the rules. */

import { showFault, showMessage, announce } from "./announcer.js";
import { BoardPanel } from "./board_panel.js";
import { BoardView } from "./board.js";
import { gameKinds } from "./catalogue.js";
import { icon, textButton } from "./controls.js";
import { h, replace, setText } from "./dom.js";
import { LESSONS } from "./lessons.js";
import { playButton } from "./new_game.js";
import { setTitle } from "./router.js";
import { Store } from "./store.js";
import { endText } from "./words.js";

/** @import { Connection } from "./connection.js" */
/** @import { Lesson } from "./lessons.js" */
/** @import { GameKind, PositionView } from "./protocol.js" */

const PAUSE = 700; // milliseconds between the moves of a lesson

/**
 * Return the page of a game.
 *
 * @param {Connection} connection
 * @param {string} name
 * @returns {import("./router.js").Page}
 */
export function learnPage(connection, name) {
	const element = h("div", { class: "page" });
	let close = () => {};
	gameKinds(connection).then((kinds) => {
		const kind = kinds.find((each) => each.name === name);
		if (!element.isConnected) return;
		if (!kind)
			return replace(
				element,
				h("h1", {}, "No such game"),
				h("a", { class: "button", href: "/" }, "All games"),
			);
		const trial = tryOut(connection, kind);
		close = trial.close;
		setTitle(`How to play ${kind.title}`);
		replace(element, ...content(connection, kind, trial.element));
	}, showFault);
	return { element, title: "How to play", close: () => close() };
}

/**
 * @param {Connection} connection
 * @param {GameKind} kind
 * @param {HTMLElement} trial
 */
function content(connection, kind, trial) {
	const play = playButton(connection, kind, "Play against the engine");
	const lessons = (LESSONS[kind.name] ?? []).map((each) => lessonCard(connection, kind, each));
	const rules = kind.rules.map(({ heading, text }) =>
		h(
			"section",
			{ class: "rule" },
			h("h3", {}, heading),
			text.includes("\n") ? h("pre", { tabindex: 0 }, text) : h("p", {}, text),
		),
	);
	return [
		h(
			"div",
			{ class: "learn-head" },
			h("div", {}, h("h1", {}, kind.title), h("p", { class: "lead" }, kind.summary)),
			play,
		),
		lessons.length > 0 && h("ul", { class: "lessons" }, ...lessons),
		h("h2", {}, "Try it out"),
		h("p", { class: "lead" }, "Play both sides. Nothing counts here."),
		trial,
		h("h2", {}, "All rules"),
		h("div", { class: "rules" }, ...rules),
	];
}

/**
 * Return a lesson: a board before a move, and a button that shows the move.
 *
 * @param {Connection} connection
 * @param {GameKind} kind
 * @param {Lesson} lesson
 */
function lessonCard(connection, kind, lesson) {
	const board = new BoardView({ isSmall: true });
	board.draw(kind.board);
	const notes = h("p", { class: "notes" });
	const moves = lesson.moves.split(" ");
	const show = async (/** @type {number} */ count, isAnimated = true) => {
		/** @type {PositionView} */
		const position = await connection.request({
			t: "position",
			game: kind.name,
			moves: moves.slice(0, count),
		});
		board.draw(position.board, { isAnimated });
		setText(notes, (position.board.notes ?? []).join("\n"));
	};
	const label = `Show the move: ${lesson.title}`;
	const button = h(
		"button",
		{ type: "button", class: "button", "aria-label": label },
		icon("forward"),
		"Show the move",
	);
	button.addEventListener("click", async () => {
		button.disabled = true;
		try {
			if (button.dataset.shown) await show(lesson.shown, false);
			for (let count = lesson.shown + 1; count <= moves.length; count += 1) {
				if (button.dataset.shown || count > lesson.shown + 1)
					await new Promise((resolve) => setTimeout(resolve, PAUSE));
				await show(count);
			}
			button.dataset.shown = "yes";
			announce(`${moves.slice(lesson.shown).join(", ")} was played. ${notes.textContent}`);
		} catch (fault) {
			showFault(fault);
		}
		button.disabled = false;
	});
	show(lesson.shown, false).catch(showFault);
	return h(
		"li",
		{ class: "card lesson" },
		h("div", { class: "card-picture" }, board.element),
		h(
			"div",
			{ class: "card-text" },
			h("h2", {}, lesson.title),
			h("p", {}, lesson.text),
			notes,
			button,
		),
	);
}

/**
 * Return a board on which one person makes the moves of both sides.
 *
 * @param {Connection} connection
 * @param {GameKind} kind
 */
function tryOut(connection, kind) {
	const store = new Store(/** @type {{position: PositionView | null}} */ ({ position: null }));
	const status = h("p", { class: "status" });
	const panel = new BoardPanel({
		onMove: (move) => play([...(store.value.position?.moves ?? []), move]),
		onRefused: showMessage,
	});
	const back = textButton("Take back", "undo", () =>
		play(store.value.position?.moves.slice(0, -1) ?? []),
	);
	const restart = textButton("Start again", "again", () => play([]));

	/** @param {string[]} moves */
	async function play(moves) {
		try {
			const position = await connection.request({ t: "position", game: kind.name, moves });
			store.set({ position });
			const last = moves.at(-1);
			announce(
				[
					last ? `${last} was played.` : "",
					...(position.board.notes ?? []),
					status.textContent,
				].join(" "),
			);
		} catch (fault) {
			showFault(fault);
		}
	}

	store.follow(({ position }) => {
		back.disabled = !position?.moves.length;
		restart.disabled = back.disabled;
		const names = kind.players.map((symbol) => `Player ${symbol}`);
		const mover = position?.mover ?? 0;
		setText(status, position?.end ? endText(position.end, names) : `${names[mover]} to move`);
		panel.show({
			board: position?.board ?? kind.board,
			legal: position?.legal ?? [],
			modifiers: kind.modifiers,
			symbol: kind.players[mover === 1 ? 1 : 0],
			isActive: position !== null && !position.end,
			isAnimated: true,
		});
	});
	play([]);
	const press = (/** @type {KeyboardEvent} */ event) => panel.press(event);
	document.addEventListener("keydown", press);
	const bar = h("div", { class: "buttons" }, back, restart);
	return {
		element: h(
			"section",
			{ class: "try", "aria-label": "Board to try out" },
			status,
			panel.element,
			bar,
		),
		close: () => document.removeEventListener("keydown", press),
	};
}
