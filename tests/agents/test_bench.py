"""The bench: every agent chooses alike, again and in other processes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from functools import cache

import pytest

from plyboard.agents.bench import CASES, BenchResult, run_case, signature
from plyboard.agents.catalogue import our_agents
from plyboard.games import GAMES
from plyboard.specs import split_spec


def bench(hash_seed: str) -> dict[str, object]:
    command = [sys.executable, "-m", "plyboard", "bench", "--json"]
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    told = subprocess.run(command, env=environment, capture_output=True, check=True)
    assert told.stderr == b""
    found: dict[str, object] = json.loads(told.stdout)
    return found


@cache
def first(spec: str, text: str) -> BenchResult:
    return run_case(spec, text)


@pytest.mark.parametrize(("spec", "text"), CASES)
def test_an_agent_does_the_same_again(spec: str, text: str) -> None:
    assert run_case(spec, text).facts == first(spec, text).facts


@pytest.mark.parametrize("hash_seed", ["0" if os.environ.get("PYTHONHASHSEED") == "1" else "1"])
def test_a_process_with_another_hash_seed_has_the_same_signature(hash_seed: str) -> None:
    here = [first(spec, text) for spec, text in CASES]
    there = bench(hash_seed)

    assert there["signature"] == signature(here)
    assert there["nodes"] == sum(each.nodes for each in here)


def test_every_agent_and_every_game_is_there() -> None:
    assert {split_spec(spec)[0] for spec, _ in CASES} == set(our_agents())
    assert {text.split()[0].partition(":")[0] for _, text in CASES} == {each.name for each in GAMES}


def test_the_signature_tells_any_difference_but_in_time() -> None:
    one = BenchResult("random", "connect-four", "4", 0.0, 1, 10, 0.5)
    others = [
        replace(one, agent="alice"), replace(one, position="squatter"), replace(one, move="3"),
        replace(one, value=0.5), replace(one, depth=2), replace(one, nodes=11),
    ]  # fmt: skip

    assert signature([one, replace(one, seconds=9.0)]) == signature([one, one])
    assert len({signature([one, other]) for other in [one, *others]}) == 7
