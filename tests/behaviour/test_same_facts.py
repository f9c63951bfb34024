"""A fact is the same wherever it is shown: Home, lists, totals, header, footer, pickers and filters."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import Any, NamedTuple

import pytest
import pytest_asyncio

from console.cli.lists.rows import Wanted, wanted
from console.commands.action import ChoiceAsk
from console.config.schema import Config
from console.kinds.actions import by_id
from console.kinds.tables import TABLES
from console.live.delta import Delta
from console.records.people import Group
from console.records.support import Agent, Presence, Skill, SupportChat
from console.records.traffic import Call
from console.ui.screens.app_context import AppContext
from console.ui.screens.board import HomeList, Tile
from console.ui.screens.home import HomeScreen
from console.ui.screens.list_screen import ListScreen
from console.ui.widgets.concerns import ConcernList
from tests.behaviour.test_outdated_lists import sitting
from tests.idle.backend import IdleBackend
from tests.idle.world import NOW_MS, StillWorld
from tests.kinds.action_world import asks_of
from tests.snapshots.pictures import Sitter

COUNTED = ("free", "busy", "away")

pytestmark = pytest.mark.asyncio(loop_scope="module")


class Shown(NamedTuple):
    """A console over an idle backend that a test changes."""

    backend: IdleBackend
    sitter: Sitter
    context: AppContext

    @property
    def now_ms(self) -> int:
        return self.backend.world.clock.now_ms()

    async def put(self, **kinds: list[Any]) -> None:
        """Replace the records of these kinds, and let two seconds pass."""
        self.backend.world.clock.advance(2)
        for kind, records in kinds.items():
            self.backend.change(kind, *records, removes=[*self.backend.records(kind)])
        await self.sitter.settle()

    async def home(self) -> HomeScreen:
        await self.sitter.press("1")
        screen = self.sitter.app.screen
        assert isinstance(screen, HomeScreen)
        return screen

    async def list_of(self, digit: str, kind: str) -> ListScreen:
        await self.sitter.press(digit)
        screen = self.sitter.app.screen
        assert isinstance(screen, ListScreen)
        screen.switch_pane(kind)
        await self.sitter.settle()
        return screen

    def listed(self, kind: str, filter: str) -> list[str]:
        """Return the keys that `console list --filter` prints."""
        asked: Wanted = wanted(kind, filter, None, None, Config())
        view = asked.view(self.context.render_context())
        view.apply(Delta(version=1, whole=True, upserts=self.backend.records(kind)))
        return sorted(view.keys)

    def offered(self, kind: str, name: str) -> list[str]:
        """Return the keys in a predefined view."""
        (view,) = (view for title, view in TABLES[kind].views.items() if title.startswith(name))
        return self.listed(kind, view.filter)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def shown(empty: StillWorld, tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Shown]:
    backend = IdleBackend(empty)
    async with sitting(backend, tmp_path_factory.mktemp("facts")) as sitter:
        context: Any = sitter.app
        yield Shown(backend, sitter, context.context)


def agent(name: str, online: bool | None, activity: str | None, chats: int = 0) -> Agent:
    held = [{"chatId": f"{name}-{number}", "timestamp": NOW_MS - 1000} for number in range(chats)]
    row = {"id": name, "displayName": name, "online": online, "activity": activity, "channels": {"chat": held}}
    return Agent.model_validate(row)


COVERS = ("free", "busy", "away", "offline", "unknown")
AGENTS = [
    (True, "available", 0, "free"),
    (True, "available", 1, "busy"),
    (True, None, 0, "free"),
    (None, "available", 0, "free"),
    (True, "busy", 0, "busy"),
    (True, "away", 0, "away"),
    (True, "away", 1, "away"),
    (True, "offline", 0, "offline"),
    (False, "available", 0, "offline"),
    (False, "offline", 1, "offline"),
    (None, None, 0, "unknown"),
    (True, "training", 0, "unknown"),
    (True, "training", 1, "busy"),
]


@pytest.mark.parametrize(("online", "activity", "chats", "cover"), AGENTS)
async def test_the_counts_of_agents_are_the_same_everywhere(
    shown: Shown, online: bool | None, activity: str | None, chats: int, cover: str
) -> None:
    probe, other = agent("probe", online, activity, chats), agent("other", True, "available")
    skills = [Skill(skill="sales", agents=("probe",)), Skill(skill="both", agents=("probe", "other"))]
    await shown.put(agents=[probe, other], skills=skills)
    expected = {each: int(each == cover) for each in COVERS}
    # A zero beside an agent of unknown state is not known.
    known = {each: many or (None if cover == "unknown" else 0) for each, many in expected.items()}
    can_take_work = (cover in {"free", "busy"} or activity == "training") and online is not False

    # Home: the queue of the skill, and whether it needs attention.
    home = await shown.home()
    queues = home.query_one("#queues", HomeList).pane
    assert queues is not None
    queue = queues.view.records["sales"]
    shown_on_home = {each: queues.table.column(each).value(queue, queues.view.render_context) for each in COUNTED}
    assert shown_on_home == {each: known[each] for each in COUNTED}
    in_doubt = online is None and cover == "unknown"
    concerns = home.query_one(ConcernList).said
    assert ("sales: nobody" in concerns) is not (can_take_work or in_doubt)
    assert ("both: only 1" in concerns) is not (can_take_work or in_doubt)

    # The totals of the agents.
    screen = await shown.list_of("5", "agents")
    counts = expected | {"free": expected["free"] + 1}
    assert all(f"{many} {each}" in screen.pane.head.said for each, many in counts.items() if many)

    # The list of skills: its columns and its totals.
    screen = await shown.list_of("5", "skills")
    columns, render = screen.pane.table.column, shown.context.render_context()
    found = {each: columns(each).value(skills[0], render) for each in COVERS}
    assert found == known
    assert columns("reachable").value(skills[0], render) == (None if in_doubt else int(can_take_work))
    assert ("2 understaffed" in screen.pane.head.said) is not (can_take_work or in_doubt)

    # The picker of a transfer, filters and predefined views.
    chat = SupportChat.model_validate({"chatId": "c", "agent": {"id": "other"}})
    (ask,) = asks_of(by_id("chats.transfer"), shown.context.situation(), [chat])
    assert isinstance(ask, ChoiceAsk)
    assert [each.note.split(",")[0].split(" ")[0] for each in ask.choices if each.note] == [cover]
    assert ("probe" in shown.listed("agents", f"cover:{cover}")) is True
    assert ("probe" in shown.listed("agents", "reachable:yes")) is can_take_work
    assert ("probe" in shown.offered("agents", "Free")) is (cover == "free")
    assert ("probe" in shown.offered("agents", "Can take work")) is can_take_work
    assert ("both" in shown.offered("skills", "Understaffed")) is not (can_take_work or in_doubt)
    assert ("sales" in shown.listed("skills", "free>0")) is (cover == "free")


@pytest.mark.parametrize(
    ("online", "activity", "there"),
    [
        (True, "available", True),
        (True, "offline", False),
        (False, "available", False),
        (None, None, None),
        (True, "training", True),
    ],
)
async def test_whether_a_member_is_online_is_the_same_everywhere(
    shown: Shown, online: bool | None, activity: str | None, there: bool | None
) -> None:
    probe = Presence(address="svc-user:probe", online=online, activity=activity)
    group = Group(group_id="night", name="Night", participants=("probe",))
    await shown.put(presence=[probe], groups=[group])
    screen = await shown.list_of("7", "groups")
    render = shown.context.render_context()
    said = {True: "1/1", False: "0/1", None: "–/1"}[there]
    assert screen.pane.table.column("online").cell(group, render).text == said
    await shown.sitter.press("tab")
    words = {True: "1 of 1 online", False: "0 of 1 online", None: "0 online, 1 unknown"}[there]
    assert words in screen.pane.head.said
    assert ("nobody online" in (await shown.list_of("7", "groups")).pane.head.said) is (there is False)
    assert (shown.listed("groups", "online>0") == ["night"]) is (there is True)
    assert (shown.listed("presence", "online:yes") == ["svc-user:probe"]) is (there is True)


@pytest.mark.parametrize(
    ("state", "ended", "waits"),
    [
        ("queued", None, True),
        ("Waiting", None, True),
        ("queued", NOW_MS, False),
        ("connected", None, False),
        ("hyperspace", None, False),
    ],
)
async def test_the_number_of_waiting_callers_is_the_same_everywhere(
    shown: Shown, state: str, ended: int | None, waits: bool
) -> None:
    call = Call(id="call-1", caller="+34600100200", target="sales", state=state, date=shown.now_ms - 88_000, to=ended)
    await shown.put(calls=[call])
    home = await shown.home()
    assert ("1:30" in home.query_one("#tile-wait", Tile).said) is waits
    assert ("sales" in home.query_one(ConcernList).said and "1:30" in home.query_one(ConcernList).said) is waits
    assert ("wait 1:30" in home.top_line.said) is waits
    reasons = {each.identifier: each.why_not for each in home.footer_keys()}
    assert (reasons["view.next-wait"] == "") is waits
    await shown.sitter.press("w")
    assert (shown.sitter.app.screen is not home) is waits
    screen = await shown.list_of("2", "calls")
    assert ("longest 1:30" in screen.pane.head.said) is waits
    assert shown.listed("calls", "waiting:yes") == ["call-1"] * waits
    assert shown.offered("calls", "Waiting") == ["call-1"] * waits
