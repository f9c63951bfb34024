"""With `trust_env`, all connections use the proxy of the environment, but not to the hosts of NO_PROXY."""

from __future__ import annotations

import pytest

from console.api.errors import ApiError, Unreachable
from console.api.operations.provisioning import ListProvisionedDomains
from console.api.operations.traffic import ListCalls
from console.client.client import Client
from console.client.endpoint import Endpoint
from tests.client.test_proxy_logins import proxy, refusals
from tests.for_each import for_each

ODD = "[::1], a:b:c %,é.example,10.0.0.0/99,:80,//,http://,*.,."
"""Entries that no host has, or that mean nothing."""


@for_each(
    "url, entry, is_direct",
    [
        ("http://desk.example/core", "*", True),
        ("http://desk.example/core", "other.example DESK.example", True),
        ("http://desk.example/core", "example", True),
        ("http://desk.example/core", ".desk.example", True),
        ("http://core.desk.example/", "*.desk.example", True),
        ("http://desk.example/core", "sk.example", False),
        ("http://desk.example/core", "http://desk.example", True),
        ("http://desk.example/core", "desk.example:80", True),
        ("ws://desk.example:8080/", "desk.example:80", False),
        ("ws://desk.example:8080/", "desk.example:8080", True),
        ("http://10.1.2.3/", "10.0.0.0/8", True),
        ("http://11.1.2.3/", "10.0.0.0/8", False),
        ("http://[::1]:8080/", "::1", True),
        ("http://[::1]:8080/", "[::1]:8080", True),
        ("http://[::1]:8080/", "[::1]:80", False),
        ("http://[fd00::5]/", "fd00::/8", True),
        ("http://desk.example/core", ODD, False),
        ("https://desk.example/core", "", True),
    ],
)
def test_the_hosts_of_no_proxy_are_reached_directly(
    url: str, entry: str, is_direct: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in (
        ("http_proxy", "proxy.example:3128"),
        ("https_proxy", ""),
        ("all_proxy", ""),
        ("no_proxy", entry),
    ):
        monkeypatch.setenv(name, value)
    expected = None if is_direct else "http://proxy.example:3128"
    assert Endpoint("http://core.example", trust_env=True).proxy_for(url) == expected
    assert Endpoint("http://core.example").proxy_for(url) is None
    own = Endpoint("http://core.example", trust_env=True, proxy="http://own.example")
    assert own.proxy_for(url) == "http://own.example"


async def test_requests_events_and_notices_use_the_same_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    heads: list[str] = []
    async with proxy(heads) as host, proxy([]) as near:
        monkeypatch.setenv("http_proxy", host)
        monkeypatch.setenv("no_proxy", f"{near}, {ODD}")
        near_url = f"http://{near}/core"
        for core, events in (("http://desk.example/core", "ws://desk.example/e"), (near_url, f"ws://{near}/e")):
            endpoint = Endpoint(core, events=events, trust_env=True)
            client = Client(endpoint)
            client.sessions.token = "t"
            for refusal in await refusals(endpoint, core, client):
                assert (f"the proxy {host} refused" in refusal) is (core != near_url)
    assert len(heads) == 3


async def test_each_service_is_reached_by_its_own_way(monkeypatch: pytest.MonkeyPatch) -> None:
    heads: list[str] = []
    async with proxy(heads) as host, proxy([]) as near:
        monkeypatch.setenv("http_proxy", host)
        monkeypatch.setenv("no_proxy", near)
        client = Client(Endpoint(f"http://{near}/core", provisioning="http://other.example/p", trust_env=True))
        client.sessions.token = "t"
        with pytest.raises(ApiError, match="407"):
            await client.send(ListCalls())
        assert not heads
        with pytest.raises(Unreachable, match=f"the proxy {host} refused"):
            await client.send(ListProvisionedDomains())
        await client.close()
    assert len(heads) == 1
