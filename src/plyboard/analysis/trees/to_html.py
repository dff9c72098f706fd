"""A tree as one HTML file that opens without a server, with the board at each node.

The page holds the tree as compact JSON and draws a branch when it is opened. A board is stored as
its changes from the parent's: `17c` puts the piece of letter `c` into cell 17, counted row by row
from the top; `=` and a letter for each cell is a whole board.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from html import escape
from importlib.resources import files
from string import ascii_letters
from typing import Any

from plyboard.analysis.duplicates import duplicate_lines as duplicate_lines
from plyboard.analysis.duplicates import duplicates
from plyboard.analysis.trees.to_text import symmetry_text
from plyboard.analysis.trees.tree import Node, SearchTree, ValueSource
from plyboard.games.drawing import Shape, drawing_of, shape_facts
from plyboard.games.game import spec_of
from plyboard.games.picture import TERRITORY, Picture

PAGE, BOARD_SCRIPT = "page.html", "board.js"
MORE = 0x100  # letters beyond those of ASCII, if a page has so many kinds of cells
FEW = 4  # the most changed cells stored one by one


def html(tree: SearchTree, agent: str) -> str:
    """Return the page."""
    page = _text_of(PAGE).replace("{{board}}", board_script())
    move = tree.position.move_text(tree.choice.action)
    title = f"{tree.position.game.title}: how {agent.partition(':')[0]} chose {move}"
    data = safe_json(page_facts(tree, agent))
    return page.replace("{{title}}", escape(title)).replace("{{data}}", data)


def board_script() -> str:
    """Return the functions that draw boards on a page."""
    return _text_of(BOARD_SCRIPT).rstrip()


def safe_json(facts: Any) -> str:
    """Return compact JSON that can stand inside an element `script`."""
    data = json.dumps(facts, separators=(",", ":"))
    return data.replace("<", "\\u003c").replace("&", "\\u0026")


def _text_of(name: str) -> str:
    return files("plyboard.analysis.trees").joinpath(name).read_text("utf-8")


def page_facts(tree: SearchTree, agent: str) -> dict[str, Any]:
    """Return the data of the page."""
    game, choice = tree.position.game, tree.choice
    boards, found = Boards(), duplicates(tree.position, choice)
    root = _node(tree, tree.root, boards, None)
    picture = game.picture(tree.position.state)
    lines = {
        "agent": agent,
        "value": tree.verdict() or f"{choice.value:g}",
        "depth": str(tree.depth or choice.depth or ""),
        "positions": f"{choice.nodes:,}" if choice.nodes else "",
        "games": f"{choice.simulations:,}" if choice.simulations else "",
        "game": spec_of(game),
        "values for": game.players[tree.position.mover],
    }
    return {
        "title": game.title,
        "facts": [[name, text] for name, text in lines.items() if text],
        "position": tree.position.text(),
        "players": game.players,
        "mover": tree.position.mover,
        "fills": _fills(picture, game.players),
        **board_facts(picture, boards),
        "missing": _missing(tree),
        "duplicates": list(duplicate_lines(found)) if found is not None else [],
        "root": root,
    }


def _missing(tree: SearchTree) -> str:
    """Return a note about what the page does not show."""
    if not tree.is_whole:
        return "The search recorded only its first events: the rest of the tree is missing."
    if any(node.hidden for node in tree.root.walk()):
        return f"Shown to ply {tree.plies}; what is below is only counted."
    return ""


def _fills(picture: Picture, players: tuple[str, str]) -> list[list[str]]:
    """Return the colours of both players: a fill and an ink."""
    return [
        [picture.pieces[name].fill, picture.pieces[name].ink]
        if name in picture.pieces else ["#888888", "#ffffff"]
        for name in players
    ]  # fmt: skip


def board_facts(picture: Picture, boards: Boards) -> dict[str, Any]:
    """Return what the boards of a page have in common, for the script that draws them."""
    facts: dict[str, Any] = {
        "columns": picture.column_names,
        "rows": picture.row_names or [""] * len(picture.rows),
        "ground": picture.ground,
        "hole": picture.hole,
        "looks": boards.looks,
    }
    drawing = drawing_of(picture)
    if drawing is not None:
        places = [drawing.places.get(cell) for cell, _ in picture.cells()]
        facts["drawing"] = {
            "width": drawing.width,
            "height": drawing.height,
            "back": list(map(shape_facts, (*drawing.back, *drawing.names))),
            "places": [[each.x, each.y] if each else None for each in places],
        }
    return facts


@dataclass
class Boards:
    """The kinds of cells so far, each with a letter."""

    letters: dict[tuple[Any, ...], str] = field(default_factory=dict)
    looks: dict[str, dict[str, Any]] = field(default_factory=dict)

    def told(self, picture: Picture) -> str:
        """Return a letter for each cell, row by row from the top."""
        drawing = drawing_of(picture)
        return "".join(
            self._letter(
                picture,
                symbol,
                picture.territory.get(cell),
                drawing.look(picture, cell) if drawing and cell in drawing.places else (),
            )
            for cell, symbol in picture.cells()
        )

    def _letter(
        self, picture: Picture, symbol: str, owner: int | None, shapes: tuple[Shape, ...]
    ) -> str:
        if (symbol, owner, shapes) not in self.letters:
            number = len(self.letters)
            letter = ascii_letters[number] if number < len(ascii_letters) else chr(MORE + number)
            self.letters[symbol, owner, shapes] = letter
            look: dict[str, Any] = {"shapes": list(map(shape_facts, shapes))} if shapes else {}
            self.looks[letter] = look
            if owner is not None:
                look["ground"] = TERRITORY[owner]
            if symbol in picture.pieces:
                piece = picture.pieces[symbol]
                look |= {"fill": piece.fill, "ink": piece.ink, "radius": piece.radius}
                look["symbol"] = symbol
        return self.letters[symbol, owner, shapes]


def board_changes(before: str | None, after: str) -> str:
    """Return the changes of a board, `17c20d`, or the whole board, `=aaab...`."""
    if before is not None:
        pairs = zip(before, after, strict=True)
        found = [f"{index}{new}" for index, (old, new) in enumerate(pairs) if old != new]
        if len(found) <= FEW:
            return "".join(found)
    return f"={after}"


def _node(
    tree: SearchTree, node: Node, boards: Boards, above: tuple[str, str] | None
) -> dict[str, Any]:
    """Return a node and its subtree in compact form; the page explains the keys."""
    position = tree.position_of(node)
    picture = position.game.picture(position.state)
    board, notes = boards.told(picture), "; ".join(picture.notes)
    line = sorted(cell.row * len(picture.column_names) + cell.column for cell in picture.line)
    pruned = tree.pruned(node)
    facts: dict[str, Any] = {
        "m": tree.move_text(node),
        "d": board_changes(above[0] if above else None, board),
        "v": tree.value(node),
        "b": "" if node.bound.value == "=" or not tree.value(node) else node.bound.value,
        "s": tree.sign(node),
        "h": "" if node.source is ValueSource.SEARCHED else node.source.value,
        "w": [tree.bound_text(number) for number in node.window or ()] if pruned else [],
        "p": pruned,
        "o": tree.ending(node),
        "n": notes if above is None or notes != above[1] else "",
        "l": line,
        "k": node.hidden,
        "r": node.visits if node.visits > 1 and not node.simulations else 0,
        "g": node.simulations,
        "a": f"{tree.mean(node):+.3f}" if node.simulations and tree.has_scores else "",
        "t": symmetry_text(tree, node) if node.source is ValueSource.DUPLICATE else "",
        "z": int(node.is_best),
        "q": int(node.parent is not None and node.mover == node.maker),
        "c": [_node(tree, child, boards, (board, notes)) for child in node.children.values()],
    }
    return {name: value for name, value in facts.items() if value}
