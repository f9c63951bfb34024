"""The headless commands with a foreign deployment: a profile and a routes file are enough."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from console.api.catalogue import catalogue
from console.api.routes_file import load_routes
from tests.cli.conftest import Console
from tests.for_each import for_each
from tests.third_party.deployment import HEADER, QUERY, ROUTES, SCHEME, Deployment
from tests.third_party.platform import Json, Received


def last(deployment: Deployment) -> Received:
    """Return the last request, without the logout."""
    return next(each for each in reversed(deployment.platform.received) if "/gate" not in each.path)


def test_no_route_equals_the_declared_one() -> None:
    def shape(method: str, template: str) -> tuple[str, str]:
        return method, "/".join("{}" if part.startswith("{") else part for part in template.split("/"))

    declared = {shape(each.operation.route.method, each.operation.route.template) for each in catalogue().values()}
    bound = {name: route for name, route in load_routes(ROUTES).items() if route is not None}
    assert len(bound) > 40
    assert not declared & {shape(route.method, route.template) for route in bound.values()}


@for_each(
    "name, rows",
    [
        ("calls", 3),
        ("conferences", 0),
        ("presence", 4),
        ("agents", 2),
        ("skills", 2),
        ("chats", 0),
        ("alerts", 2),
        ("templates", 0),
        ("groups", 1),
        ("users", 4),
        ("sessions", 1),
        ("alarms", 1),
    ],
)
def test_every_list_works(console: Console, name: str, rows: int) -> None:
    ended = console("list", name, "--columns", "all", "--json", "--expect", str(rows))
    assert (ended.code, ended.err) == (0, "")
    assert len(json.loads(ended.out)) == rows


def test_a_row_reads_like_one_of_our_service(console: Console) -> None:
    rows = console("list", "calls", "--filter", "state:queued", "--columns", "id,state,callee", "--jsonl").out
    assert json.loads(rows) == {"id": "c2", "state": "queued", "callee": "Ana Far"}


def test_the_earlier_spellings_are_read(console: Console) -> None:
    ended = console("call", "alarms.get", "id=q1")
    assert json.loads(ended.out)["payload"]["value"]["ssrc"][0]["packetesReceived"] == 7
    assert console("list", "alarms", "--columns", "all", "--filter", "c3", "--expect", "1").code == 0
    session = json.loads(console("list", "sessions", "--columns", "all", "--json").out)[0]
    assert session["user"] == "Eva Far"


def test_credentials_are_sent_in_the_format_of_each_service(console: Console, deployment: Deployment) -> None:
    assert console("call", "status.get").code == 0
    asked = last(deployment)
    assert asked.headers[HEADER.lower()].startswith(f"{SCHEME} ticket-")
    assert "authorization" not in asked.headers
    assert console("call", "provisioning-users.list").code == 0
    asked = last(deployment)
    assert asked.path == "/hr/accounts"
    assert dict(asked.query)[QUERY].startswith("ticket-")
    assert HEADER.lower() not in asked.headers


def test_a_session_of_the_earlier_variant_is_ended_with_the_command(console: Console, deployment: Deployment) -> None:
    assert console("list", "calls").code == 0
    assert deployment.platform.sessions == {}
    assert deployment.platform.received[-1].path.startswith("/voice/v0/gate/sess-")


PLACED: list[tuple[tuple[str, ...], tuple[str, str, Json, Json | None]]] = [
    (("groups.get", "groupId=dawn"), ("GET", "/team", {"groupId": "dawn"}, None)),
    (
        ("groups.reorder", "groupId=dawn", "participants=p-bob", "participants=p-ana"),
        ("POST", "/teams/order", {}, {"groupId": "dawn", "participants": ["p-bob", "p-ana"]}),
    ),
    (("groups.add", "groupId=dawn", "targetUserId=p-eva"), ("PUT", "/teams/dawn/crew/p-eva", {}, {})),
    (
        ("groups.remove", "groupId=dawn", "targetUserId=p-bob"),
        ("DELETE", "/teams/dawn/crew", {"who": "p-bob"}, None),
    ),
    (("calls.list", "limit=2", "after=5"), ("POST", "/traffic/find", {}, {"most": 2, "since": 5})),
    (("calls.update", "id=c1", "state=rejected"), ("PATCH", "/traffic/c1.json", {}, {"state": "rejected"})),
    (("alerts.accept", "alertId=s1"), ("PUT", "/sirens/s1/mine", {}, {})),
    (("alerts.cancel", "id=s1"), ("POST", "/sirens/silence", {}, {"id": "s1"})),
    (
        ("presence.subscribe-many", "addresses=svc-user:p-ana", "addresses=tel:1"),
        ("POST", "/around/follow", {}, {"who": ["svc-user:p-ana", "tel:1"]}),
    ),
    (("presence.subscribe", "address=svc-user:p-ana"), ("POST", "/around/svc-user:p-ana/follow", {}, {})),
    (("agents.set", "userIds=p-carla"), ("PUT", "/crew", {}, {"userIds": ["p-carla"]})),
    (("skills.detach", "skill=german", "agent=p-ana"), ("DELETE", "/talents/german/p-ana", {}, None)),
]


@for_each("call, asked", PLACED)
def test_inputs_are_sent_where_the_routes_file_says(
    console: Console,
    deployment: Deployment,
    call: tuple[str, ...],
    asked: tuple[str, str, Json, Json | None],
) -> None:
    ended = console("call", *call)
    assert (ended.code, ended.err) == (0, "")
    seen = last(deployment)
    assert (seen.method, seen.path.removeprefix("/voice/v0"), dict(seen.query), seen.body) == asked


def test_a_change_is_made(console: Console, deployment: Deployment) -> None:
    assert console("call", "groups.create", "name=Late watch", "groupId=late").code == 0
    assert console("call", "groups.add", "groupId=late", "targetUserId=p-ana").out == "null\n"
    assert deployment.platform.teams["late"]["participants"] == ["p-ana"]
    assert json.loads(console("call", "skills.attach", "skill=german", "agent=p-bob").out) == "OK"
    assert deployment.platform.talents["german"] == ["p-ana", "p-bob"]


REFUSED: list[tuple[tuple[str, ...], int, str]] = [
    (("groups.get", "groupId=none"), 1, "groups.get: not found: there is no team none"),
    (("alerts.accept", "alertId=none"), 1, "alerts.accept: not found: Bad Request; .alertId: no such siren howls"),
    (("users.get", "id=none"), 1, "users.get: not found: nobody is called none"),
    (("calls.get", "id=none"), 1, "calls.get: not found: no such call was ever made"),
    (("presence.update", "address=svc-user:p-ana", "note=x"), 4, "presence.update: not allowed: only your own"),
    (("users.create", "username=bob", "domain=d", "role=user"), 1, "users.create: bob works here already"),
    (("calls.create",), 2, "calls.create: this deployment has no such operation"),
    (("caller-ids.list",), 2, "caller-ids.list: the earlier variant of the service has no such operation"),
    (("recordings.page",), 2, "recordings.page: the earlier variant of the service has no such operation"),
]


@for_each("call, code, words", REFUSED)
def test_every_refusal_is_reported_with_its_exit_code(
    console: Console, call: tuple[str, ...], code: int, words: str
) -> None:
    ended = console("call", *call)
    assert (ended.code, ended.out) == (code, "")
    assert ended.err == f"console: {words}\n"


def test_operations_that_are_not_offered_are_not_sent(console: Console, deployment: Deployment) -> None:
    console("call", "calls.create")
    assert not [each for each in deployment.platform.received if "/gate" not in each.path]


def test_a_dry_run_shows_the_actual_route(console: Console, deployment: Deployment) -> None:
    plan = json.loads(console("call", "alerts.accept", "alertId=s 1", "--dry-run").out)
    assert plan == {"method": "PUT", "url": f"{deployment.url}/voice/v0/sirens/s%201/mine", "body": {}}
    refused = console("call", "calls.create", "--dry-run")
    assert (refused.code, refused.out) == (2, "")


def test_a_wrong_password_is_a_matter_of_the_login(console: Console, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CONSOLE_PASSWORD", "wrong")
    for command in (("list", "calls"), ("login", "--store", "file")):
        ended = console(*command)
        assert (ended.code, ended.err) == (4, "console: tokens.issue: the login was refused: wrong name or password\n")


def findings(console: Console, code: int) -> dict[str, Json]:
    ended = console("doctor", "--json")
    assert (ended.code, ended.err) == (code, "")
    return {each["name"]: each for each in json.loads(ended.out)["findings"]}


def test_doctor_finds_no_errors_and_changes_nothing(console: Console, deployment: Deployment) -> None:
    found = findings(console, 0)
    bound = {name for name, route in load_routes(ROUTES).items() if route is not None}
    assert {name for name, each in found.items() if each["state"] == "works"} == bound & set(found)
    assert found["users.page"]["reason"] == "this deployment has no such operation"
    assert found["recordings.page"]["reason"] == "the earlier variant of the service has no such operation"
    assert "lists are polled" in found["events"]["reason"]
    changing = [each for each in deployment.platform.received if each.method != "GET" and "/gate" not in each.path]
    assert {each.path for each in changing} == {"/voice/v0/traffic/find", "/voice/v0/teams/find"}
    assert deployment.platform.sessions == {}


def test_doctor_names_the_form_of_addresses(console: Console, home: Path, deployment: Deployment) -> None:
    for each in deployment.platform.around.values():
        each["address"] = each["address"].replace("svc-", "wac-")
    line = 'addresses = { user = "wac-user:{id}", group = "wac-group:{id}" }'
    for url in [*deployment.platform.around]:
        deployment.platform.around[url.replace("svc-", "wac-")] = deployment.platform.around[url]
    found = findings(console, 0)
    assert line in found["presence.list"]["reason"]
    assert found["presence.get"]["state"] == "works"
    assert any("/around/wac-user:p-eva" in each.path for each in deployment.platform.received)
    (ana,) = json.loads(console("list", "users", "--json", "--filter", "username=ana", "--columns", "presence").out)
    assert ana["presence"] == "available"
    config = home / "config.toml"
    wrong = line.replace("wac-", "acme-")
    config.write_text(f"{deployment.profile()}\n{wrong}\n", encoding="utf-8")
    (found,) = findings(console, 1)["presence.list"]["differences"]
    assert found["place"] == "[].address"
    assert line in found["words"]
    config.write_text(f"{deployment.profile()}\n{line}\n", encoding="utf-8")
    assert findings(console, 0)["presence.list"]["reason"] == ""


def test_doctor_reports_where_an_answer_differs(console: Console, deployment: Deployment) -> None:
    for call in deployment.platform.calls.values():
        call["caller"] = [7]
    del deployment.platform.teams["dawn"]["groupId"]
    found = findings(console, 1)
    assert found["calls.list"]["state"] == "shape differs"
    assert found["calls.list"]["differences"] == [
        {"place": "[].caller", "words": "should be a valid string, but is a list", "times": 3}
    ]
    assert found["groups.list"]["differences"] == [{"place": "[].groupId", "words": "is missing", "times": 1}]
    assert found["groups.get"]["state"] == "unproven"
    assert found["skills.list"]["state"] == "works"
    assert "[].caller: should be a valid string, but is a list (in 3 places)" in console("doctor").out
