"""A rule about one record is told once: it goes when its episode was seen or is over, and survives a restart."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from console.kinds.presence.facts import is_free
from console.live.delta import Delta
from console.records.addresses import CONTRACT
from console.records.episodes import Episode
from console.records.people import Group, User
from console.records.queues import Queue
from console.records.record import Record
from console.records.support import Agent, AgentChannels, AgentChat, Presence, Skill
from console.rules.once import FREE, MOST, free_rule, subject_of
from console.rules.reading import RuleSet
from console.rules.rule import Rule
from tests.rules.desk import Desk, rules_of

HOSTILE = ('a"b', "*", "a b", "a:b,c", "{name}", "\x1b]0;x\x07", "x" * 5_000, "!", "ÀÉ")


def agent(key: str, activity: str = "available", chats: int = 0, **more: Any) -> Agent:
    held = tuple(AgentChat(chat_id=str(each)) for each in range(chats))
    return Agent(id=key, activity=activity, online=True, channels=AgentChannels(chat=held), **more)


def told(desk: Desk) -> list[tuple[str, str]]:
    return [(each.title or "", each.words or "") for each in desk.after()]


def waits(desk: Desk) -> list[str]:
    return [each.key for each in desk.watch.rules if each.once]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "state" / "episodes.json"


@pytest.fixture
def desk(file: Path) -> Desk:
    made = Desk(RuleSet(), file=file)
    made.put("agents", agent("ana", "busy", display_name="Ana Ruiz"), agent("bob"))
    made.watch.wait_for(free_rule("free-ana-ruiz", "agents", "ana"))
    return made


def test_only_the_person_asked_for_is_told_and_only_when_she_is_free(desk: Desk) -> None:
    assert told(desk) == []
    desk.put("agents", agent("ana", "available", chats=1, display_name="Ana Ruiz"))
    assert told(desk) == [], "available with a chat is not free"
    desk.put("agents", agent("ana", display_name="Ana Ruiz"))
    assert told(desk) == [("free", "Ana Ruiz")]
    (found,) = desk.after()
    assert (found.severity, found.once, found.list, found.keys) == ("warning", True, "agents", ("ana",))


def test_what_was_told_and_seen_is_forgotten(desk: Desk) -> None:
    desk.put("agents", agent("ana"))
    (found,) = desk.after()
    desk.watch.see([found.id], "eva")
    assert desk.after(1) == []
    assert waits(desk) == []
    assert [(each.state, each.cause) for each in desk.episodes] == [("ended", "seen")]
    desk.put("agents", agent("ana", "busy"))
    desk.after(1)
    desk.put("agents", agent("ana"))
    assert desk.after(1) == []


def test_what_was_told_is_forgotten_when_it_is_over(desk: Desk) -> None:
    desk.put("agents", agent("ana"))
    assert len(desk.after()) == 1
    desk.put("agents", agent("ana", "busy"))
    assert desk.after(1) == []
    assert waits(desk) == []


def test_asked_again_at_the_same_moment_it_is_told_again(desk: Desk) -> None:
    for _ in range(3):
        desk.put("agents", agent("ana"))
        (found,) = desk.after()
        desk.put("agents", agent("ana", "busy"))
        desk.after()
        desk.watch.wait_for(free_rule("free-ana-ruiz", "agents", "ana"))
        desk.after()
        assert waits(desk) == ["ana"]
        desk.put("agents", agent("ana"))
        (again,) = desk.after()
        assert again.id != found.id
        desk.put("agents", agent("ana", "busy"))
        desk.after()
        desk.watch.wait_for(free_rule("free-ana-ruiz", "agents", "ana"))


def test_cancelled_it_is_not_told(desk: Desk) -> None:
    desk.watch.forget("free-ana-ruiz")
    desk.put("agents", agent("ana"))
    assert told(desk) == []
    desk.watch.forget("free-ana-ruiz")


def test_two_are_told_apart(desk: Desk) -> None:
    desk.put("agents", agent("bob", "away"))
    desk.watch.wait_for(free_rule("free-bob", "agents", "bob"))
    desk.after()
    desk.put("agents", agent("bob"))
    assert [each.about for each in desk.after()] == ["bob"]
    assert waits(desk) == ["ana", "bob"]
    desk.put("agents", agent("bob", "away"))
    desk.after()
    assert waits(desk) == ["ana"]


@pytest.mark.parametrize("kind", sorted(FREE))
def test_each_kind_of_record_becomes_free(kind: str) -> None:
    desk = Desk(RuleSet())
    people = [agent("ana", "busy")]
    both: dict[str, tuple[Record, Record]] = {
        "agents": (agent("x", "busy"), agent("x")),
        "presence": (Presence(address="x", activity="away"), Presence(address="x", activity="available")),
        "queues": (Queue(queue="x", free=0), Queue(queue="x", free=1)),
    }
    desk.put("agents", *people)
    group = Group(group_id="x", participants=("ana", "nobody"))
    busy, free = both.get(kind, (group, group) if kind == "groups" else (Skill(skill="x", agents=("ana",)),) * 2)
    desk.put(kind, busy)
    desk.watch.wait_for(free_rule("free-x", kind, "x"))
    assert desk.after() == []
    desk.put(kind, free)
    desk.put("agents", agent("ana"))
    assert [each.about for each in desk.after(2)] == ["x"]


def test_a_mute_of_the_record_does_not_hide_it(file: Path, tmp_path: Path) -> None:
    desk = Desk(
        rules_of(tmp_path, '[rules.away]\nlist = "agents"\nfilter = "cover:busy"\neach = "record"\n'), file=file
    )
    desk.put("agents", agent("ana", "busy"))
    (found,) = desk.after()
    desk.watch.mute("record", [found.id], desk.now_ms + 60_000, "known")
    desk.watch.wait_for(free_rule("free-ana", "agents", "ana"))
    assert desk.after() == []
    desk.put("agents", agent("ana"))
    assert told(desk) == [("free", "ana")]


def test_it_survives_a_restart(desk: Desk, file: Path) -> None:
    desk.after()
    desk.watch.close()
    later = Desk(RuleSet(), file=file)
    later.put("agents", agent("ana", display_name="Ana Ruiz"))
    assert told(later) == [("free", "Ana Ruiz")]
    later.watch.close()
    last = Desk(RuleSet(), file=file)
    last.put("agents", agent("ana", "busy"))
    assert told(last) == []
    assert waits(last) == []
    last.watch.close()
    assert json.loads(file.read_text())["once"] == []


@pytest.mark.parametrize(
    "once",
    [
        7,
        ["x"],
        [{"name": 1, "list": "agents", "key": "a"}],
        [{"name": "x", "list": "calls", "key": "a"}],
        [{"name": "x\x1b", "list": "agents", "key": "a"}],
        [{"name": "x", "list": "agents", "key": ""}],
        [{"name": "x", "list": ["agents"], "key": "a"}],
    ],
)
def test_a_damaged_file_has_none(file: Path, once: object) -> None:
    file.parent.mkdir()
    file.write_text(json.dumps({"once": once}))
    assert waits(Desk(RuleSet(), file=file)) == []


def test_no_more_are_read_than_may_be_asked_for(file: Path) -> None:
    file.parent.mkdir()
    file.write_text(json.dumps({"once": [{"name": f"x{each}", "list": "agents", "key": "a"} for each in range(500)]}))
    assert len(waits(Desk(RuleSet(), file=file))) == MOST


def test_hostile_keys_are_told_apart_and_names_are_clean(file: Path) -> None:
    desk = Desk(RuleSet(), file=file)
    desk.put("agents", *(agent(each, "busy", display_name=each) for each in HOSTILE), agent("other"))
    for number, each in enumerate(HOSTILE):
        desk.watch.wait_for(free_rule(f"free-{number}", "agents", each))
    assert desk.after() == []
    assert desk.watch.faults == {}
    for each in HOSTILE:
        desk.put("agents", agent(each, display_name=each))
        (found,) = [episode for episode in desk.after() if episode.state == "active"]
        assert found.about == each
        assert (found.words or "").isprintable()
        desk.watch.see([found.id])
    desk.watch.close()
    assert waits(desk) == []


def test_lists_of_other_rules_are_not_evaluated_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk(rules_of(tmp_path, '[rules.busy]\nlist = "agents"\nfilter = "cover:busy"\n'))
    desk.put("agents", agent("ana", "busy"))
    desk.put("skills", Skill(skill="x"))
    desk.after()
    read: list[int] = []
    delta = desk.delta
    desk.watch.wait_for(free_rule("free-x", "skills", "x"))

    def noted(kind: str, since: int) -> Delta[Any]:
        if kind == "agents":
            read.append(since)
        return delta(kind, since)

    monkeypatch.setattr(desk, "delta", noted)
    desk.after()
    assert min(read) > 0


def test_a_person_is_judged_as_an_agent_if_one_and_otherwise_by_presence() -> None:
    desk = Desk(RuleSet())
    desk.put("agents", agent("ana"))
    render = desk.render()
    user = CONTRACT.user.of
    for kind, record in (
        ("agents", agent("ana")),
        ("users", User(id="ana")),
        ("presence", Presence(address=user("ana"))),
    ):
        assert subject_of(kind, record, render) == ("agents", "ana")
    for kind, record in (("users", User(id="pat")), ("presence", Presence(address=user("pat")))):
        assert subject_of(kind, record, render) == ("presence", user("pat"))
    assert subject_of("skills", Skill(skill="x"), render) == ("skills", "x")


def test_an_unknown_activity_is_not_free() -> None:
    assert is_free(Presence(address="x", activity="training", online=True)) is None


def rule_of(desk: Desk, name: str) -> Rule:
    return next(each for each in desk.watch.rules if each.name == name)


def test_rules_of_files_can_change_meanwhile(desk: Desk, tmp_path: Path) -> None:
    desk.watch.use(rules_of(tmp_path, '[rules.busy]\nlist = "agents"\nfilter = "cover:busy"\n').rules)
    assert [each.rule for each in desk.after()] == ["busy"]
    assert rule_of(desk, "free-ana-ruiz").once
    desk.put("agents", agent("ana"))
    found: list[Episode] = desk.after()
    assert [each.rule for each in found] == ["free-ana-ruiz"]
