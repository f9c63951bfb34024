"""Passing time: consumers of events hold what a fresh list contains, at any moment."""

from __future__ import annotations

import ast
import asyncio
from collections.abc import AsyncGenerator, Callable, Generator, Iterator, Mapping
from contextlib import asynccontextmanager, closing, suppress
from typing import Any

import pytest
import sqlalchemy as sa
from hypothesis import example, given, settings
from hypothesis import strategies as st

from console.api.annotations import Variant
from console.records.people import UserContext
from console.records.support import AlertTemplate
from console.records.traffic import Call, Conference, SsrcStat
from console.service.auth.caller import NOBODY, Caller
from console.service.auth.passwords import Cost
from console.service.domain import (
    alerts,
    appearing,
    calls,
    chats,
    conferences,
    datapipes,
    deliveries,
    logouts,
    meetings,
    notifications,
    people,
    phones,
    quality,
    recorded,
    sessions,
    templates,
    tokens,
)
from console.service.domain.alerts import ALERTS
from console.service.domain.credentials import CREDENTIALS
from console.service.domain.datapipes import DATAPIPES
from console.service.domain.deliveries import DELIVERIES
from console.service.domain.meetings import MEETINGS
from console.service.domain.sessions import ENDED, SESSIONS
from console.service.events.hub import Hub
from console.service.platform import Platform, ServiceSettings
from console.service.refusal import Refusal
from console.service.scenarios.fill import fill
from console.service.store.transaction import Transaction
from tests.faults.figures import count
from tests.manual_clock import ManualClock
from tests.service.jobs import run_jobs
from tests.service.watching import Following, Held, Watcher, caller_of, everything_listed
from tests.services import Beginning, LentClock
from tests.static.source_files import ROOT

EXAMPLES = 10 * count("FAULTS_COUNT", 0) or 4
WATCHERS = ("eva", "ana", "pat")
"""An admin, an agent and a user, to whom a guest is added."""
SECOND, HOUR, DAY = 1_000, 3_600_000, 86_400_000
LATEST = 40 * DAY
"""Limit of a story: longer than anything is kept."""


class Story:
    """A platform with a clock, the events that may happen in it, and the passing of time."""

    def __init__(self, platform: Platform, clock: ManualClock) -> None:
        self.platform = platform
        self.clock = clock
        self._count = 0

    def _next(self, kind: str) -> str:
        self._count += 1
        return f"{kind}-{self._count}"

    def caller(self, user_id: str) -> Caller:
        return caller_of(self.platform, user_id)

    # -- actions --------------------------------------------------------------------------------------------------

    def alert(self, retries: int, every: int, expires: int | None, ending: str) -> None:
        """Send an alert of a template with these numbers, and possibly end it at once."""
        name = self._next("alert") + "-sent"
        template = AlertTemplate(
            template_id=name,
            title="Fire",
            payload="Out!",
            number_of_retries=retries,
            time_in_ms_between_retries=every,
            time_to_expire=expires,
        )
        templates.create(self.platform, template)
        templates.attach(self.platform, name, ["ana", "bob"])
        alerts.send(self.platform, self.caller("pat"), name, name)
        if ending == "accept":
            alerts.accept(self.platform, self.caller("ana"), name)
        elif ending == "cancel":
            alerts.cancel(self.platform, name)
        elif ending == "dismiss":
            with self.platform.write() as tx:
                notifications.settle_for(tx, alerts.NOTICE, name, "ana")

    def log_in(self, who: str) -> None:
        """Start a session of a user, or of a new guest."""
        if who == "guest":
            sessions.start(self.platform, NOBODY, "", UserContext(src="test"))
        else:
            sessions.create(self.platform, self.caller(who).user, None)

    def take_tokens(self, who: str) -> None:
        """Get access and refresh tokens; a new guest gets them without starting a session."""
        if who == "guest":
            sessions.issue_for_guest(self.platform, NOBODY)
        else:
            pair = tokens.issue(self.platform, who)
            tokens.refresh(self.platform, pair.refresh_token or "")

    def pipe(self) -> None:
        """Open a datapipe between two people with new sessions."""
        ends = {name: self.caller(name) for name in ("ana", "bob")}
        made = {name: sessions.create(self.platform, each.user, None)[0] for name, each in ends.items()}
        opened = datapipes.create(self.platform, ends["ana"], "notes", [ends["bob"].address])
        for name, each in ends.items():
            datapipes.connect(self.platform, each, opened.id, made[name].id)
        datapipes.send(self.platform, ends["ana"], opened.id, "hello")

    def chat(self, free: bool, ending: str) -> None:
        """Request a chat while agents are free or while none is, so that it is offered to all; possibly end it."""
        with self.platform.read() as tx:
            everybody = [each.id for each in chats.AGENTS.records(tx)]
        for each in everybody:
            appearing.set_activity(self.platform, each, "available" if free else "busy")
        name = self._next("chat")
        chats.start(self.platform, self.caller("pat"), name, None)
        if free:
            return
        if ending == "take":
            chats.take(self.platform, self.caller(everybody[0]), name)
        elif ending == "dismiss":
            with self.platform.write() as tx:
                notifications.settle_for(tx, chats.OFFER, name, "ana")
        elif ending == "finish":
            chats.finish(self.platform, name)

    def call(self) -> None:
        """Start a call, let its quality drop, and end it."""
        self._count += 1
        call = calls.record(self.platform, self.caller("ana"), Call(id=f"call-{self._count}", callee="svc-user:bob"))
        counters = {"ssrc": [SsrcStat(id="1", packets_lost=50, packets_received=50).wire()], "callid": call.id}
        quality.store_statistic(self.platform, self.caller("ana"), "call-brief", counters, None)
        calls.update(self.platform, call.id, {"state": "rejected"})

    def meeting(self, minutes: int) -> None:
        """Schedule a meeting and hold a conference of this length."""
        until = self.clock.now_ms() + minutes * 60 * SECOND
        meetings.create(self.platform, self.caller("ana"), {"name": "Standup", "valid_until": until})
        conferences.store(self.platform, self.caller("eva"), Conference(id=self._next("room"), state="active"))

    def number(self) -> None:
        """Send a code to a user's telephone."""
        with self.platform.write() as tx:
            phones.send_codes(self.platform, tx, people.need_user(tx, "bob"))

    def log_out_all(self) -> None:
        """Start logging out the whole domain."""
        logouts.log_out_domain(self.platform, self.caller("eva"), self.caller("eva").domain)

    def prune(self, keep: int) -> None:
        """Delete the oldest records of those kept by number."""
        for subject in (calls, conferences, quality, recorded):
            subject.prune(self.platform, keep)

    # -- time -----------------------------------------------------------------------------------------------------

    def deadlines(self) -> list[int]:
        """Return all future times at which something is due, in ms since the epoch."""
        with self.platform.read() as tx:
            moments = {moment for find in DEADLINES for moment in find(tx) if moment > tx.now - 2}
        return sorted(moments)

    def pass_time(self, moment: int) -> None:
        """Set the clock, if the time is in the future, and run the periodic jobs."""
        ahead = moment - self.clock.now_ms()
        if 0 < ahead <= LATEST:
            self.clock.advance(ahead / 1000)
        run_jobs(self.platform)


def _alerts(tx: Transaction) -> list[int]:
    found: list[int] = []
    for row in tx.rows(sa.select(ALERTS.table)):
        if row.state == "active":
            found += [row.sent + (number + 1) * row.every for number in range(row.retries)]
            if row.expires is not None:
                found.append(row.sent + row.retries * row.every + row.expires)
        if row.resolved is not None:
            found.append(row.resolved + alerts.KEEP_MS)
    return found


def _of(column: sa.ColumnElement[Any], later: int = 0) -> Callable[[Transaction], list[int]]:
    return lambda tx: [each + later for each in tx.run(sa.select(column)).scalars() if each is not None]


DEADLINES: tuple[Callable[[Transaction], list[int]], ...] = (
    _alerts,
    _of(SESSIONS.c.expires),
    _of(ENDED.c.ended, sessions.KEEP_ENDED_MS),
    _of(tokens.tokens.c.expires),
    _of(tokens.tokens.c.expires, sessions.KEEP_ENDED_MS),
    _of(phones.codes.c.expires),
    _of(DATAPIPES.c.touched, datapipes.KEEP_MS),
    _of(MEETINGS.c.since),
    _of(MEETINGS.c.until),
    _of(CREDENTIALS.c.expires),
    _of(DELIVERIES.c.expires),
    _of(DELIVERIES.c.finished, deliveries.KEPT_MS),
)
"""Columns of the database that contain a due time."""

USERS = st.sampled_from(["ana", "bob", "guest"])
DOINGS = st.one_of(
    st.tuples(
        st.just("alert"),
        st.integers(0, 2),
        st.sampled_from([0, 250, 60_000]),
        st.sampled_from([None, 1, 30_000]),
        st.sampled_from(["", "", "accept", "cancel", "dismiss"]),
    ),
    st.tuples(st.just("log_in"), USERS),
    st.tuples(st.just("take_tokens"), USERS),
    st.tuples(st.just("pipe")),
    st.tuples(st.just("chat"), st.booleans(), st.sampled_from(["", "take", "dismiss", "finish"])),
    st.tuples(st.just("call")),
    st.tuples(st.just("meeting"), st.sampled_from([1, 60])),
    st.tuples(st.just("number")),
    st.tuples(st.just("log_out_all")),
    st.tuples(st.just("prune"), st.sampled_from([0, 3])),
)
MOMENTS = st.one_of(
    st.tuples(st.just("after"), st.integers(1, 3 * HOUR)),
    st.tuples(st.just("due"), st.tuples(st.integers(0, 40), st.sampled_from([-1, 0, 1]))),
    st.tuples(st.just("last"), st.sampled_from([-1, 0, 1])),
)


STEPS = st.lists(DOINGS | MOMENTS, min_size=1, max_size=8)


class World:
    """The scenario `quiet`, shared by all stories and restored for each, and its initial lists."""

    def __init__(self, platform: Platform, beginning: Beginning, seen: dict[str, Held]) -> None:
        self.platform = platform
        self.beginning = beginning
        self.seen = seen


@pytest.fixture(scope="module", params=list(Variant))
def world(request: pytest.FixtureRequest) -> Generator[World]:
    clock = LentClock(ManualClock())
    limits = ServiceSettings(variant=request.param, password_cost=Cost.cheap(), session_seconds=1800, token_seconds=600)
    with closing(Platform(None, clock, limits)) as platform:
        fill(platform, "quiet")
        with platform.write():
            sessions.start(platform, NOBODY, "", UserContext(src="test"))
        with platform.read() as tx:
            (guest,) = people.USERS.records(tx, people.USERS.c.role == "anonymous")
        with closing(Beginning(platform, clock)) as beginning:
            names = (*WATCHERS, guest.id)
            seen = {name: asyncio.run(everything_listed(platform, caller_of(platform, name))) for name in names}
            yield World(platform, beginning, seen)


@asynccontextmanager
async def beginning(world: World) -> AsyncGenerator[tuple[Story, Hub]]:
    """Restore the initial state and start the hub."""
    clock = ManualClock()
    world.beginning.put_back(clock)
    hub = Hub(world.platform)
    hub.attach(asyncio.get_running_loop())
    try:
        yield Story(world.platform, clock), hub
    finally:
        hub.detach(1001, "over")


def take(story: Story, step: tuple[Any, ...]) -> None:
    """Execute one step, or let time pass."""
    name, *values = step
    if name in {"after", "due", "last"}:
        story.pass_time(_moment(story, name, *values))
    else:
        # Steps that the domain refuses have no effect.
        with suppress(Refusal):
            getattr(story, name)(*values)


def _moment(story: Story, name: str, value: Any) -> int:
    """Return the time of a step: after a while, or at, just before or just after a due time."""
    if name == "after":
        return story.clock.now_ms() + value
    place, beside = (-1, value) if name == "last" else value
    due = story.deadlines()
    return due[place % len(due) if place >= 0 else place] + beside if due else story.clock.now_ms()


@given(steps=STEPS, end=MOMENTS)
@example(steps=[("alert", 0, 0, 30_000, "")], end=("last", 0))
@example(steps=[("alert", 1, 250, 30_000, "dismiss"), ("chat", False, "")], end=("due", (0, 0)))
@example(steps=[("alert", 2, 250, 30_000, ""), ("after", 10_000)], end=("after", HOUR))
@settings(max_examples=EXAMPLES)
def test_a_follower_of_the_events_has_the_records_of_a_fresh_list(
    world: World, steps: list[tuple[Any, ...]], end: tuple[Any, ...]
) -> None:
    async def play() -> list[str]:
        async with beginning(world) as (story, hub):
            watchers = [Watcher(world.platform, hub, name, listed) for name, listed in world.seen.items()]
            for step in (*steps, end):
                take(story, step)
            return [each for watcher in watchers for each in await watcher.differences()]

    assert asyncio.run(play()) == []


@given(steps=STEPS, ends=st.lists(MOMENTS, min_size=1, max_size=3))
@example(steps=[("alert", 0, 0, 30_000, ""), ("after", 31_000)], ends=[("after", DAY - 1_000), ("after", 1_001)])
@settings(max_examples=EXAMPLES // 2)
def test_a_console_shows_the_records_of_a_fresh_list(
    world: World, steps: list[tuple[Any, ...]], ends: list[tuple[Any, ...]]
) -> None:
    async def play() -> list[str]:
        async with beginning(world) as (story, hub):
            consoles = [Following(world.platform, hub, name, story.clock) for name in ("eva", "ana")]
            try:
                for step in steps:
                    take(story, step)
                found = [each for console in consoles for each in await console.differences()]
                for step in ends:
                    take(story, step)
                    found += [each for console in consoles for each in await console.differences()]
                return found
            finally:
                for console in consoles:
                    await console.close()

    assert asyncio.run(play()) == []


def test_an_alert_without_retries_ends_for_its_receivers_and_is_deleted_later(world: World) -> None:
    async def play() -> None:
        async with beginning(world) as (story, _):
            story.alert(0, 0, 30_000, "")
            platform = world.platform
            story.pass_time(story.clock.now_ms() + 30_000)
            with platform.read() as tx:
                assert ALERTS.need(tx, "alert-1-sent").state == "expired"
                assert notifications.pending(tx, "alert-1-sent", "ana") is None
            story.pass_time(story.clock.now_ms() + alerts.KEEP_MS + 1)
            with platform.read() as tx:
                assert ALERTS.get(tx, "alert-1-sent") is None

    asyncio.run(play())


DECIDING: Mapping[str, str] = {
    "handlers/alerts.py list_alerts.of": "spans of ended alerts",
    "handlers/sessions.py _listed": "a filter of one list, that nobody follows",
    "handlers/tokens.py inspect": "tokens",
    "domain/alerts.py _end": "expiry of alerts",
    "domain/alerts.py keep_time": "retries, expiry and pruning of alerts",
    "domain/alerts.py listed": "retries and expiry of alerts",
    "domain/alerts.py store": "alerts of a world that are old already",
    "domain/calls.py _end": "a stamp",
    "domain/calls.py attempt_failed": "a stamp",
    "domain/calls.py connect": "a stamp",
    "domain/calls.py _recorded_always": "a stamp",
    "domain/chats.py start": "a stamp",
    "domain/conferences.py finish": "a stamp",
    "domain/conferences.py leave": "a stamp",
    "domain/conferences.py store": "a stamp",
    "domain/credentials.py _valid": "leases of credentials",
    "domain/datapipes.py leave_with_session": "ends of sessions, pruning of datapipes",
    "domain/deliveries.py deliver": "stamps",
    "domain/deliveries.py due_messages": "no more than which are sent next",
    "domain/deliveries.py give_back": "a stamp",
    "domain/deliveries.py keep_time": "expiry and pruning of deliveries",
    "domain/deliveries.py note_failed": "a stamp, and when the next attempt is due",
    "domain/deliveries.py note_sent": "a stamp",
    "domain/deliveries.py retry": "a refusal of what has expired",
    "domain/phones.py forget_expired": "codes",
    "domain/phones.py send_codes": "codes",
    "domain/phones.py validate": "codes",
    "domain/recordings.py start": "a stamp",
    "domain/sessions.py _login": "the rest of a session's time, said once",
    "domain/sessions.py belongs": "tokens",
    "domain/sessions.py end_expired": "expiry of sessions, and guests who go with them",
    "domain/sessions.py forget_old": "pruning of sessions, tokens and guests",
    "domain/status.py summary": "counts of the last minutes",
    "domain/tokens.py _alive": "tokens",
    "domain/tokens.py need_alive": "tokens",
    "domain/tokens.py refresh": "tokens",
}
"""Every function of the domain and its handlers that uses the time for more than a timestamp, with its purpose.

A new function needs a step in `Story` and an entry in `DEADLINES` if its decision can be seen in a list.
"""


def test_every_part_of_the_service_that_uses_the_clock_is_tested_here() -> None:
    service = ROOT / "src" / "console" / "service"
    found = {
        f"{path.relative_to(service)} {name}"
        for folder in ("handlers", "domain")
        for path in sorted((service / folder).glob("*.py"))
        for name in _deciding(ast.parse(path.read_text(encoding="utf-8")))
    }
    assert sorted(found ^ DECIDING.keys()) == []


def _deciding(tree: ast.AST, inside: str = "") -> Iterator[str]:
    """Yield the functions that compare or subtract the time, or pass it on; all others only store it."""
    for node in ast.iter_child_nodes(tree):
        name = inside
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            name = f"{inside}.{node.name}".lstrip(".")
        match node:
            case ast.Compare() | ast.BinOp(op=ast.Sub()):
                decides = any(_is_now(part) for part in ast.walk(node))
            case ast.Call():
                decides = any(_is_now(each) for each in node.args)
            case _:
                decides = False
        if decides:
            yield inside
        yield from _deciding(node, name)


def _is_now(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and node.attr in {"now", "now_ms", "monotonic"}
