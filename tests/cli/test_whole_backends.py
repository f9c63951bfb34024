"""Whole backends of other platforms: what the console lists is what they hold."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import pytest

from tests.cli.conftest import Console, profile
from tests.cli.stub import Asked, Sent, stub

PEOPLE = {101: ("ana", "Ana Núñez", "ADMIN"), 102: ("kim", "Kim Süd", "USER")}
MOMENT = 1_590_000_000
"""20 May 2020, 20:40:00 in Madrid, in seconds."""

GATEWAY = """
"*" = false
"users.current" = { route = "GET /me", fields = { "user.id" = "userId", "user.username" = "login" } }
"users.page" = { route = "GET /people", rows = "_embedded.people", next = "_links.next.href",
                 fields = { id = "userId", username = "login", alias = "fullName", role = "authority" } }
"calls.list" = { route = "GET /calls", rows = "_embedded.calls", total = "page.totalElements",
                 fields = { id = "callId", caller = "parties.from", calle = "parties.to", date = "startedAt" } }
"presence.list" = { route = "GET /presence", rows = "_embedded.presences", fields = { address = "uri" } }
"skills.list" = { route = "GET /skills", rows = "_embedded.skills" }
""".replace(",\n                ", ",")


def hal(name: str, rows: list[Any], **links: str) -> Any:
    hrefs = {rel: {"href": f"http://inner-host:8080{target}"} for rel, target in links.items()}
    return {"_links": hrefs, **({"_embedded": {name: rows}} if rows else {})}


def person(key: int) -> Any:
    login, name, role = PEOPLE[key]
    return {"userId": key, "login": login, "fullName": name, "authority": f"ROLE_{role}"}


def rows(printed: str) -> list[Any]:
    """Return the printed rows, with the age of those that began at MOMENT as a word."""
    found = [json.loads(line) for line in printed.splitlines()]
    elapsed = time.time() - MOMENT
    return [row | {"age": "as it is"} if abs(elapsed - (row["age"] or 0)) < 60 else row for row in found]


def test_a_java_gateway_is_read_as_it_is(script: Console, home: Path) -> None:
    issued: list[str] = []

    def token(asked: Asked) -> Any:
        form = dict(parse_qsl(asked.body.decode()))
        assert form["grant_type"] in {"password", "refresh_token"}
        issued.append(form["grant_type"])
        return {"access_token": f"t{len(issued)}", "refresh_token": f"r{len(issued)}", "expires_in": 60}

    def people(asked: Asked) -> Any:
        if "page=1" in asked.query:
            return hal("people", [person(102)])
        return hal("people", [person(101)], next="/people?page=1")

    started = {"ISO": "2020-05-20T20:40:00.000+02:00[Europe/Madrid]", "parts": [2020, 5, 20, 18, 40, 0, 0]}
    calls = [
        {"callId": n, "parties": {"from": f"urn:acme:user:{n}", "to": "+34600"}, "state": state, "startedAt": at}
        for n, state, at in ((101, "ALERTING", started["ISO"]), (102, "CALL_STATE_TALKING", started["parts"]))
    ]
    answers = {
        "POST /token": token,
        "GET /me": person(101),
        "GET /people": people,
        "GET /calls": hal("calls", calls),
        "GET /presence": hal("presences", [{"uri": f"urn:acme:user:{key}", "online": True} for key in PEOPLE]),
        "GET /skills": hal("skills", []),
    }
    (home / "routes.toml").write_text(GATEWAY, encoding="utf-8")
    with stub(answers) as backend:
        profile(home, backend.url, f'events = "off"\nroutes = "routes.toml"\nlogin = {{ url = "{backend.url}/token" }}')
        shown = script("list", "calls", "--columns", "id,state,caller,direction,age", "--jsonl", "--sort", "id")
        users = script("list", "users", "--columns", "name,username,presence", "--jsonl", "--sort", "name")
        skills = script("list", "skills", "--expect", "none")
        doctor = script("doctor")
    assert rows(shown.out) == [
        {"id": "101", "state": "ALERTING", "caller": "Ana Núñez", "direction": "out", "age": "as it is"},
        {"id": "102", "state": "CALL_STATE_TALKING", "caller": "Kim Süd", "direction": "out", "age": "as it is"},
    ]
    assert [json.loads(line)["name"] for line in users.out.splitlines()] == ["Ana Núñez", "Kim Süd"]
    assert (skills.code, doctor.code) == (0, 0), skills.err + doctor.out


PHP = """
"*" = false
"sessions.start" = false
"tokens.issue" = { route = "POST /i.php", always = { do = "login" }, names = { password = "pass" },
                   fields = { access_token = "sid" } }
"users.current" = { route = "POST /i.php", always = { do = "me" }, rows = "me" }
"calls.list" = { route = "POST /i.php", always = { do = "calls" }, rows = "calls",
                 fields = { caller = "von", calle = "nach", date = "beginn", to = "ende" } }
"users.page" = { route = "POST /i.php", always = { do = "users" }, rows = "users", total = "count" }
""".replace(",\n                  ", ",").replace(",\n                ", ",")


def test_an_old_php_program_is_read_as_it_is(script: Console, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = [
        {"id": "1", "von": "user/1", "nach": "+4930", "state": 3, "beginn": "2020-05-20 20:40:00", "ende": ""},
        {"id": "2", "von": "user/2", "nach": "user/1", "state": 9, "beginn": str(MOMENT), "ende": "0"},
    ]
    users: dict[str, Any] = {
        "3": {"id": "1", "username": "ana", "alias": "Müller"},
        "7": {"id": "2", "username": "kim", "mobilePhone": {}},
    }
    asked_twice: list[str] = []

    def program(asked: Asked) -> Sent:
        sent = json.loads(asked.body)
        sid = asked.query.partition("sid=")[2]
        if sent["do"] == "login":
            asked_twice.append(sent["pass"])
            found: dict[str, Any] = {"success": True, "sid": f"s{len(asked_twice)}"}
        elif sid != "s2":
            found = {"success": False, "error": "Sitzung abgelaufen", "errno": 7}
        else:
            held: dict[str, Any] = {"me": users["3"], "calls": {"0": calls[0], "4": calls[1]}, "users": users}
            found = {"success": "1", "error": "", sent["do"]: held[sent["do"]], "count": "2"}
        body = json.dumps(found, ensure_ascii=False).encode("latin-1")
        return Sent(200, body, {"Content-Type": "text/html; charset=ISO-8859-1"})

    (home / "routes.toml").write_text(PHP, encoding="utf-8")
    keys = (
        'events = "off"',
        'routes = "routes.toml"',
        'present = { query = "sid" }',
        'addresses = { user = "user/{id}", group = "group/{id}" }',
        'states.calls = { 3 = "talking", 9 = "ended" }',
        'refusals = { abgelaufen = "login" }',
        'times = "Europe/Madrid"',
    )
    with stub({"POST /i.php": program}) as backend:
        profile(home, backend.url, "\n".join(keys))
        ended = script("list", "calls", "--columns", "id,state,caller,callee,age", "--jsonl", "--sort", "id")
    assert (ended.code, len(asked_twice)) == (0, 2), ended.err
    assert rows(ended.out) == [
        {"id": "1", "state": "talking", "caller": "Müller", "callee": "+4930", "age": "as it is"},
        {"id": "2", "state": "ended", "caller": "kim", "callee": "Müller", "age": None},
    ], "when the second one ended is not known"
