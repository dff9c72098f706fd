"""Agents in a pickle: their settings alone, not what they have searched."""

from __future__ import annotations

import copyreg
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from typing import Any


def pickle_by_settings(make: Callable[..., Any]) -> None:
    """Have agents of a dataclass pickled as their fields: trees and tables stay behind."""
    if isinstance(make, type) and is_dataclass(make):
        copyreg.pickle(make, _settings)


def _settings(agent: Any) -> tuple[Any, ...]:
    values = {each.name: getattr(agent, each.name) for each in fields(agent) if each.init}
    return _made, (type(agent), values)


def _made(kind: Callable[..., Any], values: dict[str, Any]) -> Any:
    return kind(**values)
