"""Real backends with the real service over HTTP and WebSocket: they agree, and they recover."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import ExitStack
from pathlib import Path

import pytest

from console.api.operations.people import AddParticipant, ListUsers, PageGroups, RemoveParticipant
from console.api.operations.sessions import CreateSession
from console.api.operations.traffic import EnableStatistics
from console.client.endpoint import Endpoint
from console.kinds.catalogue import FEEDS
from console.live.backend import Backend
from console.live.command import Command, Stage, Step
from console.live.delta import Freshness
from console.live.journal_reading import verify
from console.records.people import Group
from console.records.traffic import Call
from console.service.domain import calls
from console.service.domain.calls import CALLS
from console.service.domain.groups import GROUPS
from console.service.events.hub import LARGEST_EVENT
from console.service.store.database import Database
from tests.background import Running, start_background
from tests.live.until import until
from tests.service.over_http import fill
from tests.services import Services

Open = Callable[..., Backend]


@pytest.fixture
def service(services: Services) -> Generator[Running]:
    with services.anew(fill) as running:
        yield running


@pytest.fixture
def open_desk(tmp_path: Path) -> Generator[Open]:
    with ExitStack() as stack:

        def open_one(
            service: Running, user: str = "ana", *kinds: str, password: Callable[[], str] = lambda: "demo"
        ) -> Backend:
            endpoint = Endpoint(service.core_url, events=service.events_url)
            journal = tmp_path / f"{user}.journal"
            backend = Backend(endpoint, FEEDS.values(), journal_path=journal, login=lambda: (user, password()))
            stack.callback(backend.stop, 5.0)
            backend.show(frozenset(kinds))
            backend.start()
            return backend

        yield open_one


def participants(backend: Backend) -> tuple[str, ...]:
    group = backend.records("groups").get("night")
    return group.participants if isinstance(group, Group) else ()


def add(user: str) -> Command:
    inverse = RemoveParticipant(group_id="night", target_user_id=user)
    step = Step(AddParticipant(group_id="night", target_user_id=user), "night", f"added {user}", (inverse,))
    return Command("groups.add", "groups", (step,), f"Add {user}")


def stage(backend: Backend, number: int) -> Stage:
    return next(ticket.stage for ticket in backend.commands.tickets() if ticket.command.number == number)


def test_a_change_in_one_backend_is_visible_in_the_other_by_its_event(service: Running, open_desk: Open) -> None:
    one, other = open_desk(service, "ana", "groups"), open_desk(service, "eva", "groups")
    until(lambda: one.health("groups").state is Freshness.LIVE and participants(one))
    until(lambda: other.health("groups").state is Freshness.LIVE)
    before = other.delta("groups", 0)
    ticket = one.commands.submit(add("pat"))
    until(lambda: "pat" in participants(other))
    until(lambda: stage(one, ticket.command.number) is Stage.DONE)
    delta = other.delta("groups", before.version)
    assert not delta.whole
    assert set(delta.upserts) == {"night"}


def test_a_record_that_is_too_large_to_be_sent_is_shown_and_the_channel_stays_open(
    service: Running, open_desk: Open
) -> None:
    backend = open_desk(service, "eva", "groups")
    until(lambda: backend.health("groups").state is Freshness.LIVE and participants(backend))
    opened = backend.link.state

    def name() -> str:
        group = backend.records("groups").get("night")
        return (group.name or "") if isinstance(group, Group) else ""

    for words in ("Large", "Larger"):
        with service.platform.write() as tx:
            GROUPS.put(tx, GROUPS.need(tx, "night").model_copy(update={"name": words + " x" * LARGEST_EVENT}))
        until(lambda words=words: name().startswith(f"{words} "))
        until(lambda: backend.health("groups").state is Freshness.LIVE)
    assert backend.link.state is opened is Freshness.LIVE


def test_an_undo_is_visible_in_both(service: Running, open_desk: Open, tmp_path: Path) -> None:
    one, other = open_desk(service, "ana", "groups"), open_desk(service, "eva", "groups")
    until(lambda: participants(one) and participants(other))
    before = participants(one)
    ticket = one.commands.submit(add("pat"))
    until(lambda: stage(one, ticket.command.number) is Stage.DONE and "pat" in participants(one))
    back = one.commands.undo()
    assert back is not None
    until(lambda: participants(one) == participants(other) == before)
    until(lambda: stage(one, ticket.command.number) is Stage.TAKEN_BACK)
    assert one.commands.undo() is None
    again = one.commands.undo(back.command.number)
    assert again is not None
    until(lambda: "pat" in participants(other))
    assert verify(tmp_path / "ana.journal").flaw is None


def test_a_list_refused_to_a_user_does_not_affect_the_others(service: Running, open_desk: Open) -> None:
    backend = open_desk(service, "pat")
    backend.show(frozenset({"alarms", "users"}))
    until(lambda: backend.health("users").state is Freshness.LIVE)
    until(lambda: backend.health("alarms").state is Freshness.REFUSED)
    assert backend.health("alarms").reason
    until(lambda: backend.me is not None)
    fresh = backend.ask(ListUsers()).result(5)
    assert dict(backend.records("users")) == {user.id: user for user in fresh}
    assert "ana" in backend.records("users")


def test_a_user_who_cannot_list_all_sessions_sees_their_own(service: Running, open_desk: Open) -> None:
    pat, ana = open_desk(service, "pat"), open_desk(service, "ana")
    pat.show(frozenset({"sessions"}))
    until(lambda: ana.session_id and pat.health("sessions").state is Freshness.LIVE and pat.records("sessions"))
    assert pat.session_id in pat.records("sessions")
    made = pat.commands.submit(Command("sessions.create", "sessions", (Step(CreateSession(), "s", "made"),), "create"))
    until(lambda: stage(pat, made.command.number) is Stage.DONE)
    (outcome,) = pat.commands.tickets()[0].outcomes
    until(lambda: outcome.made[0] in pat.records("sessions"))
    assert {getattr(each, "user", None) for each in pat.records("sessions").values()} == {"pat"}


def test_a_refused_change_has_a_reason(service: Running, open_desk: Open) -> None:
    backend = open_desk(service, "pat")
    until(lambda: backend.me is not None)
    ticket = backend.commands.submit(add("pat"))
    until(lambda: stage(backend, ticket.command.number) is Stage.REFUSED)
    assert backend.commands.tickets()[0].reason
    assert backend.commands.undo() is None


def test_a_wrong_password_is_fatal_until_a_new_login(service: Running, open_desk: Open) -> None:
    passwords = ["wrong"]
    backend = open_desk(service, password=lambda: passwords[0])
    fatal = until(lambda: backend.fatal)
    assert fatal is not None
    assert fatal.kind == "login"
    assert backend.link.state is Freshness.REFUSED
    assert backend.commands.submit(add("pat")).stage is Stage.REFUSED
    passwords[0] = "demo"
    backend.retry()
    until(lambda: backend.me is not None and backend.fatal is None)


def test_closing_revokes_the_session(service: Running, open_desk: Open) -> None:
    watcher = open_desk(service, "eva", "sessions")
    until(lambda: watcher.health("sessions").state is Freshness.LIVE and watcher.records("sessions"))

    def alive() -> set[str]:
        return {key for key, each in watcher.records("sessions").items() if getattr(each, "user", "") == "pat"}

    backend = open_desk(service, "pat")
    until(alive)
    backend.stop(5.0)
    until(lambda: not alive())


def test_statistics_switched_on_for_viewing_are_switched_off_at_the_end(service: Running, open_desk: Open) -> None:
    for call in ("watched", "ended"):
        calls.begin(service.platform, Call(id=call, caller="+34600", callee="+34911", state="ringing"))
        calls.connect(service.platform, call, "svc-user:ana")

    def enabled(call: str) -> bool:
        with service.platform.read() as tx:
            return (CALLS.need(tx, call).data or {})["statistics"]["enabled"] is True

    backend = open_desk(service, "ana", "calls")
    until(lambda: backend.health("calls").state is Freshness.LIVE and len(backend.records("calls")) > 1)
    for call in ("watched", "ended"):
        on, off = EnableStatistics(call_id=call, enable=True), EnableStatistics(call_id=call, enable=False)
        step = Step(on, call, "turned statistics on", (off,), watching=True)
        ticket = backend.commands.submit(Command("calls.statistics", "calls", (step,), "Statistics"))
        until(lambda ticket=ticket: stage(backend, ticket.command.number) is Stage.DONE)
    assert enabled("watched")
    calls.end(service.platform, "ended", "ended")
    calls.prune(service.platform, 0)
    until(lambda: "ended" not in backend.records("calls"))
    backend.stop(5.0)
    assert not enabled("watched")
    assert not [each for each in backend.commands.tickets() if each.stage is Stage.REFUSED], (
        "who has gone is not asked for"
    )


def test_it_is_soon_live_and_correct_after_a_restart_of_the_service(tmp_path: Path, open_desk: Open) -> None:
    store = tmp_path / "service.db"
    with start_background(fill, database=Database(store)) as running:
        port = int(running.base_url.rpartition(":")[2])
        backend = open_desk(running, "ana", "groups")
        until(lambda: backend.health("groups").state is Freshness.LIVE and participants(backend))
        rows = dict(backend.records("groups"))
    until(lambda: backend.link.state is Freshness.OFFLINE and backend.health("groups").state is Freshness.OFFLINE)
    health = backend.health("groups")
    assert health.age is not None
    assert health.retry_in is not None
    assert dict(backend.records("groups")) == rows
    with start_background(database=Database(store), port=port):
        until(lambda: backend.health("groups").state is Freshness.LIVE)
        fresh = backend.ask(PageGroups()).result(5)
        assert dict(backend.records("groups")) == {group.key: group for group in fresh.data}


def test_a_service_that_lost_its_data_is_followed_too(open_desk: Open) -> None:
    with start_background(fill) as running:
        port = int(running.base_url.rpartition(":")[2])
        backend = open_desk(running, "ana", "groups")
        until(lambda: backend.health("groups").state is Freshness.LIVE)
        ticket = backend.commands.submit(add("pat"))
        until(lambda: "pat" in participants(backend))
        until(lambda: stage(backend, ticket.command.number) is Stage.DONE)
    with start_background(fill, port=port):
        until(lambda: backend.health("groups").state is Freshness.LIVE)
        assert participants(backend) == ("bob", "carla")
