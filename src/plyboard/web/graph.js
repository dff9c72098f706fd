/** The graph of a game: the expected result of the first player after each move. */

import { h, replace, setAttributes, svg } from "./dom.js";

/** @import { AnalysisModel } from "./analysis_model.js" */

const WIDTH = 300;
const HEIGHT = 72;

/** @param {AnalysisModel} model */
export function evaluationGraph(model) {
	const click = (/** @type {MouseEvent} */ event) => {
		const { left, width } = drawing.getBoundingClientRect();
		model.step(Math.round(((event.clientX - left) / width) * model.store.value.moves.length));
	};
	const box = { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none" };
	const drawing = svg("svg.graph", { ...box, role: "img", click });
	model.store.follow(({ moves, ply }) => {
		const last = Math.max(1, moves.length);
		const x = (/** @type {number} */ at) => (WIDTH * at) / last;
		const points = model.shares.flatMap((share, at) =>
			share === null ? [] : [`${x(at).toFixed(1)},${(HEIGHT * (1 - share)).toFixed(1)}`],
		);
		const known = points.length;
		const label = `Graph of the values: ${known} of ${moves.length + 1} positions`;
		setAttributes(drawing, { "aria-label": label });
		replace(
			drawing,
			svg("line.graph-middle", { x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2 }),
			svg("line.graph-now", { x1: x(ply), x2: x(ply), y1: 0, y2: HEIGHT }),
			...points.map((point) => svg("polyline.graph-point", { points: `${point} ${point}` })),
			svg("polyline.graph-line", { points: points.join(" ") }),
		);
	});
	return h("div.graph-box", drawing);
}
