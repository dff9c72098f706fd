"""Specs, which name games and agents with their settings: `name:key=value,key=value`."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields, is_dataclass
from functools import cache
from typing import Any, NamedTuple, Protocol
from urllib.parse import urlsplit

from plyboard.errors import SpecError, shown

NAME = re.compile(r"[a-z][a-z0-9-]*", re.ASCII)
PAIR = re.compile(r"([a-z][a-z0-9-]*)=([!-+\--~]*)", re.ASCII)
OPTION = re.compile(r"([a-z]+|option\.[ -+\--<>-~]+)=([ -+\--~]*)(,|$)", re.ASCII)
IN_FILE = re.compile(r"(.+?\.py):([A-Za-z_]\w*)((?::[^ ]*)?(?: .*)?)", re.DOTALL | re.ASCII)
LONGEST, LONGEST_WITH_COMMAND = 200, 2000

COMMAND = "command"
WITH_COMMAND = ("uci", "json", "sandbox")
LONGEST_WITH_FILE = 1 << 16
"""The names whose specs end with a command line: `uci:COMMAND`, `uci:memory=64,command=COMMAND`."""


class Setting(Protocol):
    """A setting of a spec."""

    @property
    def name(self) -> str:
        """The key before the `=`."""

    @property
    def default(self) -> Any:
        """The value if the spec does not set it; None means no limit."""

    @property
    def range(self) -> str:
        """The valid values, in words."""

    def read(self, text: str) -> Any:
        """Return the value of a text; raise `SpecError` if it is not valid."""


@dataclass(frozen=True)
class Parameter:
    """A setting that is a whole number."""

    name: str
    default: int
    least: int
    most: int
    even: bool = False

    @property
    def range(self) -> str:
        """The valid values, in words."""
        return f"{'an even' if self.even else 'a whole'} number from {self.least} to {self.most}"

    def read(self, text: str) -> int:
        """Return the number of a text; raise `SpecError` if it is not valid."""
        if not re.fullmatch(r"0|[1-9][0-9]{0,8}", text, re.ASCII):
            raise self._refused(text)
        number = int(text)
        if not self.least <= number <= self.most or (self.even and number % 2):
            raise self._refused(text)
        return number

    def _refused(self, text: str) -> SpecError:
        return SpecError("wrong value", where=self.name, got=shown(text), expected=self.range)


@dataclass(frozen=True)
class Limit:
    """A setting that is a limit; no limit if it is not set."""

    name: str
    least: float
    most: float
    whole: bool = True
    default: None = None

    @property
    def range(self) -> str:
        """The valid values, in words."""
        return f"a {'whole ' if self.whole else ''}number from {self.least:g} to {self.most:.0f}"

    def read(self, text: str) -> float:
        """Return the number of a text; raise `SpecError` if it is not valid."""
        form = r"0|[1-9][0-9]{0,15}" if self.whole else r"[0-9]{1,9}(\.[0-9]{1,6})?"
        if re.fullmatch(form, text, re.ASCII):
            number = int(text) if self.whole else float(text)
            if self.least <= number <= self.most:
                return number
        raise SpecError("wrong value", where=self.name, got=shown(text), expected=self.range)


@dataclass(frozen=True)
class OneOf:
    """A setting that is one of several words."""

    name: str
    default: str
    choices: tuple[str, ...]

    @property
    def range(self) -> str:
        """The valid values, in words."""
        return f"one of {', '.join(self.choices)}"

    def read(self, text: str) -> str:
        """Return the word; raise `SpecError` if it is not one of the choices."""
        if text not in self.choices:
            raise SpecError("wrong value", where=self.name, got=shown(text), expected=self.range)
        return text


@dataclass(frozen=True)
class Label:
    """A setting that is a name."""

    name: str
    default: str
    longest: int

    @property
    def range(self) -> str:
        """The valid values, in words."""
        return f"up to {self.longest} letters, digits, '.', '_' or '-'"

    def read(self, text: str) -> str:
        """Return the name; raise `SpecError` if it is not one."""
        if not re.fullmatch(rf"[A-Za-z0-9._-]{{1,{self.longest}}}", text, re.ASCII):
            raise SpecError("wrong value", where=self.name, got=shown(text), expected=self.range)
        return text


@dataclass(frozen=True)
class ServerAddress:
    """A setting that is the address of a server, without a path."""

    name: str
    default: str

    @property
    def range(self) -> str:
        """The valid values, in words."""
        return "an address such as http://127.0.0.1:8000"

    def read(self, text: str) -> str:
        """Return the address without a slash at its end; raise `SpecError` if it is not one."""
        address = text.removesuffix("/")
        if not _is_server(address):
            raise SpecError("wrong value", where=self.name, got=shown(text), expected=self.range)
        return address


def _is_server(text: str) -> bool:
    """Return whether a text is a scheme and a host, perhaps with a port, and nothing else."""
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:  # a port that is no number, or half an address of IPv6
        return False
    host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname
    netloc = f"{host}:{port}" if port is not None else host
    return (
        parts.scheme in ("http", "https")
        and bool(host)
        and text.lower() == (f"{parts.scheme}://{netloc}")
    )


def split_spec(text: str) -> tuple[str, dict[str, str]]:
    """Return the name of a spec and its values as texts; a command is the last of them.

    The name may be a class in a file: `FILE.py:CLASS`.
    """
    if found := split_file_spec(text):
        name, (_, colon, rest) = f"{found.file}:{found.class_name}", found.rest.partition(":")
        return name, _split_pairs(name, rest) if colon else {}
    name, colon, rest = text.partition(":")
    most = LONGEST_WITH_COMMAND if name in WITH_COMMAND else LONGEST
    if len(text) > most:
        raise SpecError("spec too long", got=f"{len(text)} characters", expected=f"at most {most}")
    if name in WITH_COMMAND:
        return name, _split_command(name, rest)
    if not NAME.fullmatch(name):
        raise SpecError("no spec", got=shown(text), expected="name:key=value,key=value")
    return name, _split_pairs(name, rest) if colon else {}


def _split_pairs(name: str, text: str) -> dict[str, str]:
    """Return the values of `key=value,key=value`."""
    values: dict[str, str] = {}
    for pair in text.split(","):
        match = PAIR.fullmatch(pair)
        if not match:
            raise SpecError("no setting", where=name, got=shown(pair), expected="key=value")
        if match[1] in values:
            raise SpecError(
                "setting given twice", where=name, got=shown(match[1]), expected="it once"
            )
        values[match[1]] = match[2]
    return values


class FileSpec(NamedTuple):
    """A spec whose name is a class in a file: `FILE.py:CLASS:key=value`."""

    file: str
    class_name: str
    rest: str  # the settings with their colon, and what follows behind a blank


def split_file_spec(text: str) -> FileSpec | None:
    """Return the parts of a text that begins with a class in a file; None if it does not."""
    match = IN_FILE.fullmatch(text) if len(text) <= LONGEST_WITH_FILE else None
    named = match is not None and match[1].partition(":")[0] not in WITH_COMMAND
    return FileSpec(match[1], match[2], match[3]) if match and named else None


@cache
def check_fields(kind: type) -> None:
    """Raise `SpecError` if the fields of a class contradict its declared parameters."""
    parameters: tuple[Parameter, ...] = getattr(kind, "parameters", ())
    if not is_dataclass(kind):
        return
    own = {each.name: each.default for each in fields(kind) if each.init}
    for each in parameters:
        found = own.get(each.name, MISSING)
        if found is not MISSING and found != each.default:
            raise SpecError(
                f"wrong default in {kind.__name__}", where=each.name, got=f"{found!r} of its field",
                expected=f"{each.default}, as its parameters say",
            )  # fmt: skip


def _split_command(name: str, rest: str) -> dict[str, str]:
    """Return the settings before a command, and the command; it may hold commas and blanks."""
    values: dict[str, str] = {}
    while not rest.startswith(f"{COMMAND}=") and (found := OPTION.match(rest)):
        if found[1] in values:
            raise SpecError(
                "setting given twice", where=name, got=shown(found[1]), expected="it once"
            )
        values[found[1]] = found[2]
        rest = rest[found.end() :]
    command = rest.removeprefix(f"{COMMAND}=")
    if not command.strip() or not command.isprintable():
        raise SpecError("no command", where=name, got=shown(command), expected=f"{name}:COMMAND")
    return {**values, COMMAND: command}


def read_values(
    name: str, parameters: Sequence[Setting], given: Mapping[str, str]
) -> dict[str, Any]:
    """Return the value of each parameter, given or default; raise if a key is unknown."""
    known = {parameter.name: parameter for parameter in parameters}
    for key in given:
        if key not in known:
            raise SpecError(
                "unknown setting", where=name, got=shown(key), expected=choices(key, known)
            )
    return {
        key: parameter.read(given[key]) if key in given else parameter.default
        for key, parameter in known.items()
    }


def write_spec(name: str, parameters: Sequence[Parameter], values: Mapping[str, int]) -> str:
    """Return the shortest spec for these values: defaults are left out."""
    given = [
        f"{parameter.name}={values[parameter.name]}"
        for parameter in parameters
        if values[parameter.name] != parameter.default
    ]
    return f"{name}:{','.join(given)}" if given else name


def choices(wrong: str, right: Iterable[str]) -> str:
    """List the valid names, the one closest to the wrong one first."""
    names = list(right)
    if not names:
        return "none: it has no settings"
    near = difflib.get_close_matches(wrong[:40], names, n=1)
    if near:
        return f"{near[0]} (of {', '.join(names)})" if len(names) > 1 else near[0]
    return f"one of {', '.join(names)}"
