"""Import and export over HTTP: every format there and back, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import pytest
from server.harness import Client, serving

from plyboard.games import GAMES, Position
from plyboard.games.formats import known_formats
from plyboard.games.reading import MOST_BYTES as POSITION_BYTES
from plyboard.play.record import MOST_BYTES as RECORD_BYTES

GAMES_FILE = Path(__file__).parents[3] / "examples" / "games.txt"
MOVES = {
    "connect-four": "4 4 5 5",
    "conniption": "4 4f 5 f5",
    "extended": "2 4 3 5",
    "squatter": "c2 a1 b3 a2",
}
FORMS = [
    (kind.name, form)
    for kind in GAMES
    for form in (*(each.name for each in known_formats() if kind.name in each.games), "record",
                 "record-json")
]  # fmt: skip


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(tmp_path_factory.mktemp("server") / "games.db") as found:
        yield found


def request(
    address: str,
    method: str,
    path: str,
    body: str | bytes | None = None,
    headers: dict[str, str] | None = None,
) -> tuple[int, str]:
    """Return the status and the body of an answer."""
    connection = HTTPConnection(urlsplit(address).netloc, timeout=60)
    try:
        connection.request(method, path, body, headers or {})
        answer = connection.getresponse()
        return answer.status, answer.read().decode()
    finally:
        connection.close()


def post(
    address: str, text: str | bytes, query: str = "", kind: str = "text/plain", **more: str
) -> tuple[int, dict[str, Any]]:
    headers = {"Content-Type": kind, **{key.replace("_", "-"): more[key] for key in more}}
    status, body = request(address, "POST", f"/import?{query}", text, headers)
    return status, json.loads(body)


def code(answer: tuple[int, dict[str, Any]]) -> tuple[int, str]:
    error = answer[1]["error"]
    assert set(error) == {"code", "message", "detail", "request_id"}
    return answer[0], error["code"]


@pytest.mark.parametrize(("game", "form"), FORMS)
def test_every_format_comes_back_as_it_was_written(address: str, game: str, form: str) -> None:
    moves = MOVES[game].split()
    position = Position(game)
    for move in moves:
        position = position.play(move)
    path = f"/convert?game={game}&moves={'.'.join(moves)}&to={form}"
    status, text = request(address, "GET", path)
    assert status == 200, text

    for chosen in (form, ""):  # named, and found by itself
        found = post(address, text, f"format={chosen}&game={game}")[1]
        back = Position(found["game"], found["start"]) if found["start"] else Position(game)
        for move in found["moves"]:
            back = back.play(move)
        assert back.text() == position.text()


def test_every_format_of_the_command_line_is_offered(address: str) -> None:
    with Client(address) as client:
        kinds = client.ask("games")["games"]

    names = {name for name, _ in FORMS}  # others come from files that other tests have read
    offered = {(kind["name"], each["name"]) for kind in kinds for each in kind["formats"]}
    assert {each for each in offered if each[0] in names} == set(FORMS)


def test_a_game_of_a_file_is_imported_with_its_variations(address: str) -> None:
    text = GAMES_FILE.read_text()
    first = post(address, text)[1]
    second = post(address, text, "number=2")

    assert first["moves"] == list("4455667")
    assert first["variations"] == [list("44536"), list("44563")]
    assert (first["title"], first["games"]) == ("Alice - Bill, 1-0", 2)
    assert code(second) == (400, "unreadable")  # it has a lost turn
    assert "lost turn" in second[1]["error"]["message"]


def test_variations_are_exported_with_a_game(address: str) -> None:
    text = GAMES_FILE.read_text()
    game = post(address, text)[1]
    lines = "".join(f"&variation={'.'.join(line)}" for line in game["variations"])
    path = f"/convert?game=connect-four&to=record&moves={'.'.join(game['moves'])}{lines}"
    status, record = request(address, "GET", path)

    assert status == 200
    assert "(2... 3 3. 6) (2... 6 3. 3)" in " ".join(record.split())
    assert post(address, record)[1]["variations"] == game["variations"]


@pytest.mark.parametrize(
    ("text", "query", "expected", "place"),
    [
        ("e\nab\nabx\n", "", (400, "unreadable"), "3:3"),
        ("4 4 8", "", (400, "unreadable"), "1:5"),
        ("4444444", "", (422, "illegal"), "1:7"),
        ("", "", (400, "unreadable"), "1:1"),
        ("4", "format=nothing", (400, "unreadable"), ""),
        ("4", "game=nothing", (400, "unreadable"), ""),
        ("4", "format=moves&format=moves", (400, "bad_request"), ""),
        ("4", "number=0", (400, "bad_request"), ""),
        ("4", f"game={'x' * 201}", (400, "bad_request"), ""),
        ("x" * (POSITION_BYTES + 1), "", (400, "unreadable"), ""),
        ("[Plyboard \"1\"]\n", "", (400, "unreadable"), "1:1"),
        ("4\x00", "", (400, "unreadable"), "1:2"),
    ],
)  # fmt: skip
def test_what_cannot_be_imported_is_refused_with_its_place(
    address: str, text: str, query: str, expected: tuple[int, str], place: str
) -> None:
    answer = post(address, text, query)

    assert code(answer) == expected
    assert answer[1]["error"]["detail"] == place


def test_only_plain_text_of_a_known_and_allowed_length_is_read(address: str) -> None:
    assert code(post(address, "4", kind="text/html")) == (415, "wrong_type")
    assert code(post(address, "4", Content_Encoding="gzip")) == (415, "wrong_type")
    assert code(post(address, "4", Origin="http://evil.example")) == (403, "wrong_origin")
    too_long = str(RECORD_BYTES + 1)
    assert code(post(address, "4", Content_Length=too_long)) == (413, "too_big")
    connection = HTTPConnection(urlsplit(address).netloc, timeout=60)
    connection.request("POST", "/import", iter([b"4"]), {"Content-Type": "text/plain"})
    answer = connection.getresponse()
    assert (answer.status, json.loads(answer.read())["error"]["code"]) == (411, "no_length")
    connection.close()
    assert request(address, "GET", "/import")[0] == 405


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("game=connect-four&moves=4.4&to=nothing", (400, "unreadable")),
        ("game=connect-four&moves=4.4", (400, "unreadable")),
        ("game=connect-four&moves=9&to=moves", (400, "unreadable")),
        ("game=connect-four&moves=4.4.4.4.4.4.4&to=moves", (422, "illegal")),
        ("game=squatter&to=moves&start=" + quote("no position"), (400, "unreadable")),
        ("game=connect-four&to=squatter-board", (400, "unreadable")),
    ],
)
def test_what_cannot_be_exported_is_refused(
    address: str, query: str, expected: tuple[int, str]
) -> None:
    status, body = request(address, "GET", f"/convert?{query}")

    assert code((status, json.loads(body))) == expected
