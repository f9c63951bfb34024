"""A deployment of several nodes: what one cannot answer goes to the next, and nothing is done twice."""

from __future__ import annotations

from collections.abc import Callable

import httpx
import pytest
from websockets.asyncio.server import ServerConnection

from console.api.errors import Away, ServerFault, TimedOut, Unreachable
from console.api.operations.people import CreateGroup
from console.api.operations.traffic import ListCalls
from console.cli.deployment import endpoint_of
from console.client.client import Client
from console.client.endpoint import Endpoint, Node
from console.config import settings
from console.config.schema import Profile
from console.config.toml_source import ConfigFault
from tests.client.canned import Canned
from tests.client.test_client_stream import gathered, serving
from tests.for_each import for_each

Answer = Callable[[httpx.Request], httpx.Response]


def no_lot(_most: int) -> int:
    return 0


@pytest.fixture(autouse=True)
def at_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """Begin at the first node instead of one by lot."""
    monkeypatch.setattr("random.randrange", no_lot)


def client_of(asked: list[str], **answers: Answer) -> Client:
    """Return a client of nodes with these names, which notes the name of each node that was asked."""

    def answer(request: httpx.Request) -> httpx.Response:
        name = request.url.host.partition(".")[0]
        asked.append(name)
        return answers[name](request)

    first, *others = (f"http://{name}.example/core" for name in answers)
    client = Client(Endpoint(first, others=tuple(map(Node, others))), transport=Canned(answer))
    client.sessions.token = "t"
    return client


def calls(_request: httpx.Request) -> httpx.Response:
    return httpx.Response(200, json=[])


def refuses(_request: httpx.Request) -> httpx.Response:
    raise httpx.ConnectError("connection refused")


def never_answers(_request: httpx.Request) -> httpx.Response:
    raise httpx.ReadTimeout("no answer")


def ends(_request: httpx.Request) -> httpx.Response:
    return httpx.Response(503, json={"message": "going down"})


async def test_a_request_that_reaches_no_node_is_sent_to_the_next_and_later_ones_go_there() -> None:
    asked: list[str] = []
    client = client_of(asked, a=refuses, b=refuses, c=calls)
    await client.send(ListCalls())
    await client.send(ListCalls())
    assert asked == ["a", "b", "c", "c"]


async def test_every_node_is_tried_once_before_the_service_is_unreachable() -> None:
    asked: list[str] = []
    client = client_of(asked, a=refuses, b=refuses)
    with pytest.raises(Unreachable):
        await client.send(ListCalls())
    assert asked == ["a", "b"]


@pytest.mark.parametrize(("failing", "error"), [(never_answers, TimedOut), (ends, ServerFault)])
async def test_a_change_that_may_have_been_made_is_not_repeated_and_the_next_request_goes_elsewhere(
    failing: Answer, error: type[Exception]
) -> None:
    asked: list[str] = []
    client = client_of(asked, a=failing, b=calls)
    with pytest.raises(error):
        await client.send(CreateGroup(group_id="g", name="G"))
    assert asked == ["a"]
    await client.send(ListCalls())
    assert asked == ["a", "b"]


async def test_the_event_channel_opens_at_the_next_node_when_one_goes_down() -> None:
    opened: list[str] = []

    async def leaving(connection: ServerConnection) -> None:
        opened.append("a")
        await connection.close(4002)

    async def staying(connection: ServerConnection) -> None:
        opened.append("b")
        await connection.close(4002)

    async with serving(leaving) as at_a, serving(staying) as at_b:
        node = Node("http://127.0.0.1:2", events=at_b)
        client = Client(Endpoint("http://127.0.0.1:1", events=at_a, others=(node,)))
        for _ in range(3):
            _, error = await gathered(client)
            assert isinstance(error, Away)
    assert opened == ["a", "b", "a"]


def test_a_profile_lists_the_addresses_of_its_nodes() -> None:
    endpoint = endpoint_of(
        settings.read(
            Profile,
            {
                "core": ["https://a.example/core", "https://b.example/core", "https://c.example/core"],
                "provisioning": "https://balanced.example/provisioning",
                "events": ["wss://a.example/bus", "auto", "off"],
            },
        )
    )
    provisioning = "https://balanced.example/provisioning"
    assert (endpoint.core, endpoint.events) == ("https://a.example/core", "wss://a.example/bus")
    assert endpoint.others == (
        Node("https://b.example/core", provisioning, "wss://b.example/events"),
        Node("https://c.example/core", provisioning, None),
    )


@for_each(
    "keys, words",
    (
        ({"core": []}, "core: must be a text"),
        ({"core": ["http://a/core", "ftp://b"]}, "other_core.0: must be a URL of the form http://host"),
        ({"core": ["http://a/core", 7]}, "other_core.0: "),
        (
            {"core": ["http://a/core", "http://b/core"], "events": ["ws://a/e", "ws://b/e", "ws://c/e"]},
            "events: must have one entry for each one of core",
        ),
        ({"core": "http://a/core", "provisioning": ["http://a/p", "http://b/p"]}, "provisioning: must have one entry"),
    ),
)
def test_a_list_of_nodes_that_cannot_be_used_is_refused(keys: dict[str, object], words: str) -> None:
    with pytest.raises(ConfigFault) as fault:
        settings.read(Profile, keys)
    assert words in str(fault.value)
