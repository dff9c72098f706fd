"""Compiled code between processes: loaded, never stale, never corrupt, never required."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent.parent
SOURCE = Path(os.environ.get("PLYBOARD_SOURCE", ROOT / "src"))
PROGRAM = """
import json
from plyboard.games import Position
from plyboard.kernel import compilations
from plyboard.search.counting.perft import perft
nodes = perft(Position("connect-four:columns=4,rows=4"), 9)
print(json.dumps({"nodes": nodes, "cached": [each.cached for each in compilations()]}))
"""
NODES = 206_904
TINY = """
import json
from plyboard.kernel import compilations, compiled, kernel

@kernel
def squares(number):
    return number * number + (squares(number - 1) if number else 0)

nodes = int(compiled(squares)(9))
print(json.dumps({"nodes": nodes, "cached": [each.cached for each in compilations()]}))
"""
SQUARES = 285


def run(
    source: Path, cache: Path, program: str = PROGRAM, **environment: str
) -> subprocess.CompletedProcess[str]:
    names = {key: value for key, value in os.environ.items() if not key.startswith("PLYBOARD")}
    names |= {"PYTHONPATH": str(source), "PLYBOARD_CACHE": str(cache), "PLYBOARD_JIT": "first"}
    names |= environment
    return subprocess.run(
        [sys.executable, "-c", program], env=names, capture_output=True, text=True, check=False
    )


def answer(done: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.fixture(scope="module")
def compiled_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of code that one process has left behind."""
    folder = tmp_path_factory.mktemp("compiled") / "code"
    assert answer(run(SOURCE, folder)) == {"nodes": NODES, "cached": [False]}
    return folder


@pytest.fixture
def code(compiled_once: Path, tmp_path: Path) -> Path:
    """A copy of that folder, for one test."""
    shutil.copytree(compiled_once, tmp_path / "code", copy_function=shutil.copy2)
    return tmp_path / "code"


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A copy of the package that a test may edit."""
    shutil.copytree(SOURCE, tmp_path / "src", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path / "src"


def edit(source: Path, file: str, old: str, new: str) -> None:
    path = source / "plyboard" / file
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def test_a_second_process_loads_without_compiling(code: Path) -> None:
    assert answer(run(SOURCE, code)) == {"nodes": NODES, "cached": [True]}


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("games/connect_four.py", "return lost(state) or not", "return not"),
        (
            "games/gravity.py",
            "along(discs, 1), along(discs, step)",
            "along(discs, 1), along(discs, 1)",
        ),
        ("search/counting/perft.py", "return count(actions)", "return count(actions) + 7"),
    ],
    ids=["the rules of the game", "a kernel in another file", "the search"],
)
def test_an_edit_is_never_served_stale(
    code: Path, source: Path, file: str, old: str, new: str
) -> None:
    edit(source, file, old, new)
    edited = answer(run(source, code))
    edit(source, file, new, old)
    restored = answer(run(source, code))

    assert edited["cached"] == [False]
    assert edited["nodes"] != NODES
    assert restored == {"nodes": NODES, "cached": [True]}


def test_ten_processes_starting_at_once_all_get_the_right_answer(tmp_path: Path) -> None:
    names = os.environ | {"PYTHONPATH": str(SOURCE), "PLYBOARD_CACHE": str(tmp_path / "code")}
    racing = [
        subprocess.Popen(
            [sys.executable, "-c", TINY], env=names,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        for _ in range(10)
    ]  # fmt: skip
    answers = [json.loads(process.communicate()[0])["nodes"] for process in racing]
    after = answer(run(SOURCE, tmp_path / "code", TINY))

    assert answers == [SQUARES] * 10
    assert after == {"nodes": SQUARES, "cached": [True]}
    assert [path.suffix for path in (tmp_path / "code").iterdir()] == [".code"]


def test_a_damaged_file_is_compiled_anew(code: Path) -> None:
    (path,) = code.iterdir()
    path.write_bytes(path.read_bytes()[:-100])

    assert answer(run(SOURCE, code)) == {"nodes": NODES, "cached": [False]}
    assert answer(run(SOURCE, code)) == {"nodes": NODES, "cached": [True]}


def test_an_unusable_folder_costs_speed_and_is_said_once(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = run(SOURCE, tmp_path / "file" / "code")

    assert answer(done) == {"nodes": NODES, "cached": [False]}
    assert done.stderr.count("cannot keep compiled code") == 1


def test_without_a_home_folder_it_still_works(tmp_path: Path) -> None:
    done = run(SOURCE, tmp_path, HOME=str(tmp_path / "gone"), PLYBOARD_CACHE="", XDG_CACHE_HOME="")

    assert answer(done)["nodes"] == NODES


def test_with_the_jit_off_nothing_is_compiled_and_numba_stays_out(tmp_path: Path) -> None:
    done = run(SOURCE, tmp_path / "code", PLYBOARD_JIT="off")

    assert answer(done) == {"nodes": NODES, "cached": []}
    assert not (tmp_path / "code").exists()


def test_numba_told_to_compile_nothing_is_the_jit_off(tmp_path: Path) -> None:
    done = run(SOURCE, tmp_path / "code", NUMBA_DISABLE_JIT="1")

    assert answer(done) == {"nodes": NODES, "cached": []}
    assert not (tmp_path / "code").exists()


def test_numba_told_so_in_python_compiles_nothing(tmp_path: Path) -> None:
    program = "import numba\nnumba.config.DISABLE_JIT = 1\n" + PROGRAM
    done = run(SOURCE, tmp_path / "code", program)

    assert answer(done) == {"nodes": NODES, "cached": []}


def test_code_made_with_another_setting_of_numba_is_not_loaded(code: Path) -> None:
    assert answer(run(SOURCE, code, NUMBA_LOOP_VECTORIZE="0"))["cached"] == [False]
    assert answer(run(SOURCE, code, NUMBA_LOOP_VECTORIZE="0"))["cached"] == [True]
    assert answer(run(SOURCE, code))["cached"] == [True]


MUTUAL = """
import json
from plyboard.kernel import compilations, compiled, kernel

@kernel
def is_even(number, flag):
    return True if number == 0 else is_odd(number - 1, False)

@kernel
def is_odd(number, flag):
    return False if number == 0 else is_even(number - 1, True)

print(json.dumps([bool(compiled(is_even)(number, True)) for number in range(6)]))
"""


def test_kernels_that_call_each_other_are_right_in_every_process(tmp_path: Path) -> None:
    for _ in range(3):
        done = run(SOURCE, tmp_path / "code", program=MUTUAL)
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout) == [True, False, True, False, True, False]
