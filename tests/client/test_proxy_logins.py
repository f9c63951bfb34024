"""A proxy that requires a login is named, and gets the login of the profile, which nothing else shows."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest

from console.api.errors import ApiError, LoginNeeded
from console.api.operations.traffic import ListCalls
from console.cli.deployment import endpoint_of
from console.client.client import Client
from console.client.endpoint import Endpoint
from console.client.webhook import NotPosted, WebhookClient
from console.config.schema import Profile
from tests.for_each import for_each

LOGIN = "user:p@ss w:rd#é"
REFUSAL = (
    b"HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm=x\r\nContent-Length: 0\r\n\r\n"
)


@asynccontextmanager
async def proxy(heads: list[str]) -> AsyncGenerator[str]:
    """Run a proxy that accepts no login, and records the requests; yield its host and port."""

    async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heads.append((await reader.readuntil(b"\r\n\r\n")).decode("latin-1"))
        writer.write(REFUSAL)
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(refuse, "127.0.0.1", 0) as server:
        yield f"127.0.0.1:{server.sockets[0].getsockname()[1]}"


async def refusals(endpoint: Endpoint, hook: str, client: Client | None = None) -> list[str]:
    """Send a request, open the events and post a notice; return why each was refused."""
    client = client or Client(endpoint)
    with pytest.raises(ApiError) as request:
        await client.send(ListCalls())
    with pytest.raises(ApiError) as events:
        async with client.stream(("calls",)):
            pass
    await client.close()
    with pytest.raises(NotPosted) as notice:
        await asyncio.to_thread(WebhookClient(hook, endpoint).post, b"{}", {}, 0)
    return [str(refusal.value) for refusal in (request, events, notice)]


def login_of(head: str) -> str | None:
    for line in head.split("\r\n"):
        name, _, value = line.partition(": ")
        if name.lower() == "proxy-authorization":
            return base64.b64decode(value.removeprefix("Basic ")).decode()
    return None


@pytest.mark.parametrize("source", ["", "command", "environment"])
async def test_a_proxy_that_requires_a_login_is_named_and_gets_that_of_the_profile(
    source: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CONSOLE_PROXY_PASSWORD", LOGIN if source == "environment" else "")
    command = ("printf", "%s", LOGIN) if source == "command" else ()
    heads: list[str] = []
    async with proxy(heads) as host:
        profile = Profile(
            core="http://desk.example/core", events="ws://desk.example/e", proxy=f"http://{host}", proxy_command=command
        )
        endpoint = endpoint_of(profile)
        reasons = await refusals(endpoint, "http://desk.example/hook")
    assert [login_of(head) for head in heads] == [LOGIN if source else None] * 3
    for reason in reasons:
        assert f"the proxy {host} refused the connection: 407 Proxy Authentication Required" in reason
        assert "p%40ss" not in reason
    assert "p%40ss" not in repr(endpoint)


def test_a_proxy_of_the_environment_that_does_not_run_is_named_when_a_notice_cannot_be_posted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Nobody can listen at port 1 without being root.
    monkeypatch.setenv("http_proxy", "127.0.0.1:1")
    monkeypatch.delenv("no_proxy", raising=False)
    endpoint = Endpoint("http://desk.example/core", trust_env=True)
    with pytest.raises(NotPosted, match=r"cannot connect to 127\.0\.0\.1:1: "):
        WebhookClient("http://desk.example/hook", endpoint).post(b"{}", {}, 0)


@for_each("printed", ("secretword", ":secretword"))
def test_a_login_without_a_user_is_refused_and_not_shown(printed: str) -> None:
    profile = Profile(core="http://desk.example/core", proxy="http://p.example", proxy_command=("printf", printed))
    with pytest.raises(LoginNeeded, match=r"proxy_command: .* must be of the form user:password") as refused:
        endpoint_of(profile)
    assert "secretword" not in str(refused.value)
