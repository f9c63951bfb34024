"""A service that begins with the lists of a recording has their rows, and goes on from there."""

from __future__ import annotations

import json
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from console.cli.cutting import words_of_the_program
from console.cli.serving_from import stand_of
from console.client.endpoint import Endpoint
from console.clock import ManualClock, SystemClock
from console.kinds.catalogue import FEEDS
from console.live.backend import Backend
from console.recording.cutting import cut
from console.recording.pseudonyms import Pseudonyms
from console.recording.recorder import Recorder
from console.recording.recording import Recording
from console.service.domain import alerts
from console.service.domain.agents import AGENTS, SKILLS
from console.service.domain.calls import CALLS
from console.service.domain.chats import CHATS
from console.service.domain.people import USERS, password_hash_of
from console.service.platform import Platform
from console.service.serve import Running, start_background
from console.service.simulator.simulator import Simulator
from console.service.world.fill import fill
from console.service.world.restored import RESTORED, restore
from console.service.world.spec import WorldSpec
from tests.live.until import until
from tests.recording.desk import plan_of
from tests.recording.film import AT, MINUTE, Row, film
from tests.service.over_http import data, log_in

TIMES = {
    "answeredAt", "created", "createdAt", "date", "expires", "expiresAt", "finishedAt", "from", "lastLogin",
    "nextRetryAt", "resolvedAt", "startedAt", "stoppedAt", "timestamp", "to", "ts", "changedAt",
}  # fmt: skip
REFUSED: Mapping[str, set[str]] = {"eva": set(), "ana": {"alarms"}}
"""Lists that nobody but an administrator may see."""
Rows = dict[str, dict[str, dict[str, Any]]]


def played(platform: Platform) -> WorldSpec:
    """Fill a platform, and let two minutes pass."""
    spec = fill(platform, "busy")
    simulator = Simulator(platform, spec)
    for _ in range(120):
        simulator.step(1.0)
    return spec


def record(service: Running, folder: Path, user: str = "eva") -> Path:
    """Record all lists of a service."""
    folder.mkdir()
    plan = plan_of(folder)
    endpoint = Endpoint(service.core_url, events=service.events_url)
    backend = Backend(endpoint, FEEDS.values(), journal_path=plan.journal, login=lambda: (user, "demo"))
    recorder = Recorder(backend, lambda: plan, SystemClock())
    backend.accompany(recorder)
    backend.show(frozenset(FEEDS))
    backend.start()
    try:
        until(lambda: all(backend.health(each).age is not None for each in RESTORED if each not in REFUSED[user]))
        until(recorder.records.is_set)
    finally:
        backend.stop()
    return plan.file


def rows_at_end(file: Path) -> tuple[int, Rows]:
    with Recording.open(file) as read:
        assert read.span is not None
        end = read.span[1]
        return end, {
            kind: {key: json.loads(row.encoded()) for key, row in read.rows(kind, end).items()} for kind in RESTORED
        }


@contextmanager
def served(file: Path, at: str | None = None) -> Generator[Running]:
    """Run a service that begins as the recording stood; nothing falls due in it. Its `world` are plan and notes."""
    clock = ManualClock(SystemClock().now_ms())
    with start_background(partial(restore, stand=stand_of(file, at)), clock=clock) as running:
        yield running


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Path]:
    """Record one world as an administrator and as an agent, by user name."""
    folder = tmp_path_factory.mktemp("first")
    with start_background(played) as running:
        return {user: record(running, folder / user, user) for user in ("ana", "eva")}


def differences(before: Any, after: Any, shift: int, name: str = "") -> list[str]:
    """Return where two values differ, except that times are later by `shift`."""
    kind = type(before).__name__
    if kind == type(after).__name__ == "dict":
        names = sorted({*before, *after})
        pairs = [(before.get(each), after.get(each), each) for each in names]
        return [f"{each}.{found}" for old, new, each in pairs for found in differences(old, new, shift, each)]
    if kind == type(after).__name__ == "list" and len(before) == len(after):
        return [
            found for old, new in zip(before, after, strict=True) for found in differences(old, new, shift, name)
        ]  # fmt: skip
    moved = before + shift if name in TIMES and kind == "int" and before > 0 else before
    return [] if after == moved else [f"{before} {after}"]


def compare(before: Rows, after: Rows, shift: int, user: str) -> dict[str, list[str]]:
    """Return the differences of all lists, without what follows from the user's login."""
    found: dict[str, list[str]] = {}
    for kind in RESTORED:
        for key in sorted({*before[kind], *after[kind]}):
            if kind in {"users", "presence", "agents"} and key.removeprefix("svc-user:") == user:
                continue
            old, new = before[kind].get(key), after[kind].get(key)
            if kind == "sessions" and user in {each["user"] for each in (old, new) if each}:
                continue
            for each in differences(old, new, shift):
                found.setdefault(kind, []).append(f"{key}: {each}")
    return found


@pytest.mark.parametrize("user", ["eva", "ana"])
def test_its_rows_are_those_of_the_recording(recorded: Mapping[str, Path], tmp_path: Path, user: str):
    at_ms, before = rows_at_end(recorded[user])
    empty = {"eva": {"chats"}, "ana": {"alarms"}}[user]
    assert {kind for kind in RESTORED if not before[kind]} == empty
    clock = SystemClock()
    earliest = clock.now_ms()
    with served(recorded[user]) as running:
        latest = clock.now_ms()
        _, after = rows_at_end(record(running, tmp_path / "second", user))
    key = next(iter(before["calls"]))
    shift = after["calls"][key]["date"] - before["calls"][key]["date"]
    assert earliest <= at_ms + shift <= latest
    assert compare(before, after, shift, user) == {}


def test_calls_that_waited_are_answered_and_chats_end(recorded: Mapping[str, Path]):
    platform = Platform()
    spec, _ = restore(platform, stand_of(recorded["eva"], None))
    with platform.read() as tx:
        waiting = [each.id for each in CALLS.records(tx, CALLS.c.state == "queued")]
        known = {each.id for each in CALLS.records(tx)}
        chats = [each.chat_id for each in CHATS.records(tx)]
    assert waiting
    assert chats
    simulator = Simulator(platform, spec, 1)
    for _ in range(600):
        simulator.step(1.0)
    with platform.read() as tx:
        now = {key: CALLS.get(tx, key) for key in waiting}
        assert [key for key, call in now.items() if call is not None and call.state == "queued"] == []
        assert any(call is not None and call.users for call in now.values())
        assert [key for key in chats if CHATS.get(tx, key) is None]
        assert [each.id for each in CALLS.records(tx) if each.id not in known and each.target]
    platform.close()


def test_alerts_are_accepted_and_chats_transferred(recorded: Mapping[str, Path]):
    _, before = rows_at_end(recorded["ana"])
    told = next(each["subject"] for each in before["notifications"].values() if each["kind"] == "alert")
    chat = next(iter(before["chats"]))
    agents = before["agents"].values()
    free = next(each["id"] for each in agents if each["activity"] == "available" and not each["channels"]["chat"])
    receiver = {"id": free, "username": before["users"][free]["username"], "domain": before["users"][free]["domain"]}
    with served(recorded["ana"]) as running, log_in(running, "ana") as ana:
        assert ana.post("/alerts/accept", json={"alertId": told}).is_success
        assert ana.post("/support-chats/transfer", json={"id": chat, "destination": receiver}).is_success
        found = ana.get("/alerts", params={"acceptedSince": 60_000}).json()
        assert told in {each["alertId"] for each in found["accepted"]}
        holding = next(each for each in data(ana.get("/agents"))["agents"] if each["id"] == free)
        assert [each["chatId"] for each in holding["channels"]["chat"]] == [chat]


def test_a_moment_of_the_past_and_a_cut_begin_alike(tmp_path: Path):
    file, part = tmp_path / "day.rec", tmp_path / "part.rec"
    with film(file) as made:
        made.known(0, "calls")
        made.whole("calls", 0, [{"id": "a", "caller": "tel:1", "state": "queued", "date": AT - 40_000}])
        made.change("calls", 5 * MINUTE, {"id": "a", "caller": "tel:1", "state": "connected", "date": AT - 40_000})
        made.span(0, 10 * MINUTE)
    with Recording.open(file) as whole:
        cut(whole, AT + MINUTE, AT + 9 * MINUTE, part, None, force=False)
    for path, at, state, age in (
        (file, "10:40:00", "queued", 40_000),
        (file, None, "connected", 640_000),
        (part, "10:44", "queued", 280_000),
        (part, None, "connected", 580_000),
    ):
        clock = ManualClock(1_800_000_000_000)
        platform = Platform(clock=clock)
        restore(platform, stand_of(path, at))
        with platform.read() as tx:
            call = CALLS.need(tx, "a")
        assert (call.state, clock.now_ms() - int(call.date or 0)) == (state, age)
        platform.close()


def test_an_anonymised_cut_serves_as_well(recorded: Mapping[str, Path], tmp_path: Path):
    out = tmp_path / "sent.rec"
    with Recording.open(recorded["eva"]) as whole:
        assert whole.span is not None
        cut(whole, *whole.span, out, Pseudonyms(words_of_the_program()), force=False)
    _, hidden = rows_at_end(out)
    platform = Platform()
    spec, notes = restore(platform, stand_of(out, None))
    assert not any("left out" in each for each in notes)
    with platform.read() as tx:
        assert {each.id for each in CALLS.records(tx)} == set(hidden["calls"])
        for agent in AGENTS.records(tx):
            assert USERS.row(tx, agent.id) is not None
        for skill in SKILLS.records(tx):
            assert all(AGENTS.row(tx, each) is not None for each in skill.agents)
    Simulator(platform, spec, 1).step(60.0)
    platform.close()


HOSTILE: tuple[Row, ...] = (
    {"id": "huge", "date": 10**400},
    {"id": "float", "date": 1e300},
    {"id": "odd", "caller": {"a": 1}, "attempts": "none", "date": "soon", "to": [1], "state": ["queued"]},
    {"id": "half", "caller": "\ud800"},
    {"id": "deep", "data": {"a": [[[[[[{}]]]]]]}},
    {"id": "", "state": "queued"},
    {"id": "good", "state": "queued", "queueposition": True, "users": [1, None, {}]},
    {"id": "nul", "caller": "\0", "state": "\0", "from": -1},
)


KEYS = {
    "groups": "groupId", "skills": "skill", "alerts": "alertId", "templates": "templateId", "chats": "chatId",
    "presence": "address",
}  # fmt: skip
"""Keys that are not `id`, by list."""


def test_hostile_rows_are_left_out_or_repaired(tmp_path: Path):
    file = tmp_path / "day.rec"
    with film(file) as made:
        made.known(0, *RESTORED)
        for kind in RESTORED:
            name = {"groups": "groupId", "skills": "skill", "alerts": "alertId", "templates": "templateId"}.get(
                kind, ""
            )
            name = {"chats": "chatId", "presence": "address"}.get(kind, name)
            many = [{**each, name: each["id"]} if name else each for each in HOSTILE]
            extra: Row = {
                "nextRetryAt": {},
                "expiresAt": "x",
                "retriesLeft": -1,
                "templateId": [],
                "createdAt": "never",
            }
            made.whole(kind, 0, [{**each, **extra, "participants": 3, "owner": [], "agents": "x"} for each in many])
        made.span(0, MINUTE)
    platform = Platform()
    spec, notes = restore(platform, stand_of(file, None))
    assert any(each.startswith("left out") for each in notes)
    with platform.read() as tx:
        known = {each.id for each in CALLS.records(tx)}
        assert {"good", "deep", "nul", "odd"} <= known
        assert not {"huge", "float", "half"} & known
    simulator = Simulator(platform, spec, 1)
    for _ in range(90):
        simulator.step(1.0)
    platform.close()


def test_what_is_not_known_is_told_and_a_new_administrator_can_log_in(tmp_path: Path):
    file = tmp_path / "day.rec"
    with film(file) as made:
        made.known(0, "agents", "calls")
        made.whole("agents", 0, [{"id": "u1", "displayName": "Ana", "activity": "available", "online": True}])
        made.whole("calls", 0, [{"id": "a", "state": "queued"}])
        made.execute("DELETE FROM segment WHERE kind = '.caller'")
        made.span(0, MINUTE)
    with served(file) as running:
        notes = running.world[1]
        assert notes[0] == "log in as eva with the password demo (added: the recording has no administrator)"
        assert notes[1].startswith("not recorded: users, presence, skills")
        with running.database.read() as tx:
            assert password_hash_of(tx, "eva")
        with log_in(running, "eva") as eva:
            assert [each["id"] for each in data(eva.get("/agents"))["agents"]] == ["u1"]
            assert data(eva.get("/presence/svc-user:u1"))["activity"] == "available"


def test_an_alert_expires_when_it_would_have_and_only_who_was_told_receives_it(tmp_path: Path):
    file = tmp_path / "day.rec"
    sent = {"state": "active", "createdAt": AT, "retriesLeft": 2, "nextRetryAt": AT + 90_000, "expiresAt": AT + 400_000}
    told = {"id": "mine", "kind": "alert", "subject": "mine", "createdAt": AT}
    with film(file) as made:
        made.known(0, "alerts", "notifications")
        made.whole("alerts", 0, [{"id": key, "alertId": key, **sent} for key in ("mine", "other")])
        made.whole("notifications", 0, [told])
        made.span(0, MINUTE)
    clock = ManualClock(1_800_000_000_000)
    platform = Platform(clock=clock)
    restore(platform, stand_of(file, None))
    with platform.read() as tx:
        assert alerts.receivers_of(tx, "mine") == ("u-eva",)
        assert alerts.receivers_of(tx, "other") == ()
    for seconds, state in ((339, "active"), (2, "expired")):
        clock.advance(seconds)
        alerts.keep_time(platform)
        with platform.read() as tx:
            assert alerts.ALERTS.need(tx, "mine").state == state
    platform.close()
