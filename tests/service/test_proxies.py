"""Behind a proxy the client's address counts, and only a trusted proxy may name it."""

from __future__ import annotations

import httpx
import pytest

from console.service.auth.passwords import Cost
from console.service.http.proxies import Proxies
from console.service.platform import ServiceSettings
from tests.background import start_background
from tests.for_each import for_each
from tests.manual_clock import ManualClock
from tests.service.inside import Inside, inside
from tests.service.over_http import fill

CHEAP = Cost.cheap()


def test_a_forged_address_does_not_bypass_the_limit_on_wrong_passwords() -> None:
    limits = ServiceSettings(password_cost=CHEAP, address_login_tries=3)
    with (
        start_background(fill, settings=limits, clock=ManualClock()) as service,
        httpx.Client(base_url=service.core_url, trust_env=False) as client,
    ):
        answered = [
            client.post(
                "/oauth2/token",
                json={"grant_type": "password", "username": f"somebody {number}", "password": "guess"},
                headers={"X-Forwarded-For": f"10.0.0.{number}", "X-Real-IP": f"10.0.0.{number}"},
            ).status_code
            for number in range(6)
        ]
    assert answered == [401, 401, 401, 429, 429, 429]


async def guesses(desk: Inside, address: str, *forwarded: str) -> list[int]:
    """Guess the password of another account each time, with each header that can name the source."""
    answered: list[int] = []
    for number, each in enumerate(forwarded):
        asked = {"grant_type": "password", "username": f"{each} {number}", "password": "guess"}
        headers = {"X-Forwarded-For": each} if each else {}
        said = await desk.ask("nobody", "POST", "/oauth2/token", asked, headers, address)
        answered.append(said.status_code)
    return answered


async def test_clients_behind_a_trusted_proxy_are_limited_separately() -> None:
    limits = ServiceSettings(password_cost=CHEAP, address_login_tries=2, trusted_proxies=("10.0.0.1",))
    with inside(limits, ManualClock()) as desk:
        through = "198.51.100.7"
        assert await guesses(desk, "10.0.0.1", through, f"{through}:4711", f"1.2.3.4, {through}") == [401, 401, 429]
        assert await guesses(desk, "10.0.0.1", "198.51.100.8") == [401]
        # A client that is not the proxy is identified by its own address.
        assert await guesses(desk, "10.0.0.2", "1.1.1.1", "2.2.2.2", "3.3.3.3") == [401, 401, 429]


async def test_requests_are_counted_by_the_client_behind_the_proxy() -> None:
    limits = ServiceSettings(password_cost=CHEAP, address_rate=0.2, trusted_proxies=("10.0.0.0/8",))
    with inside(limits, ManualClock()) as desk:

        async def ask(forwarded: str) -> int:
            return (
                await desk.ask("nobody", "GET", "/users", None, {"X-Forwarded-For": forwarded}, "10.9.9.9")
            ).status_code

        assert [await ask("1.1.1.1") for _ in range(3)] == [401, 401, 429]
        assert await ask("2.2.2.2") == 401


PROXIES = Proxies(("10.0.0.1", "192.0.2.0/24", "2001:db8:ffff::/48", "fd00::1"))


@for_each(
    "peer, forwarded, client",
    [
        ("198.51.100.7", [], "198.51.100.7"),
        ("198.51.100.7", ["1.2.3.4"], "198.51.100.7"),
        ("10.0.0.1", [], "10.0.0.1"),
        ("10.0.0.1", ["1.2.3.4"], "1.2.3.4"),
        ("10.0.0.1", [" 1.2.3.4 "], "1.2.3.4"),
        ("10.0.0.1", ["9.9.9.9, 1.2.3.4"], "1.2.3.4"),
        ("10.0.0.1", ["9.9.9.9", "1.2.3.4"], "1.2.3.4"),
        ("10.0.0.1", ["1.2.3.4, 192.0.2.7"], "1.2.3.4"),
        ("10.0.0.1", ["9.9.9.9, 1.2.3.4, 192.0.2.7, 192.0.2.8"], "1.2.3.4"),
        ("10.0.0.1", ["192.0.2.9, 192.0.2.8"], "192.0.2.9"),
        ("10.0.0.1", ["1.2.3.4:5678"], "1.2.3.4"),
        ("10.0.0.1", ['"1.2.3.4"'], "10.0.0.1"),
        ("10.0.0.1", ["unknown"], "10.0.0.1"),
        ("10.0.0.1", ["1.2.3.4, unknown"], "10.0.0.1"),
        ("10.0.0.1", ["1.2.3.4, unknown, 192.0.2.7"], "192.0.2.7"),
        ("10.0.0.1", [""], "10.0.0.1"),
        ("10.0.0.1", [",,,"], "10.0.0.1"),
        ("10.0.0.1", ["' OR 1=1 --"], "10.0.0.1"),
        ("10.0.0.1", ["\u00ff"], "10.0.0.1"),
        ("::ffff:10.0.0.1", ["1.2.3.4"], "1.2.3.4"),
        ("10.0.0.1", ["::ffff:1.2.3.4"], "1.2.3.4"),
        ("10.0.0.1", ["1.2.3.4, ::ffff:192.0.2.7"], "1.2.3.4"),
        ("fd00::1", ["[2001:db8::1]:443"], "2001:db8::/64"),
        ("fd00:0:0::1", ["2001:db8::1"], "2001:db8::/64"),
        ("10.0.0.1", ["[2001:db8:0:1::5]"], "2001:db8:0:1::/64"),
        ("10.0.0.1", ["2001:db8::1, 2001:db8:ffff::9"], "2001:db8::/64"),
        ("10.0.0.1", ["fe80::1%eth0"], "fe80::/64"),
        ("2001:db8::5", ["1.2.3.4"], "2001:db8::/64"),
        ("testclient", ["1.2.3.4"], "testclient"),
        ("", ["1.2.3.4"], ""),
    ],
)
def test_the_last_address_that_is_no_trusted_proxy_is_the_clients(peer: str, forwarded: list[str], client: str) -> None:
    headers = [(b"x-forwarded-for", each.encode("latin-1")) for each in forwarded]
    scope = {"client": (peer, 4711) if peer else None, "headers": [(b"host", b"x"), *headers]}
    assert PROXIES.client_of(scope) == client


def test_an_invalid_address_cannot_be_trusted() -> None:
    with pytest.raises(ValueError, match=r"proxy\.example"):
        Proxies(("proxy.example",))
