"""What the engine says to each command, right or wrong."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from uci.driver import WRONG_GAME, Broken, Talk, Teller, best_moves, field_of

from plyboard.agents import AGENTS, WIN, Agent, Choice
from plyboard.agents.catalogue import AgentEntry
from plyboard.agents.engine import Engine
from plyboard.agents.settings import HASH, THREADS
from plyboard.games import GAMES, Position

Seat = Callable[[Agent], Talk]

FULL = "position startpos moves P@a1 P@b1 P@a2 P@b2 P@a3 P@b3 P@a4"
KNOWN = "position startpos moves P@d1 P@d2"
AFTER_KNOWN = "info string connect-four ......./......./......./......./...o.../...x... x"


@pytest.fixture
def seat(monkeypatch: pytest.MonkeyPatch) -> Seat:
    """Give what starts a conversation with an agent of the test's own."""

    def seated(agent: Agent) -> Talk:
        monkeypatch.setitem(AGENTS, "guest", AgentEntry(lambda: agent, "of the test"))
        return Talk("setoption name Agent value guest")

    return seated


def test_uci_introduces_the_engine_and_its_options() -> None:
    said = Talk().tell("uci")

    assert said[0].startswith("id name Plyboard ")
    assert said[-1] == "uciok"
    for option in ("Hash type spin", "Threads type spin", "MultiPV type spin", "Agent type string"):
        assert any(line.startswith(f"option name {option} default ") for line in said)
    variants = next(line for line in said if "UCI_Variant" in line)
    assert variants.split(" var ")[1:] == ["cfour", *(kind.name for kind in GAMES)]


def test_isready_is_answered_once_the_code_is_there() -> None:
    talk = Talk("setoption name Agent value random")

    assert talk.tell("isready") == []
    talk.settle()
    assert talk.said == ["readyok"]


def test_isready_is_answered_at_once_while_the_engine_thinks() -> None:
    talk = Talk("go infinite")

    assert talk.tell("isready") == ["readyok"]


def test_isready_waits_once_for_each_game_and_agent(seat: Seat) -> None:
    teller = Teller()
    talk = seat(teller)
    talk.ask("isready", "ucinewgame", "isready")
    assert len(teller.asked) == 1

    talk.ask("setoption name UCI_Variant value squatter", "isready")
    assert len(teller.asked) == 2
    assert talk.said == ["readyok"] * 3


def test_isready_says_what_is_wrong_with_the_agent(seat: Seat) -> None:
    assert seat(Broken(WRONG_GAME)).ask("isready") == [
        "info string error: wrong game for broken: got connect-four; expected chess",
        "readyok",
    ]


@pytest.mark.parametrize(
    ("variant", "place", "text"),
    [
        ("cfour", "startpos", "connect-four ......./......./......./......./......./....... x"),
        ("cfour", "startpos moves P@d1 P@d2 P@e1",
         "connect-four ......./......./......./......./...o.../...xx.. o"),
        ("cfour", f"fen 7/7/7/7/7/3P3[{'P' * 20}{'p' * 21}] b - - 0 1 moves P@d2",
         "connect-four ......./......./......./......./...o.../...x... x"),
        ("cfour", "fen 7/7/7/7/7/7 moves P@a1",
         "connect-four ......./......./......./......./......./x...... o"),
        ("connect-four", "startpos moves 4 4 5",
         "connect-four ......./......./......./......./...o.../...xx.. o"),
        ("connect-four:columns=4,rows=3,line=3", "fen ..../.o../.x.x o moves 1",
         "connect-four:columns=4,rows=3,line=3 ..../.o../ox.x x"),
        ("conniption", "fen ......./......./......./......./...B.../...W... W 4,3 flip moves f4",
         "conniption ......./......./......./...W.../...W.../...B... B 3,3 flip"),
        ("extended", "startpos moves 3 3 2",
         "extended ......../......../......../......../...2..../..11.... 2 6,6"),
        ("squatter:size=3", "startpos moves b1 a1", "squatter:size=3 BW+/+++/+++ W"),
    ],
)  # fmt: skip
def test_a_position_is_read_in_the_notation_of_its_variant(
    variant: str, place: str, text: str
) -> None:
    talk = Talk(f"setoption name UCI_Variant value {variant}", f"position {place}")

    assert talk.ask("d") == [f"info string {text}"]


@pytest.mark.parametrize("variant", ["cfour", *(kind.name for kind in GAMES)])
def test_a_whole_game_is_played_by_the_engine_against_itself(variant: str) -> None:
    talk = Talk("setoption name Agent value random", f"setoption name UCI_Variant value {variant}")
    moves: list[str] = []
    while not talk.engine.position.outcome():
        talk.tell(f"setoption name Seed value {len(moves)}")
        (move,) = best_moves(talk.ask("go nodes 100"))
        moves.append(move)
        assert talk.ask(f"position startpos moves {' '.join(moves)}") == []
    said = talk.ask("go nodes 100")

    assert len(moves) > 6
    assert said[0].startswith("info string game over: ")
    assert best_moves(said) == ["(none)"]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("xyzzy", "unknown command: got 'xyzzy'; expected one of uci, isready, setoption, "),
        ("Go", "unknown command: got 'Go'; expected go (of uci, "),
        (b"\x00\xff\xfe", "unknown command: got '\\x00\\udcff\\udcfe'; expected "),
        ("\u0663", "unknown command: got '\\u0663'; expected "),
        (b"go " + b"x" * 70_000, "line too long: got more than 65536 bytes; expected at most 655"),
        (b"x" * 70_000, "line too long: got more than 65536 bytes; expected at most 65536"),
        ("ponderhit", "cannot ponderhit: there is no thinking in the other's time"),
        ("position", "wrong position: got nothing; expected startpos or fen"),
        ("position moves P@d1", "wrong position: got nothing; expected startpos or fen"),
        ("position start", "wrong position: got 'start'; expected startpos or fen"),
        ("position startpos P@d1", "wrong position: got 'P@d1'; expected moves after startpos"),
        ("position startpos moves P@d2", "illegal move P@d2 at move 1: the disc lands on d1"),
        ("position startpos moves P@d1 P@h1", "not a move at move 2: got 'P@h1'; expected P@, a"),
        ("position startpos moves 4", "not a move at move 1: got '4' (U+0034); expected P@, a fil"),
        ("position startpos moves p@d1", "not a move at move 1: got 'p@d1'; expected P@, a file"),
        (FULL + " P@g1 P@g2", "illegal move 7 at move 8: the game is over"),
        ("position fen", "no position at 1:1: got nothing; expected ranks[discs left] w|b - -"),
        ("position fen 7/7/7/7/7", "wrong game at cfour: got 'connect-four:rows=5'; expected con"),
        ("position fen 7/7/7/7/7/x6", "no cell at 1:11: got 'x' (U+0078); expected P, p or a num"),
        ("position fen 7/7/7/7/7/P6 w", "wrong side to move at 1:14: got w; expected b"),
        ("position fen 7/7/7/7/P6/7", "floating disc at 1:9: got 'P' (U+0050); expected a disc o"),
        ("position fen 7/7/7/7/7/ppp4", "unreachable position at connect-four: 0 x and 3 o: x be"),
        ("setoption", "wrong setoption: got nothing; expected name <name> value <value>"),
        ("setoption Hash 3", "wrong setoption: got 'Hash'; expected name <name> value <value>"),
        ("setoption name Hsah value 3", "unknown option: got 'Hsah'; expected Hash (of Hash, Thr"),
        ("setoption name", "unknown option: got ''; expected one of Hash, Threads, MultiPV, Move"),
        ("setoption name Hash", "wrong value at Hash: got ''; expected a whole number from 1 to "),
        ("setoption name Hash value 0", "wrong value at Hash: got '0'; expected a whole number f"),
        ("setoption name Hash value 1000000000000", "wrong value at Hash: got '1000000000000'; e"),
        ("setoption name Threads value -1", "wrong value at Threads: got '-1'; expected a whole "),
        ("setoption name Threads value 999", "wrong value at Threads: got '999'; expected a whol"),
        ("setoption name MultiPV value 1.5", "wrong value at MultiPV: got '1.5'; expected a whol"),
        ("setoption name MultiPV value \uff11", "wrong value at MultiPV: got '\\uff11'; expecte"),
        ("setoption name UCI_Variant value chess", "unknown variant: got 'chess'; expected one o"),
        ("setoption name UCI_Variant value cfuor", "unknown variant: got 'cfuor'; expected cfour"),
        ("setoption name UCI_Variant value", "no spec: got ''; expected name:key=value"),
        ("setoption name UCI_Variant value squatter:size=99", "wrong value at size: got '99'; ex"),
        ("setoption name Agent value nobody", "unknown agent: got 'nobody'; expected "),
        ("setoption name Agent value playouts:games=0", "wrong value at games: got '0'; expected"),
        ("go depth", "wrong depth at go: got nothing; expected a whole number from 1"),
        ("go depth 0", "wrong depth at go: got '0'; expected a whole number from 1"),
        ("go nodes -5", "wrong nodes at go: got '-5'; expected a whole number from 1"),
        ("go movetime 1e3", "wrong movetime at go: got '1e3'; expected a whole number from 1"),
        ("go movetime nan", "wrong movetime at go: got 'nan'; expected a whole number from 1"),
        ("go wtime abc btime 5", "wrong wtime at go: got 'abc'; expected a whole number"),
        ("go nodes " + "9" * 5000, "wrong nodes at go: got '" + "9" * 60 + "'...; expected a who"),
        ("go depth 3 depth 4", "limit given twice at go: got 'depth'; expected it once"),
        ("go searchmoves P@d1", "cannot searchmoves: all moves are looked at"),
        ("go ponder wtime 5", "cannot ponder: there is no thinking in the other's time"),
        ("go mate 3", "cannot mate: no search for a mate alone; depth does it"),
        ("go perft 3", "cannot perft: plyboard perft counts moves"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_and_changes_nothing(line: str | bytes, said: str) -> None:
    talk = Talk(KNOWN)
    before = talk.engine.options

    answer = talk.tell(line)

    assert answer[0].startswith(f"info string error: {said}")
    assert len(answer[0]) < 400
    assert answer[0].isascii()
    assert answer[1:] == (["bestmove (none)"] if line[:2] in ("go", b"go") else [])
    assert talk.engine.options == before
    assert talk.tell("d") == [AFTER_KNOWN]
    assert talk.ask("setoption name Agent value random", "go")[-1].startswith("bestmove P@")


@pytest.mark.parametrize("line", ["", " ", "\t", "\r", "stop", "ucinewgame"])
def test_some_lines_need_no_answer(line: str) -> None:
    assert Talk().tell(line) == []


@pytest.mark.parametrize("line", ["  d", "d\r", "\td\t", "d  x  y", "d "])
def test_blanks_around_words_do_no_harm(line: str) -> None:
    assert Talk(KNOWN).tell(line) == [AFTER_KNOWN]


def test_words_that_nobody_knows_are_passed_over_at_go() -> None:
    talk = Talk("setoption name Agent value random")
    said = talk.ask("go quickly nodes 10 please")

    assert said[:2] == [
        "info string unknown word at go: got 'quickly'; expected none",
        "info string unknown word at go: got 'please'; expected none",
    ]
    assert len(best_moves(said)) == 1


def test_of_many_unknown_words_only_some_are_named() -> None:
    talk = Talk("setoption name Agent value random")
    said = talk.ask("go nodes 10" + " x" * 30_000)

    assert said[2:4] == [
        "info string unknown word at go: got 'x'; expected none",
        "info string unknown words at go: got 29997 more; expected none",
    ]
    assert len(said) < 10


def test_the_names_of_options_are_read_in_capitals_or_not() -> None:
    talk = Talk("setoption name hash value 7", "setoption name MOVE overhead value 50")

    assert (talk.engine.options.hash, talk.engine.options.overhead) == (7, 50)
    assert talk.said == []


def test_an_empty_agent_is_the_strongest_one() -> None:
    talk = Talk("setoption name Agent value random", "setoption name Agent value <empty>")

    assert talk.engine.options.agent == Talk().engine.options.agent


def test_hash_and_threads_reach_the_agents_that_have_them(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[dict[str, int]] = []

    def make(**values: int) -> Teller:
        made.append(values)
        return Teller()

    monkeypatch.setitem(AGENTS, "guest", AgentEntry(make, "", (HASH, THREADS)))
    talk = Talk("setoption name Hash value 5", "setoption name Agent value guest:threads=2")
    talk.tell("setoption name Threads value 3")

    assert made[-1] == {"hash": 5, "threads": 2}


def test_the_limits_of_go_reach_the_agent(seat: Seat) -> None:
    teller = Teller()
    talk = seat(teller)
    talk.ask("setoption name Seed value 9", "go depth 999 nodes 70 movetime 1000", "go", "stop")
    (_, limited), (_, free) = teller.asked

    assert (limited.depth, limited.nodes, limited.simulations) == (200, 70, 70)
    assert (limited.seconds, limited.seed) == (0.97, 9)
    assert free.is_open


def test_an_endless_search_is_open_but_for_the_agents_own_limits(seat: Seat) -> None:
    teller = Teller()
    seat(teller).ask("go infinite depth 5")
    ((_, budget),) = teller.asked

    assert (budget.depth, budget.seconds) == (5, 1_000_000.0)


def test_what_the_agent_tells_is_told_on(seat: Seat) -> None:
    first = Choice(3, 0.25, (3, 3, 0), depth=4, nodes=5000)
    last = Choice(2, WIN - 5, (2, 2, 2, 2, 1), depth=5, nodes=9000, exact=True)
    talk = seat(Teller((first, last)))
    talk.tell("go")
    talk.search_alone()
    talk.events.popleft()()  # it has begun
    talk.time += 2.0
    talk.settle()

    assert talk.said == [
        "info depth 4 multipv 1 score cp 25 nodes 5000 nps 2500 time 2000 pv P@d1 P@d2 P@a1",
        "info depth 5 multipv 1 score mate 3 nodes 9000 nps 4500 time 2000 "
        "pv P@c1 P@c2 P@c3 P@c4 P@b1",
        "bestmove P@c1",
    ]


@pytest.mark.parametrize(
    ("value", "score"),
    [
        (0.0, "cp 0"), (0.354, "cp 35"), (-2.0, "cp -200"), (WIN - 1, "mate 1"), (WIN, "mate 1"),
        (WIN - 2, "mate 1"), (WIN - 3, "mate 2"), (2 - WIN, "mate -1"), (4 - WIN, "mate -2"),
    ],
)  # fmt: skip
def test_a_proved_end_is_told_in_moves_and_a_guess_in_hundredths(
    seat: Seat, value: float, score: str
) -> None:
    said = seat(Teller((Choice(3, value, exact=True),))).ask("go")

    assert field_of(said[0], "score") == score


@pytest.mark.parametrize(
    ("value", "score"),
    [
        (WIN - 9, "score mate 5 lowerbound nodes"), (8 - WIN, "score mate -4 upperbound nodes"),
        (WIN - 1, "score mate 1 nodes"), (0.5, "score cp 50 nodes"),
    ],
)  # fmt: skip
def test_an_end_that_may_come_sooner_is_told_as_a_bound(
    seat: Seat, value: float, score: str
) -> None:
    said = seat(Teller((Choice(3, value),))).ask("go")

    assert score in said[0]


def test_several_moves_are_told_the_best_first(seat: Seat) -> None:
    values = {0: -1.0, 1: 0.5, 3: 0.7, 4: 2 - WIN, 5: 0.6}
    talk = seat(Teller((Choice(3, 0.7, (3, 2), values=values),)))
    talk.tell("setoption name MultiPV value 4")
    said = talk.ask("go")

    assert [field_of(line, "multipv") for line in said[:-1]] == ["1", "2", "3", "4"]
    assert [field_of(line, "pv") for line in said[:-1]] == ["P@d1", "P@f1", "P@b1", "P@a1"]
    assert field_of(said[3], "score") == "cp -100"


def test_the_engine_values_every_move_if_several_are_wanted(seat: Seat) -> None:
    talk = seat(Engine())
    talk.tell("setoption name MultiPV value 3")
    talk.tell("position startpos moves P@d1 P@d2 P@c1 P@c2")
    said = talk.ask("go nodes 20000")

    told = [line for line in said if line.startswith("info") and " multipv " in line][-3:]
    assert [field_of(line, "multipv") for line in told] == ["1", "2", "3"]
    assert field_of(told[0], "score") == "mate 2"
    assert best_moves(said) == [field_of(told[0], "pv")]


def test_a_table_is_told_with_how_full_it_is(seat: Seat) -> None:
    said = seat(Teller((Choice(3, 0.5, filled=0.125),))).ask("go")

    assert field_of(said[0], "hashfull") == "125"


def test_only_one_move_is_told_where_nobody_asks_for_more(seat: Seat) -> None:
    said = seat(Teller((Choice(3, values={2: 0.5, 3: 0.5}),))).ask("go")

    assert len(said) == 2


def test_a_line_is_told_as_far_as_it_is_legal(seat: Seat) -> None:
    said = seat(Teller((Choice(3, line=(3, 3, 3, 3, 3, 3, 3, 2)),))).ask("go")

    assert said[0].endswith("pv P@d1 P@d2 P@d3 P@d4 P@d5 P@d6")


def test_an_endless_search_answers_only_when_told_to_stop(seat: Seat) -> None:
    talk = seat(Teller())

    assert best_moves(talk.ask("go infinite")) == []
    assert talk.wait(10_000) == []
    assert talk.tell("stop") == ["bestmove P@d1"]


def test_stop_is_answered_by_what_the_agent_then_says(seat: Seat) -> None:
    teller = Teller((Choice(5),))
    talk = seat(teller)
    talk.tell("go infinite", "stop")
    talk.settle()
    ((_, budget),) = teller.asked

    assert budget.monitor is not None
    assert budget.monitor.stopped
    assert best_moves(talk.said) == ["P@f1"]


def test_stop_is_answered_within_a_tenth_of_a_second_by_an_agent_that_does_not_listen() -> None:
    talk = Talk("go infinite")

    assert talk.tell("stop") == []
    assert talk.wait(0.1) == [
        "info string no move from the agent in time: the first legal one",
        "bestmove P@d1",
    ]


def test_saying_stop_again_and_again_does_not_delay_the_answer() -> None:
    talk = Talk("go infinite", "stop")
    for _ in range(10):
        talk.tell("stop")
        talk.wait(0.01)

    assert len(best_moves(talk.said)) == 1


def test_the_best_so_far_is_played_when_time_is_up(seat: Seat) -> None:
    talk = seat(Teller((Choice(6), Choice(5))))
    talk.tell("go movetime 500")
    talk.search_alone()
    for _ in range(2):
        talk.events.popleft()()  # it begins, the first choice is heard, and then nothing more

    assert best_moves(talk.wait(0.486)) == ["P@g1"]
    talk.settle()
    assert len(best_moves(talk.said)) == 1


@pytest.mark.parametrize("milliseconds", [1, 5, 20, 60, 200, 5000])
def test_a_fixed_time_is_kept_whatever_the_agent_does(milliseconds: int) -> None:
    talk = Talk(f"go movetime {milliseconds}").begin()
    overhead = talk.engine.options.overhead

    assert best_moves(talk.wait((milliseconds + overhead) / 1000)) == ["P@d1"]
    if milliseconds >= 2 * overhead:
        late = Talk(f"go movetime {milliseconds}").begin()
        assert best_moves(late.wait((milliseconds - overhead / 4 + 0.1) / 1000)) == ["P@d1"]


def test_compiling_is_not_charged_to_a_fixed_time_and_is_told() -> None:
    talk = Talk("go movetime 100")

    assert talk.wait(8.0) == ["info string compiling for the first use; stop answers at once"]
    assert best_moves(talk.begin().wait(0.2)) == ["P@d1"]


def test_stop_is_heard_while_code_is_compiled() -> None:
    talk = Talk("go movetime 100")
    talk.wait(3.0)
    talk.tell("stop")

    assert best_moves(talk.wait(0.1)) == ["P@d1"]


def test_a_game_clock_does_not_wait_for_the_compiler_for_ever() -> None:
    talk = Talk("go wtime 4000 btime 4000")

    assert best_moves(talk.wait(2.5)) == ["P@d1"]


def test_a_second_go_is_answered_after_the_first(seat: Seat) -> None:
    talk = seat(Teller((Choice(6),)))
    said = talk.tell("go infinite", "go nodes 5")
    assert best_moves(said) == ["P@d1"]

    talk.settle()
    assert best_moves(talk.said) == ["P@d1", "P@g1"]


def test_an_answer_that_comes_too_late_does_not_count_for_the_next_move(seat: Seat) -> None:
    talk = seat(Teller((Choice(6),)))
    talk.tell("go movetime 100", "stop")
    talk.wait(0.1)
    said = talk.tell("position startpos moves P@d1 P@d2", "go nodes 5")
    talk.jobs.popleft()()  # the first search comes to its end only now
    while talk.events:
        talk.events.popleft()()

    assert said == []
    assert best_moves(talk.said) == ["P@d1"]
    talk.settle()
    assert best_moves(talk.said) == ["P@d1", "P@g1"]


def test_the_position_may_change_while_the_engine_thinks(seat: Seat) -> None:
    teller = Teller((Choice(6),))
    talk = seat(teller)
    talk.tell("go nodes 5", "setoption name UCI_Variant value squatter", "ucinewgame")
    talk.settle()

    assert best_moves(talk.said) == ["P@g1"]
    assert teller.asked[0][0] == Position("connect-four")


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (ZeroDivisionError("oh\nno"), "ZeroDivisionError 'oh\\nno'"),
        (SystemExit(0), "SystemExit '0'"),
        (KeyboardInterrupt(), "KeyboardInterrupt ''"),
        (MemoryError(), "MemoryError ''"),
    ],
)
def test_the_game_goes_on_when_the_agent_fails(seat: Seat, fault: BaseException, said: str) -> None:
    answer = seat(Broken(fault)).ask("go")

    assert answer[0] == f"info string error: {said}"
    assert best_moves(answer) == ["P@d1"]


def test_an_agent_that_does_not_play_this_game_makes_no_move(seat: Seat) -> None:
    assert seat(Broken(WRONG_GAME)).ask("go") == [
        "info string error: wrong game for broken: got connect-four; expected chess",
        "bestmove (none)",
    ]


@pytest.mark.parametrize("action", [7, -1, 99])
def test_a_move_that_is_none_is_not_played(seat: Seat, action: int) -> None:
    assert best_moves(seat(Teller((Choice(action),))).ask("go")) == ["P@d1"]


def test_a_full_column_is_not_played(seat: Seat) -> None:
    talk = seat(Teller((Choice(3),)))
    talk.tell("position startpos moves P@d1 P@d2 P@d3 P@d4 P@d5 P@d6")

    assert best_moves(talk.ask("go")) == ["P@c1"]


def test_quit_ends_it_and_stops_the_search(seat: Seat) -> None:
    teller = Teller()
    talk = seat(teller)
    talk.tell("go infinite", "quit")
    talk.settle()

    assert talk.engine.ended
    assert teller.asked[0][1].monitor is not None
    assert teller.asked[0][1].monitor.stopped


PIECES = (
    "uci", "isready", "setoption", "name", "value", "Hash", "Threads", "MultiPV", "UCI_Variant",
    "Agent", "random", "Move Overhead", "cfour", "conniption", "squatter:size=3", "extended",
    "ucinewgame", "position", "startpos", "fen", "moves", "P@d1", "P@d2", "4", "f4f", "b2", "3p",
    "7/7/7/7/7/7", "go", "depth", "nodes", "movetime", "wtime", "btime", "winc", "movestogo",
    "infinite", "searchmoves", "ponder", "stop", "ponderhit", "d", "0", "1", "-1", "500", "9" * 30,
)  # fmt: skip
sensible = st.lists(st.sampled_from(PIECES), max_size=8).map(lambda words: " ".join(words).encode())
useful = st.sampled_from([
    b"go nodes 3", b"go infinite", b"stop", b"position startpos moves P@d1",
    b"setoption name UCI_Variant value conniption", b"setoption name UCI_Variant value cfour",
    b"setoption name MultiPV value 9", b"isready", b"position startpos moves f4 4",
])  # fmt: skip


@settings(max_examples=300)
@given(lines=st.lists(st.one_of(sensible, useful, st.binary(max_size=40)), max_size=25))
def test_no_lines_are_too_odd_and_each_go_is_answered(lines: list[bytes]) -> None:
    talk = Talk("setoption name Agent value random")
    for number, line in enumerate(lines):
        talk.tell(line)
        if number % 3 == 0:
            talk.settle()
        if number % 4 == 0:
            talk.wait(0.5)
    talk.settle()
    talk.tell(b"stop")
    talk.wait(1.0)

    words = [line.replace(b"\t", b" ").strip(b"\r\n ").split(b" ")[0] for line in lines]
    assert len(best_moves(talk.said)) == words.count(b"go")
    assert all(line.isascii() and line.isprintable() for line in talk.said)
