"""What needs attention: the most serious first, equal ones combined, and all of them counted."""

from __future__ import annotations

from typing import Any
from zoneinfo import ZoneInfo

import pytest

from console.frozen import replace
from console.kinds.attention import Concern, concerns
from console.kinds.tables import TABLES
from console.records.notifications import Notification
from console.records.support import Agent, Alert, Skill
from console.records.traffic import Call, CallAlarm
from console.views.cell import Tone
from console.views.filter import parse
from console.views.quoting import quoted
from console.views.render_context import RenderContext
from console.views.thresholds import Threshold

NOW = 1_790_000_000_000
SECOND = 1_000


def render_context_of(thresholds: dict[str, Threshold] | None = None, **kinds: list[Any]) -> RenderContext:
    known = {kind: {each.key: each for each in records} for kind, records in kinds.items()}
    return RenderContext(
        now_ms=NOW, zone=ZoneInfo("UTC"), lookup=lambda kind: known.get(kind, {}), thresholds=thresholds or {}
    )


def waiting(key: str, seconds: float, target: str | None = "support", state: str = "queued") -> Call:
    return Call(id=key, state=state, date=NOW - seconds * SECOND, target=target, caller="+34600100200", callee="+34900")


def listed(concern: Concern, seen: RenderContext) -> set[str]:
    """Return the keys of the records that opening a concern shows."""
    wanted = parse(concern.filter, TABLES[concern.kind])
    return {key for key, record in seen.lookup(concern.kind).items() if wanted.matches(record, seen)}


def test_equal_waits_share_a_row_with_their_number_and_the_longest() -> None:
    many = [waiting(f"c{number}", 61 + number) for number in range(39)]
    seen = render_context_of(calls=[*many, waiting("new", 10), waiting("other", 70, "sales")])
    found = {each.about: each for each in concerns(seen)}
    support, sales = found["support"], found["sales"]
    assert (support.many, support.what, support.since_ms) == (39, "support", NOW - 99 * SECOND)
    assert (sales.many, sales.what, sales.key) == (1, "+34600100200 → sales", "other")
    assert listed(support, seen) == {each.id for each in many}, "who has not waited long is not among them"
    assert set(found) == {"support", "sales"}


@pytest.mark.parametrize("target", ['say "hello"', "two words", "*", "svc-user:u1", "a,b", "", "état", "!x", "x:y"])
def test_entering_a_row_lists_exactly_the_counted_records_whatever_the_name_of_the_target(target: str) -> None:
    alike = [waiting("a", 90, target), waiting("b", 100, target)]
    seen = render_context_of(calls=[*alike, waiting("c", 5, target)])
    (concern,) = concerns(seen)
    assert concern.many == 2
    assert listed(concern, seen) == {"a", "b"}


def test_waits_without_a_target_share_a_row() -> None:
    seen = render_context_of(calls=[waiting("a", 90, None), waiting("b", 100, None), waiting("c", 100, "sales")])
    nameless = next(each for each in concerns(seen) if not each.about)
    assert (nameless.many, nameless.what) == (2, "without a target")
    assert listed(nameless, seen) == {"a", "b"}


def test_a_wait_is_rated_by_the_configured_thresholds() -> None:
    calls = [waiting("a", 30), waiting("b", 50, "sales")]
    assert not concerns(render_context_of(calls=calls))
    strict = render_context_of({"calls.wait": Threshold(20 * SECOND, 40 * SECOND)}, calls=calls)
    assert [(each.about, each.tone) for each in concerns(strict)] == [("sales", Tone.BAD), ("support", Tone.WARN)]
    lax = render_context_of({"calls.wait": Threshold(600 * SECOND, 900 * SECOND)}, calls=[waiting("a", 300)])
    assert not concerns(lax)


def test_a_row_keeps_its_identity_when_its_count_changes() -> None:
    one, two = [waiting("a", 90)], [waiting("a", 90), waiting("b", 80)]
    (before,), (after,) = concerns(render_context_of(calls=one)), concerns(render_context_of(calls=two))
    assert before.identity == after.identity


def test_alerts_of_one_title_share_a_row_and_are_accepted_together() -> None:
    sent = {"a": ("Trunk down", 90), "b": ("Trunk down", 30), "c": ("VIP waiting", 60)}
    known = [
        Alert(alert_id=key, title=title, state="active", created_at=NOW - seconds * SECOND)
        for key, (title, seconds) in sent.items()
    ]
    known.append(Alert(alert_id="d", title="Trunk down", state="accepted", created_at=NOW))
    seen = render_context_of(alerts=known)
    trunk, vip = concerns(seen)
    assert (trunk.many, trunk.keys, trunk.since_ms) == (2, ("a", "b"), NOW - 90 * SECOND)
    assert listed(trunk, seen) == {"a", "b"}
    assert (vip.key, vip.keys, vip.filter) == ("c", ("c",), "")


def offer(key: str, seconds: float, title: str, kind: str = "chat") -> Notification:
    return Notification(id=key, kind=kind, subject=key, title=title, from_user="u1", created_at=NOW - seconds * SECOND)


def test_offers_to_the_caller_are_first_and_an_offered_alert_is_listed_once() -> None:
    alerts = [
        Alert(alert_id=key, title="Fire", state="active", created_at=NOW - 900 * SECOND) for key in ("mine", "other")
    ]
    offers = [offer("c1", 10, "sales"), offer("mine", 900, "Fire", "alert"), offer("c2", 40, "billing")]
    seen = render_context_of(alerts=alerts, notifications=offers, calls=[waiting("a", 990)])
    found = concerns(seen)
    assert [(each.what, each.keys) for each in found[:3]] == [
        ("to you: chat about billing", ("c2",)),
        ("to you: chat about sales", ("c1",)),
        ("to you: alert Fire", ("mine",)),
    ]
    assert [(each.kind, each.keys) for each in found[3:]] == [("calls", ()), ("alerts", ("other",))]


def test_of_equal_offers_the_oldest_chat_and_all_alerts_are_accepted() -> None:
    chats = [offer("c1", 10, "sales"), offer("c2", 40, "sales")]
    alerts = [offer("a1", 10, "Fire", "alert"), offer("a2", 40, "Fire", "alert")]
    chat, alert = concerns(render_context_of(notifications=[*chats, *alerts]))
    assert (chat.many, chat.keys, chat.note) == (2, ("c2",), "the oldest")
    assert (alert.many, alert.keys) == (2, ("a2", "a1"))


def test_recent_faults_and_alarms_are_counted_and_entering_lists_them() -> None:
    ended = [Call(id=f"f{each}", state="Server-Error", date=1, to=NOW - each * SECOND) for each in (1, 2, 299, 301)]
    alarms = [CallAlarm(id=f"a{each}", timestamp=NOW - each * SECOND) for each in (1, 899, 901)]
    seen = render_context_of(calls=ended, alarms=alarms)
    faults, quality = concerns(seen)
    assert (faults.many, faults.tone, listed(faults, seen)) == (3, Tone.BAD, {"f1", "f2", "f299"})
    assert (quality.many, listed(quality, seen)) == (2, {"a1", "a899"})


def test_understaffed_skills_are_listed_one_by_one() -> None:
    ana = Agent(id="ana", online=True, activity="available")
    skills = [Skill(skill="sales", agents=("ana",)), Skill(skill="night", agents=())]
    found = concerns(render_context_of(agents=[ana], skills=skills))
    assert [(each.what, each.tone) for each in found] == [("night: nobody", Tone.BAD), ("sales: only 1", Tone.WARN)]


def test_the_worst_and_oldest_are_first_and_nothing_is_left_out() -> None:
    calls = [waiting(f"c{number}", 61 + number, f"queue {number}") for number in range(100)]
    found = concerns(render_context_of(calls=calls))
    assert sum(each.many for each in found) == 100
    assert [each.since_ms for each in found] == sorted(each.since_ms or 0 for each in found)


def test_precomputed_waits_equal_those_of_the_records() -> None:
    seen = render_context_of(calls=[waiting("a", 90)])
    assert concerns(seen, {"calls": ([],)}) == []
    assert concerns(replace(seen, now_ms=NOW + 1))


def test_a_value_is_quoted_only_if_needed() -> None:
    assert (quoted("support"), quoted("two words"), quoted("")) == ("support", '"two words"', '""')
