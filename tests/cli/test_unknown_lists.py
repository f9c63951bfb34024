"""Commands print no number that needs a list which the service refuses, lacks, or fills with unknown states."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any

import pytest

from console.cli.lists import watch
from console.live.collection import Collection
from tests.cli.conftest import Console, profile
from tests.cli.stub import Asked, Sent, stub
from tests.for_each import for_each
from tests.patience import PATIENCE

FORBIDDEN = Sent(403, b'{"message":"not for you"}')


@pytest.mark.parametrize("agents", [FORBIDDEN, Sent(404, b'{"message":"no such path"}')], ids=["refused", "missing"])
def test_figures_without_their_lists_are_null(script: Console, home: Path, agents: Sent) -> None:
    answers = {
        "GET /calls": [{"id": "c1", "state": "hyperspace"}],
        "GET /skills": [{"skill": "english", "agents": ["ana", "bob"]}],
        "GET /agents": agents,
        "GET /alerts": FORBIDDEN,
    }
    with stub(answers) as backend:
        profile(home, backend.url, 'events = "off"')
        figures = json.loads(script("status", "--json").out)
        row = json.loads(script("list", "skills", "--columns", "skill,free,understaffed,agents", "--jsonl").out)
    assert figures == dict.fromkeys(
        ("calls", "waiting", "wait", "failures", "free", "understaffed", "alerts", "alert-age")
    )
    assert row == {"skill": "english", "free": None, "understaffed": None, "agents": 2}


@for_each(
    "row",
    [
        (["calls", "--filter", "state:queued", "--expect", "1"], 1, "1 to 2 calls"),
        (["calls", "--filter", "age>5m", "--expect", "none"], 1, "0 to 1 calls"),
        (["calls", "--filter", "waiting:yes", "--expect", "1"], 1, "1 to 2 calls"),
        (["calls", "--filter", "!failed:yes", "--expect", ">1"], 1, "1 to 2 calls"),
        (["calls", "--filter", "waiting:yes age<1m", "--expect", "some"], 1, "0 to 1 calls"),
        (["skills", "--filter", "understaffed:yes", "--expect", "none"], 1, "0 to 2 skills"),
        (["skills", "--filter", "agents>2", "--expect", "none"], 1, "0 to 1 skills"),
        (["alerts", "--filter", "open:yes", "--expect", "some"], 1, "0 to 1 alerts"),
        (["queues", "--expect", "3"], 1, "3 to 4 queues"),
        (["queues", "--filter", "waiting>1", "--expect", "none"], 1, "0 to 2 queues"),
        (["queues", "--expect", "some"], 0, ""),
        (["calls", "--filter", "waiting:yes", "--expect", "some"], 0, ""),
        (["calls", "--filter", "waiting:yes", "--expect", "3"], 5, "1 to 2 calls match, expected 3"),
        (["alerts", "--filter", "title:fire", "--expect", "1"], 0, ""),
    ],
)
def test_no_expectation_is_met_by_what_is_not_known(
    script: Console, home: Path, row: tuple[list[str], int, str]
) -> None:
    answers = {
        "GET /calls": [{"id": "c1", "state": {"odd": 1}, "timestamp": 1}, {"id": "c2", "state": "queued"}],
        "GET /skills": [{"skill": "english", "agents": ["ana", "bob"]}, {"skill": "french", "agents": {"odd": 1}}],
        "GET /agents": FORBIDDEN,
        "GET /alerts": [{"alertId": "a1", "title": "Fire", "state": {"odd": 1}}],
    }
    arguments, code, words = row
    with stub(answers) as backend:
        profile(home, backend.url, 'events = "off"')
        ended = script("list", *arguments)
    assert ended.code == code, ended.err
    assert words in ended.err


@pytest.mark.parametrize("command", [("list",), ("watch", "--changes", "3", "--for", "60s")], ids=["list", "watch"])
def test_chats_of_other_agents_are_printed_as_the_screen_shows_them(
    script: Console, home: Path, command: tuple[str, ...]
) -> None:
    held = {"chatId": "x2", "timestamp": 1_790_000_000_000, "users": ["u9"]}
    answers = {
        "GET /support-chats": {"chats": [{"chatId": "x1", "agent": {"id": "eva"}}]},
        "GET /agents": [{"id": "ana", "displayName": "Ana", "channels": {"chat": [held]}}],
    }
    with stub(answers) as backend:
        profile(home, backend.url, 'events = "off"')
        name, *options = command
        ended = script(name, "chats", *options, "--columns", "id,agent", "--jsonl")
    rows = [json.loads(line) for line in ended.out.splitlines()]
    chats = [row.get("record", row) for row in rows if row.get("change") != "freshness"]
    assert {"id": "x2", "agent": "Ana"} in chats
    assert len(chats) == 2


def test_rules_about_lists_that_are_refused_are_not_all_calm(script: Console, home: Path) -> None:
    with stub({"GET /alerts": FORBIDDEN, "GET /calls": []}) as backend:
        profile(home, backend.url, 'events = "off"')
        ended = script("watch", "--rules", "--once")
    assert (ended.code, "alerts" in ended.err) == (1, True), ended.err


def test_the_picture_of_a_list_that_is_refused_counts_nothing(
    script: Console, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with stub({"GET /alerts": FORBIDDEN}) as backend:
        profile(home, backend.url, 'events = "off"')
        monkeypatch.setattr("console.cli.lists.watch.sys.stdout.isatty", lambda: True)
        ended = script("watch", "alerts", "--changes", "20", "--for", "5s")
    assert "Alerts  –  " in ended.out
    assert "0 of 0" not in ended.out


def test_a_watch_of_a_list_that_is_refused_fails(script: Console, home: Path) -> None:
    with stub({"GET /alerts": FORBIDDEN}) as backend:
        profile(home, backend.url, 'events = "off"')
        ended = script("watch", "alerts", "--changes", "1", "--for", "20s")
    assert (ended.code, "Alerts cannot be read: " in ended.err) == (1, True), ended.err


def test_a_watch_removes_no_row_that_a_cut_list_may_hide(
    script: Console, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("console.live.follower.CUT_SECONDS", 1.0)
    lines_of_watch: Any = vars(watch)["_Lines"]
    change: Any = vars(Collection)["change"]
    looked, beat = threading.Semaphore(0), lines_of_watch.beat

    def change_seen(collection: Any, *rows: Any) -> bool:
        """Change rows, and let the watch see them before anything else happens to their list."""
        was_changed = change(collection, *rows)
        if len(rows) > 1 and "a" in rows[1]:
            while looked.acquire(blocking=False):
                pass
            assert all(looked.acquire(timeout=PATIENCE) for _ in range(2))
        return was_changed

    def noted_beat(lines: Any) -> None:
        beat(lines)
        looked.release()

    monkeypatch.setattr(Collection, "change", change_seen)
    monkeypatch.setattr(lines_of_watch, "beat", noted_beat)
    others = [{"id": f"c{number}", "state": "queued", "target": "support"} for number in range(1_500)]
    answers = iter([[{"id": "a", "state": "queued", "target": "sales"}], others])

    def calls(_asked: Asked) -> object:
        return next(answers, others[:900])

    with stub({"GET /calls": calls}) as backend:
        profile(home, backend.url, 'events = "off"\nmax_rows = 1000')
        ended = script(
            "watch", "calls", "--filter", "target:sales", "--columns", "id", "--changes", "5", "--for", "60s"
        )
    lines = [json.loads(line) for line in ended.out.splitlines()]
    changes = [line["change"] for line in lines]
    assert [change for change in changes if change != "freshness"] == ["upsert", "unlisted", "remove"], lines
    assert {line["key"] for line in lines if "key" in line} == {"a"}
