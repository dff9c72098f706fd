"""Runs the documented nginx and Caddy in front of a server, and forges the address of clients.

    python tests/server/http/proxies.py

Needs both programs (apt-get install nginx caddy). The recipes of `deploy/` are used as they stand,
but for their ports, names and certificates. Each address may have one socket; a second one must be
refused whatever it claims, and another address must get one.
"""

from __future__ import annotations

import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from server.raw_http import UPGRADE, lines

DEPLOY = Path(__file__).parents[3] / "deploy"
LIMIT = 60.0  # seconds; only a hang takes longer
ANN, BOB = "127.0.0.2", "127.0.0.3"
CLAIMS = (
    "X-Forwarded-For: 203.0.113.7",
    "X-Forwarded-For: 127.0.0.1",
    "X-Forwarded-For: 203.0.113.7, 127.0.0.1",
    "x-forwarded-for: 203.0.113.8\nX-Forwarded-For: 203.0.113.9",
    "X-Real-IP: 203.0.113.7\nForwarded: for=203.0.113.7",
)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])


def nginx(folder: Path, port: int, server: int) -> list[str]:
    """Write the recipe with other ports; return the command that runs it."""
    recipe = (DEPLOY / "nginx.conf").read_text()
    recipe = recipe.replace("listen 443 ssl;", f"listen 127.0.0.1:{port};")
    recipe = re.sub(r" +ssl_certificate.*\n", "", recipe).replace(":8000", f":{server}")
    paths = "".join(
        f"{name}_temp_path {folder}/{name};\n"
        for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    file = folder / "nginx.conf"
    file.write_text(
        f"pid {folder}/pid;\nerror_log {folder}/log;\nevents {{}}\n"
        f"http {{\naccess_log off;\n{paths}{recipe}\n}}\n"
    )
    return ["nginx", "-p", str(folder), "-c", str(file), "-g", "daemon off;"]


def caddy(folder: Path, port: int, server: int) -> list[str]:
    """Write the recipe with other ports; return the command that runs it."""
    recipe = (DEPLOY / "Caddyfile").read_text().replace(":8000", f":{server}")
    recipe = recipe.replace("play.example.org {", f"http://play.example.org:{port} {{")
    file = folder / "Caddyfile"
    file.write_text(f"{{\n\tadmin off\n\tauto_https off\n}}\n{recipe}")
    return ["caddy", "run", "--config", str(file), "--adapter", "caddyfile"]


PROXIES = {"nginx": nginx, "caddy": caddy}


@contextmanager
def running(command: list[str], port: int, log: Path) -> Iterator[None]:
    """Run a command until it listens on a port, and end it afterwards."""
    with log.open("w") as out, subprocess.Popen(command, stdout=out, stderr=out) as process:
        try:
            end = time.monotonic() + LIMIT
            while True:
                try:
                    socket.create_connection(("127.0.0.1", port)).close()
                    break
                except OSError:
                    if process.poll() is not None or time.monotonic() > end:
                        raise RuntimeError(log.read_text()) from None
                    time.sleep(0.05)
            yield
        finally:
            process.terminate()


def status(stack: ExitStack, port: int, source: str, claim: str = "") -> int:
    """Ask for a web socket from an address, and keep it; return the status of the answer."""
    made = socket.create_connection(("127.0.0.1", port), LIMIT, (source, 0))
    stack.enter_context(made)
    head = UPGRADE.replace("Host: localhost", "Host: play.example.org")
    made.sendall(lines(head + (f"\n{claim}" if claim else "")))
    return int(made.recv(4096).split()[1])


def faults_of(name: str) -> list[str]:
    """Run a proxy in front of a server; return what it lets clients do."""
    faults = list[str]()
    with tempfile.TemporaryDirectory() as place, ExitStack() as stack:
        folder, port, server = Path(place), free_port(), free_port()
        (folder / "secret").write_text("0123456789abcdef0123456789abcdef")
        (folder / "secret").chmod(0o600)
        settings = folder / "server.toml"
        text = (DEPLOY / "server.toml").read_text().replace("8000", str(server))
        text = text.replace("/var/lib/plyboard/games.db", f"{place}/games.db")
        settings.write_text(f'secret_file = "secret"\n{text}sockets_per_address = 1\n')
        serve = [sys.executable, "-m", "plyboard", "serve", "--no-warm", "--config", str(settings)]
        stack.enter_context(running(serve, server, folder / "server.log"))
        proxy = PROXIES[name](folder, port, server)
        stack.enter_context(running(proxy, port, folder / "proxy.log"))
        if status(stack, port, ANN) != 101:
            faults.append("the first socket is refused")
        faults += [
            f"a second socket is accepted with {claim!r}"
            for claim in ("", *CLAIMS)
            if status(stack, port, ANN, claim) != 429
        ]
        if status(stack, port, BOB) != 101:
            faults.append("another address shares the limit")
    return faults


def main() -> None:
    missing = [name for name in PROXIES if shutil.which(name) is None]
    if missing:
        sys.exit(f"error: not installed: {', '.join(missing)}; apt-get install nginx caddy")
    found = {name: faults_of(name) for name in PROXIES}
    for name, faults in found.items():
        print(f"{name}: {len(faults)} faults in {len(CLAIMS) + 3} connections", *faults, sep="\n  ")
    sys.exit(any(found.values()))


if __name__ == "__main__":
    main()
