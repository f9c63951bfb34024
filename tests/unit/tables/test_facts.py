"""What is free, away, waiting, understaffed and online, for each word that a service may use."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from console.config import Level
from console.kinds.agents.facts import cover, online, reachable
from console.kinds.alerts import facts as alerts
from console.kinds.calls import facts as calls
from console.kinds.groups.facts import attendance
from console.kinds.presence.facts import Reach
from console.kinds.skills.facts import staffing, understaffed
from console.kinds.tables import TABLES
from console.records.people import Group
from console.records.support import Agent, Alert, Presence, Skill
from console.records.traffic import Call
from console.views.cell import Tone
from console.views.render_context import RenderContext
from console.views.thresholds import DEFAULTS, Threshold, configured, level

NOW = 1_790_000_000_000


def agent(
    name: str = "ana", *, online: bool | None = True, activity: str | None = "available", chats: int = 0
) -> Agent:
    held = [{"chatId": f"{name}-{number}", "timestamp": NOW - 1000 * (number + 1)} for number in range(chats)]
    row = {"id": name, "online": online, "activity": activity, "channels": {"chat": held}}
    return Agent.model_validate(row)


def render_context_of(thresholds: Mapping[str, Threshold] | None = None, **kinds: list[Any]) -> RenderContext:
    known = {kind: {each.key: each for each in records} for kind, records in kinds.items()}
    return RenderContext(
        now_ms=NOW, zone=ZoneInfo("UTC"), lookup=lambda kind: known.get(kind, {}), thresholds=dict(thresholds or {})
    )


# -- agents ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("there", "activity", "chats", "expected"),
    [
        (True, "available", 0, Reach.FREE),
        (True, None, 0, Reach.FREE),
        (True, "", 0, Reach.FREE),
        (None, "available", 0, Reach.FREE),
        (True, "Available", 1, Reach.BUSY),
        (True, "busy", 0, Reach.BUSY),
        (True, "On-Call", 0, Reach.BUSY),
        (True, "dnd", 0, Reach.BUSY),
        (True, "in a meeting", 0, Reach.BUSY),
        (True, "away", 0, Reach.AWAY),
        (True, "away", 2, Reach.AWAY),
        (True, "idle", 0, Reach.AWAY),
        (True, "Lunch", 0, Reach.AWAY),
        (True, "brb", 1, Reach.AWAY),
        (True, "offline", 0, Reach.OFFLINE),
        (False, "available", 0, Reach.OFFLINE),
        (False, "lunch", 1, Reach.OFFLINE),
        (None, None, 0, Reach.UNKNOWN),
        (True, "training", 0, Reach.UNKNOWN),
        (None, "training", 0, Reach.UNKNOWN),
        (True, "training", 1, Reach.BUSY),
    ],
)
def test_what_counts_of_an_agent_when_somebody_is_needed(
    there: bool | None, activity: str | None, chats: int, expected: Reach
) -> None:
    assert cover(agent(online=there, activity=activity, chats=chats)) is expected


@pytest.mark.parametrize(
    ("there", "activity", "is_online", "can_take_work"),
    [
        (True, "available", True, True),
        (True, "dnd", True, True),
        (True, "training", True, True),
        (True, "lunch", True, False),
        (None, "away", True, False),
        (None, "training", None, False),
        (None, None, None, False),
        (True, "offline", False, False),
        (False, "available", False, False),
    ],
)
def test_who_is_online_and_can_take_work(
    there: bool | None, activity: str | None, is_online: bool | None, can_take_work: bool
) -> None:
    found = agent(online=there, activity=activity)
    assert (online(found), reachable(found)) == (is_online, can_take_work)


def test_a_skill_is_understaffed_when_at_most_one_agent_can_take_work() -> None:
    away, off, busy = agent("a", activity="lunch"), agent("b", online=False), agent("c", activity="oncall")
    skill = Skill(skill="sales", agents=("a", "b", "c", "d"))
    one = render_context_of(agents=[away, off, busy])
    assert (staffing(skill, one).reachable, staffing(skill, one).severity) == (1, Tone.WARN)
    assert not understaffed(skill, render_context_of(agents=[away, off, busy, agent("d")]))
    nobody = render_context_of(agents=[away, off])
    assert staffing(skill, nobody).severity is Tone.BAD
    assert TABLES["skills"].column("understaffed").cell(skill, nobody).text == "▲ nobody"


def test_a_skill_is_not_called_understaffed_while_little_is_known_of_its_agents() -> None:
    skill = Skill(skill="sales", agents=("a", "b"))
    unheard = render_context_of(agents=[])
    assert (staffing(skill, unheard).unknown, understaffed(skill, unheard)) == (2, False)
    silent = render_context_of(agents=[agent("a"), agent("b", online=None, activity=None)])
    found = staffing(skill, silent)
    assert (found.free, found.offline, found.unknown, found.understaffed) == (1, 0, 1, False)
    assert TABLES["skills"].column("understaffed").cell(skill, unheard).text == "? unknown"


def test_agents_of_whom_nothing_is_known_are_counted_as_such() -> None:
    silent = agent("b", online=None, activity=None)
    seen = render_context_of(agents=[agent("a"), silent])
    said = "".join(each.text for each in TABLES["agents"].totals([agent("a"), silent], seen))
    assert "1 free" in said
    assert "0 offline" in said
    assert "1 unknown" in said


def test_staffing_follows_the_agents_that_are_known() -> None:
    skill = Skill(skill="sales", agents=("a",))
    assert staffing(skill, render_context_of(agents=[agent("a")])).free == 1
    assert staffing(skill, render_context_of(agents=[agent("a", activity="lunch")])).free == 0


def test_counting_many_agents_compares_none_with_another(monkeypatch: pytest.MonkeyPatch) -> None:
    agents = [agent(f"a{number}", activity="away" if number % 2 else "busy") for number in range(20)]
    skill = Skill(skill="sales", agents=tuple(each.id for each in agents))
    seen = render_context_of(agents=agents)

    def compared(_self: object, _other: object) -> bool:
        raise AssertionError("agents were compared field by field")

    monkeypatch.setattr(Agent, "__eq__", compared)
    assert (staffing(skill, seen).busy, staffing(skill, seen).away) == (10, 10)


# -- groups ----------------------------------------------------------------------------------------------------------


def presence(name: str, online: bool | None, activity: str | None = None) -> Presence:
    return Presence(address=f"svc-user:{name}", online=online, activity=activity)


def test_members_whose_presence_is_not_known_are_neither_online_nor_offline() -> None:
    group = Group(group_id="night", participants=("a", "b", "c", "d"))
    seen = render_context_of(
        presence=[presence("a", True, "lunch"), presence("b", True, "offline"), presence("c", None)]
    )
    found = attendance(group.participants, seen)
    assert (found.online, found.known, found.total, found.empty) == (1, 2, 4, False)
    column = TABLES["groups"].column("online")
    assert column.cell(group, seen).text == "1?/4"
    assert column.cell(group, render_context_of()).text == "?/4"
    assert column.value(group, render_context_of()) is None
    assert column.cell(group, render_context_of()).tone is Tone.QUIET


def test_only_a_group_whose_members_are_all_known_to_be_offline_has_nobody_online() -> None:
    group = Group(group_id="night", participants=("a", "b"))
    half = render_context_of(presence=[presence("a", False)])
    all_off = render_context_of(presence=[presence("a", False), presence("b", True, "offline")])
    totals = TABLES["groups"].totals
    assert "nobody online" not in "".join(each.text for each in totals([group], half))
    assert "1 with nobody online" in "".join(each.text for each in totals([group], all_off))


# -- calls -----------------------------------------------------------------------------------------------------------


def call(key: str, state: str | None, seconds: float | None = 10, **more: Any) -> Call:
    since = None if seconds is None else NOW - seconds * 1000
    return Call(id=key, state=state, date=since, **more)


@pytest.mark.parametrize(
    ("state", "ended", "expected"),
    [
        ("queued", None, True),
        ("waiting", None, True),
        ("Waiting", None, True),
        ("QUEUED", None, True),
        ("queued", -1, True),
        ("queued", NOW, False),
        ("ringing", None, False),
        ("connected", None, False),
        ("parked", None, False),
        ("hyperspace", None, False),
        (None, None, False),
    ],
)
def test_whose_caller_waits(state: str | None, ended: float | None, expected: bool) -> None:
    found = call("a", state, to=ended)
    assert calls.waiting(found) is expected
    assert [each.key for each in calls.waits(render_context_of(calls=[found]))] == ["a"] * expected
    assert TABLES["calls"].column("waiting").value(found, render_context_of()) is expected


def test_a_wait_whose_beginning_is_not_known_is_a_wait_and_comes_last() -> None:
    known = [call("new", "queued", 5), call("odd", "waiting", None), call("old", "waiting", 50)]
    found = calls.waits(render_context_of(calls=known))
    assert [each.key for each in found] == ["old", "new", "odd"]
    assert [each.ms(NOW) for each in found] == [50_000, 5_000, None]


def test_a_call_that_begins_at_its_second_moment_waits_since_then() -> None:
    found = Call.model_validate({"id": "a", "state": "queued", "date": -1, "from": NOW - 7_000})
    assert calls.waits(render_context_of(calls=[found]))[0].ms(NOW) == 7_000


class _Changed:
    """What changed among the calls, as a reader of them is told."""

    def __init__(self, version: int, upserts: Mapping[str, Call], removes: frozenset[str], whole: bool) -> None:
        self.version, self.upserts, self.removes, self.whole = version, upserts, removes, whole


def test_waits_are_kept_by_what_changes() -> None:
    known: dict[str, Call] = {each.key: each for each in (call("a", "queued", 5), call("b", "connected"))}
    changed = _Changed(1, known, frozenset(), True)
    asked: list[int] = []

    def changes(since: int) -> Any:
        asked.append(since)
        return changed

    waits = calls.Waits(changes)

    def found() -> list[str]:
        seen = RenderContext(now_ms=NOW, zone=ZoneInfo("UTC"), lookup=lambda _kind: known)
        expected = calls.waits(seen)
        assert waits.longest(seen) == (expected[0] if expected else None)
        assert waits.all(seen) == expected
        return [each.key for each in waits.all(seen)]

    def becomes(*records: Call, gone: str = "") -> None:
        nonlocal known, changed
        upserts = {each.key: each for each in records}
        known = {key: each for key, each in {**known, **upserts}.items() if key != gone}
        changed = _Changed(changed.version + 1, upserts, frozenset({gone} - {""}), False)

    assert found() == ["a"]
    becomes(call("b", "Waiting", 60))
    assert found() == ["b", "a"]
    becomes(call("a", "queued", 90, target="sales"))
    assert found() == ["a", "b"]
    becomes(call("a", "connected"))
    assert found() == ["b"]
    becomes(call("c", "queued", 1), gone="b")
    assert found() == ["c"]
    becomes(gone="c")
    assert found() == []
    for number in range(200):
        becomes(call("d", "queued", number))
    assert found() == ["d"]
    assert asked[:6] == [0, 1, 2, 3, 4, 5]


def test_an_ended_call_counts_as_ended_whatever_its_state_says() -> None:
    totals = TABLES["calls"].totals([call("a", "queued"), call("b", "queued", to=NOW)], render_context_of())
    said = "".join(each.text for each in totals)
    assert "1 queued" in said
    assert "1 ended" in said


# -- alerts ----------------------------------------------------------------------------------------------------------


def test_alerts_that_nobody_accepted_come_oldest_first() -> None:
    sent = {"a": NOW - 5_000, "b": NOW - 9_000, "c": None}
    known = [Alert(alert_id=key, state="active", created_at=at) for key, at in sent.items()]
    known.append(Alert(alert_id="d", state="accepted", created_at=1))
    found = alerts.active(render_context_of(alerts=known))
    assert [each.alert_id for each in found] == ["b", "a", "c"]
    assert alerts.oldest(found) == NOW - 9_000


# -- thresholds ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", DEFAULTS)
def test_a_threshold_of_the_configuration_is_in_the_unit_that_people_write(name: str) -> None:
    usual = DEFAULTS[name]
    written = Level(usual.warn / usual.unit, usual.bad / usual.unit)
    assert configured({name: written}) == {name: usual}


def test_ages_are_written_in_seconds_and_numbers_as_they_are() -> None:
    found = configured({"calls.wait": Level(45, 90), "skills.online": Level(3, 1), "agents.load": Level(2, 3)})
    seen = render_context_of(found)
    assert level("calls.wait", seen).tone(46_000) is Tone.WARN
    assert [level("skills.online", seen).tone(many) for many in (4, 3, 1)] == [Tone.PLAIN, Tone.WARN, Tone.BAD]
    assert [level("agents.load", seen).tone(many) for many in (1, 2, 3)] == [Tone.PLAIN, Tone.WARN, Tone.BAD]


def test_a_skill_is_understaffed_by_the_operators_own_levels() -> None:
    skill = Skill(skill="sales", agents=("a", "b", "c"))
    three = [agent("a"), agent("b"), agent("c")]
    assert not understaffed(skill, render_context_of(agents=three))
    seen = render_context_of(configured({"skills.online": Level(3, 1)}), agents=three)
    assert understaffed(skill, seen)
    assert TABLES["skills"].column("understaffed").cell(skill, seen).text == "▲ only 3"
