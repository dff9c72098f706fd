"""What all tests share: a place for compiled code, and chance that repeats itself."""

from __future__ import annotations

import os
from collections.abc import Generator
from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).parent.parent

os.environ.setdefault("PLYBOARD_CACHE", str(ROOT / ".cache" / "code"))
settings.register_profile("plyboard", deadline=None, derandomize=True, database=None)
settings.load_profile("plyboard")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Count a test that skipped itself as one that failed."""
    report = yield
    if report.skipped:
        report.outcome = "failed"
        report.longrepr = f"{item.nodeid} skipped itself: {report.longrepr}"
    return report
