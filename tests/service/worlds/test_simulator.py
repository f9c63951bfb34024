"""The simulated day: reproducible by its seed, plausible, and consistent with actions of users meanwhile."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

import pytest

from console.records.traffic import Call
from console.service.auth.passwords import Cost
from console.service.domain import calls, chats, templates
from console.service.domain.agents import AGENTS, MOST_CHATS
from console.service.domain.calls import CALLS, ENDED
from console.service.domain.chats import CHATS
from console.service.domain.conferences import CONFERENCES
from console.service.domain.presence import PRESENCE
from console.service.domain.templates import TEMPLATES
from console.service.platform import Platform, ServiceSettings
from console.service.scenarios.fill import fill
from console.service.simulator.simulator import Simulator
from console.service.store.database import Database
from tests.manual_clock import ManualClock


class Day:
    """A platform with a scenario and a running simulation."""

    def __init__(self, world: str, seed: int | None = None) -> None:
        self.clock = ManualClock()
        self.queues: list[dict[str, list[float]]] = []
        self.platform = Platform(
            Database(None, self.clock.now_ms), self.clock, ServiceSettings(password_cost=Cost.cheap())
        )
        self.simulator = Simulator(self.platform, fill(self.platform, world), seed)

    def play(self, seconds: int, beat: float = 1.0) -> None:
        for _ in range(round(seconds / beat)):
            self.clock.advance(beat)
            self.simulator.step(beat)

    def look_at_queues(self) -> None:
        places: dict[str, list[float]] = {}
        with self.platform.read() as tx:
            for call in CALLS.records(tx, CALLS.c.state == "queued"):
                places.setdefault(call.target or "", []).append(call.queue_position or 0)
        self.queues.append(places)

    def events(self, topic: str | None = None) -> list[Any]:
        with self.platform.read() as tx:
            found = self.platform.database.events_after(tx, 0, 1_000_000)
            return [each for each in found if topic is None or each.topic == topic]


@pytest.fixture(scope="module")
def day() -> Day:
    """A quarter of an hour of the scenario `busy`; read only."""
    played = Day("busy")
    for _ in range(75):
        played.play(12, beat=2.0)
        played.look_at_queues()
    return played


def _story(day: Day) -> list[tuple[str, str, str, str | None]]:
    return [(each.topic, each.kind, each.key, each.body) for each in day.events() if each.topic != "status"]


def test_the_same_seed_gives_the_same_day_and_another_seed_another() -> None:
    days = [Day("busy"), Day("busy"), Day("busy", seed=5)]
    for each in days:
        each.play(90)
    first, second, third = (_story(each) for each in days)
    assert len(first) > 100
    assert first == second
    assert first != third


def test_calls_end_in_every_way(day: Day) -> None:
    states = Counter(Call.model_validate_json(each.body).state for each in day.events("calls") if each.body)
    assert set(states) >= {"ringing", "queued", "connected", *ENDED}


def test_calls_change_states_in_possible_ways_only(day: Day) -> None:
    """No ended call continues, and only waiting calls have a queue position."""
    seen: dict[str, list[Call]] = {}
    for each in day.events("calls"):
        if each.body:
            seen.setdefault(each.key, []).append(Call.model_validate_json(each.body))
    for story in seen.values():
        states = [each.state for each in story]
        ends = [place for place, state in enumerate(states) if state in ENDED]
        assert not ends or ends[0] == len(states) - 1
        for call in story:
            assert (call.queue_position is not None) == (call.state == "queued")
            assert (call.to is not None) == (call.state in ENDED)


def test_queues_grow_and_shrink_without_gaps(day: Day) -> None:
    lengths = [sum(len(each) for each in places.values()) for places in day.queues]
    assert max(lengths) - min(lengths) >= 8
    for places in day.queues:
        assert all(sorted(each) == list(range(1, len(each) + 1)) for each in places.values())


def test_agents_have_exactly_the_existing_work(day: Day) -> None:
    with day.platform.read() as tx:
        held = {each.chat_id: each.agent.id for each in CHATS.records(tx) if each.agent}
        talks = {each.id: each for each in CALLS.records(tx, CALLS.c.state == "connected")}
        shown: dict[str | None, str] = {}
        for agent in AGENTS.records(tx):
            presence = PRESENCE.need(tx, f"svc-user:{agent.id}")
            assert (agent.activity, agent.online) == (presence.activity, presence.online)
            assert len(agent.channels.chat) <= MOST_CHATS
            for item in agent.channels.chat:
                shown[item.chat_id] = agent.id
            for work in (*agent.channels.voice, *agent.channels.c2c):
                assert agent.id in talks[work.conference_id or ""].users
            if agent.channels.voice or agent.channels.c2c:
                assert agent.activity in {"oncall", "offline"}
        assert shown == held


def test_the_length_of_the_list_of_calls_is_stable_and_the_count_grows(day: Day) -> None:
    with day.platform.read() as tx:
        assert 100 <= CALLS.count(tx) <= 160
        total = tx.value(calls.call_dates.select().with_only_columns(calls.call_dates.c.id).order_by(
            calls.call_dates.c.id.desc()))  # fmt: skip
    assert total > 250


def test_invites_fail_for_several_reasons_and_conferences_fill_and_empty(day: Day) -> None:
    with day.platform.read() as tx:
        rooms = CONFERENCES.records(tx)
    reasons = {invite.error for room in rooms for invite in room.invites if invite.error}
    assert len(reasons) >= 4
    assert {room.state for room in rooms} == {"active", "finished"}
    for room in rooms:
        if room.state == "finished":
            assert all(each.finished_at is not None for each in room.participants)
            assert all(each.state != "pending" for each in room.invites)
    kinds = Counter(each.topic for each in day.events())
    assert set(kinds) >= {"calls", "presence", "agents", "chats", "alerts", "conferences", "alarms"}
    assert any(each.body and '"state":"accepted"' in each.body for each in day.events("alerts"))


def test_changes_made_by_people_meanwhile_are_kept() -> None:
    day = Day("busy")
    day.play(5)
    with day.platform.read() as tx:
        live = CALLS.records(tx, CALLS.c.state.in_(("queued", "connected", "ringing")))
        open_chats = [each.chat_id for each in CHATS.records(tx)]
    for call in live:
        calls.update(day.platform, call.id, {"state": "rejected"})
    for chat in open_chats:
        chats.finish(day.platform, chat)
    day.play(120)
    with day.platform.read() as tx:
        after = [CALLS.get(tx, each.id) for each in live]
        assert {each.state for each in after if each} == {"rejected"}
        assert not any(CHATS.row(tx, each) is not None for each in open_chats)


def test_the_simulation_continues_after_refusals() -> None:
    day = Day("busy")
    with day.platform.read() as tx:
        receivers = {each.template_id: templates.receivers_of(tx, each.template_id) for each in TEMPLATES.records(tx)}
    for template in receivers:
        templates.detach(day.platform, template)
    day.play(300, beat=4.0)
    sent = {each.key for each in day.events("alerts") if each.before is None}
    assert sent == set()
    for template, users in receivers.items():
        templates.attach(day.platform, template, users)
    day.play(300, beat=4.0)
    assert {each.key for each in day.events("alerts") if each.before is None}


def test_an_empty_world_has_an_empty_day() -> None:
    day = Day("empty")
    day.play(120)
    assert {each.topic for each in day.events()} <= {"status"}


async def test_the_simulation_follows_the_platforms_clock() -> None:
    day = Day("busy")
    running = asyncio.ensure_future(day.simulator.run())
    await asyncio.sleep(0)
    before = day.platform.database.head
    for _ in range(40):
        day.clock.advance(0.25)
        await asyncio.sleep(0)
    assert day.platform.database.head > before
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
