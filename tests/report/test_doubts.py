"""The report claims nothing of what it does not know: that nobody accepted, waited or had a chat, that none was bad."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from console.base.frozen import replace
from console.live.delta import Health
from console.recording.format import LINK
from console.recording.recording import ListRecording
from console.report.report import Report
from console.report.sections import sections
from tests.report.tape import LIVE, LOST, Tape, agent, at, call, render_of, reported, tape

LISTS: dict[str, dict[str, Any]] = {kind: {} for kind in ("calls", "agents", "skills", "alerts", "alarms", "episodes")}
CLAIMS = (
    "0 calls offered, 0 answered, 0 abandoned.",
    "0 alerts, 0 of them accepted.",
    "Nothing needed attention.",
    "0 alerts were sent or open, 0 accepted.",
    "No call waited.",
    "No skill was understaffed.",
    "Nobody had a support chat.",
    "0 quality alarms of 0 calls.",
)


def recorded(folder: Path, play: Callable[[Tape], None], **lists: dict[str, Any]) -> tuple[Report, list[str]]:
    """Return the report of 100 seconds, and its facts."""
    with tape(folder) as made:
        made.begin({**LISTS, **lists})
        play(made)
        made.at = 100
        made.end()
        report = reported(made)
        with ListRecording.open(made.file) as recording:
            shown = sections(report, render_of(recording, made.now))
    return report, [fact for section in shown for fact in section.facts]


def test_there_was_nothing_in_lists_that_were_current(tmp_path: Path):
    _, facts = recorded(tmp_path, lambda _: None)
    assert [claim for claim in CLAIMS if claim not in facts] == []


@pytest.mark.parametrize("health", [LOST, replace(LIVE, cut="only the first 100 are shown")], ids=["lost", "cut"])
def test_nothing_is_claimed_of_lists_that_were_never_current_or_cut(tmp_path: Path, health: Any):
    _, facts = recorded(tmp_path, lambda made: made.health(health, *LISTS))
    assert [claim for claim in CLAIMS if claim in facts] == []
    doubt = "Not all calls were listed: there may be more." if health.cut else "The calls were not known for 1:40"
    assert any(fact.startswith(doubt) for fact in facts)


def test_an_alert_is_never_accepted_only_if_that_is_known(tmp_path: Path):
    def play(made: Tape) -> None:
        made.at = 10
        for key, row in {
            "open": {"state": "active"},
            "expired": {"state": "expired", "resolvedAt": at(40)},
            "accepted": {"state": "accepted", "acceptedBy": "eva", "resolvedAt": at(40)},
            "by nobody named": {"state": "accepted", "resolvedAt": at(20)},
            "strange": {"state": "pondered", "resolvedAt": at(20)},
            "ended": {"resolvedAt": at(20)},
            "gone": {"state": "active"},
        }.items():
            made.put("alerts", key, {"alertId": key, "createdAt": at(10), **row})
        made.at = 50
        made.remove("alerts", "gone")

    report, facts = recorded(tmp_path, play)
    found = report.alerts
    assert found is not None
    assert (found.sent, found.accepted, found.never_many, found.unknown) == (7, 2, 2, 3)
    assert sorted(each.alert for each in found.never) == ["expired", "open"]
    assert found.by == (("eva", 1, 30_000),)
    assert "7 alerts, 2 of them accepted." in facts
    assert "Of 3 alerts, it is not known whether somebody accepted." in facts


@pytest.mark.parametrize(
    "channels", [{"chat": {"odd": True}}, {"chat": [{"timestamp": at(0)}]}, 7], ids=["odd list", "no id", "no object"]
)
def test_nobody_had_a_chat_only_if_all_could_be_read(tmp_path: Path, channels: Any):
    odd = {**agent("ana"), "channels": channels}
    report, facts = recorded(tmp_path, lambda _: None, agents={"ana": odd, "bea": agent("bea")})
    assert report.chats_in_doubt == ("Ana",)
    assert "Nobody had a support chat." not in facts
    assert "Not all chats are known of: Ana." in facts


def test_quality_alarms_without_a_call_or_a_time_are_not_those_of_one_call_or_none(tmp_path: Path):
    def alarm(key: str, *, of: str = "", dated: bool = True) -> dict[str, Any]:
        payload = {"payload": {"callid": of}} if of else {}
        return {"id": key, **({"timestamp": at(50)} if dated else {}), **payload}

    def play(made: Tape) -> None:
        made.at = 10
        for key in "abcd":
            made.put("calls", key, call(key, "connected", 10))

    first = recorded(tmp_path, play, alarms={"1": alarm("1", of="a"), "2": alarm("2"), "3": alarm("3")})
    assert first[0].quality is not None
    assert len(first[0].quality.worst) == 3
    assert "3 quality alarms of ≥ 1 call." in first[1]
    assert "That is at least 25.0 % of the 4 answered calls." in first[1]
    (tmp_path / "second").mkdir()
    _, facts = recorded(tmp_path / "second", play, alarms={"1": alarm("1", dated=False), "2": alarm("2")})
    assert "1 quality alarm of – calls." in facts
    assert "1 more alarm without a time." in facts
    assert not any(fact.startswith("That is") for fact in facts)


def test_a_call_that_was_answered_after_an_unknown_time_is_answered_and_makes_the_share_approximate(tmp_path: Path):
    def play(made: Tape) -> None:
        made.at = 20
        made.put("calls", "timed", call("timed", "connected", 0))
        made.put("calls", "untimed", {"id": "untimed", "state": "connected", "target": "billing"})

    undated = {"id": "untimed", "state": "queued", "target": "billing"}
    waiting: dict[str, Any] = {"timed": call("timed", "queued", 0), "untimed": undated}
    report, facts = recorded(tmp_path, play, calls=waiting)
    assert report.calls is not None
    (queue,) = report.calls.queues
    assert (queue.offered, queue.answered, queue.unknown, queue.untimed) == (2, 2, 0, 1)
    assert (queue.in_time_percent, queue.in_time_exact) == (100, False)
    assert "2 calls offered, 2 answered, 0 abandoned." in facts


@pytest.mark.parametrize(
    ("link", "fact"),
    [
        (LIVE, "The service could be reached all the time that was recorded."),
        (Health(), "Not known for 1:00 of the recorded time: whether the service could be reached."),
    ],
    ids=["known", "unknown"],
)
def test_the_service_was_reached_only_if_the_state_of_the_link_was_recorded(tmp_path: Path, link: Health, fact: str):
    def play(made: Tape) -> None:
        made.health(link, LINK)
        made.at = 60
        made.health(LIVE, LINK)

    _, facts = recorded(tmp_path, play)
    assert [each for each in facts if "be reached" in each] == [fact]
