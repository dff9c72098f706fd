"""`plyboard solve`: scores, bounds, files of positions, and Ctrl-C."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path

import pytest
from cli.processes import PATIENCE, processor_seconds, processor_seconds_of_ended
from kernel.disk import FILE, FOLDER, RENAME, noted

from plyboard.analysis import text_lines
from plyboard.cli.main import _run as run
from plyboard.games import Position

MIDDLE = "55542243332345"  # x wins by its last but three discs, with 4 alone
LATE = "23163416124767223154467471272416755633"
HARD = ["134136", "--nodes", "30000"]
SOLVED = ["2252576253462244111563365343671351441 -1", "7422341735647741166133573473242566 1",
          f"{LATE} 0", "5554224333234511764415115 4", "52753311433677442422121 8"]  # fmt: skip

Printed = pytest.CaptureFixture[str]


def facts(capsys: Printed, *arguments: str, code: int = 0) -> dict[str, object]:
    """Return what `plyboard solve --json` prints."""
    assert run(["solve", *arguments, "--json"]) == code
    found: dict[str, object] = json.loads(capsys.readouterr().out)
    return found


def rows(capsys: Printed, *arguments: str, code: int = 0) -> dict[str, str]:
    """Return what `plyboard solve` prints, by the name that each line begins with."""
    assert run(["solve", *arguments]) == code
    lines = capsys.readouterr().out.splitlines()
    return dict(line.split(": ", 1) for line in lines)


def written(path: Path, lines: list[str]) -> str:
    path.write_text("".join(f"{line}\n" for line in lines))
    return str(path)


def test_a_late_position_is_told_to_the_end(capsys: Printed) -> None:
    found = rows(capsys, "5554224333234511764415")

    assert list(found) == ["score", "ends", "best", "line", "nodes", "time"]
    assert found["score"] == "10 (x wins with 9 discs left)"
    assert (found["ends"], found["best"], found["line"]) == ("after 1 more move", "6", "6")


def test_moves_are_told_when_asked_for(capsys: Printed) -> None:
    found = rows(capsys, "connect-four", MIDDLE, "--all")

    assert (found["score"], found["best"]) == ("4 (x wins with 3 discs left)", "4")
    assert [found[f"move {column}"] for column in range(1, 8)] == ["-13"] * 3 + ["4"] + ["-13"] * 3
    assert "line" not in found


def test_an_early_position_is_told_by_its_score_alone(capsys: Printed) -> None:
    assert list(rows(capsys, MIDDLE)) == ["score", "ends", "nodes", "time"]


def test_a_line_is_told_when_asked_for_and_ends_when_the_score_says(capsys: Printed) -> None:
    found = facts(capsys, MIDDLE, "--line")
    line = found["line"]
    assert isinstance(line, list)
    end = Position.read(MIDDLE).play(*line).outcome()

    assert len(line) == found["plies"] == 21
    assert end is not None
    assert end.winner == 0


def test_who_loses_is_told_by_who_wins(capsys: Printed) -> None:
    assert rows(capsys, MIDDLE + "4")["score"] == "-4 (x wins with 3 discs left)"


def test_a_draw_is_called_one(capsys: Printed) -> None:
    assert rows(capsys, LATE)["score"] == "0 (a draw)"


def test_a_weak_answer_tells_only_who_wins(capsys: Printed) -> None:
    found = rows(capsys, MIDDLE, "--weak", "--all")

    assert (found["score"], found["best"], found["move 1"]) == ("1 (x wins)", "4", "-1")
    assert "ends" not in found


def test_json_has_all_of_it(capsys: Printed) -> None:
    found = facts(capsys, "5554224333234511764415")

    assert found["position"] == Position.read("5554224333234511764415").text()
    assert [found[key] for key in ("weak", "score", "lower", "upper")] == [False, 10, 10, 10]
    assert [found[key] for key in ("plies", "best", "line")] == [1, ["6"], ["6"]]
    assert isinstance(found["moves"], dict)
    assert found["moves"]["7"] == {"lower": 8, "upper": 8}
    assert {"book", "nodes", "seconds"} < set(found)


def test_a_limit_gives_bounds_and_a_negative_answer(capsys: Printed) -> None:
    score = rows(capsys, *HARD, code=1)["score"]
    found = facts(capsys, *HARD, code=1)

    assert score == f"from {found['lower']} to {found['upper']}, not finished (nothing is decided)"
    assert found["score"] is found["plies"] is found["best"] is None
    assert isinstance(found["lower"], int)
    assert isinstance(found["upper"], int)
    assert found["lower"] <= 2 <= found["upper"]


def test_a_limit_of_time_is_kept(capsys: Printed) -> None:
    found = facts(capsys, "connect-four", "--no-book", "--seconds", "0.3", code=1)

    assert isinstance(found["seconds"], float)
    assert found["seconds"] < 20  # of the minutes that the empty board takes


def test_moves_share_what_the_limit_leaves(capsys: Printed) -> None:
    assert "not finished" in rows(capsys, MIDDLE, "--all", "--nodes", "20100", code=1)["move 4"]


def test_the_empty_board_and_its_moves_come_from_the_book(capsys: Printed) -> None:
    found = rows(capsys, "connect-four", "--all")

    assert (found["score"], found["ends"]) == (
        "1 (x wins with 0 discs left)",
        "after 41 more moves",
    )
    assert (found["best"], found["nodes"]) == ("4", "0, from a book")
    scores = [int(found[f"move {column}"]) for column in range(1, 8)]
    assert scores == [-2, -1, 0, 1, 0, -1, -2]


@pytest.mark.parametrize(("moves", "best"), [("", "4"), ("4", "4"), ("44", "4"), ("444", "4")])
def test_best_moves_of_early_positions_cost_nothing(moves: str, best: str, capsys: Printed) -> None:
    found = rows(capsys, "connect-four", *([moves] if moves else []))

    assert (found["best"], found["nodes"]) == (best, "0, from a book")


def test_weak_answers_come_from_the_book_too(capsys: Printed) -> None:
    found = facts(capsys, "1", "--weak")

    assert (found["score"], found["book"]) == (1, True)  # it is 2


def test_without_the_book_it_is_not_asked(capsys: Printed) -> None:
    found = facts(capsys, "4444", "--no-book", "--nodes", "100", code=1)

    assert (found["book"], found["score"]) == (False, None)
    assert facts(capsys, "4444")["book"] is True


def test_a_position_after_the_last_ply_of_the_book_is_searched(capsys: Printed) -> None:
    assert facts(capsys, MIDDLE)["book"] is False


@pytest.mark.parametrize(
    ("bounds", "said"),
    [
        ((0, 3), "at least a draw for x"), ((-3, 0), "at most a draw for x"),
        ((1, 3), "x wins"), ((-3, -1), "o wins"), ((-1, 1), "nothing is decided"),
        ((2, 2), "x wins with 1 disc left"), ((-1, -1), "o wins with 0 discs left"),
    ],
)  # fmt: skip
def test_bounds_are_told_in_words(bounds: tuple[int, int], said: str) -> None:
    from plyboard.cli.solve import _verdict
    from plyboard.search.solver.solver import Solution

    assert _verdict(Solution(*bounds, 0, 0.0), Position("connect-four"), False) == said


def test_more_memory_than_there_is_is_refused(
    capsys: Printed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "sysconf", {"SC_PHYS_PAGES": 2**18, "SC_PAGE_SIZE": 4096}.get)

    assert run(["solve", LATE, "--hash", "1025"]) == 4
    assert "at --hash: this machine has 1024 MiB" in capsys.readouterr().err
    assert run(["solve", LATE, "--hash", "1"]) == 0


def test_too_many_threads_are_fewer_with_a_note(
    capsys: Printed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 1)

    assert run(["solve", LATE, "--threads", "64"]) == 0
    assert capsys.readouterr().err == "note: 4 threads, not 64: at most four per core\n"


def test_a_batch_is_answered_line_by_line_in_order(capsys: Printed, tmp_path: Path) -> None:
    moves = [line.split()[0] for line in SOLVED]
    file = written(tmp_path / "in", ["", *moves[:2], "", *moves[2:]])

    assert run(["solve", "--batch", file]) == 0
    assert capsys.readouterr().out.splitlines() == SOLVED
    assert run(["solve", "--batch", file, "--limit", "2", "--weak"]) == 0
    assert capsys.readouterr().out.splitlines() == SOLVED[:2]


def test_a_file_of_too_many_lines_is_refused_even_if_all_are_blank(
    capsys: Printed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(text_lines, "MOST_LINES", 10)
    file = tmp_path / "in"
    file.write_text("\n" * 10)

    assert run(["solve", "--batch", str(file)]) == 0
    file.write_text("\n" * 11)
    assert run(["solve", "--batch", str(file)]) == 3
    assert "too many lines at" in capsys.readouterr().err
    assert run(["solve", "--check", str(file), "--limit", "1"]) == 3


def test_a_line_that_is_too_long_is_refused_and_not_cut(capsys: Printed, tmp_path: Path) -> None:
    file = tmp_path / "in"
    file.write_text("4455" + " " * 995 + "\n")

    assert run(["solve", "--batch", str(file)]) == 0
    capsys.readouterr()
    file.write_text("4455" + " " * 996 + "\n")
    assert run(["solve", "--batch", str(file)]) == 3
    assert "line too long at 1:1001: got more than 1000 bytes" in capsys.readouterr().err


def test_what_a_batch_answers_is_synced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    events = noted(monkeypatch)
    (tmp_path / "in.txt").write_text(f"{LATE}\n")

    assert run(["solve", "--batch", str(tmp_path / "in.txt"), "--out", str(tmp_path / "out")]) == 0

    # The name of the partial file, and its header; the file with all lines, and its name.
    assert events[:2] == [FOLDER, FILE]
    assert events[-4:-1] == [FILE, RENAME, FOLDER]


def fail(*_: object) -> None:
    raise KeyboardInterrupt


@pytest.mark.parametrize("length", [0, 5, 200, 250, 10_000])
def test_a_batch_goes_on_where_it_was_cut_off(
    length: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = written(tmp_path / "in", [line.split()[0] for line in SOLVED])
    out, part = tmp_path / "out", tmp_path / "out.part"
    asked = ["solve", "--batch", file, "--out", str(out)]
    with monkeypatch.context() as patch:
        patch.setattr("plyboard.cli.common.answer_file.replace_file", fail)
        assert run(asked) == 130
    begun = part.read_bytes()
    assert begun.count(b"\n") == 1 + len(SOLVED)
    part.write_bytes(begun[:length])

    assert run(asked) == 0
    assert out.read_text() == "".join(f"{line}\n" for line in SOLVED)
    assert not part.exists()


def test_weak_and_exact_answers_are_not_mixed(
    tmp_path: Path, capsys: Printed, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = written(tmp_path / "in", [line.split()[0] for line in SOLVED])
    asked = ["solve", "--batch", file, "--out", str(tmp_path / "out")]
    with monkeypatch.context() as patch:
        patch.setattr("plyboard.cli.common.answer_file.replace_file", fail)
        assert run(asked) == 130
    capsys.readouterr()

    assert run([*asked, "--weak"]) == 4
    assert "it belongs to other lines or settings" in capsys.readouterr().err


def test_a_check_counts_and_names_what_is_wrong(capsys: Printed, tmp_path: Path) -> None:
    good = written(tmp_path / "good", SOLVED)
    bad = written(tmp_path / "bad", [*SOLVED[:2], f"{LATE} 1", *SOLVED[3:]])

    assert run(["solve", "--check", good]) == 0
    assert capsys.readouterr().out == "5 right, 0 wrong\n"
    assert run(["solve", "--check", bad]) == 1
    assert capsys.readouterr().out == f"4 right, 1 wrong\nline 3: {LATE} has 0, not 1\n"
    assert run(["solve", "--check", bad, "--limit", "2"]) == 0
    assert capsys.readouterr().out == "2 right, 0 wrong\n"


def test_early_lines_of_a_file_are_looked_up(capsys: Printed, tmp_path: Path) -> None:
    scores = ["1 2", "2 1", "3 0", "4 -1", "44 1", "4444 1"]  # as the player to move sees it
    file = written(tmp_path / "in", [line.split()[0] for line in scores])

    assert run(["solve", "--batch", file]) == 0
    assert capsys.readouterr().out.splitlines() == scores
    assert run(["solve", "--check", written(tmp_path / "told", scores)]) == 0
    assert capsys.readouterr().out == "6 right, 0 wrong\n"


def test_a_check_of_nothing_is_no_success(capsys: Printed, tmp_path: Path) -> None:
    assert run(["solve", "--check", written(tmp_path / "empty", [])]) == 1
    assert capsys.readouterr().out == "0 right, 0 wrong\n"


def on_a_terminal(*arguments: str) -> tuple[subprocess.Popen[str], int]:
    """Start the command with standard error on a terminal; return it and where to read that."""
    reader, writer = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "plyboard", "solve", *arguments],
        stdout=subprocess.PIPE, stderr=writer, text=True, start_new_session=True,
    )  # fmt: skip
    os.close(writer)
    return process, reader


def read_to_the_end(terminal: int) -> None:
    with suppress(OSError):  # once nobody writes to it any more
        while os.read(terminal, 4096):
            pass


def test_ctrl_c_tells_what_is_proved_by_then() -> None:
    process, terminal = on_a_terminal("connect-four", "--no-book")
    seen = b""
    while not re.search(rb"[1-9] s, [1-9][0-9,]* nodes", seen):
        seen += os.read(terminal, 4096)
    before = processor_seconds_of_ended() + processor_seconds(process.pid)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=PATIENCE)
    seconds = processor_seconds_of_ended() - before
    os.close(terminal)

    assert process.returncode == 130
    assert re.match(r"score: from -?\d+ to \d+, not finished \(.*\)\nnodes: [1-9]", out)
    assert seconds < 1


def test_a_batch_under_a_bar_is_still_printed_where_it_belongs(tmp_path: Path) -> None:
    file = written(tmp_path / "in", [line.split()[0] for line in SOLVED])
    process, terminal = on_a_terminal("--batch", file)
    reader = threading.Thread(target=read_to_the_end, args=(terminal,))
    reader.start()  # a terminal that nobody reads holds up the process once it is full
    out, _ = process.communicate(timeout=PATIENCE)
    reader.join()
    os.close(terminal)

    assert out.splitlines() == SOLVED
