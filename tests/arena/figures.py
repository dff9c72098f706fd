"""Reports in JSON without the times, which are never the same."""

from __future__ import annotations

import json
from typing import Any

TIMES = ("seconds", "seconds_per_move")


def figures(printed: str) -> dict[str, Any]:
    """Return the figures of a report that has to be the same each time."""
    facts: dict[str, Any] = _timeless(json.loads(printed))
    return facts


def _timeless(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _timeless(each) for name, each in value.items() if name not in TIMES}
    return [_timeless(each) for each in value] if isinstance(value, list) else value
