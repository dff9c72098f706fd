"""What all tests share: a place for compiled code, and chance that repeats itself."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from commands import WarmCommand
from hypothesis import HealthCheck, Phase, settings

if TYPE_CHECKING:
    from scheduling import HeaviestFirst
    from xdist.remote import Producer

ROOT = Path(__file__).parent.parent

os.environ.setdefault("PLYBOARD_CACHE", str(ROOT / ".cache" / "code"))
# Tests of searches are tests of compiled code. tests/search/common/test_tiers.py tests both tiers.
os.environ.setdefault("PLYBOARD_JIT", "first")
# What people use runs as they run it: small searches in plain Python, without the compiler.
AS_USUAL = ("browser", "docs", "server", "web")
settings.register_profile(
    "plyboard", deadline=None, derandomize=True, database=None,
    suppress_health_check=[HealthCheck.too_slow],  # it measures how busy the machine is
)  # fmt: skip
settings.register_profile(
    "planted", settings.get_profile("plyboard"), phases=[Phase.explicit, Phase.generate]
)
IS_PLANTED = "PLYBOARD_PLANTED" in os.environ  # a fault; the first sign of it is enough
settings.load_profile("planted" if IS_PLANTED else "plyboard")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> HeaviestFirst | None:
    """Deal out whole files, those that take longest first, with `--dist loadfile`."""
    if config.getvalue("dist") != "loadfile":
        return None
    from scheduling import HeaviestFirst  # imported where it is needed: planted faults import this

    return HeaviestFirst(config, log)


def pytest_collection_finish() -> None:
    """Look for garbage less often, and not among what was imported: nothing of it goes away."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000)


@pytest.fixture(scope="module", autouse=True)
def _jit_as_usual(request: pytest.FixtureRequest) -> Iterator[None]:
    """Let the folders of `AS_USUAL` and the processes that they start begin in plain Python."""
    folder = request.path.relative_to(Path(__file__).parent).parts[0]
    with pytest.MonkeyPatch.context() as patch:
        if folder in AS_USUAL and os.environ["PLYBOARD_JIT"] == "first":
            patch.setenv("PLYBOARD_JIT", "on")
        yield


@pytest.fixture(scope="module", autouse=True)
def _forget_games_in_files() -> Iterator[None]:
    """Forget the games in files that a command has made known to this process."""
    before = os.environ.get("PLYBOARD_OWN_GAMES")
    yield
    if before is None:
        os.environ.pop("PLYBOARD_OWN_GAMES", None)
    else:
        os.environ["PLYBOARD_OWN_GAMES"] = before
    if own_games := sys.modules.get("plyboard.games.own_games"):
        vars(own_games)["_loaded"].clear()


@pytest.fixture(scope="session")
def warm_command(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WarmCommand]:
    """The `plyboard` command without the time it takes to start."""
    command = WarmCommand(tmp_path_factory.mktemp("warm"))
    yield command
    command.close()


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
