"""The conformance suite for games, including games from other packages."""

from __future__ import annotations

from plyboard.conformance.checks import CHECKS, Suite
from plyboard.conformance.loading import load_game

__all__ = ["CHECKS", "Suite", "load_game"]
