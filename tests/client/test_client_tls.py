"""TLS: no bad certificate is accepted, by HTTPS or WebSocket, or on a retry."""

from __future__ import annotations

import ssl
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from websockets.asyncio.server import serve

from console.api.errors import ApiError, BadCertificate, Unreachable
from console.api.operations.traffic import GetStatus
from console.client.client import Client
from console.client.endpoint import Endpoint, Tls
from tests.client.certificates import Authority, server_context
from tests.client.test_client_stream import gathered, make_client, nothing
from tests.faults.figures import record

REASONS = {
    "unknown authority": "unable to get local issuer certificate",
    "self-signed": "self-signed certificate",
    "expired": "certificate has expired",
    "not yet valid": "certificate is not yet valid",
    "another name": "IP address mismatch",
    "signed by a leaf certificate": "invalid CA certificate",
    "too weak a key": "key too weak",
    "too old a protocol": "",
}
"""Each kind of bad certificate or handshake, with OpenSSL's message.

With the old protocol a server may just close the connection, which looks like a network failure.
"""


@pytest.fixture(scope="module")
def ours(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("ours"))


@pytest.fixture(scope="module")
def theirs(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("theirs"), "theirs")


@asynccontextmanager
async def serving(context: ssl.SSLContext) -> AsyncGenerator[tuple[str, list[str]]]:
    """Serve HTTPS and WebSocket; requests after the handshake are counted."""
    asked: list[str] = []

    def refuse(_connection: object, request: object) -> None:
        asked.append(str(request))

    async with serve(nothing, "127.0.0.1", 0, ssl=context, process_request=refuse) as server:
        yield f"wss://127.0.0.1:{server.sockets[0].getsockname()[1]}/events", asked


async def over_http(url: str, tls: Tls) -> ApiError:
    """Send a request to the same server over HTTPS and return the error."""
    client = Client(Endpoint(url.replace("wss:", "https:"), tls=tls))
    client.sessions.token = "secret"
    try:
        await client.send(GetStatus())
    except ApiError as error:
        return error
    finally:
        await client.close()
    raise AssertionError("answered")


def bad(kind: str, ours: Authority, theirs: Authority) -> ssl.SSLContext:
    """Return a server with one defect."""
    match kind:
        case "unknown authority":
            return server_context(theirs.leaf("leaf"))
        case "self-signed":
            return server_context(theirs.own_certificate())
        case "expired":
            return server_context(ours.leaf("expired", start=-3, end=-1))
        case "not yet valid":
            return server_context(ours.leaf("early", start=1, end=3))
        case "another name":
            return server_context(ours.leaf("another", address="127.0.0.9"))
        case "signed by a leaf certificate":
            return server_context(ours.leaf_by_leaf("upstart"))
        case "too weak a key":
            return server_context(ours.leaf("weak", weak=True), weak=True)
        case _:
            context = server_context(ours.leaf("old"), weak=True)
            context.minimum_version = ssl.TLSVersion.MINIMUM_SUPPORTED
            context.maximum_version = ssl.TLSVersion.TLSv1_1
            return context


@pytest.mark.parametrize("kind", REASONS)
# The deprecated protocol is intended.
@pytest.mark.filterwarnings("ignore:ssl.TLSVersion:DeprecationWarning")
async def test_bad_certificates_are_refused_for_requests_and_events(
    kind: str, ours: Authority, theirs: Authority
) -> None:
    async with serving(bad(kind, ours, theirs)) as (url, asked):
        _, over_ws = await gathered(make_client(url, tls=Tls(ca=ours.file)))
        errors = [over_ws, await over_http(url, Tls(ca=ours.file))]
    expected = BadCertificate if REASONS[kind] else Unreachable
    told = [isinstance(each, expected) and REASONS[kind] in each.reason for each in errors]
    record("K3", all(told) and not asked, f"{kind}: {sum(told)} of 2", "refused over http and ws")
    assert told == [True, True], [each.reason for each in errors]
    assert not asked, "nothing is said to who cannot be trusted"


async def test_a_service_that_requires_a_client_certificate_gets_ours(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    certificate, key = authority.leaf("client")
    context = server_context(authority.leaf("server"), client_ca=authority.file)
    async with serving(context) as (url, asked):
        without = Tls(ca=authority.file)
        refused = [(await gathered(make_client(url, tls=without)))[1], await over_http(url, without)]
        # A reset may arrive in place of the alert, so that only this much is certain.
        told = [isinstance(each, Unreachable) for each in refused]
        record(
            "K3", all(told) and not asked, f"client certificate missing: {sum(told)} of 2", "refused over http and ws"
        )
        assert all(told)
        assert not asked
        _, error = await gathered(make_client(url, tls=Tls(ca=authority.file, certificate=certificate, key=key)))
        assert "closed (1000)" in error.reason


async def test_an_own_authority_replaces_those_of_the_system(ours: Authority) -> None:
    async with serving(server_context(ours.leaf("good"))) as (url, _asked):
        _, error = await gathered(make_client(url, tls=Tls(ca=ours.file)))
        assert "closed (1000)" in error.reason
        _, error = await gathered(make_client(url))
        assert type(error) is BadCertificate
