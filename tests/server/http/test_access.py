"""Who may connect: pages by their origin, names by the Host header, clients by their address."""

from __future__ import annotations

from ipaddress import ip_network

import pytest

from plyboard.server.http.access import AccessRules, host_of, limited_address

OWN = "127.0.0.1:8000"
LOCAL = AccessRules()
PUBLIC = AccessRules(frozenset({"https://play.example.org", "http://192.168.1.5:8000"}))

FOREIGN = [
    "null", "", " ", "file://", "http://", "https://127.0.0.1:8000", "http://127.0.0.1",
    "http://127.0.0.1:80", "http://127.0.0.1:8001", "http://127.0.0.1:8000/", "http://evil.example",
    "http://127.0.0.1:8000.evil.example", "http://127.0.0.1.evil.example:8000",
    "http://evil.example/127.0.0.1:8000", "http://evil.example#127.0.0.1:8000",
    "http://evil.example@127.0.0.1:8000", "http://127.0.0.1:8000@evil.example",
    "http://localhost:8000", "http://[::1]:8000", "http://0x7f.1:8000", "http://2130706433:8000",
    "http://127.1:8000", "ws://127.0.0.1:8000", "HTTP://127.0.0.1:8000", "http:/127.0.0.1:8000",
    "http:127.0.0.1:8000", "//127.0.0.1:8000", "127.0.0.1:8000", "http://127.0.0.1:08000",
    "http://127.0.0.1:8000 http://evil.example", "http://127.0.0.1:8000,http://evil.example",
    "http://127.0.0.1:8000\x00", "http://127.0.0.1:8000\n", "http://127.0.0.1\u3002:8000",
    "http://\uff11\uff12\uff17.0.0.1:8000", "http://xn--evil.example:8000",
    "chrome-extension://abc", "https://play.example.org", "data:text/html,x", "about:blank",
    "http://127.0.0.1:8000\u200b",
]  # fmt: skip
FOREIGN_IN_PUBLIC = [
    "null", "http://play.example.org", "https://play.example.org:443", "https://play.example.org/",
    "https://play.example.org.evil.example", "https://evil-play.example.org",
    "https://evil.play.example.org", "https://PLAY.example.org", "https://play.example.org.",
    "https://play.examp1e.org", "https://pl\u0430y.example.org", "http://127.0.0.1:8000",
    "http://192.168.1.5", "https://192.168.1.5:8000",
]  # fmt: skip


@pytest.mark.parametrize("origin", FOREIGN)
def test_a_local_server_accepts_no_other_page(origin: str) -> None:
    assert not LOCAL.allows_origin(origin, OWN, has_cookie=False)


@pytest.mark.parametrize("origin", FOREIGN_IN_PUBLIC)
def test_a_public_server_accepts_only_the_listed_pages(origin: str) -> None:
    assert not PUBLIC.allows_origin(origin, "play.example.org", has_cookie=False)


@pytest.mark.parametrize(
    ("access", "origin", "host"),
    [
        (LOCAL, "http://127.0.0.1:8000", OWN),
        (LOCAL, "http://localhost:8000", "LOCALHOST:8000"),
        (LOCAL, "http://[::1]:8000", "[::1]:8000"),
        (LOCAL, None, OWN),  # a program
        (PUBLIC, "https://play.example.org", "play.example.org"),
        (PUBLIC, "http://192.168.1.5:8000", "192.168.1.5:8000"),
        (PUBLIC, None, "play.example.org"),
    ],
)
def test_its_own_pages_and_programs_may_connect(
    access: AccessRules, origin: str | None, host: str
) -> None:
    assert access.allows_host(host)
    assert access.allows_origin(origin, host, has_cookie=False)


def test_a_browser_that_hides_its_origin_may_not_connect() -> None:
    assert not LOCAL.allows_origin(None, OWN, has_cookie=True)
    assert not PUBLIC.allows_origin(None, "play.example.org", has_cookie=True)


@pytest.mark.parametrize(
    "host",
    [
        None, "", " ", "evil.example", "evil.example:8000", "127.0.0.1.evil.example", "localhost.",
        "127.0.0.1:8000:8000", "127.0.0.1:", "127.0.0.1:999999", "[::1", "::1", "user@127.0.0.1",
        "127.0.0.1/", "127.0.0.1, evil.example", "127.0.0.1\r\nx: y", "0.0.0.0", "127.0.0.2",
    ],
)  # fmt: skip
def test_a_rebound_name_gets_no_answer(host: str | None) -> None:
    assert not LOCAL.allows_host(host)


def test_a_page_whose_name_was_bound_to_this_machine_is_refused_by_its_host() -> None:
    assert not LOCAL.allows_host("evil.example:8000")  # though its origin fits this host
    assert host_of("play.example.org:8443") == "play.example.org"
    assert PUBLIC.allows_host("play.example.org:8443")
    assert not PUBLIC.allows_host("other.example.org")


BEHIND = AccessRules(proxies=(ip_network("10.0.0.0/8"), ip_network("::1/128")))


@pytest.mark.parametrize(
    ("peer", "forwarded", "address"),
    [
        ("10.1.2.3", ["203.0.113.7"], "203.0.113.7"),
        ("::ffff:10.1.2.3", ["203.0.113.7"], "203.0.113.7"),
        ("10.1.2.3", ["6.6.6.6, 203.0.113.7"], "203.0.113.7"),  # the client wrote the first one
        ("10.1.2.3", ["6.6.6.6", "203.0.113.7, 10.9.9.9"], "203.0.113.7"),
        ("10.1.2.3", ["2001:db8::1"], "2001:db8::1"),
        ("10.1.2.3", ["rubbish"], "10.1.2.3"),
        ("10.1.2.3", ["203.0.113.7, unknown"], "10.1.2.3"),
        ("10.1.2.3", [""], "10.1.2.3"),
        ("10.1.2.3", [], "10.1.2.3"),
        ("203.0.113.9", ["6.6.6.6"], "203.0.113.9"),  # not our proxy
        ("", ["6.6.6.6"], ""),
    ],
)
def test_forwarding_headers_are_believed_from_our_proxies_only(
    peer: str, forwarded: list[str], address: str
) -> None:
    assert BEHIND.client_address(peer, forwarded) == address
    assert LOCAL.client_address(peer, forwarded) == peer


def test_limits_count_a_network_of_ipv6_addresses_as_one_client() -> None:
    assert limited_address("2001:db8:1:2:3::1") == limited_address("2001:db8:1:2:ffff::9")
    assert limited_address("2001:db8:1:2::1") != limited_address("2001:db8:1:3::1")
    assert limited_address("203.0.113.7") == limited_address("::ffff:203.0.113.7") == "203.0.113.7"
