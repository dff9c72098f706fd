"""What a server is told when it starts: wrong settings are refused with their place."""

from __future__ import annotations

from pathlib import Path

import pytest

from plyboard.errors import PlyboardError, UnusableError, UsageError
from plyboard.server.http.settings import ServerSettings, read_secret, read_settings
from plyboard.server.limits import DEFAULT_LIMITS, LOCAL_LIMITS

SECRET = "0123456789abcdef0123456789abcdef"
ORIGIN = "http://play.example.org"


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    file = tmp_path / "secret"
    file.write_text(SECRET)
    file.chmod(0o600)
    return file


def from_file(folder: Path, text: str | bytes) -> ServerSettings:
    file = folder / "server.toml"
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    return read_settings({}, str(file), {})


def test_without_settings_a_server_is_for_this_machine_only() -> None:
    settings = read_settings({}, None, {})

    assert settings == ServerSettings(host="127.0.0.1", port=None, public=False)
    assert settings.server_limits == LOCAL_LIMITS
    assert settings.secret() == ""
    assert not settings.access.origins


def test_options_come_before_the_environment_and_that_before_the_file(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text('port = 1\nstore = "a"\nhost = "::1"\n')
    environment = {"PLYBOARD_CONFIG": str(tmp_path / "a.toml"), "PLYBOARD_PORT": "2",
                   "PLYBOARD_STORE": "b"}  # fmt: skip
    settings = read_settings({"port": "3"}, None, environment)

    assert (settings.port, settings.store, settings.host) == (3, "b", "::1")


def test_a_file_sets_everything(tmp_path: Path, secret: Path) -> None:
    settings = from_file(
        tmp_path,
        f"""
        host = "0.0.0.0"
        port = 80
        store = "games.db"
        public = true
        origins = ["{ORIGIN}", "http://192.168.1.5:8000"]
        proxies = ["10.0.0.0/8", "::1"]
        secret_file = "{secret}"

        [limits]
        games_per_address = 3
        hello_seconds = 1.5
        """,
    )

    assert settings.secret() == SECRET
    assert settings.store == str(tmp_path / "games.db")
    assert settings.access.allows_host("192.168.1.5:8000")
    assert settings.access.client_address("10.0.0.1", ["6.6.6.6"]) == "6.6.6.6"
    assert settings.server_limits.games_per_address == 3
    assert settings.server_limits.hello_seconds == 1.5
    assert settings.server_limits.messages == DEFAULT_LIMITS.messages


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("port = 1\nport = 2", "2: Cannot overwrite a value"),
        ("port", "1: Expected '=' after a key in a key/value pair"),
        ("port = 1\n\nprot = 2", "3, prot: got 'prot'; expected one of host, port,"),
        ('port = "80a"', "1, port: got '80a'; expected a whole number from 0 to 65535"),
        ("port = true", "1, port: got 'True'; expected a whole number from 0 to 65535"),
        ("port = 80.0", "1, port: got '80.0'; expected a whole number from 0 to 65535"),
        ("port = 65536", "1, port: got '65536'; expected a whole number from 0 to 65535"),
        ("host = 1", "1, host: got '1'; expected an address"),
        ('host = "999.1.1.1"', "1, host: got '999.1.1.1'; expected an IP address"),
        ('host = ""', "1, host: got ''; expected an IP address"),
        ('public = "yes"', "1, public: got 'yes'; expected yes or no"),
        ("public = 1", "1, public: got '1'; expected true or false"),
        ('origins = "https://a.example"', "1, origins: got 'https://a.example'; expected a list"),
        ("origins = []", "1, origins: got '[]'; expected a list"),
        ('origins = ["*"]', "1, origins: got '[\\'*\\']'; expected the address of a page"),
        ('origins = ["https://a.example/x"]', "expected the address of a page without a path"),
        ('origins = ["https://A.example"]', "expected the address of a page without a path"),
        ('proxies = ["all"]', "1, proxies: got '[\\'all\\']'; expected addresses or networks"),
        ('proxies = ["10.0.0.1/8"]', "expected addresses or networks"),
        ("store = 5", "1, store: got '5'; expected a text"),
        ("limits = 5", "1, limits: got '5'; expected a table"),
        ("[limits]\nmesages = 5", "2, limits.mesages: got 'mesages'; expected one of message_"),
        ("[limits]\nmessages = 0", "2, limits.messages: got '0'; expected a whole number from 1"),
        ("[limits]\nmessages = 10001", "expected a whole number from 1 to 10000"),
        ("[limits]\nmessages = 1.5", "2, limits.messages: got '1.5'; expected a whole number"),
        ("[limits]\nmessages = true", "2, limits.messages: got 'True'"),
        ("[limits]\nhello_seconds = nan", "2, limits.hello_seconds: got 'nan'; expected a number"),
        ("[limits]\nhello_seconds = inf", "2, limits.hello_seconds: got 'inf'; expected a number"),
        ("[limits]\nname_length = 99", "2, limits.name_length: got 'name_length'"),
        ("[limit]\nmessages = 5", "1, limit: got 'limit'; expected one of host,"),
        ('include = "other.toml"', "1, include: got 'include'"),
        ("a: &a [1]\nb: [*a, *a]", "1: Expected '=' after a key"),
    ],
)
def test_a_wrong_file_is_refused_with_its_line(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(UsageError) as fault:
        from_file(tmp_path, text)

    assert fault.value.exit_code == 2
    found = str(fault.value)
    assert found.startswith(("wrong setting at '", "wrong settings at '"))
    assert message in found
    assert "server.toml'" in found
    assert "\n" not in found


@pytest.mark.parametrize("data", [b"\xff\xfe", b"#" * 70_000])
def test_a_file_that_is_no_text_or_too_large_cannot_be_used(tmp_path: Path, data: bytes) -> None:
    with pytest.raises(UnusableError):
        from_file(tmp_path, data)


@pytest.mark.parametrize("name", ["missing.toml", "."])
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, name: str) -> None:
    with pytest.raises(UnusableError, match="cannot read"):
        read_settings({}, str(tmp_path / name), {})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PORT", "abc"), ("PORT", ""), ("PORT", " "), ("PORT", "-1"), ("PORT", "\uff18\uff10"),
        ("HOST", "example.org"), ("PUBLIC", "true"), ("ORIGINS", "*"), ("PROXIES", "x"),
        ("STORE", ""),
    ],
)  # fmt: skip
def test_a_wrong_environment_variable_is_named(name: str, value: str) -> None:
    with pytest.raises(UsageError, match=f"PLYBOARD_{name}"):
        read_settings({}, None, {f"PLYBOARD_{name}": value})


@pytest.mark.parametrize("port", ["", "0x50", "-1", "65536", "8_0", "1e3", "\u0663"])
def test_a_wrong_port_is_refused(port: str) -> None:
    with pytest.raises(UsageError, match="wrong setting at --port"):
        read_settings({"port": port}, None, {})


START = [
    ({}, ""),
    ({"host": "::1"}, ""),
    ({"host": "0.0.0.0"}, "wrong host"),
    ({"host": "192.168.1.5"}, "wrong host"),
    ({"host": "0.0.0.0", "origins": [ORIGIN]}, "wrong host"),
    ({"origins": [ORIGIN]}, "wrong settings: got origins"),
    ({"proxies": ["10.0.0.1"]}, "wrong settings: got proxies"),
    ({"secret_file": "x"}, "wrong settings: got secret_file"),
    ({"public": True}, "a public server needs the addresses of its pages"),
    ({"public": True, "host": "0.0.0.0"}, "a public server needs the addresses of its pages"),
    ({"public": True, "origins": [ORIGIN]}, "a public server needs a secret"),
    ({"public": True, "origins": [ORIGIN], "secret_file": "SECRET"}, ""),
    ({"public": True, "host": "0.0.0.0", "origins": [ORIGIN], "secret_file": "SECRET"}, ""),
]


@pytest.mark.parametrize(("options", "fault"), START)
def test_a_server_starts_only_with_what_it_needs(
    options: dict[str, object], fault: str, secret: Path
) -> None:
    if options.get("secret_file") == "SECRET":
        options = {**options, "secret_file": str(secret)}
    try:
        read_settings(options, None, {}).secret()
        found = ""
    except PlyboardError as error:
        found = str(error)
    assert found.startswith(fault) if fault else not found
    assert "\n" not in found


@pytest.mark.parametrize("text", ["", "\n", "changeme", "a" * 64, "secret" * 4, "\x00" * 40])
def test_a_simple_secret_is_refused(secret: Path, text: str) -> None:
    secret.write_text(text)
    with pytest.raises(UnusableError, match="too simple"):
        read_secret(str(secret))


def test_a_secret_that_others_can_read_is_refused(secret: Path) -> None:
    secret.chmod(0o644)
    with pytest.raises(UnusableError, match="can be read by everybody"):
        read_secret(str(secret))
    with pytest.raises(UnusableError, match="cannot read"):
        read_secret(str(secret.parent / "missing"))
