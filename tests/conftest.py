"""What all tests share: a place for compiled code, and chance that repeats itself."""

from __future__ import annotations

import os
from pathlib import Path

from hypothesis import settings

ROOT = Path(__file__).parent.parent

os.environ.setdefault("PLYBOARD_CACHE", str(ROOT / ".cache" / "code"))
settings.register_profile("plyboard", deadline=None, derandomize=True, database=None)
settings.load_profile("plyboard")
