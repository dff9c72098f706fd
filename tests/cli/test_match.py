"""Matches, sequential tests and tournaments by command."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from arena.figures import figures
from cli.processes import PATIENCE
from processes import dying

from plyboard.agents.programs import start_check
from plyboard.arena import event_run
from plyboard.arena.event_store import EventStore
from plyboard.cli.main import _run as run
from plyboard.errors import UnusableError
from plyboard.play.record import read_records

ONE = ["--workers", "1"]
SMALL = ["--game", "connect-four:columns=5,rows=4", "--nodes", "100", "--openings", "random"]
MATCH = ["match", "random", "engine:level=1", "--games", "6", *SMALL]

EXAMPLES = Path(__file__).parents[2] / "examples"
Printed = pytest.CaptureFixture[str]


@pytest.fixture
def store(tmp_path: Path) -> str:
    return str(tmp_path / "event.db")


def test_a_match_is_reported_and_the_same_command_reports_it_again(
    store: str, capsys: Printed
) -> None:
    assert run([*MATCH, "--store", store, *ONE]) == 0
    first = capsys.readouterr()
    assert run([*MATCH, "--store", store]) == 0
    again = capsys.readouterr()

    assert "random against engine:level=1" in first.out
    assert "won, drawn, lost" in first.out
    assert " \n" not in first.out
    assert first.err == ""
    assert again.out == first.out
    assert again.err == "note: 6 of 6 games were played before; --again plays them again\n"


def test_a_match_gives_the_same_figures_with_any_number_of_workers(
    tmp_path: Path, capsys: Printed
) -> None:
    for workers in ("1", "2"):
        path = str(tmp_path / workers)
        assert run([*MATCH, "--json", "--store", path, "--workers", workers]) == 0
    one, two = capsys.readouterr().out.split("\n{")

    assert figures(one) == figures("{" + two)
    assert figures(one)["games"] == 6


def test_a_command_whose_processes_die_ends_with_their_message(
    store: str, capsys: Printed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(event_run, "play_game", dying.play)
    assert run(["sprt", *MATCH[1:], "--store", store, *ONE]) == 5
    said = capsys.readouterr()

    assert said.out == ""
    assert said.err == (
        "error: 3 processes in a row have died: it cannot start: 'ImportError: no such library'\n"
    )


def test_a_pairing_has_at_least_so_many_openings(store: str, capsys: Printed) -> None:
    two = ["match", "random", "engine:level=1", "--games", "2", *SMALL, "--json", *ONE]
    assert run([*two, "--store", store]) == 0
    one_opening = json.loads(capsys.readouterr().out)
    assert run([*two, "--store", f"{store}2", "--least-openings", "3"]) == 0
    three = json.loads(capsys.readouterr().out)

    alone = "; one a pairing, so agents without chance repeat a game"
    assert (one_opening["games"], three["games"]) == (2, 6)
    assert one_opening["settings"]["openings"] == f"1 of 4 plies, random{alone}"
    assert three["settings"]["openings"] == "3 of 4 plies, random"


def test_again_plays_all_games_again(store: str, capsys: Printed) -> None:
    assert run([*MATCH, "--json", "--store", store, *ONE]) == 0
    first = figures(capsys.readouterr().out)
    assert run([*MATCH, "--json", "--store", store, *ONE, "--again"]) == 0
    again = capsys.readouterr()

    assert again.err == ""
    assert figures(again.out) == first


def test_games_and_the_page_are_written_to_files(
    store: str, tmp_path: Path, capsys: Printed
) -> None:
    games, page = tmp_path / "games.txt", tmp_path / "page.html"
    command = [*MATCH, *ONE, "--store", store, "--save", str(games), "--html", str(page)]
    assert run(command) == 0
    capsys.readouterr()

    players = [match.heading.players for match in read_records(str(games))]
    assert players == [("random", "engine:level=1"), ("engine:level=1", "random")] * 3
    assert page.read_text().startswith("<!doctype html>")
    assert run(command) == 4
    assert "exists; --force replaces it" in capsys.readouterr().err
    assert run([*command, "--force"]) == 0


def test_a_store_of_another_match_is_an_error(store: str, capsys: Printed) -> None:
    assert run([*MATCH, *ONE, "--store", store]) == 0
    assert run([*MATCH, *ONE, "--store", store, "--seed", "1"]) == 4
    assert f"error: other event '{store}'"[:50] in capsys.readouterr().err


def test_a_match_without_a_store_has_one_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Printed
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    command = ["match", "random", "engine:level=1", "--games", "2", *SMALL, *ONE]
    for seed in ("1", "2", "1"):
        assert run([*command, "--seed", seed]) == 0

    assert len(list((tmp_path / "plyboard" / "events").glob("*.db"))) == 2
    assert capsys.readouterr().err.count("note: 2 of 2 games were played before") == 1


def test_a_test_ends_with_0_if_h1_is_accepted_and_with_1_if_not(
    tmp_path: Path, capsys: Printed
) -> None:
    hypotheses = ["--elo1", "200", "--json", *SMALL, *ONE]
    strong, weak = ["engine:level=4", "random"], ["random", "engine:level=4"]
    accepted = run(["sprt", *strong, *hypotheses, "--store", str(tmp_path / "strong")])
    strong_facts = figures(capsys.readouterr().out)
    refused = run(["sprt", *weak, *hypotheses, "--store", str(tmp_path / "weak")])
    weak_facts = figures(capsys.readouterr().out)

    assert (accepted, strong_facts["sprt"]["decision"]) == (0, "H1")
    assert (refused, weak_facts["sprt"]["decision"]) == (1, "H0")


def test_a_test_that_is_not_decided_within_its_games_ends_with_1(
    store: str, capsys: Printed
) -> None:
    agents = ["engine:level=1", "engine:level=2"]
    assert run(["sprt", *agents, "--games", "4", "--json", *SMALL, *ONE, "--store", store]) == 1

    assert figures(capsys.readouterr().out)["sprt"]["decision"] is None


def test_a_tournament_by_options_and_by_a_file_is_the_same(tmp_path: Path, capsys: Printed) -> None:
    agents = ["random", "engine:level=1", "engine:level=2"]
    file = tmp_path / "event.toml"
    file.write_text(
        'title = "The small one"\n'
        f"agents = {json.dumps(agents)}\n"
        'game = "connect-four:columns=5,rows=4"\n'
        'format = "swiss"\ngames = 2\nnodes = 100\nopenings = "random"\n'
    )
    options = ["--format", "swiss", "--games", "2", *SMALL, *ONE, "--json"]
    assert run(["tournament", *agents, *options, "--store", str(tmp_path / "one")]) == 0
    one = figures(capsys.readouterr().out)
    assert run(["tournament", str(file), *ONE, "--json", "--store", str(tmp_path / "two")]) == 0
    two = figures(capsys.readouterr().out)

    assert (one.pop("title"), two.pop("title")) == ("swiss of 3 agents", "The small one")
    assert one == two
    assert [sorted(row) for row in one["swiss"]] == [["agent", "buchholz", "byes", "points"]] * 3
    assert one["settings"]["winner"] == one["swiss"][0]["agent"]
    assert sum(row["byes"] for row in one["swiss"]) == 2


def test_a_knockout_names_its_winner(store: str, capsys: Printed) -> None:
    agents = ["random", "engine:level=4", "engine:level=1"]
    options = ["--format", "knockout", "--games", "2", *SMALL, *ONE, "--store", store]
    assert run(["tournament", *agents, *options]) == 0

    assert "winner" in capsys.readouterr().out


FILES: dict[str, tuple[str | bytes, int, str]] = {
    "unknown": ("agent = []", 3, "unknown setting at {file}: got 'agent'; expected agents (of"),
    "text": ("seed = 'one'", 3, "wrong seed at {file}: got '\\'one\\''; expected a number"),
    "number": ("game = 4", 3, "wrong game at {file}: got '4'; expected a text in quotes"),
    "agents": ("agents = 'random'", 3, "wrong agents at {file}: got '\\'random\\''; expected a li"),
    "title": ("title = 7", 3, "wrong title at {file}: got '7'; expected a text of up to 200"),
    "toml": ("agents = [", 3, "no TOML at {file}: "),
    "bytes": (b"\xff", 3, "no text at {file}: got 'bytes that are not UTF-8'; expected TOML"),
    "large": (b"#" * 70_000, 3, "file too large at {file}: got more than 65536 bytes"),
    "nobody": ("agents = ['random', 'nobody']", 2, "unknown agent: got 'nobody'"),
    "games": ("agents = ['random', 'alice']\ngames = 3", 2, "wrong games: got '3'; expected an ev"),
    "nothing": ("", 2, "wrong agents: got 0; expected 2 to 200"),
}


@pytest.mark.parametrize("case", FILES)
def test_a_wrong_file_is_told_in_one_line(case: str, tmp_path: Path, capsys: Printed) -> None:
    text, code, message = FILES[case]
    file = tmp_path / "e.toml"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())

    assert run(["tournament", str(file)]) == code
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith(f"error: {message.format(file=_shown(file))}")
    assert printed.err.count("\n") == 1


def test_options_of_the_games_do_not_go_with_a_file(tmp_path: Path, capsys: Printed) -> None:
    file = tmp_path / "event.toml"
    file.write_text("agents = ['random', 'alice']")

    assert run(["tournament", str(file), "--games", "2"]) == 2
    assert "option not wanted: got '--games'; expected it in" in capsys.readouterr().err


def test_ctrl_c_keeps_the_results_and_the_same_command_goes_on(store: str) -> None:
    command = [
        sys.executable, "-m", "plyboard", "match", "random", "engine:level=2", "--games", "400",
        *SMALL, "--store", store, "--workers", "2",
    ]  # fmt: skip
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    until = time.monotonic() + PATIENCE
    while (played := stored(store)) < 3:
        assert process.poll() is None
        assert time.monotonic() < until
        time.sleep(0.01)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: also to the workers
    out, err = process.communicate(timeout=PATIENCE)

    assert process.returncode == 130
    assert "random against engine:level=2" in out
    assert err.splitlines() == [
        "note: results are stored; the same command goes on",
        "error: interrupted",
    ]
    assert stored(store) >= played


def stored(store: str) -> int:
    try:
        with EventStore.read(Path(store)) as event:
            return len(list(event.played()))
    except UnusableError:  # it was not created yet
        return 0


def _shown(path: Path) -> str:
    from plyboard.errors import shown

    return shown(str(path))


def test_a_program_that_does_not_start_ends_the_command_before_any_game(
    store: str, tmp_path: Path, capsys: Printed, monkeypatch: pytest.MonkeyPatch
) -> None:
    tmp_path.chmod(0o755)  # a program of root runs as nobody
    bot = tmp_path / "bot.py"
    spec = f"json:python3 {bot}"
    command = ["match", spec, "random", "--games", "2", *SMALL, "--store", store, *ONE]
    assert run(command) == 5
    assert f"cannot start '{spec}': crash: it ended with exit code 2" in capsys.readouterr().err
    assert not Path(store).exists()

    bot.write_text((EXAMPLES / "json_bot.py").read_text())
    assert run(command) == 0
    capsys.readouterr()
    monkeypatch.setattr(start_check, "broken_programs", None)
    assert run(command) == 0  # all games were played: it is not started again
    assert "2 of 2 games" in capsys.readouterr().err


def test_all_programs_that_do_not_start_are_named_and_can_be_left_out(
    store: str, tmp_path: Path, capsys: Printed
) -> None:
    broken = ["json:true", "json:no-such-program"]
    good = f"json:sh {EXAMPLES / 'json_bot.sh'}"
    command = ["tournament", *broken, "random", good, "--games", "2", *SMALL, "--json", *ONE]
    assert run([*command, "--store", store]) == 5
    said = capsys.readouterr().err.splitlines()
    assert run([*command, "--store", store, "--skip-broken"]) == 0
    left = capsys.readouterr()

    assert len(said) == 3
    assert said[-1] == ("error: 2 programs cannot be started: 'json:true', 'json:no-such-program'")
    assert [line.partition("'")[0] for line in left.err.splitlines()] == [
        "note: left out: cannot start ", "note: left out: cannot start ",
    ]  # fmt: skip
    assert {each["agent"] for each in json.loads(left.out)["agents"]} == {"random", good}
    assert run([*command, "--skip-broken", "--on", "ray"]) == 2
    assert run(["tournament", *broken, "random", *SMALL, *ONE, "--skip-broken"]) == 5


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--html", "nowhere/page.html"], "cannot write 'nowhere/page.html': No such file"),
        (["--save", ".", "--force"], "cannot write '.': Is a directory"),
        (["--html", "one", "--save", "one"], "file given twice: got 'one'; expected not that of"),
        (["--save", "event.db", "--force"], "expected not that of --store"),
    ],
)
def test_a_file_that_cannot_be_written_ends_the_command_before_any_game(
    options: list[str], message: str, tmp_path: Path, capsys: Printed,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    assert run([*MATCH, "--store", "event.db", *options]) in (2, 4)
    assert message in capsys.readouterr().err
    assert not list(tmp_path.iterdir())
