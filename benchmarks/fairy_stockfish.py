"""Games of Connect Four between our engine and Fairy-Stockfish, by `plyboard match`.

Fairy-Stockfish is an outside program, named by its spec. Each opening is played twice, with the
colours changed, and both get the same time for each move. Other options go to `plyboard match`.
Exit code 2: something is not installed.
"""

from __future__ import annotations

import argparse
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

from asking import progress, stop

from plyboard.kernel import jit_is_on

HERE = Path(__file__).parent
PACKAGE = "fairy-stockfish-nnue.wasm@1.1.12"
FOLDER = HERE.parent / ".cache" / "fairy-stockfish"
SETTINGS = "start=60,margin=2"  # it takes seconds to start, and its moves come late


def install() -> None:
    """Have npm put Fairy-Stockfish into a folder that belongs to no commit."""
    for program in ("node", "npm"):
        if not shutil.which(program):
            stop(f"{program} is not installed")
    if (FOLDER / "node_modules" / PACKAGE.partition("@")[0]).exists():
        return
    progress(f"installing {PACKAGE}")
    FOLDER.mkdir(parents=True, exist_ok=True)
    command = ["npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", str(FOLDER)]
    if subprocess.run([*command, PACKAGE]).returncode:
        stop(f"npm cannot install {PACKAGE}")


def peer() -> str:
    """Return the spec of Fairy-Stockfish."""
    files = (HERE / "fairy_stockfish.mjs", FOLDER, HERE / "fairy_stockfish.ini")
    return f"uci:{SETTINGS},command=node {shlex.join(map(str, files))}"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", default="20", help="in all (default 20)")
    parser.add_argument("--seconds", default="0.2", help="for each move (default 0.2)")
    parser.add_argument("--agent", default="engine", help="ours (default engine)")
    options, more = parser.parse_known_args()
    if not jit_is_on():
        stop("PLYBOARD_JIT is off; unset it to play at full strength")
    install()
    command = [sys.executable, "-m", "plyboard", "match", options.agent, peer()]
    limits = ["--games", options.games, "--seconds", options.seconds, "--workers", "1"]
    openings = ["--openings", "random", "--plies", "2"]
    return subprocess.run([*command, *limits, *openings, *more]).returncode


if __name__ == "__main__":
    raise SystemExit(main())
