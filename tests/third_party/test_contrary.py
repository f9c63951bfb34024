"""A deployment that differs in everything that can be configured is worked with by commands."""

from __future__ import annotations

import json
from pathlib import Path

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
