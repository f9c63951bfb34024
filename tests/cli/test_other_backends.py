"""Commands with backends that differ from the contract in one thing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Console, profile
from tests.cli.stub import stub


@pytest.fixture
def console(offline: Console, monkeypatch: pytest.MonkeyPatch) -> Console:
    monkeypatch.setenv("CONSOLE_PASSWORD", "demo")
    return offline


def test_watch_learns_the_form_of_addresses_as_list_does(console: Console, home: Path) -> None:
    answers = {
        "GET /presence": [{"address": f"wac-user:{each}", "displayName": f"Person {each}"} for each in (17, 18)],
        "GET /calls": [{"id": "c1", "caller": "wac-user:17", "calle": "wac-user:18", "state": "talking"}],
    }
    with stub(answers) as backend:
        profile(home, backend.url, 'events = "off"')
        shown = ("--columns", "caller,callee,direction")
        row = json.loads(console("list", "calls", *shown, "--jsonl").out)
        lines = console("watch", "calls", *shown, "--jsonl", "--changes", "2", "--for", "20").out.splitlines()
    told = [json.loads(line) for line in lines]
    assert row == {"caller": "Person 17", "callee": "Person 18", "direction": "internal"}
    assert [each["record"] for each in told if each["change"] == "upsert"] == [row]
