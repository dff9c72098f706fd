"""The layers stand in pyproject.toml; README and docs/architecture.md list the same ones."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
CONTRACTS = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"][
    "contracts"
]
LAYERS = [re.split(r"\s*[|:]\s*", layer) for layer in CONTRACTS[0]["layers"]]  # siblings share one


def in_layers(names: list[str]) -> list[list[str]]:
    """Put names that follow each other and are siblings into one layer, in the order of LAYERS."""
    left, found = list(names), list[list[str]]()
    for layer in LAYERS:
        taken, left = left[: len(layer)], left[len(layer) :]
        found.append(layer if sorted(taken) == sorted(layer) else taken)
    return found + ([left] if left else [])


def test_the_readme_lists_the_layers() -> None:
    block = (ROOT / "README.md").read_text("utf-8").split("## The folders")[1].split("```")[1]

    assert in_layers(re.findall(r"^(\w+)(?:/|\.py) ", block, re.MULTILINE)) == LAYERS


def test_the_page_on_architecture_lists_the_layers_from_below() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text("utf-8").split("## The folders")[1]
    names = re.findall(r"^\d+\. \[`(\w+)(?:/|\.py)`\]", page, re.MULTILINE)

    assert in_layers(names[::-1]) == LAYERS
