"""The files for running a public server are complete and fit the program."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from plyboard.server.http.settings import read_settings

ROOT = Path(__file__).parents[3]
DEPLOY = ROOT / "deploy"
SECRET = "0123456789abcdef0123456789abcdef"


@pytest.fixture
def secret(tmp_path: Path) -> str:
    file = tmp_path / "secret"
    file.write_text(SECRET)
    file.chmod(0o600)
    return str(file)


def instructions() -> list[tuple[str, str]]:
    """Return the instructions of the Dockerfile."""
    text = re.sub(r"^#.*\n", "", (DEPLOY / "Dockerfile").read_text(), flags=re.MULTILINE)
    found = []
    for line in text.replace("\\\n", " ").splitlines():
        if line.strip():
            word, _, rest = line.partition(" ")
            found.append((word, re.sub(" +", " ", rest.strip())))
    return found


def unit() -> dict[str, list[str]]:
    """Return the settings of the systemd unit."""
    found: dict[str, list[str]] = {}
    for line in (DEPLOY / "plyboard.service").read_text().splitlines():
        if line and line[0] not in "#[":
            name, separator, value = line.partition("=")
            assert separator, line
            found.setdefault(name, []).append(value)
    return found


def test_the_image_copies_files_that_are_there() -> None:
    copied = [rest.split()[:-1] for word, rest in instructions() if word == "COPY"]
    names = [name for names in copied for name in names if not name.startswith(("--from", "/opt"))]
    ignored = (ROOT / ".dockerignore").read_text().splitlines()

    assert len(names) >= 5
    for name in names:
        assert (ROOT / name).exists()
        assert f"!{name}" in ignored


def test_the_image_runs_a_public_server_as_a_user_without_rights(secret: str) -> None:
    words = dict(instructions())
    environment = dict(part.split("=", 1) for part in shlex.split(words["ENV"]))
    environment |= {"PLYBOARD_ORIGINS": "http://192.168.1.5:8000", "PLYBOARD_SECRET_FILE": secret}
    settings = read_settings({}, None, environment)

    assert words["USER"] == "plyboard"
    assert settings.public
    assert (settings.host, settings.port) == ("0.0.0.0", 8000)
    assert settings.secret() == SECRET
    assert words["ENTRYPOINT"] == '["plyboard", "serve"]'
    assert f":{settings.port}/health" in words["HEALTHCHECK"]
    assert words["EXPOSE"] == str(settings.port)
    assert settings.store.startswith(words["VOLUME"])
    assert [word for word, _ in instructions()].count("FROM") == 2
    assert re.fullmatch(r"BASE=python:3\.\d+\.\d+-slim-\w+", words["ARG"])


def test_the_image_does_not_start_without_an_origin() -> None:
    environment = dict(part.split("=", 1) for part in shlex.split(dict(instructions())["ENV"]))
    with pytest.raises(Exception, match="a public server needs the addresses of its pages"):
        read_settings({}, None, environment)


def test_an_image_behind_https_does_not_start_without_the_address_of_its_proxy(secret: str) -> None:
    """Promise S12: all clients would share the limits of the proxy."""
    environment = dict(part.split("=", 1) for part in shlex.split(dict(instructions())["ENV"]))
    recipe = re.findall(r"-e (PLYBOARD_\w+)=(\S+)", (DEPLOY / "Dockerfile").read_text())
    environment |= {**dict(recipe), "PLYBOARD_SECRET_FILE": secret}
    settings = read_settings({}, None, environment)
    gateway, client, claim = "172.30.0.1", "198.51.100.4", "203.0.113.7"

    assert settings.access.client_address(gateway, [f"{claim}, {client}"]) == client
    assert settings.access.client_address("172.30.0.9", [claim]) == "172.30.0.9"
    del environment["PLYBOARD_PROXIES"]
    with pytest.raises(Exception, match="behind HTTPS needs the address of its proxy"):
        read_settings({}, None, environment)


def test_the_recipes_of_proxies_replace_the_address_that_a_client_claims() -> None:
    """`proxies.py` runs them."""
    nginx = re.sub(r"#.*", "", (DEPLOY / "nginx.conf").read_text())
    caddy = re.sub(r"#.*", "", (DEPLOY / "Caddyfile").read_text())
    headers = dict(re.findall(r"proxy_set_header (\S+) (\S+);", nginx))
    settings = tomllib.loads((DEPLOY / "server.toml").read_text())
    port = f"127.0.0.1:{settings['port']}"

    assert headers == {
        "Host": "$host", "Upgrade": "$http_upgrade", "Connection": "$connection_upgrade",
        "X-Forwarded-For": "$remote_addr",
    }  # fmt: skip
    assert f"proxy_pass http://{port};" in nginx
    assert caddy.split() == ["play.example.org", "{", "reverse_proxy", port, "}"]
    assert settings["proxies"] == ["127.0.0.1"]


def test_the_unit_starts_the_server_with_the_example_of_its_settings(secret: str) -> None:
    found = unit()
    (start,) = found["ExecStart"]
    assert start.split()[1:] == ["serve", "--config", "/etc/plyboard/server.toml"]
    environment = dict(part.split("=", 1) for part in found["Environment"][0].split())
    environment["PLYBOARD_SECRET_FILE"] = secret
    settings = read_settings({}, str(DEPLOY / "server.toml"), environment)

    assert settings.public
    assert settings.store == "/var/lib/plyboard/games.db"
    assert tomllib.loads((DEPLOY / "server.toml").read_text())["origins"] == list(settings.origins)


def test_the_unit_gives_the_server_no_more_than_it_needs() -> None:
    found = unit()
    hardening = ("DynamicUser", "NoNewPrivileges", "PrivateDevices", "PrivateTmp", "ProtectHome",
                 "ProtectKernelModules", "ProtectKernelTunables", "ProtectControlGroups",
                 "RestrictSUIDSGID", "LockPersonality", "RestrictRealtime")  # fmt: skip
    assert {name: found[name] for name in hardening} == {name: ["yes"] for name in hardening}
    assert found["ProtectSystem"] == ["strict"]
    assert found["CapabilityBoundingSet"] == [""]
    assert "MemoryDenyWriteExecute" not in found  # kernels are compiled while it runs


def test_systemd_accepts_the_unit(tmp_path: Path) -> None:
    program = shutil.which("systemd-analyze")
    if program is None:
        return  # the other tests have read the unit
    copy = tmp_path / "plyboard.service"
    text = (DEPLOY / "plyboard.service").read_text()
    copy.write_text(text.replace("/opt/plyboard/.venv/bin/plyboard", shutil.which("true") or ""))
    done = subprocess.run(
        [program, "verify", str(copy)], capture_output=True, text=True, check=False
    )
    assert "plyboard.service" not in done.stderr
