"""A small UCI engine for the variant cfour that needs no Plyboard, and can be silent or noisy.

    uci_bot.py [WORD [BEHAVIOUR]]

Without arguments it drops into the first open column. At the word it is silent from then on, or
behaves as told: `twice` answers twice, `fen` wants to be told positions, `slow` waits for a stop.
"""

from __future__ import annotations

import sys
import time

WORD, BEHAVIOUR = (*sys.argv[1:], "", "")[:2]
SECONDS_TO_BE_SILENT = 1000


def say(line: str) -> None:
    print(line, flush=True)


def drop(moves: list[str]) -> str:
    """Return the first drop into a column that is not full."""
    heights = {file: sum(move[2] == file for move in moves) for file in "abcdefg"}
    file = next(file for file, height in heights.items() if height < 6)
    return f"P@{file}{heights[file] + 1}"


def main() -> None:
    moves: list[str] = []
    for line in sys.stdin:
        word, *rest = line.split()
        if word == WORD and not BEHAVIOUR:
            time.sleep(SECONDS_TO_BE_SILENT)
        if word == "uci":
            say("id name first column\noption name UCI_Variant type combo default cfour var cfour")
            say("option name Level type spin default 1 min 1 max 9\nuciok")
        elif word == "isready":
            say("readyok")
        elif word == "setoption":
            print(line.strip(), file=sys.stderr, flush=True)
        elif word == "position":
            moves = rest[rest.index("moves") + 1 :] if "moves" in rest else []
        elif word == "go" and BEHAVIOUR != "slow":
            move = drop(moves)
            say(f"info depth 3 score cp 25 nodes 99 pv {move}\nbestmove {move}")
            if BEHAVIOUR == "twice":
                say(f"bestmove {drop([*moves, move])}")
        elif word == "stop":
            say(f"bestmove {drop(moves)}")
        elif word == "quit":
            return


main()
