"""IP addresses and host names."""

from __future__ import annotations

import ipaddress
import re
import socket
from typing import Any

from plyboard.errors import UnusableError, UsageError, shown

Address = tuple[socket.AddressFamily, Any]
"""A family, and the address of a socket in that family."""

LONGEST_HOST = 255


def resolve(host: str, port: int, *, listening: bool = False) -> list[Address]:
    """Return the addresses of a host. Looking up a name may take seconds."""
    _check(host)
    flags = socket.AI_PASSIVE if listening else 0
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=flags)
    except socket.gaierror as fault:
        if fault.errno == socket.EAI_NONAME:
            raise _wrong(host) from None
        raise UnusableError(
            f"cannot look up {shown(host)}", reason=fault.strerror or str(fault)
        ) from None
    except (OSError, ValueError):  # a name that cannot be encoded
        raise _wrong(host) from None
    return [(family, address) for family, _, _, _, address in found]


def address_text(address: Any) -> str:
    """Return the address of a socket for people."""
    return f"{address[0]} port {address[1]}"


def is_loopback(host: str) -> bool:
    """Return whether only programs on this machine can reach an IP address."""
    try:
        return ipaddress.ip_address(host.partition("%")[0]).is_loopback
    except ValueError:
        return False


def _check(host: str) -> None:
    """Refuse texts that no lookup can resolve; old forms such as 127.1 are refused, too."""
    if not host or len(host) > LONGEST_HOST or not re.fullmatch(r"[^\s\x00-\x20]+", host):
        raise _wrong(host)
    if re.fullmatch(r"[0-9.]+|.*:.*", host, re.ASCII):
        try:
            ipaddress.ip_address(host)
        except ValueError:
            raise _wrong(host) from None


def _wrong(host: str) -> UsageError:
    return UsageError(
        "wrong address", got=shown(host), expected="an IP address or the name of a machine"
    )
