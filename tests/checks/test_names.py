"""The house rules that no linter knows: unique class names, and functions of readable size."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "src" / "plyboard"
INTERFACES = {
    "command", "overview", "main",  # what Typer and `python -m` call
    "read", "write",  # of the formats of positions
    "rules",  # of each game
}  # fmt: skip
"""Functions that several modules must have under the same name."""
MOST_METHODS = 25
MOST_LINES, MOST_PARAMETERS = 60, 8  # of a function
COMMANDS = ("cli/", "origins/four_in_a_row/command.py")  # whose options are parameters
EVERY_FIELD = ("PlyboardError",)  # takes each of its fields by keyword
METHODS = (ast.FunctionDef, ast.AsyncFunctionDef)
LONGEST = 80  # lines of a function whose docstring gives no reason to be longer

REASON = re.compile(r"\blong\b[^.]*\bbecause\b", re.IGNORECASE)


def definitions() -> Iterator[tuple[str, ast.ClassDef | ast.FunctionDef]]:
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ClassDef | ast.FunctionDef):
                yield path.relative_to(SOURCE).as_posix(), node


def test_no_two_classes_have_the_same_name() -> None:
    files = defaultdict[str, list[str]](list)
    for file, node in definitions():
        if isinstance(node, ast.ClassDef):
            files[node.name].append(file)

    assert not {name: found for name, found in files.items() if len(found) > 1}


def test_a_long_function_gives_the_reason_in_its_docstring() -> None:
    silent = [
        f"{file}: {node.name}"
        for file, node in definitions()
        if isinstance(node, ast.FunctionDef)
        and (node.end_lineno or 0) - node.lineno >= LONGEST
        and not REASON.search(ast.get_docstring(node) or "")
    ]

    assert not silent


def test_no_class_has_more_methods_than_a_reader_can_follow() -> None:
    large = {
        node.name: count
        for _, node in definitions()
        if isinstance(node, ast.ClassDef)
        and node.name != "Position"  # what people use from Python
        and (count := sum(isinstance(each, METHODS) for each in node.body)) > MOST_METHODS
    }

    assert not large


def test_no_two_rooms_have_a_public_function_of_the_same_name() -> None:
    rooms = defaultdict[str, set[str]](set)
    for path in sorted(SOURCE.rglob("*.py")):
        room = path.relative_to(SOURCE).parts[0]
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, METHODS) and not node.name.startswith("_"):
                rooms[node.name].add(room)
    several = {name: found for name, found in rooms.items() if len(found) > 1}

    assert not several.keys() - INTERFACES


def is_kernel(node: ast.AST) -> bool:
    return isinstance(node, ast.FunctionDef) and any(
        "kernel" in ast.unparse(each) for each in node.decorator_list
    )


def parameters(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    given = (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
    return sum(each.arg not in ("self", "cls") for each in given)


def test_functions_are_short_and_take_few_parameters_unless_they_are_kernels_or_commands() -> None:
    large = list[str]()
    for path in sorted(SOURCE.rglob("*.py")):
        file = path.relative_to(SOURCE).as_posix()
        tree = ast.parse(path.read_text("utf-8"))
        excused = {
            id(each)
            for node in ast.walk(tree)
            if isinstance(node, ast.ClassDef) and node.name in EVERY_FIELD
            for each in node.body
        }
        for node in ast.walk(tree):
            if not isinstance(node, METHODS) or id(node) in excused or file.startswith(COMMANDS):
                continue
            if any(map(is_kernel, ast.walk(node))):
                continue
            lines = (node.end_lineno or 0) - node.lineno + 1
            if lines > MOST_LINES or parameters(node) > MOST_PARAMETERS:
                large.append(f"{file}: {node.name}")

    assert not large
