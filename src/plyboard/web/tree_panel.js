/** The search tree of a position: unfolded move by move, with the moves that were pruned. */

import { select } from "./controls.js";
import { h, replace, setText } from "./dom.js";
import { agentName } from "./words.js";

/** @import { AnalysisModel } from "./analysis_model.js" */
/** @import { TreeBranch, TreeNode } from "./protocol.js" */

const DEPTHS = [..."12345"].map((each) => [each, `Depth ${each}`]);
const USUAL_DEPTH = "3";
const ITEM = "[role=treeitem]";

/**
 * Return the panel. It searches once it is open.
 * @param {AnalysisModel} model
 * @param {(line: string[] | null) => void} preview Shows the moves to a node on the board.
 */
export function treePanel(model, preview) {
	const depth = select({ "aria-label": "Depth of the search", change: search }, DEPTHS);
	depth.value = USUAL_DEPTH;
	const facts = h("p.muted.tree-facts", { role: "status" });
	const root = h("ul.tree", { role: "tree", "aria-label": "Search tree", keydown: walk });
	const summary = h("summary", "Search tree");
	const element = h("details.fold", { toggle: search }, summary, depth, facts, root);
	let shown = "";

	async function search() {
		const { moves, ply, position } = model.store.value;
		const wanted = [depth.value, ...moves.slice(0, ply)].join(" ");
		if (!element.open || !position || wanted === shown) return;
		shown = wanted;
		replace(root);
		setText(facts, position.end ? "The game is over here." : "Searching");
		if (position.end) return;
		try {
			const tree = await model.tree(Number(depth.value), []);
			if (wanted !== shown) return;
			setText(facts, `${agentName(tree.agent)} plays ${tree.best}. ${tree.facts}`);
			replace(root, ...rows(tree.branch, []));
			root.querySelector(ITEM)?.setAttribute("tabindex", "0");
		} catch (fault) {
			setText(facts, fault instanceof Error ? fault.message : String(fault));
		}
	}

	/** @param {TreeBranch} branch @param {string[]} path */
	function rows({ children, pruned }, path) {
		const moves = children.map((each) => row(each, [...path, each.move]));
		if (!pruned) return moves;
		const why = `Window ${pruned.alpha} to ${pruned.beta}: ${pruned.why}`;
		const skipped = h("p", h("s", pruned.moves.join(" ")), ` pruned. ${why}`);
		return [...moves, h("li.pruned", { role: "treeitem", tabindex: -1 }, skipped)];
	}

	/** @param {TreeNode} node @param {string[]} path */
	function row({ move, value = "", bound, note, best, moves }, path) {
		const sign = bound ? { "<=": "\u2264 ", ">=": "\u2265 " }[bound] : "";
		const toggle = async () => {
			if (!moves) return;
			below.hidden = !below.hidden;
			item.ariaExpanded = String(!below.hidden);
			if (below.hidden || below.childElementCount) return;
			replace(below, ...rows((await model.tree(Number(depth.value), path)).branch, path));
		};
		const show = () => preview(path);
		const hide = () => preview(null);
		const label = h(
			"p",
			{ click: toggle, pointerenter: show, pointerleave: hide },
			h("strong", move),
			h("span.value-short", sign + value.replace("-", "\u2212")),
			h("span.muted", best ? "best" : (note ?? "")),
		);
		const below = h("ul", { role: "group", hidden: true });
		const listeners = { unfold: toggle, focus: show, blur: hide };
		const item = h("li", { role: "treeitem", tabindex: -1, ...listeners }, label);
		if (best) item.classList.add("best");
		if (moves) {
			item.ariaExpanded = "false";
			item.append(below);
		}
		return item;
	}

	/** @param {KeyboardEvent} event */
	function walk(event) {
		const item = document.activeElement?.closest(ITEM);
		if (!(item instanceof HTMLElement) || event.ctrlKey || event.metaKey || event.altKey) return;
		const items = [...root.querySelectorAll(ITEM)].filter((each) => !each.closest("[hidden]"));
		const at = items.indexOf(item);
		const isOpen = item.ariaExpanded === "true";
		const toggle = item.ariaExpanded === "false" ? "ArrowRight" : isOpen ? "ArrowLeft" : "Enter";
		const to = {
			ArrowDown: items[at + 1],
			ArrowUp: items[at - 1],
			Home: items[0],
			End: items.at(-1),
			ArrowLeft: item.parentElement?.closest(ITEM),
			ArrowRight: isOpen ? items[at + 1] : null,
		}[event.key];
		const isToggle = [toggle, "Enter"].includes(event.key);
		if (!isToggle && to === undefined) return;
		event.preventDefault();
		if (isToggle) return item.dispatchEvent(new Event("unfold"));
		if (!(to instanceof HTMLElement)) return;
		item.tabIndex = -1;
		to.tabIndex = 0;
		to.focus();
	}

	model.store.follow(search);
	return element;
}
