"""An answer of another form than the operation's is an error, whatever its status and content type."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Mapping
from contextlib import suppress
from typing import Any

import httpx
import pytest

from console.api.annotations import Variant
from console.api.answer_check import AnswerForm, form_of, is_done
from console.api.catalogue import catalogue
from console.api.errors import ApiError, BadAnswer, LoginNeeded, NotFromService, Refused
from console.api.operations.people import CreateGroup, GetGroup, PageGroups, PageUsers
from console.api.operations.presence import SubscribePresences
from console.api.operations.resolution import GetGatewayUsername
from console.api.operations.sessions import ListTokens
from console.api.operations.support import AcceptAlert, ListAlerts
from console.api.operations.traffic import GetCall, GetStatus, ListCalls
from console.api.request import Request
from console.client.client import Client
from console.client.endpoint import Endpoint
from tests.client.canned import Canned

PAGE = b"""<!doctype html>
<html><head><title>Hotel WiFi</title></head><body><form>Please accept our terms</form></body></html>"""
LOGIN_PAGE = b'<html><title>Sign in</title><form><input type="password" name="p"></form></html>'
OPERATIONS = catalogue()
DIFFERENT = {(str(each.answer_type()), each.operation.unwrap): each for each in OPERATIONS.values()}.values()
"""An operation of each type of answer: the type decides how an answer is read."""
OF_EACH_FORM = {form_of(each.answer_type()): each for each in DIFFERENT}.values()
"""The form decides whether a body may be an answer at all."""

# Requests are sent without inputs here: only the answers matter.
pytestmark = pytest.mark.filterwarnings("ignore:Pydantic serializer warnings")

_JSON = "application/json"

PAGES: dict[str, tuple[bytes, str]] = {
    "a page": (PAGE, "text/html"),
    "a page as JSON": (PAGE, "application/json"),
    "a page as text": (PAGE, "text/plain"),
    "a sentence": (b"Please log in to use this network.", "text/plain"),
    "a page without a type": (PAGE, ""),
    "a page after blanks": (b"\xef\xbb\xbf\n\n  " + PAGE, "text/html; charset=utf-8"),
    "XML": (b'<?xml version="1.0"?><error/>', "application/xml"),
    "a sentence as JSON": (b"Session expired, sign in again", "application/json"),
    "a page in a JSON string": (json.dumps(PAGE.decode()).encode(), "application/json"),
    "half of some JSON": (b'{"id": "a", ', "application/json"),
    "a script": (b"window.location='/login';", "application/javascript"),
}
"""Body and content type that no operation returns."""
NOT_OF_FORM: Mapping[AnswerForm, Mapping[str, bytes]] = {
    AnswerForm.OBJECT: {
        "nothing": b"", "blanks": b" \n", "null": b"null", "a word": b"OK", "a JSON string": b'"OK"', "a number": b"7"
    },
    AnswerForm.LIST: {
        "nothing": b"", "blanks": b" \n", "null": b"null", "a word": b"OK", "a JSON string": b'"OK"', "a number": b"7",
        "an object": b"{}", "an object without a list": b'{"count": 3}', "a list that is none": b'{"data": {"a": 1}}',
    },
    AnswerForm.ACKNOWLEDGEMENT: {"a list": b'["a"]', "an empty list": b"[]", "false": b"false", "a number": b"404"},
    AnswerForm.TEXT: {"a list": b'["a"]', "an object": b'{"a":1}'},
}  # fmt: skip


def asked(operation: type[Request[Any]]) -> Request[Any]:
    """Create a request with the inputs that are needed to send it."""
    inputs: dict[str, Any] = {each.field: "x" for each in operation.inputs() if each.required or each.secret}
    return operation.model_construct(**inputs)


class Handler:
    """A service that always gives the same answer, and a client for it."""

    def __init__(self) -> None:
        self._answer = httpx.Response(200)
        self._clients: dict[Variant, Client] = {}

    def _client(self, variant: Variant) -> Client:
        base = "http://desk.example:8080"
        endpoint = Endpoint(
            f"{base}/core", provisioning=f"{base}/provisioning", variant=variant, provisioning_variant=variant
        )
        return Client(endpoint, transport=Canned(lambda _: self._answer))

    async def __call__(self, request: Request[Any], body: bytes, media: str = _JSON, status: int = 200) -> Any:
        """Send a request, to be answered with this."""
        headers = {"content-type": media} if media else {}
        self._answer = httpx.Response(status, headers=headers, content=body)
        variant = request.operation.variant or Variant.LATER
        if variant not in self._clients:
            self._clients[variant] = self._client(variant)
        return await self._clients[variant].send(request)

    async def close(self) -> None:
        """Close the client."""
        for client in self._clients.values():
            await client.close()


@pytest.fixture
async def answered() -> AsyncGenerator[Handler]:
    answering = Handler()
    yield answering
    await answering.close()


async def test_no_operation_accepts_an_html_page_as_its_answer(answered: Handler) -> None:
    taken: list[str] = []
    for operation in DIFFERENT:
        name = operation.operation.name
        for what in PAGES if operation in OF_EACH_FORM else ("a page as JSON",):
            body, media = PAGES[what]
            try:
                await answered(asked(operation), body, media)
            except BadAnswer as error:
                named = ("desk.example:8080", operation.operation.route.method, media.partition(";")[0])
                if not all(word in error.reason for word in named):
                    taken.append(f"{name}, {what}: {error.reason}")
            else:
                taken.append(f"{name}, {what}")
    assert not taken


async def test_no_operation_accepts_an_answer_of_another_format(answered: Handler) -> None:
    taken: list[str] = []
    for operation in DIFFERENT:
        for what, body in NOT_OF_FORM[form_of(operation.answer_type())].items():
            try:
                await answered(asked(operation), body)
            except BadAnswer:
                continue
            taken.append(f"{operation.operation.name}, {what}")
    assert not taken


async def test_an_object_without_declared_fields_is_not_the_answer(answered: Handler) -> None:
    taken: list[str] = []
    for operation in DIFFERENT:
        if form_of(operation.answer_type()) is not AnswerForm.OBJECT:
            continue
        for body in (b'{"user-portal-url": "https://portal.example"}', b'[{"id": "a"}]'):
            with suppress(BadAnswer):
                await answered(asked(operation), body)
                taken.append(f"{operation.operation.name}: {body.decode()}")
    pages = [each for each in DIFFERENT if getattr(each.answer_type(), "rows_field", "") == "data"]
    wanted = [f'{each.operation.name}: [{{"id": "a"}}]' for each in DIFFERENT if each in (*pages, ListAlerts)]
    assert taken == wanted, "only pages and alerts may be plain lists"


async def test_a_change_is_acknowledged_by_every_declared_answer(answered: Handler) -> None:
    acknowledged = [each for each in OPERATIONS.values() if form_of(each.answer_type()) is AnswerForm.ACKNOWLEDGEMENT]
    assert all(is_done(each.operation.says or "Created") for each in acknowledged)
    for operation in (each for each in DIFFERENT if each in acknowledged):
        said = operation.operation.says or "Created"
        for body, media in (
            (b"", ""),
            (b"  ", "text/plain"),
            (said.encode(), "text/plain"),
            (said.encode(), "application/json"),
            (f'"{said}"'.encode(), "application/json"),
            (b"OK", "text/html"),
            (b"ok.\n", "text/html"),
            (b"true", "application/json"),
            (b"null", "application/json"),
            (b'{"ok": true}', "text/html"),
            (b'{"code": 0, "message": "done", "error": null}', "application/json"),
            (b'{"status": 200}', "application/json"),
        ):
            await answered(asked(operation), body, media)
        await answered(asked(operation), b"", status=204)


async def test_valid_json_is_read_whatever_its_content_type(answered: Handler) -> None:
    assert (await answered(GetGroup(group_id="g"), b'\n{"groupId": "g", "name": "Night"}', "text/html")).name == "Night"
    assert len(await answered(ListCalls(), b'[{"id": "a"}]', "text/plain")) == 1
    assert await answered(ListCalls(), b'{"data": []}', "") == ()
    assert (await answered(PageUsers(), b'{"data": []}', "text/html")).data == ()
    assert await answered(GetGatewayUsername(id="ana"), b"0034911", "text/plain") == "0034911"


async def test_an_empty_answer_is_valid_only_for_a_change(answered: Handler) -> None:
    assert await answered(SubscribePresences(addresses=("a",)), b"", status=204) == ()
    assert (await answered(CreateGroup(group_id="g", name="G"), b"", status=204)).identified is False
    for request in (ListCalls(), GetCall(id="a"), PageGroups(), ListAlerts(), GetStatus()):
        with pytest.raises(BadAnswer, match="empty"):
            await answered(request, b"", status=204)


async def test_a_login_answer_without_a_token_is_no_login() -> None:
    for body, status in ((b"", 204), (b"", 200), (b"OK", 200)):
        client = Client(
            Endpoint("http://desk.example/core"),
            transport=Canned(lambda _, body=body, status=status: httpx.Response(status, content=body)),
        )
        with pytest.raises(BadAnswer):
            await client.sessions.log_in("eva", "demo")
        await client.close()


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ({"error": "maintenance"}, "maintenance"),
        ({"error": {"code": 3, "message": "no such alert"}}, "no such alert"),
        ({"error": "bad", "validationErrors": [{"dataPath": ".id", "message": "too short"}]}, "bad; .id: too short"),
        ({"message": [{"dataPath": ".id", "message": "too short"}]}, "too short"),
        ({"errors": [{"detail": "too short"}]}, "too short"),
        ({"success": False, "message": "taken"}, "taken"),
        ({"ok": False, "error": "not_authed"}, "not_authed"),
        ({"status": "error", "message": "taken"}, "taken"),
        ({"code": 403, "message": "not yours"}, "not yours"),
    ],
)
@pytest.mark.parametrize(
    "request_", [AcceptAlert(alert_id="a"), CreateGroup(group_id="g", name="G"), ListCalls(), PageGroups()]
)
async def test_a_refusal_under_a_success_status_is_a_refusal(
    answered: Handler, request_: Request[Any], body: dict[str, Any], reason: str
) -> None:
    with pytest.raises(Refused) as caught:
        await answered(request_, json.dumps(body).encode())
    assert caught.value.in_full == reason


async def test_a_record_that_has_a_field_called_error_is_not_a_refusal(answered: Handler) -> None:
    assert (await answered(GetCall(id="a"), b'{"id": "a", "error": "busy"}')).id == "a"


async def test_a_wrong_password_under_a_success_status_is_a_login_error() -> None:
    body = {"error": "invalid_grant", "error_description": "wrong password"}
    client = Client(Endpoint("http://desk.example/core"), transport=Canned(lambda _: httpx.Response(200, json=body)))
    with pytest.raises(LoginNeeded, match="wrong password"):
        await client.sessions.log_in("eva", "demo")
    await client.close()


async def test_an_html_login_page_is_named_as_such(answered: Handler) -> None:
    with pytest.raises(NotFromService, match="not from the service but a login page"):
        await answered(ListCalls(), LOGIN_PAGE, "text/html")


@pytest.mark.parametrize("operation", [AcceptAlert(alert_id="a"), ListCalls(), GetCall(id="a")])
@pytest.mark.parametrize(
    ("status", "location", "expected", "words"),
    [
        (302, "https://sso.example/saml?token=canary-17", NotFromService, "a redirect to a login page"),
        (303, "/login?next=%2Fcore", NotFromService, "a login page, http://desk.example:8080/login"),
        (302, "http://10.0.0.1/hotspot", NotFromService, "a redirect to another host, http://10.0.0.1/hotspot"),
        (307, "//elsewhere.example/x", NotFromService, "another host, http://elsewhere.example/x"),
        (302, "/core/elsewhere", BadAnswer, "redirects are not followed"),
        (302, "http://[", BadAnswer, "cannot be read"),
        (302, None, BadAnswer, "redirect"),
    ],
)
async def test_the_target_of_a_redirect_is_reported(
    operation: Request[Any], status: int, location: str | None, expected: type[ApiError], words: str
) -> None:
    headers = {"location": location} if location is not None else {}
    client = Client(
        Endpoint("http://desk.example:8080/core"),
        transport=Canned(lambda _: httpx.Response(status, headers=headers, content=PAGE)),
    )
    with pytest.raises(expected) as caught:
        await client.send(operation)
    await client.close()
    assert type(caught.value) is expected
    assert words in caught.value.reason
    assert "desk.example:8080" in caught.value.reason
    assert operation.operation.route.method in caught.value.reason
    assert "canary" not in caught.value.reason


async def test_a_redirect_to_the_same_path_over_tls_says_what_to_change() -> None:
    def moved(request: httpx.Request) -> httpx.Response:
        return httpx.Response(301, headers={"location": str(request.url.copy_with(scheme="https"))})

    client = Client(Endpoint("http://desk.example/core"), transport=Canned(moved))
    with pytest.raises(BadAnswer, match=r"redirects to https://desk.example/core/calls; write that address"):
        await client.send(ListCalls())
    await client.close()


async def test_a_network_that_requires_a_login_is_named(answered: Handler) -> None:
    with pytest.raises(NotFromService, match="the network requires a login page"):
        await answered(ListCalls(), PAGE, "text/html", status=511)


@pytest.mark.parametrize(
    ("request_", "body"),
    [
        (ListTokens(username="ana"), b'{"accessTokens": 7}'),
        (ListAlerts(), b'{"active": {"a": 1}}'),
        (GetGroup(group_id="g"), b'{"groupId": "g", "name": "' + b"x" * 5_000_000 + b'"}'),
        (GetGroup(group_id="g"), b'{"groupId": "g", "data": [' + b"[]," * 200_000 + b"[]]}"),
        (ListCalls(), b"[" + b"{}," * 60_000 + b"{}]"),
    ],
    ids=["a list of tokens that is none", "alerts that are no list", "five megabytes", "many parts", "many rows"],
)
async def test_empty_and_endless_answers_are_refused(answered: Handler, request_: Request[Any], body: bytes) -> None:
    with pytest.raises(BadAnswer):
        await answered(request_, body)
