"""The scenarios contain what is documented, and an invalid scenario file is refused with the reason."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from console.config.toml_source import ConfigFault
from console.records.record import Record
from console.service.auth.passwords import Cost
from console.service.domain.agents import AGENTS, SKILLS
from console.service.domain.alerts import ALERTS, receivers_of
from console.service.domain.calls import CALLS, ENDED
from console.service.domain.chats import CHATS
from console.service.domain.groups import GROUPS
from console.service.domain.presence import PRESENCE
from console.service.domain.sessions import SESSIONS
from console.service.platform import Platform, ServiceSettings
from console.service.scenarios.draft import Draft
from console.service.scenarios.fill import draw, fill
from console.service.scenarios.people import draw_people
from console.service.scenarios.spec import load_spec
from console.service.scenarios.traffic import draw_calls
from console.service.store.database import Database
from console.service.store.documents import TOPICS
from tests.for_each import for_each
from tests.manual_clock import ManualClock
from tests.service.worlds.conftest import Filled

HOSTILE = Path(__file__).parents[2] / "data" / "hostile.toml"


def _platform(world: str | Path, database: Path | None = None) -> Platform:
    clock = ManualClock()
    platform = Platform(Database(database, clock.now_ms), clock, ServiceSettings(password_cost=Cost.cheap()))
    fill(platform, world)
    return platform


def _sizes(platform: Platform) -> dict[str, int]:
    with platform.read() as tx:
        return {topic: kind.count(tx) for topic, kind in TOPICS.items()}


@pytest.mark.parametrize(
    ("world", "promised"),
    [
        ("quiet", {"calls": 14, "agents": 12, "presence": 40, "groups": 8}),
        ("busy", {"calls": 120, "agents": 40, "presence": 250, "groups": 30}),
        ("empty", {"calls": 0, "agents": 3, "users": 5, "groups": 0, "alerts": 0, "chats": 0}),
    ],
)
def test_a_world_has_its_declared_size(filled: Filled, world: str, promised: dict[str, int]) -> None:
    assert _sizes(filled(world)).items() >= promised.items()


def test_the_large_world_has_its_declared_size() -> None:
    # The rest takes most of the time, and storing even more; both are as for the others.
    drawn = Draft(load_spec("large"), 1_790_000_000_000)
    draw_people(drawn)
    draw_calls(drawn)
    assert (len(drawn.calls), len(drawn.agents), len(drawn.presences)) == (10_000, 2000, 5000)


@pytest.mark.parametrize("world", ["quiet", "busy", "incident", "empty"])
def test_a_populated_world_is_consistent(filled: Filled, world: str) -> None:
    platform = filled(world)
    with platform.read() as tx:
        for kind in TOPICS.values():
            records: tuple[Record, ...] = kind.records(tx)
            assert [each.faults for each in records if each.faults] == []
        calls = {each.id: each for each in CALLS.records(tx)}
        queues: dict[str, list[float]] = {}
        for call in calls.values():
            assert (call.to is not None) == (call.state in ENDED)
            assert (call.queue_position is not None) == (call.state == "queued")
            assert call.from_ is not None
            assert call.from_ <= platform.now_ms()
            assert call.to is None or call.from_ <= call.to <= platform.now_ms()
            assert all(SESSIONS.row(tx, each) is not None for each in call.sessions)
            if call.state == "queued":
                queues.setdefault(call.target or "", []).append(call.queue_position or 0)
        assert all(sorted(places) == list(range(1, len(places) + 1)) for places in queues.values())
        chats = {each.chat_id: each for each in CHATS.records(tx)}
        held: Counter[str] = Counter()
        for agent in AGENTS.records(tx):
            presence = PRESENCE.need(tx, f"svc-user:{agent.id}")
            assert (agent.activity, agent.online) == (presence.activity, presence.online)
            assert len(agent.channels.voice) <= 1
            for work in agent.channels.voice:
                assert calls[work.conference_id or ""].callee == f"svc-user:{agent.id}"
            for item in agent.channels.chat:
                holder = chats[item.chat_id or ""].agent
                assert holder is not None
                assert holder.id == agent.id
                held[item.chat_id or ""] += 1
        assert set(held) == set(chats)
        assert set(held.values()) <= {1}
        assert all(AGENTS.row(tx, agent) is not None for skill in SKILLS.records(tx) for agent in skill.agents)


@pytest.mark.parametrize("world", ["quiet", "busy", "incident"])
def test_eva_has_alerts_to_accept_and_to_cancel_and_groups_to_edit(filled: Filled, world: str) -> None:
    platform = filled(world)
    with platform.read() as tx:
        active = [each for each in ALERTS.records(tx) if each.state == "active"]
        assert any(each.from_ == "eva" for each in active)
        assert any("eva" in receivers_of(tx, each.alert_id) for each in active)
        owned = [bool(each.owner and each.owner.id == "eva") for each in GROUPS.records(tx)]
        assert owned.count(True) >= 3
        assert owned.count(False) >= 3


def test_an_incident_is_visible(filled: Filled) -> None:
    platform = filled("incident")
    with platform.read() as tx:
        states = Counter(each.state for each in CALLS.records(tx))
        assert states["servererror"] >= 30
        assert states["queued"] >= 40
        assert ALERTS.count(tx, ALERTS.c.state == "active") >= 10
        assert any(len(each.agents) <= 1 for each in SKILLS.records(tx))


def test_a_new_world_needs_only_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "night.toml").write_text('title = "Night"\n', encoding="utf-8")

    def seeds(name: str) -> Path:
        return {"seeds": tmp_path}[name]

    monkeypatch.setattr("console.service.scenarios.spec.resource_dir", seeds)
    assert load_spec("night").title == "Night"
    with pytest.raises(ConfigFault, match=r"no world 'nigth'; use one of night or"):
        load_spec("nigth")


def test_the_same_time_gives_the_same_world() -> None:
    spec = load_spec("busy")
    assert draw(spec, 1_790_000_000_000) == draw(spec, 1_790_000_000_000)


def test_a_populated_database_keeps_its_world(tmp_path: Path) -> None:
    first = _platform("quiet", tmp_path / "desk.db")
    with first.write() as tx:
        CALLS.remove(tx, next(iter(CALLS.records(tx))).id)
    sizes, head = _sizes(first), first.database.head
    first.close()
    second = _platform("busy", tmp_path / "desk.db")
    assert _sizes(second) == sizes
    assert second.database.head == head
    second.close()


def test_the_hostile_world_has_hostile_text_everywhere(filled: Filled) -> None:
    kinds = (
        *("users", "groups", "skills", "calls", "conferences", "presence", "chats", "alerts", "templates", "alarms"),
        *("meetings", "missed-calls", "recordings", "contacts", "user_contacts", "static_contacts", "phonebooks"),
    )
    with filled(HOSTILE).read() as tx:
        assert [kind for kind in kinds if not any("\\u001b" in each for each in TOPICS[kind].bodies(tx))] == []


@for_each(
    "text, fault",
    [
        ("title = 'x'\nabuot = 'y'", r"odd.toml:2: abuot: is an unknown key; did you mean about\?"),
        ("title = 'x'\n[calls]\nlisted = -1", "odd.toml:3: calls.listed: must be a whole number of at least 0"),
        ("title = 'x'\n[calls]\nfailing = 2", "odd.toml:3: calls.failing: must be a number from 0 to 1"),
        ("title = 'x'\n[chats]\nminutes = 0", "odd.toml:3: chats.minutes: must be a number above 0"),
        ("title = 'x'\nskills = 'chat'", "odd.toml:2: skills: must be a list of tables"),
        ("title = 'x'\n[[skills]]\nskill = 'a'\n[[skills]]\nagents = 2", "odd.toml:4: skills.1.skill: is missing"),
        ("title = 'x'\n[records]\ncalls = [7]", "odd.toml:3: records.calls.0: must be a table"),
        ("title = ", "odd.toml:1: is not valid TOML"),
        ("about = 'no title'", "odd.toml:1: title: is missing"),
        ("title = 'x'\n[[records.calls]]\ncaller = 'nobody'", "Call"),
        ("title = 'x'\n[[records.calls]]\nid = 7", "Call"),
    ],
)
def test_an_invalid_world_file_is_refused_with_the_reason(tmp_path: Path, text: str, fault: str) -> None:
    file = tmp_path / "odd.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigFault, match=fault):
        draw(load_spec(file), 1_790_000_000_000)


def test_a_world_file_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigFault, match="there is no world file"):
        load_spec(tmp_path / "none.toml")
