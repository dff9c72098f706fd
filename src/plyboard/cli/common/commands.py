"""The list of all commands, and the help that shows it. No command is imported for that."""

from __future__ import annotations

import re
import shutil
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from plyboard.plugins import bundled

GROUPS = {
    "Play": ("play", "serve", "join", "window", "replay"),
    "Understand": ("show", "analyse", "review", "tree", "solve", "convert", "perft"),
    "Compete": ("match", "sprt", "tournament", "agents", "engine", "compliance"),
    "Set up and develop": (
        "games",
        "check-game",
        "tune",
        "warm",
        "bench",
        "completion",
        "book",
        "store",
    ),
}
ALIASES = {"analyze": "analyse"}
PLUGINS = "plyboard.commands"
OTHERS = "From other packages"
ABOUT = "Play, analyse and solve two-player board games."
VERSION_HELP = "Print the version."
OPTIONS = (("--version", VERSION_HELP), ("-h, --help", "Show this message and exit."))
EPILOG = "Example: plyboard play connect-four   or: plyboard show connect-four 4455"
DOCSTRING = re.compile(
    r'^def (?:command|overview)\(.*?^    """(.*?)(?:\n\n|""")', re.DOTALL | re.MULTILINE
)
PANEL = re.compile(r'(?m)^PANEL = "(.*)"$')
ROOT = Path(__file__).parents[3]

OURS = (
    *(name for names in GROUPS.values() for name in names),
    *bundled().select(group=PLUGINS).names,
)


def module_of(name: str) -> str:
    """Return the name of the module of a command that is no plug-in."""
    return f"plyboard.cli.{name.replace('-', '_')}"


def help_lines(others: Iterable[tuple[str, str]] = ()) -> Iterator[str]:
    """Yield the lines of `plyboard --help`; `others` are commands of other packages."""
    panels = {panel: [(name, _about(module_of(name))) for name in names]
              for panel, names in GROUPS.items()}  # fmt: skip
    for point in bundled().select(group=PLUGINS):
        panels[_found(PANEL, point.value)].append((point.name, _about(point.value)))
    panels = {"Options": list(OPTIONS), **panels, OTHERS: list(others)}
    yield from ("Usage: plyboard [OPTIONS] COMMAND [ARGS]...", "", ABOUT)
    yield from _tables(panels)
    yield from ("", EPILOG)


def _tables(panels: Mapping[str, list[tuple[str, str]]]) -> Iterator[str]:
    names = max(len(name) for rows in panels.values() for name, _ in rows)
    width = shutil.get_terminal_size().columns - 1
    for panel, rows in panels.items():
        if rows:
            yield from ("", f"{panel}:")
        for name, about in rows:
            start = f"  {name:{names}}  "
            yield textwrap.fill(
                about, max(width, len(start) + 20),
                initial_indent=start, subsequent_indent=" " * len(start),
            )  # fmt: skip


def _about(module: str) -> str:
    """Return what a command does: the first paragraph of its docstring."""
    return " ".join(_found(DOCSTRING, module).split())


def _found(pattern: re.Pattern[str], module: str) -> str:
    """Return what a pattern finds in a module, which is read: to import it would take longer."""
    source = ROOT.joinpath(*module.split(".")).with_suffix(".py").read_text("utf-8")
    found = pattern.search(source)
    assert found, module
    return found[1]
