// Draws boards that are stored as letters, one for each cell, row by row from the top. Pages of search trees and of
// events have a copy of this file. `facts` has columns, rows (their names), ground, hole and looks (of the letters).

function changedCells(before, told) {  // a board from the one before it: `17c` puts letter c into cell 17
  if (told[0] === "=") return [...told.slice(1)];
  const cells = before.slice();
  for (const [, cell, letter] of told.matchAll(/(\d+)(\D)/g)) cells[cell] = letter;
  return cells;
}

function filledCells(facts, before, after) {  // what a move has filled
  const filled = letter => facts.looks[letter].fill !== undefined;
  return after.flatMap((letter, cell) => filled(letter) && !filled(before[cell]) ? [cell] : []);
}

const disc = (x, y, radius) => `M${x - radius} ${y}a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0`;

// Draws a board of shapes: `facts.drawing` has its size, what is behind its cells, and their places.
function drawShapes({drawing, looks}, letters, last, put) {
  const shape = ({points, circle, text, at = [0, 0], size, fill = "none", stroke = "none", width = 0}, x, y) => {
    const colours = {fill, stroke, "stroke-width": width, "stroke-linejoin": "round"}, move = `translate(${x} ${y})`;
    if (text) put("text", {x: x + at[0], y: y + at[1], dy: ".35em", "font-size": size, "font-weight": 700, "text-anchor": "middle", fill}, text);
    else if (circle) put("circle", {cx: x + circle[0], cy: y + circle[1], r: circle[2], ...colours});
    else put(fill === "none" ? "polyline" : "polygon", {points: points.join(" "), transform: move, ...colours});
  };
  drawing.back.forEach(each => shape(each, 0, 0));
  letters.forEach((letter, cell) => {
    if (drawing.places[cell]) for (const each of looks[letter].shapes) shape(each, ...drawing.places[cell]);
  });
  for (const cell of last) if (drawing.places[cell]) shape({circle: [0, 0, 30], stroke: "#ffd54a", width: 7}, ...drawing.places[cell]);
}

function drawBoard(facts, letters, {line, last, large, label}) {
  const space = "http://www.w3.org/2000/svg", top = large ? 16 : 2, left = large && facts.rows[0] ? 16 : 2;
  const svg = document.createElementNS(space, "svg"), columns = facts.columns.length, rows = facts.rows.length;
  const put = (tag, traits, text) => {
    const part = document.createElementNS(space, tag);
    for (const key in traits) part.setAttribute(key, traits[key]);
    if (text !== undefined) part.textContent = text;
    svg.append(part);
  };
  const width = facts.drawing?.width ?? left + columns * 20 + 2, height = facts.drawing?.height ?? top + rows * 20 + 2;
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.setAttribute("class", large ? "large" : "thumb");
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", label);
  if (facts.drawing) {
    drawShapes(facts, letters, last, put);
    return svg;
  }
  const small = {"font-size": 10, "text-anchor": "middle", fill: "currentColor"};
  if (large) facts.columns.forEach((text, column) => put("text", {x: left + column * 20 + 10, y: 11, ...small}, text));
  if (large && facts.rows[0]) facts.rows.forEach((text, row) => put("text", {x: 8, y: top + row * 20 + 14, ...small}, text));
  put("rect", {x: left - 2, y: top - 2, width: columns * 20 + 4, height: rows * 20 + 4, rx: 4, fill: facts.ground});
  const at = cell => [left + cell % columns * 20 + 10, top + Math.floor(cell / columns) * 20 + 10];
  const discs = (places, radius) => places.map(cell => disc(...at(cell), radius)).join("");
  const square = (x, y) => `M${x - 9.5} ${y - 9.5}h19v19h-19z`;
  for (const letter of new Set(letters)) {  // one shape for all cells that look alike: a page may hold many boards
    const look = facts.looks[letter], places = letters.flatMap((each, cell) => each === letter ? [cell] : []);
    if (look.ground) put("path", {d: places.map(cell => square(...at(cell))).join(""), fill: look.ground});
    if (look.fill) put("path", {d: discs(places, look.radius / 5), fill: look.fill, stroke: "#0009", "stroke-width": .6});
    else if (!look.ground) put("path", {d: discs(places, 8), fill: facts.hole, "fill-opacity": .4});
    for (const [x, y] of look.fill && large ? places.map(at) : [])
      put("text", {x, y: y + 3.5, "font-size": 9, "font-weight": 700, "text-anchor": "middle", fill: look.ink}, look.symbol);
  }
  const wide = large ? 1.4 : 2.2, radius = large ? 8.8 : 9.4;
  for (const [places, colour] of [[line, "#7cfc9a"], [last.filter(cell => !line.includes(cell)), "#fff"]]) {
    const rings = {d: discs(places, radius), fill: "none"};
    if (places.length) put("path", {...rings, stroke: "#000", "stroke-width": 2 * wide});
    if (places.length) put("path", {...rings, stroke: colour, "stroke-width": wide});
  }
  return svg;
}
