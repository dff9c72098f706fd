"""Who may connect: host names, origins, and the addresses of clients behind proxies."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from urllib.parse import urlsplit

LOOPBACK_HOSTS = frozenset({"127.0.0.1", "localhost", "[::1]"})
HOST = re.compile(
    r"([a-z0-9](?:[a-z0-9.-]{0,252})|\[[0-9a-f:.]{2,45}\])(?::([0-9]{1,5}))?", re.ASCII
)
ORIGIN = re.compile(rf"(https?)://{HOST.pattern}", re.ASCII)
Network = IPv4Network | IPv6Network
Address = IPv4Address | IPv6Address
IPV6_PREFIX = 64  # bits; one client usually has a whole network of this size


def host_of(header: str) -> str | None:
    """Return the name in a Host header, in lower case and without the port; None if it is wrong."""
    found = HOST.fullmatch(header.lower())
    return found[1] if found else None


def is_origin(text: str) -> bool:
    """Return whether a text is the origin of a page: scheme, host and port, in lower case."""
    found = ORIGIN.fullmatch(text)
    return found is not None and (not found[3] or 0 < int(found[3]) < 65_536)


@dataclass(frozen=True)
class AccessRules:
    """The pages and proxies that a server accepts.

    Without origins it is a local server, which accepts its own page under a loopback address.
    """

    origins: frozenset[str] = frozenset()
    proxies: tuple[Network, ...] = ()

    @property
    def hosts(self) -> frozenset[str]:
        """The names under which the server may be asked; others may be a rebound DNS name."""
        named = (urlsplit(origin).netloc for origin in self.origins)
        return LOOPBACK_HOSTS | {host for each in named if (host := host_of(each))}

    def allows_host(self, header: str | None) -> bool:
        """Return whether a request with this Host header may be answered."""
        return header is not None and host_of(header) in self.hosts

    def allows_origin(self, origin: str | None, host: str | None, *, has_cookie: bool) -> bool:
        """Return whether a page of this origin may open a socket.

        Programs send no Origin. They are allowed unless they send cookies, as browsers do.
        """
        if origin is None:
            return not has_cookie
        if self.origins:
            return origin in self.origins
        return host is not None and is_origin(origin) and origin == f"http://{host.lower()}"

    def client_address(self, peer: str, forwarded: Iterable[str]) -> str:
        """Return the address of the client: of the peer, or what a trusted proxy says.

        `forwarded` holds the X-Forwarded-For headers in order. The last address that is not a
        proxy of ours counts, as everything before it was written by strangers.
        """
        hops = [hop.strip() for header in forwarded for hop in header.split(",")]
        address = peer
        while self._is_proxy(address) and hops and _read_address(hops[-1]) is not None:
            address = hops.pop()
        return address

    def _is_proxy(self, address: str) -> bool:
        read = _read_address(address)
        return read is not None and any(read in network for network in self.proxies)


def limited_address(address: str) -> str:
    """Return the address, or network of addresses, that limits are counted for."""
    read = _read_address(address)
    if isinstance(read, IPv6Address):
        return str(IPv6Network((read, IPV6_PREFIX), strict=False))
    return address if read is None else str(read)


def _read_address(text: str) -> Address | None:
    """Return an IP address; an IPv4 address that is written as IPv6 becomes IPv4."""
    try:
        read = ip_address(text)
    except ValueError:
        return None
    return (read.ipv4_mapped or read) if isinstance(read, IPv6Address) else read
