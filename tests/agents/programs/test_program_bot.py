"""Outside programs as bots: the same calls as every bot, and an end to every wait."""

from __future__ import annotations

import os
import sys
import threading
import time
from pathlib import Path

import pytest
from agents.programs.misbehaviours import BOT
from play.between import games_between

from plyboard.agents import Budget, Choice, Limits, Listener, agent, open_bot
from plyboard.agents.programs.process import ProgramProcess
from plyboard.agents.programs.program_agent import ProgramAgent
from plyboard.agents.programs.program_bot import ProgramBot
from plyboard.agents.programs.sandbox import Sandbox
from plyboard.errors import BotError, SpecError, UnusableError, UsageError
from plyboard.games import GAMES, Game, Position
from plyboard.specs import split_spec

HERE = Path(__file__).parent
EXAMPLES = HERE.parents[2] / "examples"
PYTHON, SHELL = f"json:python3 {EXAMPLES}/json_bot.py", f"json:sh {EXAMPLES}/json_bot.sh"
UCI = f"uci:python3 {HERE}/uci_bot.py"
START = Position("connect-four")
MOVE = Budget(seconds=20)
GENEROUS = 5.0  # seconds more than a limit, on a busy machine


def opened(spec: str, game: str | Game = "connect-four") -> ProgramBot:
    bot = open_bot(spec, game)
    assert isinstance(bot, ProgramBot)
    return bot


@pytest.mark.parametrize("game", [kind.name for kind in GAMES])
def test_the_examples_play_every_game(game: str) -> None:
    (played,) = games_between(agent(PYTHON), agent(SHELL), game, 1, budget=MOVE)

    assert played.match.position.is_over
    assert played.at_fault is None


def test_a_uci_engine_plays_a_game_of_connect_four() -> None:
    games = list(
        games_between(agent(UCI), agent("random"), "connect-four", 2, budget=MOVE, openings=3)
    )

    assert [played.at_fault for played in games] == [None, None]
    assert all(played.match.position.is_over for played in games)


def test_a_uci_engine_tells_its_evidence_and_takes_options() -> None:
    heard: list[Choice] = []
    with opened(
        f"uci:option.Level=3,option.Move Overhead=5,command=python3 {HERE}/uci_bot.py"
    ) as bot:
        search = bot.start(START.play("11"), MOVE, Listener(improved=heard.append))
        choice = search.result()
        log = bot.log

    assert (choice.action, choice.value, choice.depth, choice.nodes) == (0, 0.25, 3, 99)
    assert [each.action for each in heard] == [0]
    assert "setoption name Level value 3" not in log  # the log of a game begins with the game
    assert choice.line == (0,)


def test_a_position_that_no_game_led_to_is_told_as_fen() -> None:
    position = Position("connect-four", "......./......./......./......./...o.../...x... x")
    with opened(UCI) as bot:
        assert bot.think(position, MOVE).action == 0


def test_a_second_answer_does_not_count_for_the_next_move() -> None:
    with opened(f"{UCI} go twice") as bot:
        first = bot.think(START, MOVE).action
        full = START.play("111111")

        assert (first, bot.think(full, MOVE).action) == (0, 1)


def test_an_answer_to_an_earlier_request_does_not_count() -> None:
    script = (
        "import json,sys\n"
        "for line in sys.stdin:\n"
        "    message = json.loads(line); kind = message['t']\n"
        "    if kind == 'move':\n"
        "        print(json.dumps({'t': 'move', 'id': message['id'] - 1, 'move': '1'}))\n"
        "        message = {'t': 'move', 'id': message['id'], 'move': '7'}\n"
        "    elif kind == 'hello': message = {'t': 'hello', 'version': 1}\n"
        "    elif kind == 'game': message = {'t': 'ready'}\n"
        "    else: break\n"
        "    print(json.dumps(message), flush=True)\n"
    )
    with ProgramAgent("json", (sys.executable, "-c", script)).open(START.game) as bot:
        assert [bot.think(START, MOVE).action for _ in range(2)] == [6, 6]


@pytest.mark.parametrize("word", ["uci", "isready", "position", "go"])
def test_a_program_that_stops_answering_is_killed_at_the_limit(word: str) -> None:
    spec = f"uci:start=0.3,margin=0.1,command=python3 {HERE}/uci_bot.py {word}"
    with opened(spec) as bot:
        began = time.monotonic()
        with pytest.raises(BotError, match="in time") as fault:
            bot.think(START, Budget(seconds=0.2))

        assert fault.value.kind == "timeout"
        assert time.monotonic() - began < 0.4 + GENEROUS
        assert bot.process_id is None


@pytest.mark.parametrize("budget", [Budget(nodes=1000), Budget(depth=3)])
def test_a_budget_without_a_time_has_a_limit_too(budget: Budget) -> None:
    with (
        opened(f"uci:wait=0.2,margin=0.1,command=python3 {HERE}/uci_bot.py go") as bot,
        pytest.raises(BotError, match="no move in time"),
    ):
        bot.think(START, budget)


def test_a_program_that_does_not_exit_at_quit_is_killed() -> None:
    bot = opened(f"{UCI} quit")
    bot.think(START, MOVE)
    began = time.monotonic()
    bot.close()

    assert time.monotonic() - began < 0.2 + GENEROUS


def test_a_program_that_does_not_answer_a_stop_is_killed() -> None:
    with opened(f"json:python3 {BOT} sleep") as bot:
        began = threading.Event()
        search = bot.start(START, Budget(seconds=600), Listener(began=began.set))
        assert began.wait(GENEROUS)
        search.stop()

        with pytest.raises(BotError, match="no move in time"):
            search.result()


def test_a_stop_brings_the_answer() -> None:
    with opened(f"{UCI} go slow") as bot:
        began = threading.Event()
        search = bot.start(START, Budget(seconds=600), Listener(began=began.set))
        assert began.wait(GENEROUS)
        search.stop()

        assert search.result().action == 0


def test_after_a_fault_the_next_search_has_a_new_program() -> None:
    with opened(f"json:margin=0.1,command=python3 {BOT} answer_late") as bot:
        for _ in range(2):
            with pytest.raises(BotError) as fault:
                bot.think(START, Budget(seconds=0.1))
            assert fault.value.kind == "timeout"


def test_a_program_does_not_run_in_the_time_of_the_other() -> None:
    with (
        opened(f"json:python3 {BOT} think_in_the_others_time") as busy,
        opened(f"{UCI} go slow") as slow,
    ):
        busy.think(START, MOVE)
        waited = slow.start(START, Budget(seconds=600))
        assert not waited.wait(0.4)  # the other's time
        waited.stop()
        waited.wait()
        busy.think(START, MOVE)
        used = float(busy.log.splitlines()[-1].removeprefix("used "))

    assert used < 0.2


def test_a_program_for_other_games_says_so() -> None:
    with opened(UCI, "squatter") as bot, pytest.raises(UsageError) as fault:
        bot.think(Position("squatter"), MOVE)

    assert str(fault.value) == "wrong game for this program: got squatter; expected one of cfour"


def test_limits_of_a_process_change_nothing_for_a_program() -> None:
    with open_bot(PYTHON, "squatter", process=Limits(memory=1)) as bot:
        assert isinstance(bot, ProgramBot)


def test_an_unknown_program_is_refused_when_it_is_started() -> None:
    with (
        open_bot("json:no-such-program", "squatter") as bot,
        pytest.raises(UnusableError, match="cannot start 'no-such-program': no such program"),
    ):
        bot.think(Position("squatter"))


def test_the_log_of_a_game_is_cut_at_its_limit() -> None:
    with opened(f"json:python3 {BOT} write_a_long_log") as bot:
        bot.think(START, MOVE)

        assert len(bot.log) < (1 << 20) + 100
        assert bot.log.endswith("[the rest of the log was cut]\n")
        bot.forget()
        bot.think(START, MOVE)
        assert bot.log.count("cut") == 1


def test_a_command_may_hold_commas_and_blanks() -> None:
    name, values = split_spec("uci:memory=64,option.Move Overhead=5,command=python3 a,b=c --d=1,2")

    assert (name, values) == (
        "uci",
        {"memory": "64", "option.Move Overhead": "5", "command": "python3 a,b=c --d=1,2"},
    )
    assert split_spec("json:sh bot.sh --fast=1,2") == ("json", {"command": "sh bot.sh --fast=1,2"})


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("uci", "no command at uci: got ''; expected uci:COMMAND"),
        ("uci:", "no command at uci: got ''; expected uci:COMMAND"),
        ("uci:memory=64", "no command at uci: got ''; expected uci:COMMAND"),
        ("json:a\nb", "no command at json: got 'a\\nb'; expected json:COMMAND"),
        ("uci:memory=1,command=x", "wrong value at memory: got '1'; expected a whole number"),
        ("uci:size=1,command=x", "unknown setting at uci: got 'size'; expected one of"),
        ("uci:wait=1,wait=2,command=x", "setting given twice at uci: got 'wait'; expected it once"),
        ("json:option.A=1,command=x", "options not wanted at json: got 'option.'; expected none"),
        ("uci:say 'hello", "wrong command at uci: got 'say \\'hello'; expected words"),
        (f"uci:{'x' * 2000}", "spec too long: got 2004 characters; expected at most 2000"),
    ],
)  # fmt: skip
def test_a_wrong_spec_of_a_program_is_refused(spec: str, message: str) -> None:
    with pytest.raises(SpecError) as fault:
        agent(spec)

    assert str(fault.value).startswith(message)


def test_a_python_agent_of_a_stranger_plays_in_a_sandbox() -> None:
    stranger = agent(f"sandbox:{EXAMPLES}/agent.py:Cramper")
    (played,) = games_between(
        stranger, agent("random"), "connect-four:columns=4,rows=4", 1, budget=MOVE
    )

    assert played.match.position.is_over
    assert played.at_fault is None


def test_the_last_lines_of_a_program_that_has_exited_are_received() -> None:
    process = ProgramProcess(Sandbox(("sh", "-c", "echo hello")))
    deadline = time.monotonic() + 30
    try:
        process.wait_for_exit(deadline)
        process.begin_request()
        process.send("begin", deadline)

        assert process.receive(deadline, "answer") == "hello"
        with pytest.raises(BotError, match="it ended with exit code 0"):
            process.receive(deadline, "answer")
    finally:
        process.kill()

    assert list(process.transcript) == ["> begin", "< hello"]


@pytest.mark.parametrize(
    ("agent_name", "reason"),
    [
        ("Raising", "raised ValueError: no idea (bad_agents.py, line "),
        ("Returning", "it returned str; expected a Choice"),
        ("Truthful", "it chose bool; expected the number of an action"),
        ("Nameless", "it cannot be loaded: no agent: got 'Nameless'; expected a class with a name"),
        ("", "it cannot be loaded: no class: got '"),
    ],
)
def test_a_mistake_of_a_python_agent_is_told_in_one_line(agent_name: str, reason: str) -> None:
    spec = f"sandbox:{HERE}/bad_agents.py{agent_name and ':'}{agent_name}"
    with opened(spec) as bot, pytest.raises(BotError) as fault:
        bot.think(START, MOVE)

    assert fault.value.reason.startswith(reason)


def test_an_agent_in_a_file_that_is_not_there_is_refused() -> None:
    with pytest.raises(UnusableError, match="no such file"):
        agent("bots/mine.py:Mine")


def test_a_python_agent_may_choose_with_a_number_of_numpy() -> None:
    with opened(f"sandbox:{HERE}/bad_agents.py:Counting") as bot:
        assert bot.think(START, MOVE).action == 0


def test_a_bot_that_is_closed_while_its_program_starts_kills_it() -> None:
    bot = opened(f"json:start=60,command=python3 {BOT} 'slow start'")
    bot.prepare()
    until = time.monotonic() + GENEROUS
    while (process := bot.process_id) is None:
        assert time.monotonic() < until
        time.sleep(0.01)
    bot.close()

    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)


def test_a_program_may_write_to_its_log_before_it_is_ready() -> None:
    script = (
        "import json,sys\n"
        "for line in sys.stdin:\n"
        "    kind = json.loads(line)['t']\n"
        "    print(json.dumps({'t': 'log', 'text': kind}))\n"
        "    if kind == 'hello': print(json.dumps({'t': 'hello', 'version': 1}))\n"
        "    if kind == 'game': print(json.dumps({'t': 'ready'}))\n"
        "    sys.stdout.flush()\n"
    )
    with ProgramAgent("json", (sys.executable, "-c", script)).open(START.game) as bot:
        bot.prepare().result()

        assert bot.log == "game\n"  # a new log for each game
