"""A deployment that differs in everything that can be configured is shown without a wrong cell, and worked with."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Generator
from pathlib import Path
from typing import Any

import pytest

from console.live.delta import Freshness
from tests.behaviour.driver import Seat
from tests.cli.conftest import Console
from tests.third_party.contrary import CLIENT_SECRET, PASSWORD, Running, running
from tests.third_party.seat import seat_at


@pytest.fixture(scope="module")
def contrary(tmp_path_factory: pytest.TempPathFactory) -> Generator[Running]:
    with running(tmp_path_factory.mktemp("contrary")) as found:
        yield found


@pytest.fixture
def configured(contrary: Running, offline: Console, home: Path, monkeypatch: pytest.MonkeyPatch) -> Console:
    (home / "config.toml").write_text(contrary.config, encoding="utf-8")
    monkeypatch.setenv("CONSOLE_PASSWORD", PASSWORD)
    return offline


@pytest.fixture
async def eva(configured: Console, home: Path) -> AsyncGenerator[Seat]:
    async with seat_at(home / "config.toml", PASSWORD) as seated:
        yield seated


def rows(console: Console, name: str, columns: str, *more: str) -> list[dict[str, Any]]:
    ended = console("list", name, "--columns", columns, "--json", *more)
    assert (ended.code, ended.err) == (0, "")
    return json.loads(ended.out)


def test_every_user_has_the_name_domain_and_date_of_the_deployment(configured: Console, contrary: Running) -> None:
    found = {each["id"]: each for each in rows(configured, "users", "id,username,domain,role,name,created")}
    assert len(found) == 150, "a page has 100 rows at most"
    for uid, person in contrary.data.people.items():
        each = found[str(uid)]
        assert (each["username"], each["domain"], each["name"]) == (
            person["login"]["name"],
            person["realm"],
            person["shown"],
        )
        assert each["created"] == person["since"] // 1000, "in ms, as every time of the console"


def test_every_call_has_state_parties_and_times_of_the_deployment(configured: Console, contrary: Running) -> None:
    columns = "id,state,caller,callee,users,queue"
    found = {each["id"]: each for each in rows(configured, "calls", columns)}
    assert len(found) == 230

    def name(address: str) -> str:
        if not address.startswith("wac-user:"):
            return address
        person = contrary.data.people[int(address[9:])]
        return person["shown"] + (" @other" if person["realm"] == "other.example" else "")

    known = {"TALKING_NOW": "connected", "InQueue": "queued"}
    for cid, call in contrary.data.calls.items():
        each = found[str(cid)]
        over = call["ended"] is not None
        expected = known.get(call["status"], call["status"])
        if over and expected == "connected":
            assert each["state"] != "connected", "a call with an end is over"
        else:
            assert each["state"] == expected
        assert (each["caller"], each["callee"]) == (name(call["src"]), name(call["dst"]))
    queued = [each for each in contrary.data.calls.values() if each["status"] == "InQueue" and each["ended"] is None]
    assert len(rows(configured, "calls", "id", "--filter", "waiting:yes")) == len(queued) > 30


def test_times_are_those_of_the_deployment(configured: Console, contrary: Running) -> None:
    found = {each["id"]: each for each in rows(configured, "calls", "id,began,end")}
    for cid, call in contrary.data.calls.items():
        assert found[str(cid)]["began"] == int(call["began"]) * 1000
    sent = {each["id"]: each["sent"] for each in rows(configured, "alerts", "id,sent")}
    assert sent == {f"s{number}": (contrary.data.now - number * 60) * 1000 for number in (1, 2, 3)}


def test_agents_presence_and_groups_are_those_of_the_deployment(configured: Console, contrary: Running) -> None:
    agents = rows(configured, "agents", "id,name,online,state")
    assert [(each["id"], each["online"]) for each in agents] == [("2", True), ("3", True)]
    found = {each["group"]: each for each in rows(configured, "groups", "group,name,size,owner")}
    assert {key: each["size"] for key, each in found.items()} == dict.fromkeys(contrary.data.teams, 3)
    assert {each["owner"] for each in found.values()} == {"eva"}


def test_presence_has_the_words_and_addresses_of_the_deployment(configured: Console, contrary: Running) -> None:
    found = {each["id"]: each for each in rows(configured, "presence", "id,name,state,online")}
    assert len(found) == 10
    shown = {each["name"].removesuffix(" @other"): each["state"] for each in found.values()}
    people = contrary.data.people
    assert shown.keys() == {people[number]["shown"] for number in range(1, 11)}
    assert [shown[people[number]["shown"]] for number in (1, 2, 3)] == ["available", "on-the-phone", "away"]
    assert sum(each["online"] is True for each in found.values()) == 3


def test_changes_arrive_in_the_form_of_the_deployment(configured: Console, contrary: Running) -> None:
    assert configured("call", "groups.add", "groupId=t3", "targetUserId=9").code == 0
    assert contrary.data.teams["t3"]["crew"] == [3, 4, 5, 9]
    assert configured("call", "alerts.cancel", "id=s3", "--yes").code == 0
    assert contrary.data.sirens["s3"]["state"] == "canceled"
    assert ("POST", "/pbx/v3/sirens/act", {"request": {"do": "stop", "siren": "s3"}}) in contrary.data.asked
    missing = configured("call", "alerts.accept", "alertId=none")
    assert missing.code == 1
    assert "no such siren" in missing.err
    contrary.data.teams["t3"]["crew"].remove(9)
    contrary.data.sirens["s3"]["state"] = "active"


def test_the_doctor_finds_nothing_wrong(configured: Console, contrary: Running) -> None:
    contrary.data.greeting = "/calls/changed"
    ended = configured("doctor", "--json")
    findings = {each["name"]: (each["state"], each["reason"]) for each in json.loads(ended.out)["findings"]}
    wrong = {name: said for name, said in findings.items() if said[0] not in {"works", "not offered", "unproven"}}
    assert (wrong, ended.code) == ({}, 0)
    assert findings["events"][0] == "works"


def test_no_secret_is_shown(configured: Console, contrary: Running, home: Path) -> None:
    for arguments in (("config", "show"), ("doctor",), ("list", "groups"), ("info",)):
        ended = configured(*arguments)
        assert not any(secret in ended.out + ended.err for secret in (CLIENT_SECRET, PASSWORD, "xaccess-", "xrefresh-"))


def test_a_wrong_password_is_told_with_the_request(
    configured: Console, contrary: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CONSOLE_PASSWORD", "wrong-4711")
    ended = configured("list", "calls")
    assert ended.code == 4
    assert "wrong name or password" in ended.err
    assert "wrong-4711" not in ended.err


async def test_hints_bring_changes_while_the_badge_says_polling(eva: Seat, contrary: Running) -> None:
    await eva.press("6")
    await eva.sees("Line 1 down")
    await eva.until(lambda: contrary.data.streams)
    contrary.data.sirens["s1"]["title"] = "Line 1 is down again"
    contrary.data.tell("/sirens/changed")
    await eva.sees("Line 1 is down again")
    assert eva.backend.health("alerts").state is Freshness.POLLING


async def test_an_alert_is_accepted_with_the_constants_of_the_route(eva: Seat, contrary: Running) -> None:
    await eva.look_at("alerts", "s2")
    await eva.press("a")
    await eva.until(lambda: contrary.data.sirens["s2"]["state"] == "accepted")
    assert ("POST", "/pbx/v3/sirens/act", {"request": {"do": "take", "siren": "s2"}}) in contrary.data.asked
    await eva.until(lambda: getattr(eva.backend.records("alerts")["s2"], "state", "") == "accepted")
    contrary.data.sirens["s2"].update(state="active")


async def test_own_presence_names_and_domains_are_known(eva: Seat) -> None:
    await eva.sees("eva@far.example  ● available")
    await eva.press("4")
    await eva.sees("Person 10 @other")
    await eva.sees("1 away")
    await eva.sees("Address      wac-user:1")
    await eva.press("2")
    await eva.sees("230 calls")
    await eva.sees("Person ")


async def test_the_rows_stay_while_a_portal_answers(eva: Seat, contrary: Running) -> None:
    await eva.look_at("calls")
    before = eva.shown
    contrary.data.portal = True
    try:
        await eva.press("ctrl+r")
        await eva.sees("STALE")
        await eva.sees("the answer was not from the service")
        assert eva.shown == before
    finally:
        contrary.data.portal = False
    await eva.until(lambda: eva.backend.health("calls").state is Freshness.POLLING)
