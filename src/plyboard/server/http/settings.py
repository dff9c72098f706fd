"""The settings of a server: from options, the environment and a TOML file, in this order."""

from __future__ import annotations

import dataclasses
import os
import re
import stat
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from ipaddress import ip_address, ip_network
from pathlib import Path

from plyboard.errors import Place, UnusableError, UsageError, shown
from plyboard.server.http.access import AccessRules, is_origin
from plyboard.server.limits import DEFAULT_LIMITS, LOCAL_LIMITS, ServerLimits

LOOPBACK = ("127.0.0.1", "::1", "localhost")
PREFIX = "PLYBOARD_"
FIXED_LIMITS = ("name_length",)  # part of the protocol
MOST_TIMES = 100  # the default value of a limit
LARGEST_FILE = 65_536
LONGEST_NAME = 200  # characters of a file that an error shows
SHORTEST_SECRET = 32  # characters
ORIGIN_FORM = "the address of a page without a path, such as https://play.example.org"


@dataclass(frozen=True)
class ServerSettings:
    """Everything that a server is told when it starts."""

    host: str = "127.0.0.1"
    port: int | None = None
    store: str = ""
    public: bool = False
    origins: tuple[str, ...] = ()
    proxies: tuple[str, ...] = ()
    secret_file: str = ""
    limits: Mapping[str, float] = field(default_factory=dict)  # those that are not the usual ones
    config: str = ""  # the file that some of them come from

    @property
    def access(self) -> AccessRules:
        """Who may connect."""
        return AccessRules(frozenset(self.origins), tuple(map(ip_network, self.proxies)))

    @property
    def server_limits(self) -> ServerLimits:
        """All limits."""
        usual = DEFAULT_LIMITS if self.public else LOCAL_LIMITS
        return dataclasses.replace(usual, **self.limits)  # type: ignore[arg-type]

    def secret(self) -> str:
        """Return the secret that protects the figures of a public server."""
        return read_secret(self.secret_file) if self.public else ""


@dataclass(frozen=True)
class Given:
    """A value somebody has set, and where."""

    key: str
    value: object
    where: Place

    def wrong(self, expected: str) -> UsageError:
        """Return the error for a value that cannot be used."""
        text = self.value if isinstance(self.value, str) else repr(self.value)
        return UsageError("wrong setting", where=self.where, got=shown(text), expected=expected)


def read_settings(
    options: Mapping[str, object],
    file: str | None = None,
    environment: Mapping[str, str] = os.environ,
) -> ServerSettings:
    """Return checked settings; raise `UsageError` or `UnusableError`.

    Options that are None, False or an empty list were not given.
    """
    if file is None:
        file = environment.get(f"{PREFIX}CONFIG")
    values: dict[str, object] = {}
    for given in (*_in_file(file), *_in_environment(environment), *_in_options(options)):
        values[given.key] = _checked(given)
    limits = {key: value for key, value in values.items() if key not in _KEYS}
    plain = {key: value for key, value in values.items() if key in _KEYS}
    settings = ServerSettings(**plain, limits=limits, config=file or "")  # type: ignore[arg-type]
    _check_together(settings)
    return settings


def _check_together(settings: ServerSettings) -> None:
    if not settings.public:
        if settings.host not in LOOPBACK:
            expected = "127.0.0.1, ::1 or localhost; other machines need --public"
            raise UsageError("wrong host", got=shown(settings.host), expected=expected)
        for name in ("origins", "proxies", "secret_file"):
            if getattr(settings, name):
                raise UsageError("wrong settings", got=f"{name}", expected="--public with it")
        return
    if not settings.origins:
        raise UsageError(
            "a public server needs the addresses of its pages",
            expected=f"--origin with {ORIGIN_FORM}",
        )
    if not settings.proxies and any(each.startswith("https:") for each in settings.origins):
        raise UsageError(
            "a server behind HTTPS needs the address of its proxy",
            expected="--proxy with it, such as 127.0.0.1; else all clients share their limits",
        )
    if not settings.secret_file:
        raise UsageError(
            "a public server needs a secret for its figures",
            expected="--secret-file with a file of 32 random characters that only you can read",
        )


def read_secret(file: str) -> str:
    """Return the secret in a file; refuse one that others may read or guess."""
    path = Path(file)
    try:
        mode, text = path.stat().st_mode, path.read_text("utf-8").strip()
    except (OSError, ValueError) as fault:
        raise UnusableError.of("cannot read", file, fault) from fault
    if mode & stat.S_IRWXO:
        raise UnusableError(f"{shown(file)} can be read by everybody", expected=f"chmod 600 {file}")
    if (
        len(text) < SHORTEST_SECRET
        or len(set(text)) < SHORTEST_SECRET // 4
        or not text.isprintable()
    ):
        raise UnusableError(
            f"the secret in {shown(file)} is too simple",
            expected=f"at least {SHORTEST_SECRET} random characters: openssl rand -hex 32",
        )
    return text


# ----------------------------------------------------------------------------- where they come from


def _in_options(options: Mapping[str, object]) -> Iterator[Given]:
    for key, value in options.items():
        if value is not None and value is not False and value != []:
            name = key.removesuffix("s") if isinstance(value, list | tuple) else key
            yield Given(key, value, Place(name="--" + name.replace("_", "-")))


def _in_environment(environment: Mapping[str, str]) -> Iterator[Given]:
    for key in _KEYS:
        name = f"{PREFIX}{key.upper()}"
        if name in environment:
            text = environment[name].strip()
            value: object = text.split() if key in ("origins", "proxies") else text
            if key == "public":
                value = {"yes": True, "no": False}.get(text, text)
            given = Given(key, value, Place(name=name))
            if not text:
                raise given.wrong("a value")
            yield given


def _in_file(file: str | None) -> Iterator[Given]:
    if file is None:
        return
    text = _text_of(file)
    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError as fault:
        reason, _, place = str(fault).partition(" (at ")
        line = re.search(r"line ([0-9]+)", place)
        where = _place(file, int(line[1]) if line else text.count("\n") + 1, "")
        raise UsageError("wrong settings", where=where, reason=reason) from fault
    limits = found.pop("limits", {})
    for key, value in found.items():
        where = _place(file, _line_of(text, key), key)
        if key not in _KEYS:
            raise Given(key, key, where).wrong(f"one of {', '.join(_KEYS)}, limits")
        if key in ("store", "secret_file") and isinstance(value, str) and "://" not in value:
            value = str(Path(file).parent / Path(value).expanduser())
        yield Given(key, value, where)
    if not isinstance(limits, dict):
        raise Given("limits", limits, _place(file, _line_of(text, "limits"), "limits")).wrong(
            "a table"
        )
    for key, value in limits.items():
        where = _place(file, _line_of(text, key), f"limits.{key}")
        if key not in _LIMITS:
            raise Given(key, key, where).wrong(f"one of {', '.join(_LIMITS)}")
        yield Given(key, value, where)


def _text_of(file: str) -> str:
    try:
        with Path(file).open("rb") as opened:
            data = opened.read(LARGEST_FILE + 1)
        text = data.decode("utf-8")
    except (OSError, ValueError) as fault:
        raise UnusableError.of("cannot read", file, fault) from fault
    if len(data) > LARGEST_FILE:
        raise UnusableError(f"{shown(file)} is too large", expected=f"{LARGEST_FILE} bytes at most")
    return text


def _line_of(text: str, key: str) -> int:
    """Return the line on which a key is set; 1 if it is written in an unusual way."""
    form = re.compile(rf"\s*\[?\s*[\"']?{re.escape(key)}[\"']?\s*[=\]]")
    lines = enumerate(text.split("\n"), 1)
    return next((number for number, line in lines if form.match(line)), 1)


def _place(file: str, line: int, key: str) -> Place:
    return Place(
        name=f"{shown(file, LONGEST_NAME)}:{line}" + (f", {key}" if key else ""), file=file
    )


# ------------------------------------------------------------------------------------- their values


def _checked(given: Given) -> object:
    return _limit(given) if given.key in _LIMITS else _KEYS[given.key](given)


def _host(given: Given) -> str:
    value = given.value
    if value == "localhost":
        return "localhost"
    try:
        return str(ip_address(value)) if isinstance(value, str) else _fail(given, "an address")
    except ValueError:
        raise given.wrong("an IP address, such as 127.0.0.1 or 0.0.0.0, or localhost") from None


def _port(given: Given) -> int:
    value = given.value
    if isinstance(value, str) and re.fullmatch("[0-9]{1,5}", value.strip(" "), re.ASCII):
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= 65_535:
        raise given.wrong("a whole number from 0 to 65535")
    return value


def _text(given: Given) -> str:
    if not isinstance(given.value, str) or not given.value or "\0" in given.value:
        raise given.wrong("a text")
    return given.value


def _file(given: Given) -> str:
    text = _text(given)
    return text if "://" in text else str(Path(text).expanduser())


def _yes_or_no(given: Given) -> bool:
    if not isinstance(given.value, bool):
        raise given.wrong("yes or no" if isinstance(given.value, str) else "true or false")
    return given.value


def _origins(given: Given) -> tuple[str, ...]:
    texts = _texts(given, ORIGIN_FORM)
    return tuple(text if is_origin(text) else _fail(given, ORIGIN_FORM) for text in texts)


def _proxies(given: Given) -> tuple[str, ...]:
    form = "addresses or networks, such as 10.0.0.0/8"
    try:
        return tuple(str(ip_network(text)) for text in _texts(given, form))
    except ValueError:
        raise given.wrong(form) from None


def _texts(given: Given, form: str) -> Iterable[str]:
    values = given.value
    if not isinstance(values, list | tuple) or not values:
        raise given.wrong(f"a list: {form}")
    return [text if isinstance(text, str) else _fail(given, form) for text in values]


def _fail(given: Given, expected: str) -> str:
    raise given.wrong(expected)


def _limit(given: Given) -> float:
    usual, value = getattr(DEFAULT_LIMITS, given.key), given.value
    least, most = (1, usual * MOST_TIMES) if isinstance(usual, int) else (0.1, usual * MOST_TIMES)
    if given.key == "stop_seconds":
        least = 2.0
    is_number = isinstance(value, int if isinstance(usual, int) else int | float)
    if not is_number or isinstance(value, bool) or not least <= value <= most:  # type: ignore[operator]
        kind = "a whole number" if isinstance(usual, int) else "a number"
        raise given.wrong(f"{kind} from {least} to {most}")
    return value  # type: ignore[return-value]


_KEYS = {
    "host": _host, "port": _port, "store": _file, "public": _yes_or_no, "origins": _origins,
    "proxies": _proxies, "secret_file": _file,
}  # fmt: skip
_LIMITS = tuple(
    each.name for each in dataclasses.fields(ServerLimits) if each.name not in FIXED_LIMITS
)
