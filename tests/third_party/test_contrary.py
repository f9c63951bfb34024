"""A deployment that differs in everything that can be configured is shown without a wrong cell, and worked with."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from console.live.delta import Freshness
from tests.behaviour.driver import Seat
from tests.cli.conftest import Console
from tests.third_party.contrary import CLIENT_SECRET, PASSWORD, Running


def test_changes_arrive_in_the_form_of_the_deployment(far: Console, contrary: Running) -> None:
    assert far("call", "groups.add", "groupId=t3", "targetUserId=9").code == 0
    assert contrary.data.teams["t3"]["crew"] == [3, 4, 5, 9]
    assert far("call", "alerts.cancel", "id=s3", "--yes").code == 0
    assert contrary.data.sirens["s3"]["phase"] == "PULLED"
    assert ("POST", "/pbx/v3/sirens/act", {"request": {"do": "stop", "siren": "s3"}}) in contrary.data.asked
    missing = far("call", "alerts.accept", "alertId=none")
    assert missing.code == 1
    assert "no such siren" in missing.err
    contrary.data.teams["t3"]["crew"].remove(9)
    contrary.data.sirens["s3"].update(phase="RINGING", settled=None)


def test_the_doctor_finds_nothing_wrong(far: Console, contrary: Running) -> None:
    contrary.data.greeting = "/calls/changed"
    ended = far("doctor", "--json")
    findings = {each["name"]: (each["state"], each["reason"]) for each in json.loads(ended.out)["findings"]}
    wrong = {name: said for name, said in findings.items() if said[0] not in {"works", "not offered", "unproven"}}
    assert (wrong, ended.code) == ({}, 0)
    assert findings["events"][0] == "works"


def test_no_secret_is_shown(far: Console, contrary: Running, home: Path) -> None:
    for arguments in (("config", "show"), ("doctor",), ("list", "groups"), ("info",)):
        ended = far(*arguments)
        assert not any(secret in ended.out + ended.err for secret in (CLIENT_SECRET, PASSWORD, "xaccess-", "xrefresh-"))


def test_a_wrong_password_is_told_with_the_request(
    far: Console, contrary: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CONSOLE_PASSWORD", "wrong-4711")
    ended = far("list", "calls")
    assert ended.code == 4
    assert "wrong name or password" in ended.err
    assert "wrong-4711" not in ended.err


async def test_hints_bring_changes_while_the_badge_says_polling(far_seat: Seat, contrary: Running) -> None:
    await far_seat.press("6")
    await far_seat.sees("Line 1 down")
    await far_seat.until(lambda: contrary.data.streams)
    contrary.data.sirens["s1"]["headline"] = "Line 1 is down again"
    contrary.data.tell("/sirens")
    await far_seat.sees("Line 1 is down again")
    assert far_seat.backend.health("alerts").state is Freshness.POLLING


async def test_own_presence_names_and_domains_are_known(far_seat: Seat) -> None:
    await far_seat.sees("eva@far.example  ● available")
    await far_seat.press("4")
    await far_seat.sees("Person 10 ")
    await far_seat.sees("1 on the phone")
    await far_seat.sees("Address      wac-user:1")
    await far_seat.press("2")
    await far_seat.sees("230 calls")
    await far_seat.sees("Person ")


async def test_the_rows_stay_while_a_portal_answers(far_seat: Seat, contrary: Running) -> None:
    await far_seat.look_at("calls")
    before = far_seat.shown
    contrary.data.portal = True
    try:
        await far_seat.press("ctrl+r")
        await far_seat.sees("STALE")
        await far_seat.sees("the answer was not from the service")
        assert far_seat.shown == before
    finally:
        contrary.data.portal = False
    await far_seat.until(lambda: far_seat.backend.health("calls").state is Freshness.POLLING)
