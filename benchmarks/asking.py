"""What the benchmarks have in common: how they are asked, and how they say that they cannot."""

from __future__ import annotations

import argparse
import os
import sys
from typing import NoReturn

os.environ.setdefault("PLYBOARD_JIT", "first")  # a search must not begin in plain Python


def progress(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def stop(reason: str, code: int = 2) -> NoReturn:
    print(f"error: {reason}", file=sys.stderr)
    raise SystemExit(code)


def natural(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"got {number}; expected 1 or more")
    return number
