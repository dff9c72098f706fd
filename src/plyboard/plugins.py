"""Plug-ins: games, agents, formats and more, which packages offer by entry points.

A package lists what it offers in groups: `plyboard.games`, `plyboard.agents`, `plyboard.formats`,
`plyboard.evaluations`, `plyboard.searches`, `plyboard.rules`, `plyboard.logs`, `plyboard.commands`.
The file `entry_points.txt` beside this module lists the plug-ins that come with Plyboard, as the
file of that name lists those of an installed package. So they are found without an installation.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Container, Iterator, Mapping
from functools import cache
from importlib import import_module
from importlib.metadata import Distribution, EntryPoint, EntryPoints, entry_points
from pathlib import Path
from typing import Any, NamedTuple

from plyboard.errors import shown


class Plugin(NamedTuple):
    """A loaded plug-in."""

    name: str
    value: Any
    package: str  # the outside package that it comes from; empty if it comes with Plyboard


@cache
def bundled() -> EntryPoints:
    """Return the entry points of the plug-ins that come with Plyboard."""
    return Distribution.at(Path(__file__).parent).entry_points


def bundled_plugins(group: str, names: Container[str] | None = None) -> Iterator[Plugin]:
    """Yield the plug-ins of a group that come with Plyboard: all, or those of some names."""
    for point in bundled().select(group=group):
        if names is None or point.name in names:
            yield Plugin(point.name, point.load(), "")


def plugins(group: str, taken: Container[str] = ()) -> Iterator[Plugin]:
    """Yield the plug-ins of a group, ours first; a name that is taken is left out.

    If one of an outside package cannot be loaded, it is left out with a warning.
    """
    ours = {point.name for point in bundled().select(group=group)}
    for plugin in bundled_plugins(group):
        if plugin.name not in taken:
            yield plugin
    for point in entry_points(group=group):
        if point.name in ours or point.name in taken:
            continue
        try:
            yield Plugin(point.name, point.load(), point.value.partition(":")[0])
        except Exception as fault:  # of another package
            _warn(point, fault)


def are_installed(group: str) -> bool:
    """Tell whether installed packages have plug-ins of a group; none is loaded."""
    return bool(entry_points(group=group))


def _warn(point: EntryPoint, fault: Exception) -> None:
    kind = point.group.rpartition(".")[2].removesuffix("s")
    reason = f"{type(fault).__name__} {shown(str(fault))}"
    warnings.warn(f"the {kind} {point.name} cannot be loaded: {reason}", stacklevel=3)


def lazily(package: str, homes: Mapping[str, str]) -> Callable[[str], Any]:
    """Return a `__getattr__` for a package that imports its names when they are first used.

    `homes` gives the module of each name. So a command does not wait for the rest of its package.
    """

    def get(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(f"{package}.{homes[name]}"), name)

    return get
