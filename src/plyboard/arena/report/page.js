
"use strict";
{{board}}

// A game: n number, f and s its first and second agent, r result, k kind of board, o plies of its opening, e how it ended,
// m moves, d boards as changes, one more than moves, l the winning line at the end, t notes at the end.
const data = JSON.parse(document.getElementById("data").textContent);
const SHOWN = 200;  // rows of the list that are drawn at a time
const byId = name => document.getElementById(name);
let found = data.games, game = null, ply = 0, drawn = 0;

function make(tag, kind, text) {
  const element = document.createElement(tag);
  if (kind) element.className = kind;
  if (text !== undefined) element.textContent = text;
  return element;
}

const names = each => `${data.agents[each.f]} \u2013 ${data.agents[each.s]}`;

function boards(each) {  // all positions of a game, made when it is opened
  if (!each.boards) {
    each.boards = [];
    for (const told of each.d || []) each.boards.push(changedCells(each.boards.at(-1), told));
  }
  return each.boards;
}

function show(next) {
  const all = boards(game), moves = game.m || [];
  ply = Math.max(0, Math.min(next, moves.length));
  byId("players").textContent = `${game.n}. ${names(game)}`;
  byId("ending").textContent = [game.e, ply === moves.length && game.t].filter(Boolean).join("; ");
  const mover = (ply - 1) % 2 ? game.s : game.f;
  byId("state").textContent = !moves.length ? "No moves." : !ply ? `Before the first of ${moves.length} moves.`
    : `Ply ${ply} of ${moves.length}: ${data.agents[mover]} plays ${moves[ply - 1]}${ply <= game.o ? " (opening)" : ""}.`;
  if (all.length) {
    const facts = data.kinds[game.k], label = `board after ${ply} plies`;
    const last = ply ? filledCells(facts, all[ply - 1], all[ply]) : [];
    byId("board").replaceChildren(drawBoard(facts, all[ply], {line: ply === moves.length ? game.l : [], last, large: true, label}));
  } else byId("board").replaceChildren();
  byId("moves").childNodes.forEach((button, index) => button.toggleAttribute("aria-current", index + 1 === ply));
  byId("start").disabled = byId("back").disabled = !ply;
  byId("forward").disabled = byId("end").disabled = ply === moves.length;
}

function open(each) {
  game = each;
  byId("moves").replaceChildren(...(game.m || []).map((move, index) => {
    const button = make("button", index < game.o ? "opening" : "", move);
    button.addEventListener("click", () => show(index + 1));
    return button;
  }));
  for (const row of byId("list").children) row.firstChild.toggleAttribute("aria-current", row.game === game);
  show(game.o);
}

function addRows() {
  for (const each of found.slice(drawn, drawn + SHOWN)) {
    const item = make("li"), button = make("button");
    item.game = each;
    button.append(make("span", "number", each.n), make("span", "", names(each)), make("span", "score", each.r));
    button.addEventListener("click", () => open(each));
    button.toggleAttribute("aria-current", each === game);
    item.append(button); byId("list").append(item);
  }
  drawn = Math.min(drawn + SHOWN, found.length);
}

const SCORES = {"1-0": 1, "1/2-1/2": 0, "0-1": -1};

function matches(each) {
  const agent = byId("agent").value, opponent = byId("opponent").value, result = byId("result").value;
  const fits = (one, other) => (agent === "" || +agent === one) && (opponent === "" || +opponent === other);
  const side = fits(each.f, each.s) ? 1 : fits(each.s, each.f) ? -1 : 0;
  if (!side || !result) return side !== 0;
  if (result === "*") return each.r === "*";
  const score = side * SCORES[each.r], both = agent === "" && opponent === "";
  return result === "draw" ? score === 0 : both ? score !== 0 : score === (result === "win" ? 1 : -1);
}

function filter() {
  found = data.games.filter(matches);
  drawn = 0;
  byId("list").replaceChildren();
  addRows();
  const left = data.left ? `; ${data.left} more are not on this page` : "";
  byId("count").textContent = `${found.length} of ${data.games.length} games${left}`;
  if (found.length) open(found[0]);
}

for (const name of ["agent", "opponent"]) {
  byId(name).append(new Option("any", ""), ...data.agents.map((agent, index) => new Option(agent, index)));
  byId(name).addEventListener("change", filter);
}
byId("result").addEventListener("change", filter);
byId("list").addEventListener("scroll", event => {
  const list = event.target;
  if (list.scrollTop + list.clientHeight > list.scrollHeight - 200) addRows();
});
byId("crosstable").addEventListener("click", event => {
  const button = event.target.closest("button");
  if (!button) return;
  byId("agent").value = button.dataset.agent; byId("opponent").value = button.dataset.opponent; byId("result").value = "";
  filter();
  byId("viewer").scrollIntoView();
});
const STEPS = {start: () => show(0), back: () => show(ply - 1), forward: () => show(ply + 1), end: () => show(Infinity)};
for (const name in STEPS) byId(name).addEventListener("click", STEPS[name]);
const KEYS = {ArrowLeft: "back", ArrowRight: "forward", Home: "start", End: "end"};
document.addEventListener("keydown", event => {
  const isField = event.target.closest("select, .wide");
  if (!(event.key in KEYS) || isField || !game || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  STEPS[KEYS[event.key]]();
});
if (data.games.length) { byId("viewer").hidden = false; filter(); }
