/** Import and export of positions and games, in every format that the server knows. */

import { analysisPath } from "./analysis_model.js";
import { copyText } from "./announcer.js";
import { textButton } from "./controls.js";
import { h, replace, setAttributes, setText } from "./dom.js";
import { go } from "./router.js";

/** @import { AnalysisModel } from "./analysis_model.js" */
/** @import { GameKind } from "./protocol.js" */

/**
 * Return the panel, and a function that sets the formats of the game.
 * @param {AnalysisModel} model
 */
export function transferPanel(model) {
	const writing = { spellcheck: "false", input: () => (file.value = "") };
	const text = h("textarea", { rows: 4, "aria-label": "Text to import", ...writing });
	const file = h("input", { type: "file", "aria-label": "File to import" });
	const counting = { type: "number", min: 1, value: 1, "aria-label": "Number of the game" };
	const number = h("input", counting);
	const from = h("select", { "aria-label": "Format of the import" });
	const to = h("select", { "aria-label": "Format of the export" });
	const error = h("p.form-error", { role: "alert" });
	const save = h("a.button", { download: true }, "Download");

	const load = async () => {
		const query = { format: from.value, game: model.game, number: number.value || "1" };
		const answer = await fetch(`/import?${new URLSearchParams(query)}`, {
			method: "POST",
			headers: { "Content-Type": "text/plain" },
			body: file.files?.[0] ?? text.value,
		});
		const found = await answer.json();
		if (!answer.ok) return refuse(found.error);
		const { game, start, moves, variations = [], title = "" } = found;
		go(analysisPath({ game, start, moves, ply: moves.length }), { variations, title });
	};

	/** @param {{message: string, detail: string}} fault */
	function refuse({ message, detail }) {
		setText(error, message);
		const [line = 0, column = 0] = detail.split(":").map(Number);
		const before = text.value.split("\n").slice(0, line - 1);
		const at = before.join("\n").length + Math.min(before.length, 1) + column - 1;
		if (!line || file.files?.length) return;
		text.focus();
		text.setSelectionRange(at, at + 1);
	}

	const link = () => {
		const { moves, ply, variations } = model.store.value;
		const { game, start } = model;
		const past = moves.slice(0, to.value.startsWith("record") ? undefined : ply).join(".");
		const query = new URLSearchParams({ game, start, moves: past, to: to.value });
		for (const line of variations) query.append("variation", line.join("."));
		return `/convert?${query}`;
	};
	const copy = async () => {
		const answer = await fetch(link());
		if (answer.ok) copyText((await answer.text()).trimEnd());
		else setText(error, (await answer.json()).error.message);
	};
	const update = () => (save.href = link());
	setAttributes(save, { pointerdown: update, focus: update });
	const element = h(
		"details.fold",
		h("summary", "Import and export"),
		h("p.muted", "Paste a position or a game, or choose a file."),
		text,
		file,
		h("div.transfer", from, number),
		textButton("Load", "forward", () => load().catch((fault) => setText(error, fault.message))),
		error,
		to,
		h("div.buttons", textButton("Copy", "copy", copy), save),
	);

	/** @param {GameKind} kind */
	const setKind = ({ formats }) => {
		const options = () =>
			formats.map(({ name, title }) => h("option", { value: name }, `${name}: ${title}`));
		replace(from, h("option", { value: "" }, "Any format"), ...options());
		replace(to, ...options());
		update();
	};
	return { element, setKind };
}
