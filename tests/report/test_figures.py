"""The figures of the report, of recordings with known answers."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from console.recording.recording import ListRecording
from console.report import report as report_module
from console.report.calls import SLOTS
from console.report.report import ReportFault, report
from console.report.sections import sections
from tests.report.tape import FIRST, LIVE, LOST, Tape, agent, at, by, call, render_of, reported, tape

LISTS: Mapping[str, Mapping[str, Any]] = {
    "calls": {},
    "agents": {},
    "skills": {},
    "alerts": {},
    "alarms": {},
    "episodes": {},
}


def pass_calls(made: Tape) -> None:
    """Four calls for billing: answered after 30 s and after 150 s, given up after 80 s, and one still waits."""
    made.at = 10
    for key in ("a", "b", "c"):
        made.put("calls", key, call(key, "queued", 10))
    made.at = 40
    made.put("calls", "a", call("a", "connected", 10))
    made.at = 90
    made.put("calls", "c", call("c", "abandoned", 10, to=90))
    made.at = 160
    made.put("calls", "b", call("b", "connected", 10))
    made.put("calls", "d", call("d", "queued", 160))
    made.at = 200


def test_a_queue_has_its_calls_its_service_level_and_its_longest_waits(tmp_path: Path):
    with tape(tmp_path) as made:
        made.begin(LISTS)
        pass_calls(made)
        made.end()
        found = reported(made)
    assert found.calls is not None
    (queue,) = found.calls.queues
    assert (queue.offered, queue.answered, queue.abandoned, queue.waiting, queue.unknown) == (4, 2, 1, 1, 0)
    assert queue.in_time == 1
    assert round(queue.in_time_percent or 0) == 33
    assert [(each.call, each.ms, each.ending) for each in queue.waits] == [
        ("b", 150_000, "answered"),
        ("c", 80_000, "abandoned"),
        ("d", 40_000, "waiting"),
        ("a", 30_000, "answered"),
    ]
    assert queue.waits[0].ended_ms == at(160)
    assert found.calls.talked == 2
    assert sum(each or 0 for each in found.calls.answered) == 2


def test_a_worst_wait_and_a_slowest_alert_may_be_exceeded_by_those_without_a_time(tmp_path: Path):
    def words(name: str, *, untimed: bool) -> str:
        with tape(tmp_path / name) as made:
            waiting = {"e": {"id": "e", "state": "queued", "target": "billing"}} if untimed else {}
            made.begin({**LISTS, "calls": waiting})
            pass_calls(made)
            accepted = {"state": "accepted", "acceptedBy": "eva"}
            made.put("alerts", "k1", {"alertId": "k1", "createdAt": at(10), "resolvedAt": at(70), **accepted})
            if untimed:
                made.put("alerts", "k2", {"alertId": "k2", "createdAt": at(10), **accepted})
                made.put("alerts", "k3", {"alertId": "k3", "state": "active"})
            made.at = 210
            made.end()
            found = reported(made)
            with ListRecording.open(made.file) as recording:
                shown = sections(found, render_of(recording, made.now))
        return "\n".join(
            [*itertools.chain.from_iterable(each.facts for each in shown)]
            + [" | ".join(row.cells) for each in shown for table in each.tables for row in table.rows]
        )

    for folder in ("exact", "untimed"):
        (tmp_path / folder).mkdir()
    exact, untimed = words("exact", untimed=False), words("untimed", untimed=True)
    assert "| 2:30 |" in exact
    assert "≥" not in exact
    assert "1:00 at most." in exact
    assert "| ≥ 2:30 |" in untimed
    assert "1:00 at most, without 1 of unknown duration." in untimed
    assert "1 more alert without a time of sending." in untimed
    assert "| 0:00" not in untimed


def test_a_call_that_is_offered_to_one_agent_after_another_counts_once(tmp_path: Path):
    with tape(tmp_path) as made:
        made.begin(LISTS)
        for second, state in ((1, "queued"), (5, "ringing"), (20, "queued"), (25, "ringing"), (30, "connected")):
            made.at = second
            made.put("calls", "a", call("a", state, 1))
        made.put("calls", "b", call("b", "queued", 30))
        made.at = 50
        made.put("calls", "b", call("b", "queued", 30, target="sales"))
        made.end()
        found = reported(made)
    assert found.calls is not None
    queues = by(found.calls.queues, "queue")
    assert (queues["billing"].offered, queues["billing"].answered, queues["billing"].moved) == (2, 1, 1)
    assert queues["billing"].waits[0].ms == 29_000
    assert (queues["sales"].offered, queues["sales"].waiting) == (1, 1)


def test_a_call_that_passed_its_queue_between_two_observations_counts(tmp_path: Path):
    answered: dict[str, Any] = {"attempts": [{"answeredAt": at(130)}]}
    with tape(tmp_path) as made:
        made.begin(LISTS)
        made.at = 10
        made.put("calls", "a", call("a", "queued", 10))
        made.at = 140
        made.put("calls", "b", call("b", "connected", 100, **answered))
        made.put("calls", "c", call("c", "connected", 100, target="nowhere", **answered))
        made.end()
        found = reported(made)
    assert found.calls is not None
    (queue,) = found.calls.queues
    assert (queue.offered, queue.answered, queue.waiting) == (2, 1, 1)
    assert queue.waits[-1].ms == 30_000
    assert found.calls.talked == 2


def test_calls_that_left_while_nothing_was_known_are_neither_answered_nor_abandoned(tmp_path: Path):
    with tape(tmp_path) as made:
        made.begin(LISTS)
        made.at = 10
        for key in ("a", "b"):
            made.put("calls", key, call(key, "queued", 10))
        made.at = 60
        made.end()
        made.at = 120
        made.begin({**LISTS, "calls": {"a": call("a", "connected", 10), "c": call("c", "abandoned", 20, to=100)}})
        made.at = 180
        made.end()
        found = reported(made)
    assert found.calls is not None
    (queue,) = found.calls.queues
    assert (queue.offered, queue.answered, queue.abandoned, queue.unknown) == (2, 0, 0, 2)
    assert queue.in_time_percent is None
    (gap,) = found.known.gaps
    assert (gap.start_ms, gap.end_ms, gap.reason) == (at(60), at(120), "the console ended")
    assert found.known.recorded.ms == 120_000
    assert found.known.missing_ms("calls") == 60_000
    assert found.calls.answered[SLOTS // 2] is None, "what was not recorded is not zero"
    assert found.calls.answered[0] == 0


def test_what_changed_while_the_list_was_not_current_is_not_known(tmp_path: Path):
    with tape(tmp_path) as made:
        made.begin(LISTS)
        made.at = 10
        made.put("calls", "a", call("a", "queued", 10))
        made.at = 20
        made.health(LOST, "calls", ".")
        made.at = 50
        made.put("calls", "a", call("a", "abandoned", 10, to=45))
        made.health(LIVE, "calls", ".")
        made.at = 100
        made.end()
        found = reported(made)
    assert found.calls is not None
    (queue,) = found.calls.queues
    assert (queue.abandoned, queue.unknown) == (0, 1)
    (outage,) = found.known.outages
    assert (outage.start_ms, outage.end_ms, outage.reason) == (at(20), at(50), "connection refused")
    assert found.known.missing_ms("calls") == 30_000


def test_an_outage_ends_where_the_recording_does_and_a_list_may_fail_alone(tmp_path: Path):
    with tape(tmp_path) as made:
        made.begin(LISTS)
        made.at = 10
        made.health(LOST, "agents")
        made.at = 30
        made.health(LIVE, "agents")
        made.health(LOST, ".")
        made.at = 60
        made.end()
        found = reported(made, last=100)
    assert [(each.start_ms, each.end_ms) for each in found.known.outages] == [(at(30), at(60))]
    assert found.known.missing("agents").parts == ((at(10), at(30)),)
    assert found.known.gaps[0].end_ms == at(100)


def test_alerts_tell_who_accepted_them_after_how_long_and_which_nobody_did(tmp_path: Path):
    old = {"alertId": "old", "title": "Old", "state": "expired", "createdAt": at(-900), "resolvedAt": at(-600)}
    with tape(tmp_path) as made:
        made.begin({**LISTS, "alerts": {"old": old}})
        for number, (who, after) in enumerate((("eva", 10), ("eva", 30), ("ana", 200), ("", 60))):
            made.at = 10 + number
            key, sent = f"k{number}", {"title": f"Line {number}", "createdAt": at(made.at)}
            made.put("alerts", key, {"alertId": key, "state": "active", **sent})
            made.at += after
            ended = {"state": "accepted", "acceptedBy": who} if who else {"state": "expired"}
            made.put("alerts", key, {"alertId": key, **sent, **ended, "resolvedAt": at(made.at)})
        made.remove("alerts", "k0")
        made.at = 400
        made.end()
        found = reported(made).alerts
    assert found is not None
    assert (found.sent, found.accepted, found.median_ms, found.never_many) == (4, 3, 30_000, 1)
    assert found.by == (("eva", 2, 20_000), ("ana", 1, 200_000))
    assert next((each.alert, each.accepted_ms) for each in found.slowest) == ("k2", 200_000)
    assert [(each.title, each.state) for each in found.never] == [("Line 3", "expired")]


def test_episodes_are_counted_by_rule_with_the_time_until_somebody_saw_them(tmp_path: Path):
    with tape(tmp_path) as made:
        made.begin(LISTS)
        about = {"rule": "wait", "title": "waiting", "severity": "warning"}
        made.at = 10
        made.put("episodes", "e1", id="e1", **about, worst="warning", words="billing", beganAt=at(10))
        made.at = 40
        made.put("episodes", "e1", id="e1", **about, worst="critical", beganAt=at(10), seenAt=at(40), seenBy="eva")
        made.at = 70
        made.put("episodes", "e1", id="e1", **about, worst="critical", beganAt=at(10), seenAt=at(40), endedAt=at(70))
        made.put("episodes", "e2", id="e2", **about, worst="warning", words="sales", beganAt=at(70))
        made.at = 200
        made.end()
        found = reported(made).rules
    assert found is not None
    (rule,) = found
    assert (rule.episodes, rule.severity, rule.ms, rule.longest_ms) == (2, "critical", 190_000, 130_000)
    assert (rule.longest_id, rule.longest_words, rule.longest_at) == ("e2", "sales", at(70))
    assert (rule.seen, rule.seen_median_ms, rule.seen_by) == (1, 30_000, ("eva",))


@pytest.mark.parametrize("gap", [False, True])
def test_an_episode_lasts_until_it_is_not_recorded_any_more_and_from_the_beginning_of_the_report(
    tmp_path: Path, gap: bool
) -> None:
    with tape(tmp_path) as made:
        made.begin(LISTS)
        made.at = 10
        made.put("episodes", "e1", id="e1", rule="wait", title="waiting", severity="warning", beganAt=at(10))
        made.at = 200
        made.end()
        if gap:
            made.at = 3_000
            made.begin(LISTS)
            made.at = 4_000
            made.end()
        found = [reported(made).rules] if gap else [reported(made, last=30_000).rules, reported(made, 60).rules]
    lasted = [[(rule.longest_at, rule.ms, rule.longest_ms) for rule in rules or ()] for rules in found]
    assert lasted[0] == [(at(10), 190_000, 190_000)]
    assert gap or lasted[1] == [(at(60), 140_000, 140_000)]


def test_understaffed_times_are_measured_by_skill_as_far_as_agents_are_known(tmp_path: Path):
    people = {key: agent(key) for key in ("ana", "bea", "eli")}
    skills = {
        "billing": {"skill": "billing", "agents": ["ana", "bea"]},
        "sales": {"skill": "sales", "agents": [*people]},
    }
    with tape(tmp_path) as made:
        made.begin({**LISTS, "agents": people, "skills": skills})
        made.at = 10
        made.put("agents", "ana", agent("ana", online=False, activity="offline"))
        made.at = 20
        made.put("agents", "bea", agent("bea", activity="away"))
        made.at = 50
        made.health(LOST, "agents")
        made.at = 70
        made.put("agents", "ana", agent("ana"))
        made.put("agents", "bea", agent("bea"))
        made.health(LIVE, "agents")
        made.at = 100
        made.put("agents", "ana", agent("ana", "chat1"))
        made.at = 120
        made.end()
        found = reported(made).skills
    assert found is not None
    assert [(each.skill, each.ms, each.times, each.fewest) for each in found] == [
        ("billing", 40_000, 1, 0),
        ("sales", 30_000, 1, 1),
    ]
    assert found[0].longest == ((at(10), at(50)),)


def test_a_skill_whose_agents_were_of_unknown_state_is_not_called_well_staffed(tmp_path: Path):
    silent = {"id": "bea"}
    with tape(tmp_path) as made:
        made.begin(
            {
                **LISTS,
                "agents": {"ana": agent("ana"), "bea": silent, "eli": agent("eli")},
                "skills": {
                    "billing": {"skill": "billing", "agents": ["ana", "bea"]},
                    "sales": {"skill": "sales", "agents": ["ana", "bea", "eli"]},
                },
            }
        )
        made.at = 120
        made.end()
        found = reported(made)
        with ListRecording.open(made.file) as recording:
            (section,) = (part for part in sections(found, render_of(recording, made.now)) if part.id == "skills")
    assert (found.skills, found.skills_in_doubt) == ((), ("billing",))
    assert [str(fact) for fact in section.facts] == ["Not always known to have had enough agents: billing."]


def test_chats_are_handled_and_handed_over_by_agents(tmp_path: Path):
    with tape(tmp_path) as made:
        made.begin({**LISTS, "agents": {"ana": agent("ana", "one"), "bea": agent("bea")}})
        made.at = 10
        made.put("agents", "ana", agent("ana", "one", "two"))
        made.at = 20
        made.put("agents", "bea", agent("bea", "two"))
        made.put("agents", "ana", agent("ana", "one"))
        made.at = 30
        made.put("agents", "bea", agent("bea"))
        made.end()
        found = reported(made).agents
    assert found is not None
    assert [(each.name, each.handled, each.handed_over, each.taken_over) for each in found] == [
        ("Ana", 2, 1, 0),
        ("Bea", 1, 0, 1),
    ]


def test_quality_names_the_worst_calls_and_the_share_of_bad_ones(tmp_path: Path):
    def alarm(key: str, of: str, lost: int, second: float) -> dict[str, object]:
        value = {"ssrc": [{"packetsReceived": 100 - lost, "packetsLost": lost}]}
        return {"id": key, "timestamp": at(second), "payload": {"callid": of, "value": value}}

    with tape(tmp_path) as made:
        made.begin({**LISTS, "alarms": {"0": alarm("0", "z", 50, -100)}})
        pass_calls(made)
        made.put("alarms", "1", alarm("1", "a", 5, 50))
        made.put("alarms", "2", alarm("2", "a", 20, 60))
        made.end()
        found = reported(made).quality
    assert found is not None
    assert (found.alarms, found.calls, found.talked, found.percent) == (2, 1, 2, 50.0)
    assert [(each.call, each.loss_percent, each.at_ms) for each in found.worst] == [("a", 20.0, at(60))]


def test_a_call_that_has_ended_is_named_as_when_it_raised_the_alarm(tmp_path: Path):
    with tape(tmp_path) as made:
        made.begin(LISTS)
        pass_calls(made)
        made.put("alarms", "1", id="1", timestamp=at(150), payload={"callid": "b"})
        made.at = 250
        made.remove("calls", "b")
        made.end()
        found = reported(made).quality
    assert found is not None
    assert [(each.call, each.name) for each in found.worst] == [("b", "1 → billing")]


def test_own_changes_and_restarts_are_told_with_their_moments(tmp_path: Path):
    with tape(tmp_path) as made:
        made.begin({**LISTS, "connection": {"console": {"id": "console", "state": "live"}}})
        made.at = 10
        made.journal(what="intent", command="1", who="eva", title="Accept alert", steps=[{"key": "k1"}])
        made.journal(what="outcome", command="1", step=0, stage="refused", reason="Ana was first")
        made.journal(what="result", command="1", stage="refused")
        made.journal(what="intent", command="2", who="eva", title="End call")
        made.put("connection", "console", id="console", state="live", restartedAt=at(9))
        made.at = 20
        made.end()
        found = reported(made)
    assert found.restarts == (at(9),)
    assert [(each.title, each.result, each.reason, each.key) for each in found.own] == [
        ("Accept alert", "refused", "Ana was first", "k1"),
        ("End call", "unknown", "", ""),
    ]


def test_lists_that_were_not_recorded_have_no_figures(tmp_path: Path):
    with tape(tmp_path) as made:
        made.begin({"calls": {}})
        made.at = 60
        made.end()
        found = reported(made)
    assert found.calls is not None
    assert found.calls.queues == ()
    figures = (found.alerts, found.rules, found.skills, found.agents, found.quality, found.restarts)
    assert figures == (None,) * 6


def test_a_time_outside_the_recording_has_no_report(tmp_path: Path):
    with tape(tmp_path) as made:
        made.begin(LISTS)
        made.at = 60
        made.end()
        with pytest.raises(ReportFault):
            reported(made, first=100, last=200)


def test_progress_is_told_and_can_end_the_work(tmp_path: Path):
    class Ended(Exception):
        pass

    shares: list[float] = []

    def stop(share: float) -> None:
        shares.append(share)
        raise Ended

    with tape(tmp_path) as made:
        made.begin(LISTS)
        pass_calls(made)
        made.end()
        with ListRecording.open(made.file) as recording, pytest.raises(Ended):
            report(recording, FIRST, made.now, render_of(recording, made.now), stop)
    assert len(shares) == 1


def test_progress_is_that_of_the_recorded_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(report_module, "_EACH", 1)
    shares: list[float] = []
    with tape(tmp_path) as made:
        made.at = 7 * 3600
        made.begin(LISTS)
        for second in range(10):
            made.at = 7 * 3600 + 10 * second
            made.put("calls", "a", call("a", "queued" if second % 2 else "ringing", 7 * 3600))
        made.at = 7 * 3600 + 100
        made.end()
        with ListRecording.open(made.file) as recording:
            report(recording, FIRST, made.now, render_of(recording, made.now), shares.append)
    assert (shares[0] < 0.1, shares == sorted(shares), shares[-1]) == (True, True, 1.0)
    assert max(after - before for before, after in itertools.pairwise(shares[:10])) < 0.1
