"""Draws the pictures in the README from the program's own output.

`terminal.svg` is the end of a game in which the person follows every hint against the engine at a
low level. `tree.png` is a page written by `plyboard tree`, opened in Chromium or Chrome.

    python docs/images/pictures.py
"""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
import tempfile
import termios
from pathlib import Path

from pexpect.fdpexpect import fdspawn
from playwright.sync_api import sync_playwright
from rich.console import Console
from rich.text import Text

FOLDER = Path(__file__).parent
sys.path.insert(0, str(FOLDER.parent.parent / "tests"))

from browser.chromium import FLAGS, find_browser  # noqa: E402

COLUMNS = 52
END = "Thanks for playing."
LINES = 24  # how much of the end of the game is drawn
TERMINAL = {"TERM": "xterm-256color", "COLORTERM": "truecolor", "LC_ALL": "C.UTF-8"}
PLAY = "play connect-four --me human --first me --games 1 --level 2 --seed 5"
TREE = "tree 4455 --game connect-four --depth 3 --format html"
PROGRESS = re.compile(r"\x1b\[2m[^\n]*\r\n[^\n]*?\x1b\[1A\x1b\[J")  # the erased progress line
WEB_FONT = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)


def played_game() -> str:
    """Return everything that a terminal shows of one game, with its colours.

    Only the output is a terminal. The input is a pipe, so that no editing of lines is recorded.
    """
    reader, writer = os.openpty()
    termios.tcsetwinsize(writer, (60, COLUMNS))
    program = subprocess.Popen(
        [sys.executable, "-m", "plyboard", *PLAY.split()], env={**os.environ, **TERMINAL},
        stdin=subprocess.PIPE, stdout=writer, text=True,
    )  # fmt: skip
    terminal, shown = fdspawn(reader, encoding="utf-8", timeout=120), io.StringIO()
    terminal.logfile_read = shown
    terminal.expect("x> ")
    print("4", file=program.stdin, flush=True)
    while terminal.expect(["x> ", END]) == 0:
        print("hint", file=program.stdin, flush=True)
        terminal.expect(r"Suggested move: (\w+)")
        move = terminal.match[1]
        for line in ("why", move):
            terminal.expect("x> ")
            print(line, file=program.stdin, flush=True)
    program.communicate()
    os.close(writer)
    terminal.close()
    return PROGRESS.sub("", shown.getvalue()).partition(END)[0]


def draw_terminal(path: Path) -> None:
    """Write the end of a game as SVG."""
    lines = played_game().replace("\r\n", "\n").rstrip().split("\n")[-LINES:]
    console = Console(
        record=True,
        width=COLUMNS,
        file=io.StringIO(),
        force_terminal=True,
        color_system="truecolor",
    )
    console.print(Text.from_ansi("\n".join(lines)))
    svg = console.export_svg(title="plyboard play", unique_id="plyboard")
    path.write_text(WEB_FONT.sub("", svg))


def capture_tree(path: Path) -> None:
    """Write a screenshot of a page with a search tree."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        page_file = Path(folder) / "tree.html"
        command = [sys.executable, "-m", "plyboard", *TREE.split(), str(page_file)]
        subprocess.run(command, check=True)
        browser = playwright.chromium.launch(executable_path=find_browser(), args=list(FLAGS))
        page = browser.new_page(viewport={"width": 960, "height": 560})
        page.goto(page_file.as_uri())
        page.screenshot(path=path)
        browser.close()


if __name__ == "__main__":
    draw_terminal(FOLDER / "terminal.svg")
    capture_tree(FOLDER / "tree.png")
