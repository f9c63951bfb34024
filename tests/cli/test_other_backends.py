"""Commands with backends that differ from the contract in one thing."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from tests.cli.conftest import Console, profile
from tests.cli.stub import LOGIN, Asked, Sent, stub


def test_watch_learns_the_form_of_addresses_as_list_does(script: Console, home: Path) -> None:
    answers = {
        "GET /presence": [{"address": f"wac-user:{each}", "displayName": f"Person {each}"} for each in (17, 18)],
        "GET /calls": [{"id": "c1", "caller": "wac-user:17", "calle": "wac-user:18", "state": "talking"}],
    }
    with stub(answers) as backend:
        profile(home, backend.url, 'events = "off"')
        shown = ("--columns", "caller,callee,direction")
        row = json.loads(script("list", "calls", *shown, "--jsonl").out)
        lines = script("watch", "calls", *shown, "--jsonl", "--changes", "2", "--for", "20").out.splitlines()
    told = [json.loads(line) for line in lines]
    assert row == {"caller": "Person 17", "callee": "Person 18", "direction": "internal"}
    assert [each["record"] for each in told if each["change"] == "upsert"] == [row]


def test_lists_that_name_users_in_different_forms_are_joined(script: Console, home: Path) -> None:
    answers = {
        "GET /presence": [{"address": "usr_17", "displayName": "Ana"}],
        "GET /calls": [{"id": "c1", "caller": "sip:usr_17@voice.example", "calle": "SIP:600@elsewhere.example"}],
    }
    with stub(answers) as backend:
        forms = 'addresses = { user = "{id}", also = ["tel:{id}", "sip:{id}@voice.example"] }'
        profile(home, backend.url, f'events = "off"\n{forms}')
        ended = script("list", "calls", "--columns", "caller,callee,direction", "--jsonl")
    assert json.loads(ended.out) == {"caller": "Ana", "callee": "SIP:600@elsewhere.example", "direction": "out"}


def gated(paths: Mapping[str, Any]) -> Callable[[Asked], Any]:
    """Answer every path alike without a login, as gateways do."""

    def answer(asked: Asked) -> Any:
        if asked.headers.get("Authorization") is None:
            return Sent(401, headers={"WWW-Authenticate": "Bearer"})
        return paths.get(asked.path, Sent(404, b'{"message":"no such path"}'))

    return answer


ME = LOGIN["GET /users/current"]
COMMAND = ("--set", 'login = { command = ["/bin/echo", "key-of-eva"] }', "--no-open", "--name", "x")


def test_setup_finds_the_path_behind_a_gateway_that_refuses_every_path(script: Console, home: Path) -> None:
    with stub({}) as backend:
        backend.answers.clear()
        backend.otherwise = gated({"/api/v1/users/current": ME, "/api/v1/calls": []})
        ended = script("setup", "--url", backend.url, *COMMAND)
    (profile,) = tomllib.loads((home / "config.toml").read_text(encoding="utf-8"))["profiles"].values()
    assert ended.code == 0, ended.err
    assert profile["core"] == f"{backend.url}/api/v1"
    assert "provisioning" not in profile, "a gateway that refuses every path proves no service"
    assert "√ calls: 0" in ended.out


def test_setup_writes_nothing_if_no_path_is_known(script: Console, home: Path) -> None:
    with stub({}) as backend:
        backend.answers.clear()
        backend.otherwise = gated({})
        ended = script("setup", "--url", backend.url, *COMMAND)
    assert ended.code != 0
    assert not (home / "config.toml").exists()
    assert "perhaps the deployment" in ended.out


def test_setup_reads_json_that_is_called_a_page(script: Console, home: Path) -> None:
    as_page = Sent(200, json.dumps(ME).encode(), {"Content-Type": "text/html; charset=ISO-8859-1"})
    with stub({"GET /users/current": as_page}) as backend:
        ended = script("setup", "--url", backend.url, "--username", "eva", "--name", "x", "--no-open")
    assert ended.code == 0, ended.out
    assert "Logged in as eva" in ended.out


def test_a_paginated_list_of_conferences_is_enough(script: Console, home: Path) -> None:
    page = {"data": [{"id": "k1", "state": "running"}], "meta": {"page": {"total": 1}}}
    with stub({"GET /conferences/page": page}) as backend:
        profile(home, backend.url, 'events = "off"')
        ended = script("list", "conferences", "--columns", "id,state", "--jsonl")
    assert (ended.code, json.loads(ended.out)) == (0, {"id": "k1", "state": "running"})


def test_doctor_names_the_words_of_states_that_need_a_meaning(script: Console, home: Path) -> None:
    states = ("IN_QUEUE", "STATE_TALKING", "IN_QUEUE", "ringing", "\x1b[31mred")
    calls = [{"id": f"c{number}", "state": state} for number, state in enumerate(states)]
    with stub({"GET /calls": calls, "GET /calls/c0": calls[0]}) as backend:
        profile(home, backend.url, 'events = "off"')
        ended = script("doctor")
    words = 'states without a known meaning: states.calls = { "IN_QUEUE" = "…", "␛[31mred" = "…" }'
    (line,) = [each for each in ended.out.splitlines() if each.startswith("calls.list ")]
    assert line.split(None, 2)[1:] == ["works", words]


def test_addresses_that_are_ids_are_learnt(script: Console, home: Path) -> None:
    answers = {
        "GET /presence": [{"address": "usr_17", "displayName": "Ana"}],
        "GET /users/page": {"data": [{"id": "usr_17", "username": "ana"}, {"id": "600", "username": "bo"}]},
        "GET /calls": [
            {"id": "in", "caller": "34600111222", "calle": "usr_17"},
            {"id": "internal", "caller": "usr_17", "calle": "600"},
            {"id": "out", "caller": "usr_18", "calle": "+34600111222"},
        ],
    }
    with stub(answers) as backend:
        profile(home, backend.url, 'events = "off"\naddresses = { user = "{id}" }')
        ended = script("list", "calls", "--columns", "id,caller,callee,direction", "--jsonl", "--sort", "id")
    assert [json.loads(line) for line in ended.out.splitlines()] == [
        {"id": "in", "caller": "34600111222", "callee": "Ana", "direction": "in"},
        {"id": "internal", "caller": "Ana", "callee": "bo", "direction": "internal"},
        {"id": "out", "caller": "usr_18", "callee": "+34600111222", "direction": "out"},
    ]


def test_doctor_tells_the_operations_that_a_deployment_lacks_in_one_entry(script: Console, home: Path) -> None:
    with stub({"GET /calls": []}) as backend:
        login = '"tokens.issue" = "POST /oauth2/token"\n"sessions.start" = "POST /sessions/start"\n'
        (home / "routes.toml").write_text(f'"*" = false\n"calls.list" = "GET /calls"\n{login}', encoding="utf-8")
        profile(home, backend.url, 'events = "off"\nroutes = "routes.toml"')
        ended = script("doctor")
    assert ended.code == 0, ended.out
    lines = [line for line in ended.out.splitlines() if "this deployment has no such operation" in line]
    assert len(lines) == 1
    assert re.match(r"\d+ operations +not offered +this deployment has no such operation$", lines[0])


def test_a_request_is_shown_with_the_words_of_the_deployment(script: Console, home: Path) -> None:
    profile(home, "http://desk.example/core", 'events = "off"\nstates.presence = { 2 = "busy" }')
    ended = script("call", "presence.update", "address=svc-user:1", "activity=busy", "--dry-run")
    assert json.loads(ended.out)["body"] == {"activity": 2}


def test_a_list_is_asked_for_again_when_the_service_is_busy(script: Console, home: Path) -> None:
    answers = iter((Sent(429, b'{"message":"too many"}', {"Retry-After": "0"}), [{"id": "c1", "state": "queued"}]))

    def answer(_asked: Asked) -> object:
        return next(answers)

    with stub({"GET /calls": answer}) as backend:
        profile(home, backend.url, 'events = "off"')
        ended = script("list", "calls", "--columns", "id", "--jsonl")
    assert (ended.code, json.loads(ended.out)) == (0, {"id": "c1"})
    assert "the service is busy" in ended.err


def test_setup_sends_the_headers_of_a_gateway_while_it_looks_for_the_service(script: Console, home: Path) -> None:
    with stub({}) as backend:
        known = {**backend.answers}
        backend.answers.clear()

        def answer(asked: Asked) -> Any:
            if asked.headers.get("X-Gate") != "7":
                return Sent(404, b'{"message":"no such path"}')
            return known.get(f"{asked.method} {asked.path}", Sent(404, b'{"message":"no such path"}'))

        backend.otherwise = answer
        gate = ("--set", 'headers = { X-Gate = "7" }')
        ended = script("setup", "--url", backend.url, "--username", "eva", "--name", "x", "--no-open", *gate)
    assert ended.code == 0, ended.out
    assert "Logged in as eva" in ended.out


def test_setup_does_not_doubt_a_password_that_the_provider_accepted(script: Console, home: Path) -> None:
    with stub({"POST /sessions/start": Sent(401, b'{"message":"unknown token"}')}) as backend:
        provider = ("--set", f'login = {{ url = "{backend.url}/oauth2/token", session = true }}')
        ended = script("setup", "--url", backend.url, "--username", "eva", "--name", "x", "--no-open", *provider)
    assert ended.code == 4
    assert "perhaps the service uses the token directly: set login.session = false, or present" in ended.out
    assert "password" not in ended.out.replace("the password can be read", "")
    assert not (home / "config.toml").exists()


def test_doctor_names_fields_that_no_row_has_beside_those_that_it_does_not_know(script: Console, home: Path) -> None:
    calls = [{"id": "c1", "state": "queued", "origin": "+34600", "x\x1b[1m": 1}, {"id": "c2", "state": "queued"}]
    with stub({"GET /calls": calls, "GET /calls/c1": {"id": "c1", "state": "queued"}}) as backend:
        profile(home, backend.url, 'events = "off"')
        ended = script("doctor", "--json")
    found = {each["name"]: each for each in json.loads(ended.out)["findings"]}
    assert found["calls.list"]["reason"].startswith("in no row: caller, ")
    assert found["calls.list"]["reason"].endswith("; not known: origin, x␛[1m")
    assert found["calls.get"]["reason"] == ""


def test_setup_says_of_a_redirect_that_the_service_has_moved(script: Console, home: Path) -> None:
    with stub({}) as backend:
        backend.answers.clear()
        backend.otherwise = lambda _asked: Sent(301, headers={"Location": "https://other.example/api"})
        ended = script("setup", "--url", backend.url, "--username", "eva", "--name", "x", "--no-open")
    assert ended.code == 3
    assert "redirects to https://other.example/api" in ended.out
    assert "perhaps the service has moved: give the address to which this one redirects" in ended.out
    assert "web page" not in ended.out
