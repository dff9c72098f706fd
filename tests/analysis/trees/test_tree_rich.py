"""Trees in the terminal."""

from __future__ import annotations

from io import StringIO

from analysis.samples import example_tree, odd_tree, played_tree
from rich.console import Console

from plyboard.analysis.trees.to_rich import rich_tree
from plyboard.analysis.trees.tree import SearchTree


def printed(tree: SearchTree, *, colour: bool = False) -> str:
    paper = StringIO()
    console = Console(
        file=paper, width=80, force_terminal=colour, color_system="standard" if colour else None
    )
    console.print(rich_tree(tree))
    return paper.getvalue()


def test_a_tree_without_colour() -> None:
    assert printed(odd_tree()).splitlines() == [
        "Connect Four: x to move, best 4 (2)",
        "├── x: 1  <=5  from the table",
        "├── x: 7  seen before, by mirror",
        "├── x: 4  2  mean of all replies",
        "│   ┗━━ o: 2  3  guess",
        "└── x: 3  <=-7",
        "    ├── o: 2  -7  guess",
        "    └── 1 3 4 5 6 7  pruned: alpha 2, beta -7",
    ]


def test_games_that_were_simulated() -> None:
    assert "├── x: 4  +0.333  3 games" in printed(played_tree()).splitlines()


def test_all_of_the_example_is_there() -> None:
    lines = printed(example_tree()).splitlines()

    assert len(lines) == 1 + 578
    assert sum("pruned" in line for line in lines) == 84
    assert sum("x wins" in line for line in lines) > 1


def test_the_best_line_is_bold_and_what_was_cut_off_struck_out() -> None:
    text = printed(example_tree(plies=2), colour=True)

    assert "\x1b[1;30;107mx: 4" in text
    assert "\x1b[30;107mx: 1" in text
    assert "\x1b[2;9m2 3 4 6 7" in text
