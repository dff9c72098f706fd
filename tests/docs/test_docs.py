"""The pages under docs/ stay true: links lead somewhere, names exist, sessions print what they say.

A page says what a file holds by a link to it, a colon and names in backticks:
[`games/game.py`](../src/plyboard/games/game.py): `Game`, `Outcome.line`. A name is written in full:
`Class.method`, or `rules.play` for the kernel `play` that the function `rules` makes.
"""

from __future__ import annotations

import ast
import doctest
import re
import subprocess
import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import pytest
from commands import WarmCommand

from plyboard import errors
from plyboard.agents import our_agents
from plyboard.cli import main
from plyboard.games import GAMES, Position, spec_of
from plyboard.games.formats import known_formats
from plyboard.specs import Setting

ROOT = Path(__file__).parent.parent.parent
SOURCE = ROOT / "src" / "plyboard"
ORIGINS, ARCHITECTURE, FORMATS_PAGE = (
    ROOT / "docs" / f"{name}.md" for name in ("origins", "architecture", "formats")
)
PAGES = [
    *sorted((ROOT / "docs").rglob("*.md")),
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")),
    ROOT / "examples" / "students" / "README.md",
]

LINK = re.compile(r"\]\(([^)\s]+)\)|(?:src|href)=\"([^\"]+)\"")
NAME = r"`[A-Za-z_][\w.]*`"
CLAIM = re.compile(rf"\]\(([^)\s]+\.py)\):\s+({NAME}(?:(?:,\s+|\s+and\s+){NAME})*)")
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FOLDER = re.compile(r"^\d+\. \[`([\w/.]+)`\]\(\.\./src/plyboard/([\w/.]+)\): ", re.MULTILINE)


def page_id(page: Path) -> str:
    return str(page.relative_to(ROOT))


def prose(page: Path) -> str:
    """Return a page without its fenced blocks."""
    return FENCE.sub("", page.read_text())


def blocks(page: Path, kind: str) -> Iterator[str]:
    """Yield the fenced blocks of one kind."""
    for match in FENCE.finditer(page.read_text()):
        if match[1] == kind:
            yield match[2]


def section(page: Path, title: str) -> str:
    """Return what stands below a heading of the second level, up to the next one."""
    _, _, rest = prose(page).partition(f"\n## {title}\n")
    assert rest, f"{page_id(page)} has no section {title}"
    return rest.partition("\n## ")[0]


def table_rows(text: str) -> list[list[str]]:
    """Return the cells of each row of each table, without headings and rules."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    cells = [re.split(r"(?<!\\)\|", line)[1:-1] for line in lines]
    rows = [[cell.strip() for cell in row] for row in cells]
    rules = {index for index, row in enumerate(rows) if set(row) == {"---"}}
    headings = {index - 1 for index in rules}
    return [row for index, row in enumerate(rows) if index not in rules | headings]


def anchors(page: Path) -> set[str]:
    """Return the names by which links reach the headings of a page."""
    found: set[str] = set()
    for title in re.findall(r"^#+ (.*)$", prose(page), re.MULTILINE):
        name = re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-")
        again = 1
        while (told := name if name not in found else f"{name}-{again}") in found:
            again += 1
        found.add(told)
    return found


@cache
def definitions(path: Path) -> frozenset[str]:
    """Return the full names of all that a Python file defines."""
    return frozenset(_defined(ast.parse(path.read_text()).body, ""))


def _defined(body: list[ast.stmt], prefix: str) -> Iterator[str]:
    for statement in body:
        match statement:
            case ast.FunctionDef(name=name, body=inner) | ast.ClassDef(name=name, body=inner):
                yield prefix + name
                yield from _defined(inner, f"{prefix}{name}.")
            case ast.Assign(targets=targets):
                for target in targets:
                    names = (node for node in ast.walk(target) if isinstance(node, ast.Name))
                    yield from (prefix + node.id for node in names)
            case ast.AnnAssign(target=ast.Name(id=name)):
                yield prefix + name


@pytest.mark.parametrize("page", PAGES, ids=page_id)
def test_every_link_leads_somewhere(page: Path) -> None:
    text = re.sub(r"`[^`\n]*`", "", prose(page))
    for link in (first or second for first, second in LINK.findall(text)):
        target, _, anchor = link.partition("#")
        if "://" in link:
            continue
        goal = (page.parent / target).resolve() if target else page

        assert goal.exists(), f"{page_id(page)} links to {link}"
        assert goal.is_relative_to(ROOT)
        assert not anchor or anchor in anchors(goal), f"{page_id(page)} links to {link}"


@pytest.mark.parametrize("page", PAGES, ids=page_id)
def test_every_name_said_to_be_in_a_file_is_defined_there(page: Path) -> None:
    for link, names in CLAIM.findall(prose(page)):
        known = definitions((page.parent / link).resolve())
        for name in re.findall(r"`([^`]+)`", names):
            assert name in known, f"{page_id(page)} says that {link} defines {name}"


@pytest.mark.parametrize("page", [ORIGINS, ARCHITECTURE], ids=page_id)
def test_a_linked_source_file_is_called_by_its_path(page: Path) -> None:
    for told, link in re.findall(r"\[`([^`]+)`\]\(\.\./src/plyboard/([^)]*)\)", prose(page)):
        assert told == link


def test_every_feature_of_the_origins_is_somewhere() -> None:
    rows = table_rows(prose(ORIGINS))
    for there, here, _ in rows:
        assert CLAIM.search(here) or here == "not kept", f"nothing for {there}"
    assert len(rows) > 150


def layers() -> list[str]:
    """Return the folders and files of the source, highest first, as the import linter has them."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    contracts = settings["tool"]["importlinter"]["contracts"]
    return [
        name
        for contract in contracts
        if contract.get("containers") == ["plyboard"]
        for layer in contract["layers"]
        for name in layer.split(" | ")  # siblings share a layer
    ]


def test_the_folders_are_those_of_the_source_in_the_order_that_is_checked() -> None:
    told = FOLDER.findall(section(ARCHITECTURE, "The folders"))
    names = [name.removesuffix("/").removesuffix(".py") for name, _ in told]
    there = {
        path.stem for path in SOURCE.iterdir() if path.suffix == ".py" or [*path.glob("*.py")]
        if not path.name.startswith("__")
    }  # fmt: skip

    assert set(names) == there
    assert names == list(reversed(layers()))


def test_the_map_in_the_readme_lists_the_layers_from_the_top() -> None:
    _, _, rest = (ROOT / "README.md").read_text().partition("\n## The folders\n")
    folders = re.findall(r"^([\w/.]+)  +\w", rest.partition("\n## ")[0], re.MULTILINE)

    assert [name.removesuffix("/").removesuffix(".py") for name in folders] == layers()


def test_the_words_are_all_told() -> None:
    words = (
        "game", "state", "action", "move", "position", "outcome",
        "rules", "kernel", "search", "budget", "choice", "agent", "bot",
        "match", "seat", "referee", "live match", "session", "record", "event", "executor",
    )  # fmt: skip
    rows = table_rows(section(ARCHITECTURE, "The words"))

    assert [row[0] for row in rows] == [f"**{word}**" for word in words]


def test_the_formats_told_are_those_there_are() -> None:
    text = section(FORMATS_PAGE, "Formats")
    headings = re.findall(r"^### `([\w-]+)`$", text, re.MULTILINE)
    rows = [(re.sub(r"\[`|`\].*", "", row[0]), row[1]) for row in table_rows(text)]
    every = tuple(kind.name for kind in GAMES)
    known = [
        (each.name, "all" if each.games == every else f"`{each.games[0]}`")
        for each in known_formats()
    ]

    assert headings == [each.name for each in known_formats()]
    assert rows == known


def usual(setting: Setting) -> str:
    return "no limit" if setting.default is None else str(setting.default)


def test_the_settings_told_are_those_there_are() -> None:
    told = table_rows(section(FORMATS_PAGE, "Specs"))
    lists: list[tuple[str, Sequence[Setting]]] = [(kind.name, kind.parameters) for kind in GAMES]
    lists += [(name, entry.settings) for name, entry in our_agents().items()]
    known = [
        [f"`{name}`", f"`{parameter.name}`", usual(parameter), parameter.range]
        for name, parameters in lists
        for parameter in parameters
    ]

    assert told == known


def test_every_game_has_its_moves_and_its_position_text_told() -> None:
    names = [f"`{kind.name}`" for kind in GAMES]

    for title in ("Moves", "Position texts"):
        assert [row[0] for row in table_rows(section(FORMATS_PAGE, title))] == names


def test_the_exit_codes_told_are_those_there_are() -> None:
    rows = table_rows(section(FORMATS_PAGE, "Errors"))
    classes = {
        name: kind.exit_code for name, kind in vars(errors).items()
        if isinstance(kind, type) and issubclass(kind, errors.PlyboardError)
    }  # fmt: skip
    others = {0, main.BUG, main.INTERRUPTED, main.CLOSED_PIPE, main.TERMINATED}

    assert {row[0].strip("`"): int(row[1]) for row in rows if len(row) == 3} == classes
    assert {int(row[0]) for row in rows if len(row) == 2} == others


@pytest.mark.parametrize(
    "line", [line for block in blocks(FORMATS_PAGE, "position") for line in block.splitlines()]
)
def test_every_position_shown_reads_back(line: str) -> None:
    position = Position.read(line)

    assert f"{spec_of(position.game)} {position.text()}" == line


def sessions() -> Iterator[tuple[str, str]]:
    """Yield each command of the console blocks of all pages, and what it prints."""
    for page in PAGES:
        for block in blocks(page, "console"):
            for step in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
                command, _, printed = step.partition("\n")
                yield command, printed


@pytest.mark.parametrize(("command", "printed"), list(sessions()))
def test_every_command_prints_what_its_page_shows(
    command: str, printed: str, warm_command: WarmCommand, tmp_path: Path
) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    ran = subprocess.run(
        ["bash", "-c", command], cwd=tmp_path, env=warm_command.environment(), text=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
    )  # fmt: skip

    assert ran.stdout == printed


@pytest.mark.parametrize(
    "page",
    [page for page in PAGES if ">>> " in page.read_text()],
    ids=page_id,
)
def test_every_line_of_python_says_what_its_page_shows(page: Path) -> None:
    failed, tried = doctest.testfile(str(page), module_relative=False)

    assert tried
    assert not failed
