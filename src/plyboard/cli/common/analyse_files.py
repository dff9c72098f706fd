"""The output of `plyboard analyse --batch`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from plyboard.cli.common.answer_file import answer_file
from plyboard.cli.common.progress import with_progress

if TYPE_CHECKING:
    from plyboard.analysis.batch import AnalysisTask
    from plyboard.processes.executor import Executor
    from plyboard.search.common.choice import ValuedMove


def analyse_batch(
    tasks: list[AnalysisTask], executor: Executor, out: str | None, *, as_json: bool
) -> None:
    """Write a line for each position, in order, as soon as it can be; resume an existing file."""
    from plyboard.analysis.batch import analysed

    settings = {"json": as_json, **(tasks[0].settings if tasks else {})}
    with answer_file(out, "analyse", settings, [task.text for task in tasks]) as file:
        left = tasks[len(file.lines) :]
        for task, moves in with_progress(analysed(executor, left), "analysing", len(left)):
            file.append(_answer(task, moves, as_json=as_json))


def _answer(task: AnalysisTask, moves: Sequence[ValuedMove], *, as_json: bool) -> str:
    from plyboard.analysis.summary import position_facts, sentence

    if as_json:
        return json.dumps({"input": task.text, **position_facts(task.position, moves)})
    return f"{task.text}: {sentence(task.position, moves)}"
