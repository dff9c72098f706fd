"""Completion in the shell, by a real bash and by what the scripts of the shells ask."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pexpect
import pytest
from commands import WarmCommand

from plyboard.cli.completion import SHELLS
from plyboard.cli.main import _run as run

PATIENCE = 60
PROGRAM = "import sys; from plyboard.cli.main import main; main()"


Done = subprocess.CompletedProcess[str]
Complete = Callable[..., Done]


@pytest.fixture
def complete(warm_command: WarmCommand) -> Complete:
    """Return what asks for the words that may follow, as the script of a shell does."""
    return partial(completed, warm_command.environment())


def completed(usual: dict[str, str], words: str, shell: str = "bash", **more: str) -> Done:
    asked = {
        "_PLYBOARD_COMPLETE": f"complete_{shell}",
        "COMP_WORDS": words,
        "COMP_CWORD": str(len(words.split(" ")) - 1),
        "_TYPER_COMPLETE_ARGS": words,
    }
    return subprocess.run(
        ["plyboard"], env={**usual, **asked, **more}, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("plyboard re", ["replay", "review"]),
        ("plyboard an", ["analyse"]),
        ("plyboard book ", ["build", "merge", "show", "check", "export"]),
        ("plyboard review --se", ["--seconds"]),
        ("plyboard play con", ["connect-four", "conniption"]),
        ("plyboard play --opponent h", ["human"]),
        ("plyboard play --me e", ["engine", "expectimax", "extended"]),
        ("plyboard play --level 1", ["1", "10"]),
        ("plyboard play --first ", ["me", "them"]),
        ("plyboard play --load x --from r", ["record"]),
        ("plyboard convert --to cf", ["cfour-fen", "cfour-moves"]),
        ("plyboard tree x --format h", ["html"]),
        ("plyboard show sq", ["squatter"]),
        ("plyboard show squatter ", []),
        ("plyboard agents ali", ["alice"]),
        ("plyboard completion ", list(SHELLS)),
        ("plyboard play 'unclosed ", []),
    ],
)
def test_the_shell_completes_commands_options_and_names(
    words: str, found: list[str], complete: Complete
) -> None:
    done = complete(words)

    assert (done.stdout.split(), done.stderr, done.returncode) == (found, "", 0)


def test_zsh_and_fish_get_the_same_words(complete: Complete) -> None:
    zsh = complete("plyboard play con", "zsh")
    fish = complete("plyboard play con", "fish", _TYPER_COMPLETE_FISH_ACTION="get-args")
    some = complete("plyboard play con", "fish", _TYPER_COMPLETE_FISH_ACTION="is-args")
    none = complete("plyboard winner x", "fish", _TYPER_COMPLETE_FISH_ACTION="is-args")

    assert zsh.stdout == '_arguments \'*: :(("connect-four"\n"conniption"))\'\n'
    assert fish.stdout.split() == ["connect-four", "conniption"]
    assert (some.returncode, none.returncode) == (0, 1)


@pytest.mark.parametrize("words", ["plyboard ", "plyboard play --opponent ", "plyboard play "])
def test_completion_does_not_wait_for_numba(words: str) -> None:
    program = (
        "import sys; from plyboard.cli.main import _run; code = _run([]);"
        "sys.exit(code or 'numba' in sys.modules)"
    )
    asked = {"_PLYBOARD_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": "9"}
    ran = subprocess.run([sys.executable, "-c", program], env={**os.environ, **asked}, check=False)

    assert ran.returncode == 0


@pytest.mark.parametrize("more", [{"COMP_CWORD": "x"}, {"COMP_CWORD": "-9"}, {"COMP_WORDS": ""}])
def test_a_wrong_environment_is_no_bug(more: dict[str, str], complete: Complete) -> None:
    done = complete("plyboard ", **more)

    assert done.returncode in (0, 1)
    assert done.stderr == ""


def test_an_unknown_request_is_ignored(complete: Complete) -> None:
    done = complete("plyboard ", "tcsh")

    assert done.stdout.startswith("Plyboard: ")


@pytest.mark.parametrize("shell", SHELLS)
def test_there_is_a_script_for_each_shell(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["completion", shell]) == 0
    script = capsys.readouterr().out

    assert f"_PLYBOARD_COMPLETE=complete_{shell}" in script
    if shutil.which(shell):
        subprocess.run([shell, "-n"], input=script, text=True, check=True)


def test_an_unknown_shell_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["completion", "tcsh"]) == 2
    assert capsys.readouterr().err == (
        "error: unknown shell: got 'tcsh'; expected one of bash, zsh, fish\n"
    )


def test_a_real_bash_completes_what_is_typed(tmp_path: Path) -> None:
    program = tmp_path / "plyboard"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -c "{PROGRAM}" "$@"\n')
    program.chmod(0o755)
    environment = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}", "TERM": "dumb"}
    bash = pexpect.spawn(
        "bash", ["--norc", "--noprofile"],
        env=environment, encoding="utf-8", timeout=PATIENCE, cwd=str(tmp_path),
    )  # fmt: skip
    try:
        bash.sendline("PS1='READY>'; bind 'set enable-bracketed-paste off'")
        bash.expect("READY>")
        bash.sendline('eval "$(plyboard completion bash)"; echo do""ne')
        bash.expect("done")
        bash.send("plyboard sho\tsqu\t")
        bash.expect("plyboard show squatter ")
        bash.send("--al\t\r")
        bash.expect("a1 b1 c1")
    finally:
        bash.close(force=True)
