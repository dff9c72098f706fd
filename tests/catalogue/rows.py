"""Reads the rows of bad input from the data files beside this one.

A file holds `[[row]]` tables, which say themselves what to run, or two lists that are multiplied:
each `[[change]]` of common.toml is made to each `[[kind]]` of file, and each `[[number]]` of
numbers.toml is put in each `[[place]]` for one. Every product is a row with a name of its own.

In texts `{5000*1}` stands for 5,000 times what is behind the star, and `{0xff}` for a byte.
"""

from __future__ import annotations

import gzip
import io
import re
import tomllib
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
FILE = "in.txt"
WINNER = "winner"


@dataclass(frozen=True)
class Row:
    """What to run, and what has to come of it."""

    id: str
    run: tuple[str, ...]
    code: tuple[int, ...]  # more than one where the contract leaves room
    error: str = ""  # a pattern that the text after `error: ` begins with
    note: str = ""  # a pattern for a line `note: ` on standard error
    stdout: str | None = None  # all of it; with an error there must be none
    has: tuple[str, ...] = ()  # patterns that are found in standard output
    lacks: tuple[str, ...] = ()  # patterns that are not
    stdin: bytes = b""
    files: Mapping[str, bytes] = field(default_factory=dict)
    sparse: Mapping[str, int] = field(default_factory=dict)  # files of so many zero bytes
    folders: tuple[str, ...] = ()
    pipes: tuple[str, ...] = ()
    links: Mapping[str, str] = field(default_factory=dict)
    left: Mapping[str, bytes] = field(default_factory=dict)  # files new or changed afterwards
    env: Mapping[str, str] = field(default_factory=dict)
    unset: tuple[str, ...] = ()
    process: bool = False  # needs a process of its own
    output: str = ""  # where standard output goes: a device, `gone` (a pipe) or `closed`
    errors: str = ""  # where standard error goes: a device or `gone`
    closed: tuple[str, ...] = ()  # `stdin` or `stderr`: not open at all
    limits: Mapping[str, int] = field(default_factory=dict)  # as `ulimit` names them
    signal: str = ""  # sent once the command runs
    seconds: float = 5.0  # more than this is a hang; to compile takes longer
    worst: bool = False  # its time and memory are measured


def all_rows() -> list[Row]:
    """Return every row of every file, in the order of the files."""
    found: list[Row] = []
    for path in sorted(HERE.glob("*.toml")):
        tables = tomllib.loads(path.read_text("utf-8"))
        found += [read_row(table) for table in tables.pop("row", ())]
        found += _changed(tables.pop("kind", ()), tables.pop("change", ()))
        found += _numbered(tables.pop("place", ()), tables.pop("number", ()))
        assert not tables, f"{path.name}: unknown lists {sorted(tables)}"
    return found


def read_row(table: Mapping[str, Any]) -> Row:
    """Return the row of a table; a key that rows do not have is a mistake."""
    values = dict(table)
    if "format" in values:
        values = _convert(values)
    if "repeat" in values:  # the last argument so many times
        values["run"] = [*values["run"], *values["run"][-1:] * (values.pop("repeat") - 1)]
    if "stdin_hex" in values:
        values["stdin"] = bytes.fromhex(values.pop("stdin_hex"))
    if "files_hex" in values:
        given = values.pop("files_hex")
        values["files"] = {name: bytes.fromhex(text) for name, text in given.items()}
    unknown = set(values) - {each.name for each in fields(Row)}
    assert not unknown, f"{table['id']}: unknown keys {sorted(unknown)}"
    values["run"] = [expanded(word) for word in values["run"]]
    for key in ("files", "left"):
        values[key] = {name: as_bytes(data) for name, data in values.get(key, {}).items()}
    values["stdin"] = as_bytes(values.get("stdin", b""))
    code = values["code"]
    values["code"] = code if isinstance(code, list) else [code]
    return Row(**{key: _frozen(value) for key, value in values.items()})


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def expanded(text: str) -> str:
    """Return a text with what stands in braces written out."""
    text = re.sub(r"\{([0-9]+)\*([^}]*)\}", lambda match: int(match[1]) * match[2], text)
    return re.sub(r"\{0x([0-9a-f]{2})\}", lambda match: chr(0xDC00 + int(match[1], 16)), text)


def as_bytes(data: str | bytes) -> bytes:
    """Return the bytes of a text, written out."""
    return data if isinstance(data, bytes) else expanded(data).encode("utf-8", "surrogateescape")


def _convert(values: dict[str, Any]) -> dict[str, Any]:
    """Write out the short form for a row that converts a text or asks for its winner."""
    chosen, text = values.pop("format"), values.pop("text")
    run = [WINNER, FILE] if chosen == WINNER else ["convert", FILE, "--from", chosen]
    for key, option in (("to", "--to"), ("game", "--game")):
        if key in values:
            run += [option, values.pop(key)]
    return values | {"run": run, "files": {FILE: text}}


def _changed(kinds: list[dict[str, Any]], changes: list[dict[str, Any]]) -> Iterator[Row]:
    """Yield a row for each change to the good text of each kind of file."""
    for kind in kinds:
        seen: set[bytes] = set()
        for change in changes:
            values = dict(change)
            if change["id"] in kind.get("skips", ()):
                continue
            data = _change(kind, values)
            if data is None or data in seen:  # not made here, or the same on a single line
                continue
            seen.add(data)
            values["id"] = f"{kind['name']}-{values['id']}"
            if values.pop("accepted", False):
                values |= {"code": 0, "stdout": kind["out"]}
            else:
                values.setdefault("code", 3)
            yield replace(read_row(values | {"run": kind["run"]}), files={FILE: data})


def _change(kind: dict[str, Any], change: dict[str, Any]) -> bytes | None:
    """Return the bytes of a kind's good text after a change, which loses the keys that tell how."""
    good: str = kind["good"]
    data = good.encode()
    ways: dict[str, Any] = {
        "use": lambda key: kind.get(key) and as_bytes(kind[key]),
        "whole": as_bytes,
        "whole_hex": bytes.fromhex,
        "before": lambda text: as_bytes(text) + data,
        "insert": lambda text: data[:1] + as_bytes(text) + data[1:],
        "insert_hex": lambda text: data[:1] + bytes.fromhex(text) + data[1:],
        "after": lambda text: data + as_bytes(text),
        "ends": lambda text: data.replace(b"\n", as_bytes(text)),
        "last_end": lambda text: data.removesuffix(b"\n") + as_bytes(text),
        "fill_up": lambda size: data + b"\n" * (size - len(data)),
        "encode": good.encode,
        "pack": lambda how: gzip.compress(data, mtime=0) if how == "gzip" else zipped(data),
    }
    (way,) = set(change) & set(ways)
    changed: bytes | None = ways[way](change.pop(way))
    return changed


def zipped(data: bytes) -> bytes:
    """Return an archive with one file in it."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr(zipfile.ZipInfo(FILE), data)
    return archive.getvalue()


def _numbered(places: list[dict[str, Any]], numbers: list[dict[str, Any]]) -> Iterator[Row]:
    """Yield a row for each wrong number in each place where one is read."""
    for place in places:
        for number in numbers:
            text = number["text"]
            if text in place.get("right", ()):
                continue
            error = f"{number['got']}; expected .*{place['range']}"
            if place.get("in_spec") and "in_spec" in number:  # a spec ends at a blank or comma
                error = number["in_spec"]
            yield read_row({
                "id": f"{place['name']}-{number['id']}",
                "run": [word.replace("NUMBER", text) for word in place["run"]],
                "code": 2,
                "error": f".*{error}",
            })  # fmt: skip
