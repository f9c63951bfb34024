"""The provisioning service has its own address, variant and credentials."""

from __future__ import annotations

import httpx
import pytest

from console.api.annotations import Variant
from console.api.errors import LoginNeeded, NotOffered
from console.api.operations.people import GetCurrentUser
from console.api.operations.provisioning import (
    GetProvisionedUser,
    ListCallerIds,
    ListProvisionedUsers,
    UpdateProvisionedUser,
)
from console.api.operations.resolution import GetGatewayUsername, ResolveAddress
from console.api.route import Route
from console.api.route_fit import misfits
from console.client.client import Client
from console.client.endpoint import Endpoint, Presentation
from console.records.provisioning import ProvisionedAttributes
from tests.client.canned import Canned

CORE, PROVISIONING = "http://desk.example/core", "http://people.example/api/v1"
NORA = {"id": "1", "username": "nora", "first_name": "Nora", "attributes": {"phone_number": "+34600333444"}}


class Seen:
    """A transport that answers everything, and records the requests."""

    def __init__(self, answer: object = None, refused: set[str] | None = None) -> None:
        self.answer = answer
        self.refused = refused or set()
        self.requests: list[httpx.Request] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        if request.headers.get("X-Key", request.headers.get("Authorization")) in self.refused:
            return httpx.Response(401, json={"error": "who are you?"})
        return httpx.Response(200, json={"user": NORA} if self.answer is None else self.answer)


def _client(seen: Seen, endpoint: Endpoint) -> Client:
    client = Client(endpoint, transport=Canned(seen))
    client.sessions.token = "of the core"
    return client


async def test_operations_of_provisioning_use_its_own_address_with_the_same_token() -> None:
    seen = Seen()
    client = _client(seen, Endpoint(CORE, provisioning=PROVISIONING))
    patch = ProvisionedAttributes(phone_number="+34600333444")
    user = await client.send(UpdateProvisionedUser(id="1", first_name="Nora", attributes=patch))
    assert (user.first_name, user.attributes.phone_number) == ("Nora", "+34600333444")
    (request,) = seen.requests
    assert str(request.url) == f"{PROVISIONING}/users/1"
    assert request.headers["Authorization"] == "Bearer of the core"
    assert request.read() == b'{"attributes":{"phone_number":"+34600333444"},"first_name":"Nora"}'


async def test_a_profile_without_provisioning_reports_so_and_sends_nothing() -> None:
    seen = Seen()
    with pytest.raises(NotOffered, match="names no provisioning service"):
        await _client(seen, Endpoint(CORE)).send(GetProvisionedUser(domain="d", username="nora"))
    assert not seen.requests


async def test_an_address_to_resolve_can_be_sent_in_the_path() -> None:
    seen = Seen({"id": "1"})
    routes = [Route.parse(f"GET /resolve/{{{name}}}") for name in ("address", "addresses")]
    assert not [misfit for route in routes for misfit in misfits(ResolveAddress, route)]
    for endpoint in (Endpoint(CORE), *(Endpoint(CORE, routes={"addresses.find": route}) for route in routes)):
        await _client(seen, endpoint).send(ResolveAddress(address="+34 600"))
    body, path, also_path = seen.requests
    assert also_path.url == path.url
    assert (body.method, body.url.path, body.read()) == ("POST", "/core/addresses/find", b'{"addresses":"+34 600"}')
    assert (path.method, path.url.raw_path) == ("GET", b"/core/resolve/%2B34%20600")


async def test_provisioning_has_its_own_variant() -> None:
    seen = Seen({"users": []})
    client = _client(seen, Endpoint(CORE, provisioning=PROVISIONING, provisioning_variant=Variant.EARLIER))
    asked = {"username": "nora", "email_verified": True, "paginate[max]": 5}
    await client.send(ListProvisionedUsers.model_validate(asked))
    assert dict(seen.requests[0].url.params) == {"username": "nora"}
    with pytest.raises(NotOffered):
        await client.send(ListCallerIds())


async def test_the_token_of_provisioning_is_sent_in_its_own_way_and_to_it_alone() -> None:
    asked = 0

    def source() -> str:
        nonlocal asked
        asked += 1
        return "its own"

    seen = Seen({**NORA, "user": NORA})
    endpoint = Endpoint(
        CORE,
        provisioning=PROVISIONING,
        provisioning_present=Presentation(name="X-Key", scheme=""),
        provisioning_token=source,
    )
    client = _client(seen, endpoint)
    for _ in range(2):
        await client.send(GetProvisionedUser(domain="d", username="nora"))
    await client.send(GetCurrentUser())
    first, second, third = seen.requests
    assert first.headers["X-Key"] == second.headers["X-Key"] == "its own"
    assert "Authorization" not in first.headers
    assert third.headers["Authorization"] == "Bearer of the core"
    assert "X-Key" not in third.headers
    assert asked == 1


async def test_a_refused_token_of_provisioning_is_requested_once_more() -> None:
    tokens = iter(("old", "new"))
    seen = Seen(NORA, refused={"Bearer old"})
    endpoint = Endpoint(CORE, provisioning=PROVISIONING, provisioning_token=lambda: next(tokens))
    client = _client(seen, endpoint)
    user = await client.send(GetProvisionedUser(domain="d", username="nora"))
    assert user.username == "nora"
    assert [each.headers["Authorization"] for each in seen.requests] == ["Bearer old", "Bearer new"]
    seen.refused.add("Bearer new")
    endpoint = Endpoint(CORE, provisioning=PROVISIONING, provisioning_token=lambda: "new")
    with pytest.raises(LoginNeeded):
        await _client(seen, endpoint).send(GetProvisionedUser(domain="d", username="nora"))


@pytest.mark.parametrize(
    ("body", "said"), [(b'"7001"', "7001"), (b"7001", "7001"), (b"0034911", "0034911"), (b"+34911", "+34911")]
)
def test_a_bare_string_is_read_with_and_without_quotes_even_if_it_is_numeric(body: bytes, said: str) -> None:
    assert GetGatewayUsername.read_answer(body) == said
