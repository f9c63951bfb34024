"""Any malformed request is answered with a 4xx in a shape of the contract and changes nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.types import ASGIApp, Message

from console.api.catalogue import catalogue
from console.service.auth.caller import Caller
from console.service.auth.passwords import Cost
from console.service.http import dispatch
from console.service.http.request_head import LARGEST_HEAD, LONGEST_TARGET, MOST_HEADERS
from console.service.platform import ServiceSettings
from tests.background import Running
from tests.contract.case import assert_refusal
from tests.examples import EXAMPLES
from tests.faults.figures import record
from tests.service.hostile import BODIES, HostileInput, kinds, sent
from tests.service.inside import everything, inside
from tests.service.over_http import LogIn, data, get, told_since


@pytest.fixture
def eva(as_user: LogIn) -> httpx.Client:
    """One login for all examples of a property."""
    return as_user("eva")


async def answer(app: ASGIApp, kind: HostileInput, token: str) -> tuple[int, bytes]:
    """Send a request that no client would send; return the status and the body."""
    waiting: list[Message] = [{"type": "http.request", "body": kind.body, "more_body": False}]
    said: list[Message] = []

    async def receive() -> Message:
        return waiting.pop() if waiting else {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        said.append(message)

    await app(sent(kind, token), receive, send)
    return said[0]["status"], b"".join(each.get("body", b"") for each in said)


async def test_any_input_is_refused_in_a_declared_format_or_answered_and_changes_nothing() -> None:
    failed: list[str] = []
    # An object without a token is an anonymous login, which changes something.
    settings = ServiceSettings(password_cost=Cost.cheap(), account_rate=0, address_rate=0, allow_guests=False)
    with inside(settings) as desk:
        token = desk.token("eva")
        before = everything(desk)
        several = list(kinds())
        for kind in several:
            status, body = await answer(desk.app, kind, token)
            if status >= 500 or (status >= 400 and body.startswith(b"{") and not json.loads(body)):
                failed.append(f"{kind.name}: {status} {body[:200]!r}")
        changed = [name for name, rows in everything(desk).items() if rows != before[name]]
    assert len({kind.name for kind in several}) == len(several)
    record("S4", not failed and not changed, f"{len(several)} kinds, {len(failed)} of them 5xx", "0 of 200 kinds")
    assert (failed, changed) == ([], [])
    assert len(several) >= 200


LONG = {
    "path": (HostileInput("", path=b"/core/groups/" + b"x" * LONGEST_TARGET), 414, "code"),
    "filter": (HostileInput("", path=b"/core/users/page?username[partial]=" + b"a" * 100_000), 414, "code"),
    "change": (HostileInput("", "POST", b"/core/alerts?x=" + b"a" * 100_000), 414, "validation"),
    "headers": (
        HostileInput("", "POST", b"/core/alerts", headers={b"x-%d" % n: b"" for n in range(MOST_HEADERS)}),
        431,
        "validation",
    ),
    "a header": (HostileInput("", path=b"/core/users", headers={b"x": b"y" * LARGEST_HEAD}), 431, "code"),
    "provisioning": (HostileInput("", path=b"/provisioning/users?email=" + b"a" * 100_000), 414, "error"),
    "no operation": (HostileInput("", path=b"/core/nowhere?x=" + b"a" * 100_000), 414, "code"),
    "readiness": (HostileInput("", path=b"/health", headers={b"x": b"y" * LARGEST_HEAD}), 431, "code"),
    "description": (HostileInput("", path=b"/openapi.json?x=" + b"a" * 100_000), 414, "code"),
}


@pytest.mark.parametrize("name", LONG)
async def test_long_addresses_and_heads_are_refused_in_the_operations_format_before_authentication(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def nobody(*_: object) -> Caller:
        raise AssertionError("looked up")

    monkeypatch.setattr(dispatch, "caller_of", nobody)
    kind, wanted, shape = LONG[name]
    with inside() as desk:
        status, body = await answer(desk.app, kind, desk.token("eva"))
    assert status == wanted
    assert_refusal(httpx.Response(status, content=body), wanted, shape)


UNREADABLE = {name: BODIES[name] for name in ("no json", "lone surrogate", "deep arrays", "an array")}


@pytest.mark.parametrize("body", UNREADABLE.values(), ids=UNREADABLE.keys())
def test_invalid_bodies_are_refused(as_user: LogIn, service: Running, body: bytes) -> None:
    pat = as_user("pat")
    before = service.database.head
    refused = pat.post("/groups", content=body, headers={"Content-Type": "application/json"})
    assert refused.status_code == 400, refused.text
    assert refused.json()["code"] == 400
    for entry in refused.json()["validationErrors"]:
        assert entry.keys() == {"keyword", "dataPath", "schemaPath", "params", "message"}
        assert "Error" not in entry["message"], "a name of a class tells nobody anything"
    assert not told_since(service, before)


def test_bodies_above_a_mebibyte_are_refused_with_or_without_a_declared_length(as_user: LogIn) -> None:
    pat = as_user("pat")
    large = json.dumps({"name": "x" * 1024 * 1024}).encode()
    assert pat.post("/groups", content=large).status_code == 413

    def parts() -> Iterator[bytes]:
        for start in range(0, len(large), 65_536):
            yield large[start : start + 65_536]

    assert pat.post("/groups", content=parts()).status_code == 413
    assert data(pat.get("/groups"))["groupList"] == []


def test_refused_input_is_not_repeated_in_the_answer(as_user: LogIn) -> None:
    refused = as_user("nobody").post("/sessions/start", json={"token": {"secret": "hush"}})
    assert refused.status_code == 400
    assert "hush" not in refused.text


def test_unknown_paths_and_methods_are_refused(as_user: LogIn, service: Running) -> None:
    eva = as_user("eva")
    assert eva.get("/nothing").json() == {"code": 404, "message": "unknown path"}
    wrong = eva.patch("/groups")
    assert (wrong.status_code, wrong.headers["Allow"]) == (405, "GET, POST")
    assert get(service.base_url + "/").status_code == 404
    assert get(service.base_url + "/provisioning/anything").status_code in {404, 405}


@pytest.mark.parametrize(
    "query",
    ["limit=99999999999999999999", "limit=1e3", "limit=x", "last_item=" + "9" * 5000, "registered=maybe", "limit=-1"],
)
def test_numbers_in_queries_beyond_the_range_of_the_store_are_refused(as_user: LogIn, query: str) -> None:
    refused = as_user("eva").get(f"/users?{query}")
    assert refused.status_code == 400, refused.text


@pytest.mark.parametrize("query", ["username=%ff%fe", "nothing=1", "username=a&username=b", "domain[]=x", "&&&=="])
def test_unusual_queries_are_answered(as_user: LogIn, query: str) -> None:
    assert as_user("eva").get(f"/users?{query}").status_code == 200


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
OURS = [each for each in catalogue().values() if each.operation.section in {"4.1", "4.2", "4.3", "4.4"}]


@given(
    request=st.sampled_from(OURS),
    values=st.dictionaries(st.integers(0, 20), JSON, max_size=6),
    path=st.text(min_size=1, max_size=12).filter(lambda text: text not in {".", ".."}),
)
@settings(max_examples=10 * EXAMPLES, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_input_makes_the_service_fail(eva: httpx.Client, request: Any, values: dict[int, Any], path: str) -> None:
    route = request.operation.route
    raw = route.template
    for name in route.fields:
        raw = raw.replace("{" + name + "}", "".join(f"%{byte:02X}" for byte in path.encode("utf-8", "surrogatepass")))
    inputs = [each.wire for each in request.inputs()]
    body = {inputs[place % len(inputs)]: value for place, value in values.items()} if inputs else {}
    text = json.dumps(body)
    answer = eva.request(
        route.method,
        httpx.URL(str(eva.base_url)).copy_with(raw_path=b"/core" + raw.encode()),
        params={name: str(value).encode("utf-8", "replace").decode() for name, value in body.items()},
        content=text.encode("utf-8", "surrogatepass") if route.method not in {"GET", "DELETE"} else None,
    )
    assert answer.status_code < 500, (request.operation.name, raw, text, answer.text)


def test_a_change_repeated_with_the_same_key_is_made_once(as_user: LogIn) -> None:
    pat, ana = as_user("pat"), as_user("ana")
    headers = {"Idempotency-Key": "press-1"}
    first = pat.post("/groups", json={"name": "Once"}, headers=headers)
    again = pat.post("/groups", json={"name": "Once"}, headers=headers)
    assert (first.status_code, first.content) == (again.status_code, again.content)
    assert len(data(pat.get("/groups"))["groupList"]) == 1
    other = pat.post("/groups", json={"name": "Other"}, headers=headers)
    assert other.status_code == 409
    assert data(ana.post("/groups", json={"name": "Once"}, headers=headers))["owner"]["id"] == "ana"
    assert pat.post("/groups", json={"name": "x"}, headers={"Idempotency-Key": "k" * 256}).status_code == 400


def test_readiness_and_the_description_need_no_login(service: Running) -> None:
    health = data(get(service.base_url + "/health"))
    assert health == {"status": "ok", "epoch": service.database.epoch, "offset": service.database.head}
    document = data(get(service.base_url + "/openapi.json"))
    described = {each["operationId"] for path in document["paths"].values() for each in path.values()}
    assert {each.operation.name for each in OURS} <= described
