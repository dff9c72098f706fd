"""The bench: every agent chooses alike, again and in other processes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace

import pytest

from plyboard.agents.bench import CASES, Done, done, signature
from plyboard.agents.catalogue import AGENTS
from plyboard.games import GAMES
from plyboard.specs import split_spec


def bench(hash_seed: str) -> dict[str, object]:
    command = [sys.executable, "-m", "plyboard", "bench", "--json"]
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    told = subprocess.run(command, env=environment, capture_output=True, check=True)
    assert told.stderr == b""
    found: dict[str, object] = json.loads(told.stdout)
    return found


def test_two_processes_with_other_hashes_have_the_same_signature() -> None:
    first, second = bench("0"), bench("1")

    assert first["signature"] == second["signature"]
    assert first["nodes"] == second["nodes"]


@pytest.mark.parametrize(("spec", "text"), CASES)
def test_an_agent_does_the_same_again(spec: str, text: str) -> None:
    assert done(spec, text).facts == done(spec, text).facts


def test_every_agent_and_every_game_is_there() -> None:
    assert {split_spec(spec)[0] for spec, _ in CASES} == set(AGENTS)
    assert {text.split()[0].partition(":")[0] for _, text in CASES} == {each.name for each in GAMES}


def test_the_signature_tells_any_difference_but_in_time() -> None:
    one = Done("random", "connect-four", "4", 0.0, 1, 10, 0.5)
    others = [
        replace(one, agent="alice"), replace(one, position="squatter"), replace(one, move="3"),
        replace(one, value=0.5), replace(one, depth=2), replace(one, nodes=11),
    ]  # fmt: skip

    assert signature([one, replace(one, seconds=9.0)]) == signature([one, one])
    assert len({signature([one, other]) for other in [one, *others]}) == 7
