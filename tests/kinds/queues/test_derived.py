"""Queues follow calls: who waits, who was served and who gave up, and what was not observed."""

from __future__ import annotations

from typing import Any

import pytest

from console.kinds.queues import derived
from console.kinds.queues.columns import TABLE as QUEUES
from console.kinds.queues.facts import share_in_time, until_breach
from console.live.delta import Freshness
from console.records.people import Group
from console.records.support import Agent, Presence, Skill
from console.records.traffic import Call
from console.views.thresholds import Threshold
from tests.kinds.queues.desk import Desk, connected, ended, figures


@pytest.fixture
def desk() -> Desk:
    return Desk()


def test_a_queue_tells_who_waits_and_for_how_long(desk: Desk) -> None:
    desk.opens(
        desk.call("c1", "queued", ago=100, caller="tel:+34986000017"),
        desk.call("c2", "queued", ago=10),
        desk.call("c3", "connected"),
        desk.call("c4", "queued", "billing", ago=1),
    )
    queue = desk.queue("support")
    assert (queue.waiting, queue.longest, queue.caller) == (2, "c1", "tel:+34986000017")
    assert until_breach(queue, desk.render()) == 15_000
    assert desk.names == {"support", "billing"}
    desk.change(removes=["c1"])
    assert (desk.queue("support").waiting, desk.queue("support").longest) == (1, "c2")


def test_a_queue_counts_the_waits_of_unknown_time(desk: Desk) -> None:
    timed, untimed = desk.call("c1", "queued", ago=100), Call(id="c2", state="queued", target="support")
    desk.opens(untimed, timed)
    assert (desk.queue("support").longest, desk.queue("support").untimed) == ("c1", 1)
    desk.change(untimed)
    assert desk.queue("support").untimed == 1
    desk.change(removes=["c1"])
    assert (desk.queue("support").longest_at, desk.queue("support").untimed) == (None, 1)
    desk.change(removes=["c2"])
    assert (desk.queue("support").waiting, desk.queue("support").untimed) == (0, 0)


def test_the_chart_of_the_longest_wait_has_a_gap_while_a_wait_of_unknown_time_goes_on(desk: Desk) -> None:
    def longest() -> list[float]:
        before = len(desk.history.samples("longest_wait"))
        desk.passes(5)
        return [value for _, value in desk.history.samples("longest_wait")[before:]]

    desk.opens(Call(id="c2", state="queued", target="support"))
    assert longest() == [], "unknown, not 0"
    desk.change(desk.call("c1", "queued", "billing", ago=100))
    assert longest() == [], "perhaps longer"
    desk.change(removes=["c2"])
    assert longest() == [110_000]
    desk.change(removes=["c1"])
    assert longest() == [0]


def test_calls_without_a_target_wait_for_the_skill_that_they_tell(desk: Desk) -> None:
    desk.opens(
        desk.call("c1", "queued", None, context={"skill": "sales"}),
        desk.call("c2", "queued", None, data={"skill": "claims"}),
        desk.call("c3", "queued", None, data={"skill": 7}),
    )
    assert desk.names == {"sales", "claims", "no target"}


@pytest.mark.parametrize(
    ("waited", "found"), [(119, (1, 1, 0)), (120, (1, 0, 0)), (600, (1, 0, 0))], ids=["in time", "late", "very late"]
)
def test_a_call_is_served_when_it_is_answered(desk: Desk, waited: int, found: tuple[int, ...]) -> None:
    call = desk.call("c1", "queued")
    desk.opens(call)
    desk.passes(waited - 5)
    desk.change(connected(call))
    desk.change(ended(connected(call), "ended", desk.now))
    for span in ("15", "60", "today"):
        assert figures(desk.queue("support"), span) == found
    assert desk.queue("support").waiting == 0


def test_the_attempt_tells_when_a_call_was_answered(desk: Desk) -> None:
    call = desk.call("c1", "queued")
    desk.opens(call)
    desk.passes(200)
    desk.change(connected(call, desk.now - 150_000))
    assert figures(desk.queue("support")) == (1, 1, 0)


def test_the_critical_threshold_is_that_of_the_configuration() -> None:
    desk = Desk(**{"calls.wait": Threshold(10_000, 20_000, name="calls.wait")})
    call = desk.call("c1", "queued")
    desk.opens(call)
    assert until_breach(desk.queue("support"), desk.render()) == 15_000
    desk.passes(30)
    desk.change(connected(call))
    assert figures(desk.queue("support")) == (1, 0, 0)


@pytest.mark.parametrize("state", ["cancelled", "ended", "servererror", "timeout"])
def test_a_call_that_ends_while_it_waits_is_abandoned(desk: Desk, state: str) -> None:
    call = desk.call("c1", "queued")
    desk.opens(call)
    desk.change(ended(call, state, desk.now))
    assert figures(desk.queue("support")) == (0, 0, 1)


def test_a_call_that_rings_between_keeps_its_place(desk: Desk) -> None:
    call = desk.call("c1", "queued")
    desk.opens(call)
    desk.change(call.model_copy(update={"state": "ringing"}))
    assert desk.queue("support").waiting == 0
    desk.change(call)
    assert desk.queue("support").waiting == 1
    desk.change(call.model_copy(update={"state": "ringing"}))
    desk.change(connected(call))
    assert figures(desk.queue("support")) == (1, 1, 0)


def test_a_call_that_moves_to_another_queue_was_neither_served_nor_abandoned(desk: Desk) -> None:
    call = desk.call("c1", "queued")
    desk.opens(call)
    desk.change(call.model_copy(update={"target": "billing"}))
    assert (desk.queue("support").waiting, desk.queue("billing").waiting) == (0, 1)
    desk.change(connected(call.model_copy(update={"target": "billing"})))
    assert figures(desk.queue("support")) == (0, 0, 0)
    assert figures(desk.queue("billing")) == (1, 1, 0)


def test_a_call_that_is_known_only_at_its_end_counts_in_a_known_queue(desk: Desk) -> None:
    desk.opens(desk.call("c0", "queued"))
    began, at = desk.now - 300_000, desk.now - 170_000
    served = desk.call("c1", "ended", ago=300, to=desk.now, attempts=({"answeredAt": at},))
    gone = desk.call("c2", "abandoned", ago=300, to=desk.now)
    elsewhere = desk.call("c3", "abandoned", "svc-user:ana", ago=3, to=desk.now)
    desk.change(served, gone, elsewhere)
    assert (began, figures(desk.queue("support"))) == (desk.now - 300_000, (1, 0, 1))
    desk.change(served.model_copy(update={"context": {"note": "later"}}), gone)
    assert figures(desk.queue("support")) == (1, 0, 1)
    assert "svc-user:ana" not in desk.names


def test_a_call_that_is_listed_no_more_counts_as_neither(desk: Desk) -> None:
    desk.opens(desk.call("c1", "queued"), desk.call("c2", "queued"))
    desk.change(removes=["c1"])
    assert (desk.queue("support").waiting, figures(desk.queue("support"))) == (1, (0, 0, 0))
    assert (desk.queue("support").unknown_15, desk.queue("support").unknown_today) == (1, 1)


def test_a_call_served_after_an_unknown_wait_is_neither_in_time_nor_late(desk: Desk) -> None:
    def cells() -> list[str]:
        return [
            QUEUES.column(key).cell(desk.queue("support"), desk.render()).text for key in ("in-time-15", "served-15")
        ]

    untimed, timed = Call(id="c1", state="queued", target="support"), desk.call("c2", "queued")
    desk.opens(untimed, timed)
    desk.change(connected(timed))
    assert cells() == ["100 %", "1"]
    desk.change(connected(untimed))
    assert (figures(desk.queue("support")), desk.queue("support").unmeasured_15) == ((2, 1, 0), 1)
    assert cells() == ["≈ 100 %", "2"]


def test_ended_calls_of_the_first_list_are_not_counted(desk: Desk) -> None:
    desk.opens(desk.call("c1", "queued"), desk.call("c2", "abandoned", ago=60, to=desk.now))
    assert figures(desk.queue("support")) == (0, 0, 0)


@pytest.mark.parametrize("state", [Freshness.OFFLINE, Freshness.STALE, Freshness.REFUSED])
def test_what_passed_while_the_calls_were_not_seen_is_not_counted_but_told(desk: Desk, state: Freshness) -> None:
    first, second, third = (desk.call(key, "queued") for key in ("c1", "c2", "c3"))
    desk.opens(first, second, third)
    since = desk.queue("support").since_at
    desk.state = state
    desk.passes(0)
    desk.passes(60)
    desk.change(ended(first, "cancelled", desk.now))
    desk.state = Freshness.LIVE
    desk.change(connected(second))
    assert (figures(desk.queue("support")), desk.queue("support").unknown_15) == ((0, 0, 0), 2)
    assert desk.queue("support").waiting == 1
    assert (desk.queue("support").since_at, desk.queue("support").unseen_ms) == (since, 62_000)
    desk.change(connected(third))
    assert figures(desk.queue("support")) == (1, 1, 0)


def test_one_list_alone_tells_no_figures(desk: Desk) -> None:
    desk.state = Freshness.POLLING
    desk.change(desk.call("c1", "queued"))
    assert figures(desk.queue("support")) == (None, None, None)
    assert desk.queue("support").waiting == 1
    assert share_in_time(*figures(desk.queue("support"))) is None


def test_calls_leave_the_last_minutes_but_not_the_day_before_it_ends(desk: Desk) -> None:
    call = desk.call("c1", "queued")
    desk.opens(call)
    desk.change(connected(call))
    spans = ("15", "60", "today")
    assert [figures(desk.queue("support"), span)[0] for span in spans] == [1, 1, 1]
    desk.passes(16 * 60)
    assert [figures(desk.queue("support"), span)[0] for span in spans] == [0, 1, 1]
    desk.passes(60 * 60)
    assert [figures(desk.queue("support"), span)[0] for span in spans] == [0, 0, 1]
    desk.change(desk.call("c2", "queued"))
    desk.passes(12 * 3600)
    assert [figures(desk.queue("support"), span)[0] for span in spans] == [0, 0, 0]


def test_an_answer_before_its_wait_is_not_in_time(desk: Desk) -> None:
    waiting = desk.call("c1", "queued", ago=100)
    desk.opens(waiting)
    desk.passes(-3600)
    desk.change(waiting.model_copy(update={"state": "connected"}))
    queue = desk.queue("support")
    assert (queue.served_today, queue.in_time_today, queue.unmeasured_today) == (1, 0, 1)


@pytest.mark.parametrize("jumps", [(-3600,), (86_400 * 3, -86_400 * 3), (-60,), (-7 * 86_400,)])
def test_calls_leave_the_last_minutes_after_a_clock_was_set_back(desk: Desk, jumps: tuple[int, ...]) -> None:
    early, late = desk.call("c1", "queued"), desk.call("c2", "queued")
    desk.opens(early, late)
    for jump in jumps:
        desk.passes(jump)
        since = desk.queue("support").since_at
        assert since is not None
        assert since <= desk.now
    desk.change(connected(early))
    desk.passes(10 * 60)
    desk.change(connected(late))
    assert figures(desk.queue("support"), "15")[0] == 2
    desk.passes(10 * 60)
    assert figures(desk.queue("support"), "15")[0] == 1
    desk.passes(-3600)
    assert figures(desk.queue("support"), "15")[0] == 1
    desk.passes(10 * 60)
    assert figures(desk.queue("support"), "15")[0] == 0
    assert figures(desk.queue("support"), "60")[0] == 2


def test_the_trend_has_a_gap_where_nothing_was_observed(desk: Desk) -> None:
    call = desk.call("c1", "queued")
    desk.opens(call, desk.call("c2", "queued"))
    desk.passes(5 * 60)
    desk.change(ended(call, "cancelled", desk.now))
    desk.state = Freshness.OFFLINE
    for _ in range(5):
        desk.passes(60)
    desk.state = Freshness.LIVE
    desk.passes(5 * 60)
    desk.passes(60)
    assert desk.queue("support").trend[-4:] == (2, 2, None, 1)


def staffed(*, busy: str = "") -> list[Agent]:
    chats = {"chat": [{"chatId": "x"}]}
    return [
        Agent.model_validate(
            {"id": each, "online": True, "activity": "available", "channels": chats if each == busy else {}}
        )
        for each in ("ana", "bob")
    ]


def test_the_agents_of_a_queue_are_those_of_its_skill(desk: Desk) -> None:
    desk.opens(desk.call("c1", "queued"), desk.call("c2", "queued", "line7", context={"skill": "support"}))
    assert (desk.queue("support").skill, desk.queue("support").free) == (None, None)
    desk.change(Skill(skill="support", agents=("ana", "bob", "nobody")), *staffed())
    for name in ("support", "line7"):
        queue = desk.queue(name)
        assert (queue.skill, queue.free, queue.busy, queue.away) == ("support", 2, 0, 0)
    desk.change(*staffed(busy="bob"))
    assert (desk.queue("line7").free, desk.queue("line7").busy) == (1, 1)
    desk.change(Skill(skill="support", agents=("bob",)))
    assert (desk.queue("support").free, desk.queue("support").busy) == (0, 1)


def test_the_agents_of_a_group_are_its_members(desk: Desk) -> None:
    desk.opens(desk.call("c1", "queued", "svc-group:night"))
    assert desk.queue("svc-group:night").free is None
    desk.change(Group(group_id="night", participants=("ana", "bob")), Presence(address="svc-user:ana", online=True))
    desk.passes(1)
    queue = desk.queue("svc-group:night")
    assert (queue.group, queue.free, queue.doubtful) == ("night", 1, 1)


def test_each_skill_is_a_queue_until_it_is_gone(desk: Desk) -> None:
    desk.opens()
    desk.change(Skill(skill="sales"))
    assert desk.queue("sales").waiting == 0
    desk.lists["skills"].change({}, ["sales"])
    desk.passes(60)
    desk.passes(60)
    assert desk.names == set()


def test_the_number_of_queues_is_bounded_whatever_the_service_sends(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(derived, "MOST", 3)
    desk.opens(*(desk.call(f"c{each}", "queued", f"queue {each}") for each in range(5)))
    assert desk.names == {"queue 0", "queue 1", "queue 2"}
    assert "first 3 queues" in desk.queues.health(desk.health).cut
    desk.change(removes=["c0"])
    desk.change(desk.call("c9", "queued", "x" * 5000))
    assert desk.names == {"queue 1", "queue 2", "x" * 200}


def test_only_changed_rows_change(desk: Desk) -> None:
    desk.opens(desk.call("c1", "queued"), desk.call("c2", "queued", "billing"))
    version = desk.queues.collection.version
    desk.passes(1)
    assert desk.queues.collection.version == version
    desk.change(desk.call("c3", "queued"))
    assert set(desk.queues.collection.delta(version).upserts) == {"support"}


def test_a_list_that_is_given_anew_changes_nothing(desk: Desk) -> None:
    call, other = desk.call("c1", "queued"), desk.call("c2", "queued")
    desk.opens(call, other, desk.call("c3", "connected"))
    many: dict[str, Any] = {f"n{each}": desk.call(f"n{each}", "connected") for each in range(2000)}
    calls = desk.lists["calls"]
    calls.change(many, ["c2", "c3"])
    assert calls.delta(1).whole
    desk.queues.update()
    assert (desk.queue("support").waiting, figures(desk.queue("support"))) == (1, (0, 0, 0))
    desk.change(connected(call))
    assert figures(desk.queue("support")) == (1, 1, 0)


def test_the_numbers_of_all_queues_are_kept_for_charts_while_they_are_observed(desk: Desk) -> None:
    desk.opens(desk.call("c1", "queued", ago=30), desk.call("c2", "queued", "billing"), *staffed())
    desk.passes(2)
    history = desk.history
    assert [history.latest(each) for each in ("calls_waiting", "longest_wait", "agents_free")] == [2, 37_000, 2]
    desk.state = Freshness.OFFLINE
    many = len(history.samples("calls_waiting"))
    for _ in range(3):
        desk.passes(60)
    assert len(history.samples("calls_waiting")) == many


def test_nobody_is_counted_of_a_list_of_agents_or_members_that_cannot_be_read(desk: Desk) -> None:
    def staff(name: str) -> tuple[int | None, ...]:
        queue = desk.queue(name)
        return queue.free, queue.busy, queue.away

    ana = Agent.model_validate({"id": "ana", "online": True, "activity": "available"})
    desk.opens(desk.call("c1", "queued", "sales"), desk.call("c2", "queued", "svc-group:night"))
    desk.change(ana, Skill(skill="sales", agents=()))
    assert staff("sales") == (0, 0, 0)
    desk.change(Skill.model_validate({"skill": "sales", "agents": {"odd": True}}))
    assert staff("sales") == (None, None, None)
    desk.change(Group(group_id="night", participants=()))
    desk.passes(1)
    assert staff("svc-group:night") == (0, 0, 0)
    desk.change(Group.model_validate({"groupId": "night", "participants": {"odd": True}}))
    desk.passes(1)
    assert staff("svc-group:night") == (None, None, None)
    desk.change(Skill(skill="sales", agents=("ana",)))
    assert staff("sales") == (1, 0, 0)
