"""Trees for Graphviz: lines that its language knows, and as many boxes as nodes."""

from __future__ import annotations

import re

from analysis.samples import example_tree, odd_tree

from plyboard.analysis.trees.to_dot import HEAD, dot

STRING = r'"(?:[^"\\\n]|\\.)*"'
VALUE = rf"(?:{STRING}|[\w.]+)"
FACTS = rf"(?: \[\w+={VALUE}(?:, \w+={VALUE})*\])?"
BOX, ARROW = re.compile(rf"  n\d+{FACTS};"), re.compile(rf"  n\d+ -> n\d+{FACTS};")


def test_every_line_is_a_box_or_an_arrow() -> None:
    for tree in (example_tree(), odd_tree()):
        lines = list(dot(tree))

        assert lines[0] == HEAD
        assert lines[-1] == "}"
        assert all(BOX.fullmatch(line) or ARROW.fullmatch(line) for line in lines[1:-1])


def test_every_box_but_the_root_hangs_on_one_arrow() -> None:
    lines = list(dot(example_tree()))
    boxes = {line.split()[0] for line in lines if BOX.fullmatch(line)}
    ends = [line.split()[2].rstrip(";") for line in lines if ARROW.fullmatch(line)]

    assert len(boxes) == 1 + 578
    assert sorted(ends) == sorted(boxes - {"n0"})


def test_the_best_line_and_what_was_cut_off_stand_out() -> None:
    text = "\n".join(dot(example_tree()))

    assert text.count("penwidth=3, color=forestgreen];") == 2 * 3
    assert text.count('style="rounded,dashed"') == 84
    assert '"pruned 4, 6, 7\\nalpha -7, beta -8"' in text
