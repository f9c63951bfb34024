"""Values of another JSON type than declared are read if they can mean only one thing."""

from __future__ import annotations

import json
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from console.records.meetings import Meeting
from console.records.people import CurrentUser, Group, User
from console.records.record import read
from console.records.support import Agent, Presence, Skill
from console.records.traffic import Call, StatusSummary
from console.views.lines import raw
from console.views.render_context import RenderContext
from tests.for_each import for_each
from tests.kinds.reading import said

MOMENT = 1_790_000_000_000
MADRID = ZoneInfo("Europe/Madrid")


def call(**values: Any) -> Call:
    return read(Call, json.dumps({"id": "c1", **values}).encode())


@for_each(
    "field, sent, expected",
    [
        ("queueposition", "3", 3),
        ("queueposition", " -3.5 ", -3.5),
        ("date", "2026-09-21T14:13:20Z", MOMENT),
        ("date", str(MOMENT), MOMENT),
        ("caller", 34600111222, "34600111222"),
        ("state", 5, "5"),
        ("users", [17, "18", 19.0], ("17", "18", "19")),
        ("users", "svc-user:17", ("svc-user:17",)),
        ("users", "", ()),
        ("users", None, ()),
        ("attempts", None, ()),
        ("attempts", {}, ()),
        ("attempts", {"0": {"n": 1}, "3": {"n": 2}}, ({"n": 1}, {"n": 2})),
        ("users", [None, "17", None], ("17",)),
        ("users", [{"id": 17, "role": "host"}, {"user": "18"}], ("17", "18")),
        ("data", [], {}),
        ("data", "", None),
        ("queueposition", "", None),
        ("date", "0001-01-01T00:00:00Z", None),
        ("date", "0000-00-00 00:00:00", None),
        ("date", "9999-12-31T23:59:59.9999999+00:00", None),
        ("date", [2026, 9, 21, 14, 13, 20, 0], MOMENT),
        ("date", [2026, 9, 21], MOMENT - 51_200_000),
    ],
)
def test_a_value_with_one_meaning_is_read(field: str, sent: object, expected: object) -> None:
    found = call(**{field: sent, "context": {"kept": 1}})
    assert getattr(found, "queue_position" if field == "queueposition" else field) == expected
    assert not found.faults
    assert (found.key, found.context) == ("c1", {"kept": 1})


@for_each(
    "field, sent",
    [
        *(("queueposition", odd) for odd in ("three", "9" * 5_000, "0x1f", "2026-13-45", "\ud800", [3])),
        *(("date", odd) for odd in ([2026, 13, 1], [2026, 1], [2026, True, 1], [0, 0, 0], [9**20, 1, 1])),
        *(("caller", odd) for odd in (True, {"a": 1}, ["x"])),
        *(("users", odd) for odd in (5, True, {"a": 1}, {"2": "17", "1": "18"}, [True], [[17]])),
        *(("users", odd) for odd in ([{"a": 1, "b": 2}], [{"id": {"a": 1}}])),
    ],
)
def test_a_doubtful_value_is_a_fault_of_its_field_only(field: str, sent: object) -> None:
    found = call(**{field: sent, "state": "queued"})
    assert list(found.faults) == [field]
    assert (found.key, found.state) == ("c1", "queued")


@pytest.mark.parametrize(
    ("sent", "expected"), [("true", True), ("FALSE", False), ("1", True), ("0", False), (1, True), (0, False)]
)
def test_a_flag_may_be_a_text_or_a_number(sent: object, expected: bool) -> None:
    found = Presence.model_validate({"address": "a", "online": sent})
    assert (found.online, found.faults) == (expected, {})
    assert Presence.model_validate({"address": "a", "online": "perhaps"}).faults


def test_an_id_that_is_a_number_meets_references_to_it() -> None:
    user = read(User, b'{"id":17,"username":"ana"}')
    assert (user.key, user.identified) == ("17", True)
    group = read(Group, b'{"groupId":5,"participants":[17,"18"],"owner":17}')
    assert user.key in group.participants
    assert group.owner is not None
    assert group.owner.id == user.key
    assert read(Skill, b'{"skill":"sales","agents":[17]}').agents == (user.key,)


def test_nested_records_are_read_in_the_same_way() -> None:
    row = {"id": 17, "online": "true", "channels": {"chat": [{"chatId": 4, "timestamp": "2026-09-21T14:13:20Z"}]}}
    agent = Agent.model_validate(row)
    (chat,) = agent.channels.chat
    assert (chat.chat_id, chat.timestamp, agent.online, agent.faults) == ("4", MOMENT, True, {})


def test_a_number_is_not_taken_for_a_list() -> None:
    assert "activeCalls" in StatusSummary.model_validate({"activeCalls": 3}).faults


def test_the_raw_record_shows_what_was_sent() -> None:
    shown = "\n".join(said(raw(call(date="2026-09-21T14:13:20Z", users=[17], queueposition="3"))))
    for sent in ('"date": "2026-09-21T14:13:20Z"', '"queueposition": "3"', "17"):
        assert sent in shown
    assert '"17"' not in shown


def test_the_raw_record_shows_the_time_of_a_moment_beside_it() -> None:
    shown = said(raw({"date": 1763544948475, "count": 17, "flag": True}, RenderContext(1763545000000, MADRID)))
    assert shown == ["{", '  "date": 1763544948475,  10:35:48', '  "count": 17,', '  "flag": true', "}"]


def test_unknown_fields_are_listed_alike_in_whatever_order_they_were_sent() -> None:
    assert said(raw(call(zone="a", area=1, lane=True))) == said(raw(call(lane=True, zone="a", area=1)))


def test_a_person_without_an_id_has_no_invented_one() -> None:
    meeting = Meeting.model_validate({"id": "m1", "user": {"username": "ana"}})
    assert meeting.user is not None
    assert (meeting.user.key, meeting.user.username) == ("", "ana")
    assert "unreadable" not in str(meeting)


def test_the_current_user_may_be_the_answer_itself() -> None:
    found = CurrentUser.model_validate({"id": 17, "username": "ana", "role": "admin"})
    assert (found.user.id, found.user.role, found.faults) == ("17", "admin", {})
    assert CurrentUser.model_validate({"user": {"id": "18"}, "id": "answer"}).user.id == "18"
