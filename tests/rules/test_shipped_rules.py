"""What needs attention by the shipped rules: the most serious first, equal ones combined, and all of them counted."""

from __future__ import annotations

from typing import Any

import pytest

from console.kinds.connection.facts import noticeable
from console.kinds.episodes.facts import target
from console.kinds.tables import TABLES
from console.notices.notice import notice_of
from console.records.connection import Connection
from console.records.episodes import Episode
from console.records.notifications import Notification
from console.records.support import Agent, Alert, Skill, SupportChat
from console.records.traffic import Call, CallAlarm, Conference
from console.views.filter import parse
from console.views.quoting import quoted
from console.views.thresholds import Threshold
from tests.rules.desk import Desk

SECOND, MINUTE, HOUR = 1_000, 60_000, 3_600_000


def desk_of(thresholds: dict[str, Threshold] | None = None, **kinds: list[Any]) -> Desk:
    desk = Desk(thresholds=thresholds)
    for kind, records in kinds.items():
        desk.put(kind, *records)
    return desk


NOW = Desk().now_ms


def waiting(key: str, seconds: float, target: str | None = "support", state: str = "queued") -> Call:
    return Call(id=key, state=state, date=NOW - seconds * SECOND, target=target, caller="+34600100200", callee="+34900")


def listed(episode: Episode, desk: Desk) -> set[str]:
    """Return the keys of the records that opening an episode shows."""
    seen = desk.render()
    kind, key, text = target(episode, seen)
    if key:
        return {key}
    wanted = parse(text, TABLES[kind])
    return {key for key, record in seen.lookup(kind).items() if wanted.matches(record, seen)}


def test_equal_waits_share_a_row_with_their_number_and_the_longest() -> None:
    many = [waiting(f"c{number}", 61 + number) for number in range(39)]
    desk = desk_of(calls=[*many, waiting("new", 10), waiting("other", 70, "sales")])
    found = {each.about: each for each in desk.after()}
    support, sales = found["support"], found["sales"]
    assert (support.count, support.words, support.since_at) == (39, "support", NOW - 99 * SECOND)
    assert (sales.count, sales.words, sales.keys) == (1, "+34600100200 → sales", ("other",))
    assert listed(support, desk) == {each.id for each in many}, "who has not waited long is not among them"
    assert set(found) == {"support", "sales"}


def test_a_notice_about_one_call_names_its_queue_once() -> None:
    desk = desk_of(calls=[waiting("one", 70, "sales"), waiting("two", 80), waiting("three", 80)])
    notices = {notice_of(each, "desk").line for each in desk.after()}
    assert notices == {"desk: long wait: +34600100200 → sales", "desk: long wait: support"}


@pytest.mark.parametrize("name", ['say "hello"', "two words", "*", "svc-user:u1", "a,b", "état", "!x", "x:y"])
def test_entering_a_row_lists_exactly_the_counted_records_whatever_the_name_of_the_target(name: str) -> None:
    desk = desk_of(calls=[waiting("a", 90, name), waiting("b", 100, name), waiting("c", 5, name)])
    (found,) = desk.after()
    assert found.count == 2
    assert listed(found, desk) == {"a", "b"}


def test_a_wait_is_rated_by_the_configured_thresholds() -> None:
    calls = [waiting("a", 30), waiting("b", 50, "sales")]
    assert {each.rule for each in desk_of(calls=calls).after()} == {"breach"}
    strict = desk_of({"calls.wait": Threshold(20 * SECOND, 40 * SECOND, unit=1000)}, calls=calls).after()
    assert [(each.about, each.severity) for each in strict] == [("sales", "critical"), ("support", "warning")]
    lax = {"calls.wait": Threshold(600 * SECOND, 900 * SECOND, unit=1000)}
    assert not desk_of(lax, calls=[waiting("a", 300)]).after()


def test_a_breach_is_announced_before_it_comes_and_becomes_a_wait() -> None:
    desk = desk_of(calls=[waiting("a", 40)])
    assert desk.after() == []
    (soon,) = desk.after(5)
    assert (soon.rule, soon.severity, soon.about) == ("breach", "notice", "support")
    (late,) = desk.after(15)
    assert (late.rule, late.severity) == ("wait", "warning")
    (critical,) = desk.after(60)
    assert (critical.id, critical.severity, critical.renewed_at) == (late.id, "critical", desk.now_ms)


def test_a_breach_just_after_a_wait_of_its_queue_is_not_announced() -> None:
    desk = desk_of(calls=[waiting("a", 90), waiting("b", 44)])
    assert [each.rule for each in desk.after()] == ["wait"]
    desk.put("calls", removes=["a"])
    assert desk.after(2) == [], "whoever was told of the wait a moment ago knows this queue"
    desk.put("calls", waiting("c", 46 - 302), removes=["b"])
    assert [each.rule for each in desk.after(302)] == ["breach"], "after a while it is renewed"


def test_an_episode_goes_on_when_its_number_of_rows_changes() -> None:
    desk = desk_of(calls=[waiting("a", 90)])
    (before,) = desk.after()
    desk.put("calls", waiting("b", 80))
    (after,) = desk.after(1)
    assert (before.id, before.count, after.count, after.most) == (after.id, 1, 2, 2)
    assert after.renewed_at == before.renewed_at, "another caller in the same queue renews nothing"


def test_alerts_of_one_title_share_a_row_and_each_further_one_renews_it() -> None:
    sent = {"a": ("Trunk down", 90), "b": ("Trunk down", 30), "c": ("VIP waiting", 60)}
    known = [
        Alert(alert_id=key, title=title, state="active", created_at=NOW - seconds * SECOND)
        for key, (title, seconds) in sent.items()
    ]
    known.append(Alert(alert_id="d", title="Trunk down", state="accepted", created_at=NOW))
    desk = desk_of(alerts=known)
    trunk, vip = desk.after()
    assert (trunk.count, trunk.keys, trunk.since_at) == (2, ("a", "b"), NOW - 90 * SECOND)
    assert listed(trunk, desk) == {"a", "b"}
    assert (vip.keys, listed(vip, desk)) == (("c",), {"c"})
    desk.put("alerts", Alert(alert_id="e", title="Trunk down", state="active", created_at=NOW))
    again = desk.after(3)[0]
    assert (again.id, again.count, again.renewed_at) == (trunk.id, 3, NOW + 3 * SECOND)


def test_alerts_without_a_title_are_not_combined() -> None:
    desk = desk_of(alerts=[Alert(alert_id=key, state="active", created_at=NOW) for key in ("a", "b")])
    assert [each.keys for each in desk.after()] == [("a",), ("b",)]


def offer(key: str, seconds: float, title: str, kind: str = "chat") -> Notification:
    return Notification(id=key, kind=kind, subject=key, title=title, from_user="u1", created_at=NOW - seconds * SECOND)


def test_offers_to_the_caller_are_first_and_an_offered_alert_is_listed_once() -> None:
    alerts = [
        Alert(alert_id=key, title="Fire", state="active", created_at=NOW - 900 * SECOND) for key in ("mine", "other")
    ]
    offers = [offer("c1", 10, "sales"), offer("mine", 900, "Fire", "alert"), offer("c2", 40, "billing")]
    desk = desk_of(alerts=alerts, notifications=offers, calls=[waiting("a", 990)])
    found = desk.after()
    assert [(each.words, each.keys, each.mine) for each in found[:3]] == [
        ("chat about billing, u1", ("c2",), True),
        ("chat about sales, u1", ("c1",), True),
        ("alert Fire", ("mine",), True),
    ]
    assert target(found[2], desk.render()) == ("alerts", "mine", "")
    assert [(each.list, each.keys) for each in found[3:]] == [("calls", ("a",)), ("alerts", ("other",))]


def test_of_equal_offers_all_alerts_are_accepted_together_and_each_chat_by_itself() -> None:
    chats = [offer("c1", 10, "sales"), offer("c2", 40, "sales")]
    alerts = [offer("a1", 10, "Fire", "alert"), offer("a2", 40, "Fire", "alert")]
    found = desk_of(notifications=[*chats, *alerts]).after()
    assert [each.keys for each in found] == [("c2",), ("c1",), ("a2", "a1")]


def test_recent_faults_and_alarms_are_counted_and_entering_lists_them() -> None:
    ended = [Call(id=f"f{each}", state="Server-Error", date=1, to=NOW - each * SECOND) for each in (1, 2, 299, 301)]
    alarms = [CallAlarm(id=f"a{each}", timestamp=NOW - each * SECOND) for each in (1, 899, 901)]
    desk = desk_of(calls=ended, alarms=alarms)
    faults, quality = desk.after()
    assert (faults.count, faults.severity, set(faults.keys)) == (3, "critical", {"f1", "f2", "f299"})
    assert (quality.count, listed(quality, desk)) == (2, {"a1", "a899"})
    assert [each.rule for each in desk.after(2)] == ["quality"], "two server errors in five minutes are no burst"


def test_callers_who_gave_up_are_a_burst_by_queue() -> None:
    lost = [Call(id=str(each), state="abandoned", to=NOW - each * SECOND, target="sales") for each in range(5)]
    other = [Call(id=f"o{each}", state="abandoned", to=NOW, target="support") for each in range(4)]
    desk = desk_of(calls=[*lost, *other])
    (found,) = desk.after()
    assert (found.rule, found.about, found.count) == ("abandoned", "sales", 5)


def test_unanswered_calls_for_a_skill_that_were_cancelled_are_given_up() -> None:
    def cancelled(key: str, **values: Any) -> Call:
        return Call.model_validate({"id": key, "state": "cancelled", "to": NOW, "target": "sales", **values})

    lost = [cancelled(str(each), context={"skill": "sales"}) for each in range(5)]
    assert [each.rule for each in desk_of(calls=lost).after()] == ["abandoned"]
    assert not desk_of(calls=[cancelled(str(each)) for each in range(5)]).after(), "calls to people"
    answered = [cancelled(each.id, context={"skill": "sales"}, attempts=[{"answeredAt": NOW}]) for each in lost]
    assert not desk_of(calls=answered).after()


def test_understaffed_skills_are_listed_one_by_one() -> None:
    ana = Agent(id="ana", online=True, activity="available")
    skills = [Skill(skill="sales", agents=("ana",)), Skill(skill="night", agents=())]
    desk = desk_of(agents=[ana], skills=skills)
    found = desk.after()
    assert [(each.words, each.severity) for each in found] == [
        ("night: nobody at work", "critical"),
        ("sales: only 1 at work", "warning"),
    ]
    desk.put("agents", Agent(id="ana", online=True, activity="away"))
    followed = [each.words for each in desk.after(2)]
    assert followed == ["night: nobody at work", "sales: nobody at work"]


def test_an_agent_is_only_told_of_the_staffing_of_own_skills() -> None:
    desk = Desk(me="ana", role="user")
    desk.put("agents", Agent(id="ana", online=True, activity="away"))
    desk.put("skills", Skill(skill="sales", agents=("ana",)), Skill(skill="night", agents=()))
    assert [episode.words for episode in desk.after()] == ["sales: nobody at work"]


def test_own_chats_ring_while_new_and_again_when_open_for_long() -> None:
    mine = SupportChat.model_validate(
        {
            "chatId": "c",
            "agent": {"id": "me"},
            "timestamp": NOW,
            "participants": [{"id": "zoe"}],
            "context": {"subject": "Lost parcel"},
        }
    )
    other = SupportChat.model_validate({"chatId": "o", "agent": {"id": "you"}, "timestamp": NOW, "participants": []})
    desk = desk_of(chats=[mine, other])
    (new,) = desk.after()
    assert (new.rule, new.keys, new.mine, new.words) == ("own-chat-new", ("c",), True, "with zoe, Lost parcel")
    assert desk.after(130) == []
    (late,) = desk.after(8 * 60)
    assert (late.rule, late.severity) == ("own-chat-waiting", "warning")
    assert [each.severity for each in desk.after(20 * 60)] == ["critical"]


def test_a_new_chat_without_a_subject_is_named_by_its_people_alone() -> None:
    chat = {"chatId": "c", "agent": {"id": "me"}, "timestamp": NOW, "participants": [{"id": "zoe"}]}
    (new,) = desk_of(chats=[SupportChat.model_validate(chat)]).after()
    assert new.words == "with zoe"


def test_a_conference_that_nobody_left_and_a_late_acceptance_are_notices() -> None:
    rooms = [Conference(id="old", created_at=NOW - 5 * HOUR), Conference(id="new", created_at=NOW - HOUR)]
    late = Alert(alert_id="a", title="Fire", state="accepted", created_at=NOW - 9 * MINUTE, resolved_at=NOW)
    prompt = Alert(alert_id="b", title="Fire", state="accepted", created_at=NOW - MINUTE, resolved_at=NOW)
    found = desk_of(conferences=rooms, alerts=[late, prompt]).after()
    assert [(each.rule, each.about, each.severity) for each in found] == [
        ("conference-open", "old", "notice"),
        ("alert-accepted-late", "a", "notice"),
    ]


def test_a_lost_link_a_restart_and_a_journal_are_rules_like_others() -> None:
    desk = desk_of(connection=[Connection(id="console", state="offline", reason="no route")])
    assert desk.after() == [], "a short break is none"
    (link,) = desk.after(5)
    assert (link.words, link.severity) == ("not connected: no route", "critical")
    desk.put(
        "connection", Connection(id="console", state="live", journal="disk full", journal_since=NOW, restarted_at=NOW)
    )
    assert {each.rule for each in desk.after(1)} == {"journal", "service-restarted"}


@pytest.mark.parametrize(
    ("difference", "said"),
    [
        (63_400, "1m 3s behind the service: ages too short"),
        (-7_300_000, "2h 1m ahead of the service: ages too long"),
    ],
)
def test_a_difference_of_the_clocks_is_a_notice_with_what_it_means(difference: int, said: str) -> None:
    (found,) = desk_of(
        connection=[Connection(id="console", state="live", clock_ahead=noticeable(difference), clock_since=NOW)]
    ).after()
    assert (found.rule, found.severity, found.words) == ("clock", "notice", said)


@pytest.mark.parametrize("difference", [None, 0, 1_999, -1_999])
def test_a_difference_that_is_not_seen_in_whole_seconds_is_none(difference: int | None) -> None:
    rows = [Connection(id="console", state="live", clock_ahead=noticeable(difference), clock_since=NOW)]
    assert desk_of(connection=rows).after() == []


def test_the_worst_and_oldest_are_first_and_nothing_is_left_out() -> None:
    desk = desk_of(calls=[waiting(f"c{number}", 61 + number % 50, f"queue {number}") for number in range(100)])
    found = desk.after()
    assert sum(each.count or 0 for each in found) == 100
    assert [each.since_at for each in found] == sorted(each.since_at or 0 for each in found)


def test_a_value_is_quoted_only_if_needed() -> None:
    assert (quoted("support"), quoted("two words"), quoted("")) == ("support", '"two words"', '""')


def test_the_age_of_an_episode_of_this_console_is_its_own_and_not_that_of_the_connection() -> None:
    long_ago, own = NOW - 3_600_000, {"journal": NOW - 60_000, "recording": NOW - 50_000, "clock": NOW - 40_000}
    row = Connection(
        id="console",
        state="live",
        since_at=long_ago,
        restarted_at=NOW - 30_000,
        clock_ahead=90_000,
        journal="disk full",
        recording="disk full",
        clock_since=own["clock"],
        journal_since=own["journal"],
        recording_since=own["recording"],
    )
    since = {each.rule: each.since_at for each in desk_of(connection=[row]).after()}
    assert since == {**own, "service-restarted": NOW - 30_000}
