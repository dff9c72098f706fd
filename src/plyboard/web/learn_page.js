/** How to play a game: lessons on boards, a board to try out, and the rules. */

import { announce } from "./announcer.js";
import { BoardView } from "./board.js";
import { BoardPanel } from "./board_panel.js";
import { connection, gameKinds } from "./connection.js";
import { icon, textButton } from "./controls.js";
import { h, replace, setText } from "./dom.js";
import { playButton } from "./new_game.js";
import { setTitle } from "./router.js";
import { endText } from "./words.js";

/** @import { GameKind, Lesson, PositionView } from "./protocol.js" */

const PAUSE = 700; // milliseconds between the moves of a lesson

/** @param {string} name */
export function learnPage(name) {
	const element = h("div.page");
	/** @type {import("./router.js").Press} */
	let press = () => {};
	gameKinds().then((kinds) => {
		const kind = kinds.find((each) => each.name === name);
		if (!element.isConnected) return;
		if (!kind)
			return replace(element, h("h1", "No such game"), h("a.button", { href: "/" }, "All games"));
		const trial = tryOut(kind);
		press = trial.press;
		setTitle(`How to play ${kind.title}`);
		replace(element, ...content(kind, trial.element));
	});
	return {
		element,
		title: "How to play",
		press: (/** @type {KeyboardEvent} */ event) => press(event),
	};
}

/** @param {GameKind} kind @param {HTMLElement} trial */
function content(kind, trial) {
	const play = playButton(kind, "Play against the engine");
	const lessons = kind.lessons.map((each) => lessonCard(kind, each));
	const rules = kind.rules.map(({ heading, text }) =>
		h(
			"section.rule",
			h("h3", heading),
			text.includes("\n") ? h("pre", { tabindex: 0 }, text) : h("p", text),
		),
	);
	return [
		h("div.learn-head", h("div", h("h1", kind.title), h("p.lead", kind.summary)), play),
		lessons.length > 0 && h("ul.lessons", ...lessons),
		h("h2", "Try it out"),
		h("p.lead", "Play both sides. Nothing counts here."),
		trial,
		h("h2", "All rules"),
		h("div.rules", ...rules),
	];
}

/** @param {GameKind} kind @param {string[]} moves @returns {Promise<PositionView>} */
function ask(kind, moves) {
	return connection.request({ t: "position", game: kind.name, moves });
}

/**
 * Return a lesson: a board before a move, and a button that shows the move.
 * @param {GameKind} kind
 * @param {Lesson} lesson
 */
function lessonCard(kind, lesson) {
	const board = new BoardView({ isSmall: true });
	board.draw(kind.board);
	const notes = h("p.notes");
	const moves = lesson.moves.split(" ");
	const show = async (/** @type {number} */ count, isAnimated = true) => {
		const position = await ask(kind, moves.slice(0, count));
		board.draw(position.board, { isAnimated });
		setText(notes, (position.board.notes ?? []).join("\n"));
	};
	const label = `Show the move: ${lesson.title}`;
	const button = h("button.button", { "aria-label": label }, icon("forward"), "Show the move");
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
		} finally {
			button.disabled = false;
		}
	});
	show(lesson.shown, false);
	return h(
		"li.card.lesson",
		h("div.card-picture", board.element),
		h("div.card-text", h("h2", lesson.title), h("p", lesson.text), notes, button),
	);
}

/**
 * Return a board on which one person makes the moves of both sides.
 * @param {GameKind} kind
 */
function tryOut(kind) {
	/** @type {PositionView | null} */
	let position = null;
	const status = h("p.status");
	const panel = new BoardPanel((move) => play([...(position?.moves ?? []), move]));
	const back = textButton("Take back", "undo", () => play(position?.moves.slice(0, -1) ?? []));
	const restart = textButton("Start again", "again", () => play([]));
	const names = kind.players.map((symbol) => `Player ${symbol}`);

	/** @param {string[]} moves */
	async function play(moves) {
		position = await ask(kind, moves);
		show();
		const said = moves.length ? [`${moves.at(-1)} was played.`] : [];
		announce([...said, ...(position?.board.notes ?? []), status.textContent].join(" "));
	}

	function show() {
		const { moves = [], mover = 0, end, board = kind.board, legal = [] } = position ?? {};
		back.disabled = restart.disabled = !moves.length;
		setText(status, end ? endText(end, names) : `${names[mover]} to move`);
		panel.show({
			board,
			legal,
			modifiers: kind.modifiers,
			symbol: kind.players[mover],
			isActive: position !== null && !end,
		});
	}

	show();
	play([]);
	const bar = h("div.buttons", back, restart);
	return {
		element: h("section.try", { "aria-label": "Board to try out" }, status, panel.element, bar),
		press: (/** @type {KeyboardEvent} */ event) => panel.press(event),
	};
}
