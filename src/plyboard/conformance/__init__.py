"""What every game promises, as checks that any game can run on itself."""

from __future__ import annotations

from plyboard.conformance.checks import CHECKS, Suite
from plyboard.conformance.loading import load_game

__all__ = ["CHECKS", "Suite", "load_game"]
