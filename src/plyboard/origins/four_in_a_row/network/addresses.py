"""IP addresses and host names."""

from __future__ import annotations

import ipaddress
import re
import socket
import sys
from typing import Any

from plyboard.errors import UnusableError, UsageError, shown

Address = tuple[socket.AddressFamily, Any]
"""A family, and the address of a socket in that family."""

LONGEST_HOST = 255
GET_ADDRESS = 0x8915  # SIOCGIFADDR of Linux


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


def outward_address(unspecified: str) -> str:
    """Return the address by which others reach this machine, given `0.0.0.0` or `::`.

    It is empty if none is known.
    """
    return _default_route_address(unspecified) or next(iter(interface_addresses()), "")


def _default_route_address(unspecified: str) -> str:
    """Return the address of the default route; empty if there is none.

    A UDP socket that is connected sends nothing, but it gets the address that it would send from.
    """
    is_old = "." in unspecified
    family, target = (socket.AF_INET, "192.0.2.1") if is_old else (socket.AF_INET6, "2001:db8::1")
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((target, 9))
            return str(probe.getsockname()[0])
    except OSError:
        return ""


def interface_addresses() -> list[str]:
    """Return the IPv4 addresses of this machine, except those that only it can reach."""
    if sys.platform == "linux":
        found = list(filter(None, map(_interface_address, socket.if_nameindex())))
    else:
        try:
            found = socket.gethostbyname_ex(socket.gethostname())[2]
        except OSError:
            found = []
    return [address for address in found if not is_loopback(address)]


def _interface_address(interface: tuple[int, str]) -> str:
    """Return the IPv4 address of a network interface of Linux; empty if it has none."""
    import fcntl

    request = interface[1].encode().ljust(40, b"\0")
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            return socket.inet_ntoa(fcntl.ioctl(probe, GET_ADDRESS, request)[20:24])
    except OSError:
        return ""


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
