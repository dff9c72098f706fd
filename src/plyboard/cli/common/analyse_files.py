"""The output of `plyboard analyse --batch`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from plyboard.cli.common.answer_file import answer_file, wrong_answers
from plyboard.cli.common.progress import counted

if TYPE_CHECKING:
    from plyboard.analysis.batch import AnalysisTask
    from plyboard.processes.executor import Executor
    from plyboard.search.common.choice import ValuedMove


def analyse_batch(
    tasks: list[AnalysisTask], executor: Executor, out: str | None, *, as_json: bool
) -> None:
    """Write a line for each position, in order, as soon as it can be; resume an existing file."""
    from plyboard.analysis.batch import analysed

    heads = [_head(task, as_json=as_json) for task in tasks]
    with answer_file(out) as file:
        done = len(file.lines)
        fits = done <= len(tasks) and all(map(str.startswith, file.lines, heads))
        if file.begun:  # may be cut off before the end of its head
            head = heads[done] if done < len(heads) else ""
            fits = fits and head[: len(file.begun)] == file.begun[: len(head)] != ""
        if not fits:
            raise wrong_answers(str(out))
        file.drop_begun()
        left = tasks[done:]
        for task, moves in counted(analysed(executor, left), "analysing", len(left)):
            file.append(_answer(task, moves, as_json=as_json) + "\n")


def _head(task: AnalysisTask, *, as_json: bool) -> str:
    """Return the start of an answer, which names the question."""
    return f'{{"input": {json.dumps(task.text)}, ' if as_json else f"{task.text}: "


def _answer(task: AnalysisTask, moves: Sequence[ValuedMove], *, as_json: bool) -> str:
    from plyboard.analysis.summary import facts, sentence

    if as_json:
        return json.dumps({"input": task.text, **facts(task.position, moves)})
    return _head(task, as_json=False) + sentence(task.position, moves)
