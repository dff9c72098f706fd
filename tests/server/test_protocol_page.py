"""Every example of docs/protocol.md is replayed against a real server."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from server.harness import Client, serving

import plyboard.server
from plyboard.server.game.decisions import Code

PAGE = (Path(__file__).parent.parent.parent / "docs" / "protocol.md").read_text("utf-8")
LINE = re.compile(r"^([AB])([<>]) (\{.*\})$", re.MULTILINE)


def test_the_examples_of_the_protocol_are_true(tmp_path: Path) -> None:
    values: dict[str, str] = {}
    with serving(tmp_path / "games.db") as address:
        clients = {name: Client(address, hello=False) for name in "AB"}
        try:
            for name, way, text in LINE.findall(PAGE):
                message = json.loads(text)
                if way == ">":
                    clients[name].send(json.dumps(filled(message, values)))
                else:
                    received = clients[name].receive()
                    assert matches(message, received, values), (text, received)
        finally:
            for client in clients.values():
                client.close()
    assert len(LINE.findall(PAGE)) == len(re.findall(r"^[AB][<>]", PAGE, re.MULTILINE)) > 30


def filled(message: Any, values: dict[str, str]) -> Any:
    """Return a message with the values that its `$` names stand for."""
    if isinstance(message, dict):
        return {key: filled(value, values) for key, value in message.items()}
    return values.get(message, message) if isinstance(message, str) else message


def matches(wanted: Any, found: Any, values: dict[str, str]) -> bool:
    """Return whether a message is as the page says, and keep the values of its `$` names."""
    if wanted == "...":
        return True
    if isinstance(wanted, str) and wanted.startswith("$"):
        return bool(values.setdefault(wanted, found) == found)
    if isinstance(wanted, dict):
        is_part = "..." in wanted
        named = {key for key in wanted if key != "..."}
        return (
            isinstance(found, dict)
            and (named <= set(found) if is_part else named == set(found))
            and all(matches(wanted[key], found[key], values) for key in named)
        )
    if isinstance(wanted, list):
        return (
            isinstance(found, list)
            and len(wanted) == len(found)
            and all(matches(*pair, values) for pair in zip(wanted, found, strict=True))
        )
    return bool(wanted == found)


def test_the_page_names_every_code() -> None:
    folder = Path(plyboard.server.__path__[0])
    texts = "".join(path.read_text("utf-8") for path in folder.rglob("*.py"))
    codes = set(re.findall(r'(?:RequestError|ErrorAnswer)\(\s*(?:[^",]+, )?"([a-z_]+)"', texts))
    codes |= {code.value for code in Code}

    assert len(codes) > 20
    assert {code for code in codes if f"`{code}`" not in PAGE} == set()
