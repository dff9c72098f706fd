from __future__ import annotations

import pytest

from plyboard.agents import agent
from plyboard.agents.person import Person, is_person
from plyboard.arena.game_task import GameTask
from plyboard.arena.play_game import play_game
from plyboard.cli.main import _run as run
from plyboard.errors import SpecError, UsageError
from plyboard.games import Position


def test_a_person_has_a_server_a_name_and_patience() -> None:
    assert agent("person") == Person("http://127.0.0.1:8000", "person", 600)
    ann = agent("person:server=https://play.example.org/,name=Ann,wait=60")
    assert ann == Person("https://play.example.org", "Ann", 60)
    assert agent("person:server=http://[::1]:8000") == Person("http://[::1]:8000", "person", 600)
    assert is_person("person:name=Ann")
    assert not is_person("json:person")


@pytest.mark.parametrize(
    "setting",
    [
        "server=", "server=127.0.0.1:8000", "server=ftp://h", "server=http://", "server=http://h/x",
        "server=http://u@h", "server=http://h:x", "server=http://h:99999", "server=http://[::1",
        "server=http://h?x", "server=http://h#x", "name=", "name=A/B", f"name={'a' * 33}", "wait=0",
        "wait=1.5",
    ],
)  # fmt: skip
def test_a_wrong_setting_is_refused(setting: str) -> None:
    with pytest.raises(SpecError, match="wrong value at"):
        agent(f"person:{setting}")


def test_a_person_is_no_search() -> None:
    with pytest.raises(UsageError, match="no search: got person; expected it in plyboard match"):
        agent("person").choose(Position("connect-four"))
    played = play_game(GameTask(0, 0, "random", "person", "connect-four"))
    assert played.result == "1-0"
    assert "no search" in played.fault


def test_the_settings_of_a_person_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["agents", "person"]) == 0
    assert "  server: an address such as http://127.0.0.1:8000; default http" in (
        capsys.readouterr().out
    )
    assert run(["agents"]) == 0
    assert "  person, somebody who joins each game" in capsys.readouterr().out
