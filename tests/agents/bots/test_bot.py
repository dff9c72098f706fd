"""Bots: agents opened for a game, in threads and in processes of their own."""

from __future__ import annotations

import gc
import multiprocessing
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from types import ModuleType

import pytest
from agents.misbehaving import (
    Hangup,
    Hoarder,
    Mute,
    Nothing,
    Printer,
    Quitter,
    Raiser,
    Sleeper,
    Smuggler,
)

from plyboard.agents import Agent, Bot, Budget, Choice, Limits, Listener, agent, open_bot
from plyboard.agents.agent import NO_LIMIT
from plyboard.agents.bots.process_bot import ProcessBot
from plyboard.errors import BotError, GameOverError, UsageError
from plyboard.games import Position
from plyboard.processes.background import Background, in_background

FAR = 300.0  # seconds: longer than anything here takes
ROOT = Position("connect-four")
GAMES = ("connect-four", "conniption", "extended", "squatter")


def middle(spec: str, seed: int, plies: int = 6) -> Position:
    chance, position = random.Random(seed), Position(spec)
    while len(position.moves) < plies:
        after = position.apply_action(chance.choice(position.legal_actions()))
        position = after if after.outcome() is None else Position(spec)
    return position


def timeless(choice: Choice) -> Choice:
    return replace(choice, seconds=0.0)


@pytest.fixture(params=["thread", "process"])
def bot(request: pytest.FixtureRequest) -> Iterator[Bot]:
    process = Limits() if request.param == "process" else None
    with open_bot("engine:hash=4", "connect-four", process=process) as opened:
        yield opened


def test_it_thinks_and_chooses_as_its_agent_does(bot: Bot) -> None:
    position, budget = middle("connect-four", 1), Budget(nodes=3000)

    first, again = bot.think(position, budget), bot.think(position, budget)

    assert timeless(first) == timeless(again) == timeless(agent("engine:hash=4").choose(
        position, budget
    ))  # fmt: skip


def test_a_search_can_be_watched_and_stopped(bot: Bot) -> None:
    told, began = list[Choice](), threading.Event()
    enough, ended = threading.Event(), threading.Event()

    def hear(choice: Choice) -> None:
        told.append(choice)
        enough.set()

    search = bot.start(middle("connect-four", 2), Budget(depth=40), Listener(
        began.set, hear, ended.set
    ))  # fmt: skip
    assert enough.wait(FAR)
    search.stop()

    assert search.wait(FAR)
    assert ended.wait(FAR)
    assert began.is_set()
    assert not search.is_compiling
    assert search.best == told[-1]
    assert search.result().depth >= told[-1].depth > 0


def test_a_new_question_ends_the_one_before(bot: Bot) -> None:
    endless = bot.start(middle("connect-four", 2), Budget(depth=40))

    choice = bot.think(middle("connect-four", 3), Budget(nodes=500))

    assert choice.action in range(7)
    assert endless.wait(FAR)
    assert endless.result().action in range(7)


def test_what_the_agent_raises_is_raised_by_the_result(bot: Bot) -> None:
    with pytest.raises(GameOverError, match="the game is over"):
        bot.think(Position.read("1212121"))
    assert bot.think(Position.read("12"), Budget(nodes=100)).action in range(7)


def test_it_answers_for_its_own_game_alone(bot: Bot) -> None:
    with pytest.raises(UsageError, match="opened for connect-four"):
        bot.think(Position("connect-four:columns=8"))


def test_a_bot_can_be_prepared(bot: Bot) -> None:
    search = bot.prepare()

    assert search.wait(FAR)
    assert search.result().nodes >= 0


PREPARED = """
import sys
from plyboard.agents import Budget, open_bot
from plyboard.games import Position
from plyboard.kernel import compilations
name, spec, *starts = sys.argv[1:]
with open_bot(name, spec) as bot:
    bot.prepare().result()
    before = len(compilations())
    for start in starts:
        bot.think(Position.read(f"{spec} {start}"), Budget(nodes=200))
print(before, len(compilations()))
"""


@pytest.mark.parametrize(
    ("name", "spec"),
    [("engine:level=1", "connect-four:columns=4,rows=4"), ("conniption", "conniption")],
)
def test_no_search_waits_for_the_compiler_once_a_bot_is_prepared(name: str, spec: str) -> None:
    """In a process of its own, where no code is ready yet: loading it counts as compiling it."""
    starts = [
        " ".join(middle(spec, seed, plies).moves)
        for seed, plies in ((1, 0), (2, 1), (3, 2), (4, 3))
    ]

    done = subprocess.run(
        [sys.executable, "-c", PREPARED, name, spec, *starts],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    before, after = map(int, done.stdout.split())

    assert 0 < before == after


@pytest.mark.parametrize("process", [None, Limits()])
def test_a_kept_tree_is_forgotten_when_told(process: Limits | None) -> None:
    position = Position("connect-four")
    with open_bot("jericho:keep=yes,hash=8", "connect-four", process=process) as bot:
        line = bot.think(position).line
        after = position.apply_action(*line[:2])

        kept = bot.think(after, Budget(simulations=1))
        bot.forget()
        anew = bot.think(after, Budget(simulations=1))

    assert (len(kept.values), len(anew.values)) == (7, 1)


def test_bots_of_one_process_do_not_disturb_each_other() -> None:
    """Each thread has its own bot: whatever the others do, it finds what it finds alone."""
    questions = [
        (spec, name, middle(spec, seed))
        for spec in GAMES
        for seed, name in enumerate(("engine:hash=1", "mcts:hash=4"))
    ]
    budget = Budget(nodes=5000, seed=3)
    alone = [timeless(_thought(name, position, budget)) for _, name, position in questions]

    tasks = [in_background(partial(_thought, name, at, budget)) for _, name, at in questions]

    assert [timeless(task.result()) for task in tasks] == alone


def _thought(name: str, position: Position, budget: Budget) -> Choice:
    with open_bot(name, position.game) as bot:
        for _ in range(3):
            choice = bot.think(position, budget)
    return choice


def test_two_solvers_answer_at_the_same_time() -> None:
    """The second one answers while the first is still busy."""
    large, began = Position("connect-four:columns=8,rows=7"), threading.Event()
    with (
        open_bot("perfect:hash=128", large.game) as busy,
        open_bot("perfect", "connect-four") as bot,
    ):
        search = busy.start(large, listener=Listener(began=began.set))
        assert began.wait(FAR)

        assert bot.think(Position.read("44444432531111")).exact
        assert not search.wait(0)


def test_other_threads_run_while_a_search_does() -> None:
    with open_bot("engine:hash=4", "squatter") as bot:
        bot.prepare().wait()
        search, turns = bot.start(Position("squatter"), Budget(seconds=0.5)), 0
        while not search.wait(0.001):
            turns += 1

    assert turns > 10


def test_the_process_of_a_bot_can_leave_others_the_first_turn() -> None:
    with open_bot("random", "connect-four", process=Limits(niceness=1)) as bot:
        assert isinstance(bot, ProcessBot)
        bot.prepare().result()
        assert bot.process_id is not None
        priority = os.getpriority(os.PRIO_PROCESS, bot.process_id)
        assert priority == min(19, os.getpriority(os.PRIO_PROCESS, 0) + 1)


@dataclass(frozen=True)
class Scheduled:
    """Chooses the number of the policy by which the system schedules its thread."""

    name: str = "scheduled"

    def choose(self, position: Position, budget: Budget = NO_LIMIT) -> Choice:
        return Choice(os.sched_getscheduler(0))


@pytest.mark.skipif(not hasattr(os, "SCHED_BATCH"), reason="this system has no SCHED_BATCH")
@pytest.mark.parametrize(("niceness", "policy"), [(0, "SCHED_OTHER"), (1, "SCHED_BATCH")])
def test_a_bot_with_a_lower_priority_never_interrupts_others(niceness: int, policy: str) -> None:
    limits = Limits(niceness=niceness)
    with open_bot(Scheduled(), "connect-four", process=limits) as bot:
        assert bot.think(ROOT).action == getattr(os, policy)


def test_a_process_that_is_killed_costs_one_search() -> None:
    with open_bot("engine:hash=4", "connect-four", process=Limits()) as bot:
        began = threading.Event()
        search = bot.start(middle("connect-four", 2), Budget(depth=40), Listener(began.set))
        assert began.wait(FAR)
        os.kill(_process_of(bot), signal.SIGKILL)

        with pytest.raises(BotError, match="ended by signal 9"):
            search.result()
        assert bot.think(Position.read("12"), Budget(nodes=100)).action in range(7)


def _process_of(bot: Bot) -> int:
    assert isinstance(bot, ProcessBot)
    number = bot.process_id
    assert number is not None
    return number


FIRST_PROCESS = """
from pathlib import Path
from plyboard.agents import Limits, open_bot
from plyboard.games import Position
if __name__ == "__main__":
    with open_bot("random", "connect-four", process=Limits()) as bot:
        bot.think(Position("connect-four"))
        print(Path(f"/proc/{bot.process_id}/status").read_text())
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="no /proc on this system")
def test_the_first_process_of_a_program_leaves_ctrl_c_to_it_from_the_start(tmp_path: Path) -> None:
    """The signal is blocked before the process is there, and stays so."""
    script = tmp_path / "first.py"
    script.write_text(FIRST_PROCESS)

    status = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, check=True
    ).stdout

    blocked = int(status.partition("SigBlk:")[2].split()[0], 16)
    assert blocked & 1 << signal.SIGINT - 1


def test_a_process_killed_while_idle_is_replaced_without_a_word() -> None:
    with open_bot("random", "connect-four", process=Limits()) as bot:
        bot.think(ROOT)
        first = _process_of(bot)
        os.kill(first, signal.SIGKILL)

        assert bot.think(ROOT, Budget(seed=1)).action == 1
        assert _process_of(bot) != first


def test_a_process_that_does_not_answer_is_killed_and_replaced() -> None:
    with open_bot(Sleeper(), "connect-four", process=Limits(patience=0.2)) as bot:
        for budget in (Budget(seconds=0.05), Budget(seconds=0.05)):
            with pytest.raises(BotError, match="did not answer in time"):
                bot.think(ROOT, budget)
        search = bot.start(ROOT, listener=Listener(began=lambda: search_began.set()))
        assert search_began.wait(FAR)
        search.stop()
        with pytest.raises(BotError, match="did not answer in time"):
            search.result()


search_began = threading.Event()


@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="this system has no SIGSTOP")
def test_a_process_that_stands_still_is_not_taken_for_one_that_compiles() -> None:
    with open_bot("random", "connect-four", process=Limits(patience=0.5)) as bot:
        bot.prepare().result()
        os.kill(_process_of(bot), signal.SIGSTOP)
        search = bot.start(ROOT)

        assert search.wait(FAR)
        with pytest.raises(BotError, match="did not answer in time"):
            search.result()


@pytest.mark.parametrize(
    ("culprit", "reason"),
    [
        (Quitter(), "ended with exit code 7"),
        (Hoarder(), "raised MemoryError|ended by signal"),
        (Raiser(), "raised OwnError 'no idea'"),
        (Mute(), "raised MuteError$"),
        (Hangup(), "ended with exit code 1"),
    ],
)
def test_the_fault_of_an_agent_is_told(culprit: Agent, reason: str) -> None:
    with open_bot(culprit, "connect-four", process=Limits(memory=512)) as bot:
        search = bot.start(ROOT)

        assert search.wait(FAR)
        with pytest.raises(BotError, match=reason):
            search.result()


def test_an_agent_runs_nothing_in_the_process_that_started_its_own(tmp_path: Path) -> None:
    folder = tmp_path / "smuggled"
    with open_bot(Smuggler(str(folder)), "connect-four", process=Limits()) as bot:
        search = bot.start(ROOT)

        assert search.wait(FAR)
        assert not folder.exists()
        with pytest.raises(BotError, match="what it sent cannot be read: UnpicklingError"):
            search.result()


def test_an_agent_that_cannot_be_pickled_is_refused_for_a_process() -> None:
    @dataclass(frozen=True)
    class Local(Nothing):
        """Has no name that another process could find."""

    with (
        open_bot(Local(), "connect-four", process=Limits()) as bot,
        pytest.raises(UsageError, match=r"cannot be pickled: .*Local"),
    ):
        bot.think(ROOT)


def test_an_agent_that_a_process_cannot_load_is_named(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """As one of a script read from standard input, or typed at a prompt."""
    typed = ModuleType("typed_at_a_prompt")
    exec("class Typed:\n    name = 'typed'", typed.__dict__)
    monkeypatch.setitem(sys.modules, typed.__name__, typed)

    with (
        open_bot(typed.Typed(), "connect-four", process=Limits()) as bot,
        pytest.raises(BotError, match=r"cannot be loaded in a process: .*typed_at_a_prompt"),
    ):
        bot.think(ROOT)
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("process", [None, Limits()])
def test_what_an_agent_returns_is_handed_on_whatever_it_is(process: Limits | None) -> None:
    with open_bot(Nothing(), "connect-four", process=process) as bot:
        found: object = bot.think(ROOT)

    assert found is None


@pytest.mark.skipif(not hasattr(signal, "SIGRTMIN"), reason="no signals without a name")
def test_a_process_ended_by_a_signal_without_a_name_costs_one_search() -> None:
    with open_bot(Sleeper(), "connect-four", process=Limits()) as bot:
        began = threading.Event()
        search = bot.start(ROOT, listener=Listener(began.set))
        assert began.wait(FAR)
        os.kill(_process_of(bot), signal.SIGRTMIN + 5)

        assert search.wait(FAR)
        with pytest.raises(BotError, match=f"ended by signal {signal.SIGRTMIN + 5}$"):
            search.result()


@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="this system has no SIGSTOP")
def test_a_search_stopped_before_its_process_died_is_stopped_in_the_next() -> None:
    with open_bot("engine:hash=4", "connect-four", process=Limits()) as bot:
        bot.prepare().result()
        os.kill(_process_of(bot), signal.SIGSTOP)
        search = bot.start(middle("connect-four", 2), Budget(depth=40))
        search.stop()
        os.kill(_process_of(bot), signal.SIGKILL)

        assert search.wait(FAR)
        assert search.result().action in range(7)


def test_what_an_agent_prints_goes_nowhere(capfd: pytest.CaptureFixture[str]) -> None:
    with open_bot(Printer(), "connect-four", process=Limits()) as bot:
        bot.think(ROOT)

    assert capfd.readouterr().out == ""


@pytest.mark.parametrize("is_used", [False, True])
@pytest.mark.parametrize("process", [None, Limits()])
def test_a_bot_that_was_closed_refuses_questions(process: Limits | None, is_used: bool) -> None:
    bot = open_bot("random", "connect-four", process=process)
    if is_used:
        bot.think(ROOT)
    bot.close()
    bot.close()
    bot.forget()

    with pytest.raises(UsageError, match="after it was closed"):
        bot.start(ROOT)
    with pytest.raises(UsageError, match="after it was closed"):
        bot.prepare()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
@pytest.mark.parametrize("call", ["began", "improved", "ended"])
def test_what_a_listener_raises_costs_one_search_at_most(bot: Bot, call: str) -> None:
    def fail(*_: object) -> None:
        raise OSError("the screen is gone")

    search = bot.start(middle("connect-four", 2), Budget(depth=3), Listener(**{call: fail}))

    assert search.wait(FAR)
    with nullcontext() if call == "ended" else pytest.raises(OSError, match="screen is gone"):
        search.result()
    again = bot.start(middle("connect-four", 2), Budget(depth=3))
    assert again.wait(FAR)
    assert again.result().action in range(7)


@pytest.mark.parametrize("call", ["began", "improved", "ended"])
def test_a_listener_may_close_the_bot(bot: Bot, call: str) -> None:
    def close(*_: object) -> None:
        bot.close()
        closed.set()

    closed = threading.Event()
    search = bot.start(middle("connect-four", 2), Budget(depth=40), Listener(**{call: close}))
    if call == "ended":
        search.stop()

    assert search.wait(FAR)
    assert closed.wait(FAR)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_thread_bot_thinks_in_a_forked_process_too() -> None:
    with open_bot("random", "connect-four") as bot:
        bot.think(ROOT)
        child = os.fork()
        if not child:  # pragma: no cover
            os._exit(0 if bot.start(ROOT).wait(FAR) else 1)
        _, status = os.waitpid(child, 0)

    assert os.waitstatus_to_exitcode(status) == 0


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_forked_process_cannot_use_the_process_of_a_bot() -> None:
    with open_bot("random", "connect-four", process=Limits()) as bot:
        bot.think(ROOT)
        first, child = _process_of(bot), os.fork()
        if not child:  # pragma: no cover
            try:
                bot.start(ROOT)
            except UsageError:
                bot.close()
                os._exit(0)
            os._exit(1)
        _, status = os.waitpid(child, 0)
        bot.think(ROOT)

        assert os.waitstatus_to_exitcode(status) == 0
        assert _process_of(bot) == first


def test_a_process_ends_once_nobody_holds_its_bot() -> None:
    bot: Bot | None = open_bot("random", "connect-four", process=Limits())
    assert isinstance(bot, ProcessBot)
    search, number = bot.start(ROOT, Budget(seed=1)), _process_of(bot)
    bot = None
    assert search.result().action == 1
    process = next(each for each in multiprocessing.active_children() if each.pid == number)
    del search
    gc.collect()
    process.join(FAR)

    assert not process.is_alive()


def test_a_closed_bot_leaves_no_process_and_answers_no_more() -> None:
    bot = open_bot("random", "connect-four", process=Limits())
    bot.think(ROOT)
    number = _process_of(bot)
    bot.close()
    bot.close()

    with pytest.raises(ProcessLookupError):
        os.kill(number, 0)
    with pytest.raises(UsageError, match="after it was closed"):
        bot.think(ROOT)


def test_calls_in_the_background_are_made_in_order_and_raise_what_they_raise() -> None:
    background, made = Background(), list[int]()
    tasks = [background.submit(partial(made.append, number)) for number in range(5)]
    broken = background.submit(lambda: 1 // 0)

    for task in tasks:
        task.result()
    with pytest.raises(ZeroDivisionError):
        broken.result()
    assert made == [0, 1, 2, 3, 4]
    background.close()


def test_a_background_that_nobody_holds_ends_its_thread() -> None:
    before = threading.active_count()
    Background().submit(lambda: None).wait()
    deadline = time.monotonic() + FAR
    while threading.active_count() > before and time.monotonic() < deadline:
        time.sleep(0.01)

    assert threading.active_count() <= before
