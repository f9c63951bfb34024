"""The number of keys of daily tasks, from their screen; moving the cursor to a row does not count."""

from __future__ import annotations

import csv
import json
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, cast

import pytest
import pytest_asyncio

from console.config.notice_settings import NoticeSettings
from console.config.schema import Config
from console.kinds.agents.facts import cover, load
from console.kinds.calls.facts import is_recording, reason
from console.kinds.calls.states import STATES as CALL_STATES
from console.kinds.presence.facts import Availability
from console.kinds.presence.states import STATES
from console.notices.schedule import SETTLING_SECONDS
from console.records.people import Group
from console.records.support import Agent, Alert, Presence, SupportChat
from console.records.traffic import Call
from console.service.domain.alerts import ALERTS
from console.service.domain.calls import CALLS
from console.service.domain.chats import CHATS, finish
from console.service.domain.groups import GROUPS
from console.service.domain.presence import PRESENCE
from console.ui.screens.activity import ActivityScreen
from console.ui.screens.calls import QualityScreen
from console.ui.screens.detail import DetailScreen
from console.ui.screens.list_screen import ListScreen
from console.views import states
from tests.background import Running
from tests.behaviour.driver import Seat, seat
from tests.behaviour.pressing import presses
from tests.behaviour.service_base import Base, fresh
from tests.services import Services, world

pytestmark = pytest.mark.asyncio(loop_scope="module")

HELD = Config(hold_seconds=30)


def console_of(who: str) -> Any:
    """Return a fixture: the console of a person, shared by the tests of this module, at Home."""

    @pytest_asyncio.fixture(scope="module", loop_scope="module")
    async def opened(floor: Running, tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Seat]:
        async with seat(floor, tmp_path_factory.mktemp(who), who) as seated:
            yield seated

    return opened


eva, ana, bob, carla = (console_of(who) for who in ("eva", "ana", "bob", "carla"))


@pytest_asyncio.fixture(loop_scope="module", autouse=True)
async def at_home(request: pytest.FixtureRequest) -> None:
    """Begin each test at Home."""
    for who in {"eva", "ana", "bob", "carla"}.intersection(request.fixturenames):
        await request.getfixturevalue(who).go_to("home")


@asynccontextmanager
async def resized(seat: Seat) -> AsyncGenerator[None]:
    """Make the terminal as small as most are, within the block."""
    size = seat.app.size
    await seat.pilot.resize_terminal(80, 24)
    try:
        yield
    finally:
        await seat.pilot.resize_terminal(*size)


def active(eva: Seat) -> list[Alert]:
    alerts = (each for each in eva.backend.records("alerts").values() if isinstance(each, Alert))
    return [each for each in alerts if each.state == "active"]


def rows_in(path: Path) -> int:
    text = path.read_text(encoding="utf-8")
    return len(json.loads(text)) if path.suffix == ".json" else len(list(csv.reader(text.splitlines()))) - 1


# -- the supervisor --------------------------------------------------------------------------------------------------


async def test_faults_are_visible_without_a_key(eva: Seat) -> None:
    with eva.counted(0):
        await eva.sees("Needs attention")
        await eva.sees("Trunk down")
    for digit in "258":
        await eva.press(digit)
        await eva.sees(f"▲ {len(active(eva))}")


async def test_the_longest_waiting_caller_is_visible_without_a_key_and_opened_with_one(eva: Seat) -> None:
    calls = [each for each in eva.backend.records("calls").values() if isinstance(each, Call)]
    longest = min((each for each in calls if each.state == "queued"), key=lambda call: call.date or 0)
    with eva.counted() as used:
        await eva.sees("longest wait ")
        assert used.pressed == 0
        await eva.press("w")
        await eva.until(lambda: eva.cursor == longest.id)
    assert used.pressed == 1
    for digit in "58":
        await eva.press(digit)
        await eva.sees("wait ")
        await eva.press("w")
        await eva.until(lambda: eva.cursor == longest.id)


async def test_a_live_call_is_found_by_part_of_its_number(eva: Seat, base: Base) -> None:
    call = base.call(f"+34699{fresh('x').removeprefix('x-t'):0>3}777")
    number = str(base.stored(CALLS, call)["caller"])[5:]
    await eva.until(lambda: call in eva.backend.records("calls"))
    for place in ("home", "calls"):
        await eva.go_to(place)
        with eva.counted(len(number) + 1):
            await eva.press("slash")
            await eva.type(number)
            await eva.until(lambda: eva.cursor == call and eva.shown == [call])
        await eva.look_at("calls")


async def test_a_call_is_open_beside_the_list_or_opened_with_one_key(eva: Seat) -> None:
    await eva.look_at("calls", filter_text="state:queued")
    with eva.counted(0):
        await eva.sees("Position")
    async with resized(eva):
        with eva.counted(1):
            await eva.press("enter")
            await eva.until(lambda: isinstance(eva.app.screen, DetailScreen))
            await eva.sees("Position")
        await eva.press("escape")


async def test_why_a_call_failed_is_visible_without_a_key_and_with_one_on_a_small_terminal(eva: Seat) -> None:
    calls = [each for each in eva.backend.records("calls").values() if isinstance(each, Call)]
    failed, why = next(
        (each, words)
        for each in calls
        if CALL_STATES.look(each.state).rank == states.FAILED.rank and (words := reason(each))
    )
    await eva.look_at("calls", failed.id)
    with eva.counted(0):
        await eva.sees(why)
    async with resized(eva):
        with eva.counted(1):
            await eva.press("enter")
            await eva.until(lambda: isinstance(eva.app.screen, DetailScreen))
            await eva.sees(why)
        await eva.press("escape")


async def test_the_quality_of_a_call_is_one_key_away(eva: Seat) -> None:
    await eva.look_at("calls", filter_text="state:connected")
    with eva.counted(1):
        await eva.press("Q")
        await eva.until(lambda: isinstance(eva.app.screen, QualityScreen))
        await eva.sees("quality of")


@presses("calls.record")
async def test_a_recording_starts_with_two_keys_stops_and_starts_under_another_name(eva: Seat, base: Base) -> None:
    call = base.call()
    await eva.look_at("calls", call)
    with eva.counted(2):
        await eva.open_dialog("r")
        await eva.sees(f"{call}-")
        await eva.press("enter")
        await eva.done("calls.record")
    recording = base.stored(CALLS, call)["data"]["recording"]
    assert recording["active"] is True
    assert recording["filename"].startswith(f"{call}-")
    screen = eva.app.screen
    assert isinstance(screen, ListScreen)
    for active in (False, True):
        # The key acts on the row as shown, which may be older than the received data.
        await eva.until(lambda active=active: is_recording(cast(Call, screen.pane.view.cursor_record)) is not active)
        await eva.press_again("r")
        if active:
            await eva.dialog()
            await eva.press("ctrl+u")
            await eva.type("a/b")
            await eva.sees("cannot contain a slash")
            await eva.press("ctrl+u")
            await eva.type("evidence")
            await eva.confirm("enter")
        await eva.until(lambda active=active: base.stored(CALLS, call)["data"]["recording"]["active"] is active)
    assert base.stored(CALLS, call)["data"]["recording"]["filename"] == "evidence"


async def test_an_alert_is_accepted_with_one_key_and_undone_while_it_is_held(base: Base, tmp_path: Path) -> None:
    alert = base.alert()
    async with seat(base.service, tmp_path, config=HELD) as eva:
        await eva.look_at("alerts", alert)
        with eva.counted(1):
            await eva.press("a")
            await eva.sees("s   u undo")
        await eva.press("u")
        await eva.sees("not sent, undone in time")
        assert base.stored(ALERTS, alert)["state"] == "active"
        await eva.look_at("alerts", alert)
        await eva.press("a")
        await eva.press("q")
        await eva.sees("1 change is not sent yet: leaving sends it.")
        await eva.confirm("escape")
        assert base.stored(ALERTS, alert)["state"] == "active"
        await eva.open_dialog("q")
        await eva.press("enter")
        await eva.until(lambda: base.stored(ALERTS, alert)["state"] == "accepted")


async def test_all_visible_alerts_are_accepted_with_three_keys_and_each_result_is_shown(eva: Seat, base: Base) -> None:
    title = fresh("S")
    sent = [base.alert(title=f"{title} {n}") for n in range(5)]
    not_for_me = base.alert(title=f"{title} not for me", receivers=("ana",))
    await eva.look_at("alerts", filter_text=title)
    await eva.until(lambda: len(eva.shown) == 6)
    with eva.counted(3):
        await eva.press("asterisk", "a")
        await eva.dialog()
        await eva.sees("Accept: 6 alerts")
        await eva.press("enter")
        await eva.until(lambda: all(base.stored(ALERTS, each)["state"] == "accepted" for each in sent))
    assert base.stored(ALERTS, not_for_me)["state"] == "active"
    await eva.sees("Accepted 5 of 6")
    await eva.sees("1 of 6 were refused: only a receiver of the alert can do this")
    await eva.until(lambda: sum("×" in line for line in eva.screen_text().splitlines()) >= 1)
    await eva.press("ctrl+l")
    for number in range(5):
        await eva.sees(f"accepted {title} {number}")
    await eva.sees(f"accept: {title} not for me")
    screen = eva.app.screen
    assert isinstance(screen, ActivityScreen)
    await eva.press("slash")
    await eva.type(f"{title} state:refused")
    await eva.press("enter")
    await eva.sees(f"1 of {screen.pane.view.total}")
    await eva.press("enter")
    await eva.sees("only a receiver of the alert can do this")
    await eva.press("escape", "escape", "escape")
    await eva.until(lambda: eva.app.screen is not screen)


async def test_the_visible_rows_are_exported_with_one_key_and_the_path_is_copied(eva: Seat) -> None:
    await eva.look_at("calls", filter_text="state:queued")
    for key, ending in (("E", "csv"), ("J", "json")):
        with eva.counted(1):
            await eva.press(key)
            await eva.until(lambda ending=ending: eva.app.clipboard.endswith(f".{ending}"))
            await eva.sees("sent to the clipboard")
        assert rows_in(Path(eva.app.clipboard)) == len(eva.shown)


# -- the agent -------------------------------------------------------------------------------------------------------


async def test_the_longest_waiting_chat_is_one_key_away(ana: Seat) -> None:
    await ana.until(lambda: ana.backend.records("agents") and ana.backend.records("chats"))
    held = sorted(ana.known("agents", "ana", Agent).channels.chat, key=lambda each: each.timestamp or 0)
    assert len(held) >= 3
    for start in ("home", "skills", "chats"):
        if start != "home":
            await ana.look_at(start)
        with ana.counted(1):
            await ana.press("c")
            await ana.until(lambda: ana.cursor == held[0].chat_id)
        await ana.press("end")


async def test_the_caller_and_the_subject_are_visible_without_a_key(ana: Seat, base: Base) -> None:
    chat = base.chat("ana", "pat")
    await look_at_own(ana, chat)
    with ana.counted(0):
        await ana.sees("Pat Llorente")
        await ana.sees("Test, support")
        await ana.sees("subject")
        async with resized(ana):
            await ana.until(lambda: "subject" not in ana.screen_text())
            await ana.sees("Pat Llorente")
            await ana.sees("Test, support")


async def look_at_own(ana: Seat, chat: str) -> None:
    """Move the cursor to a chat, and wait until its row names Ana: it may come before it becomes hers."""
    await ana.look_at("chats", chat)
    screen = ana.app.screen
    assert isinstance(screen, ListScreen)

    def is_hers() -> bool:
        record = screen.pane.view.cursor_record
        return isinstance(record, SupportChat) and record.agent is not None and record.agent.id == "ana"

    await ana.until(is_hers)


@presses("chats.transfer")
async def test_a_chat_is_transferred_to_a_named_agent_with_five_keys(ana: Seat, base: Base) -> None:
    chat = base.chat("ana")
    await look_at_own(ana, chat)
    with ana.counted(5):
        await ana.press("t")
        await ana.type("whi")
        await ana.dialog()
        await ana.sees("Bob Whitaker")
        await ana.press("enter")
        await ana.done("chats.transfer")
    assert base.stored(CHATS, chat)["agent"]["id"] == "bob"


async def test_a_chat_is_transferred_to_the_best_agent_of_a_skill_with_the_skill_and_enter(
    ana: Seat, base: Base
) -> None:
    skill = base.skill("ana", "bob", "carla").skill
    chat, _ = base.chat("ana"), base.chat("bob")
    await look_at_own(ana, chat)
    by_load = {who: len(ana.known("agents", who, Agent).channels.chat) for who in ("bob", "carla")}
    best = min(by_load, key=lambda who: (by_load[who], who))
    with ana.counted(len(skill) + 3):
        await ana.open_dialog("t")
        await ana.type(f"#{skill}")
        await ana.sees("2 of")
        await ana.press("enter")
        await ana.done("chats.transfer")
    assert base.stored(CHATS, chat)["agent"]["id"] == best


@presses("me.set", undone=True)
async def test_an_agent_is_away_and_back_with_two_keys_each(bob: Seat, base: Base) -> None:
    for digit, activity in (("3", "away"), ("1", "available")):
        with bob.counted(2):
            await bob.open_dialog("m")
            await bob.press(digit)
            await bob.done("me.set")
        assert base.stored(PRESENCE, "svc-user:bob")["activity"] == activity
    await bob.undo()
    assert base.stored(PRESENCE, "svc-user:bob")["activity"] == "away"


@presses("me.note", undone=True)
async def test_a_note_is_set_with_its_text_and_three_keys_again_with_three_and_removed(bob: Seat, base: Base) -> None:
    note = "back 15:30"
    with bob.counted(len(note) + 3):
        await bob.open_dialog("m")
        await bob.press("n")
        await bob.sees("Status note")
        await bob.type(note)
        await bob.dialog()
        await bob.press("enter")
        await bob.done("me.note")
    assert base.stored(PRESENCE, "svc-user:bob")["note"] == note
    await bob.open_dialog("M")
    await bob.type("lunch")
    await bob.press("enter")
    await bob.until(lambda: base.stored(PRESENCE, "svc-user:bob")["note"] == "lunch")
    await bob.done("me.note")
    with bob.counted() as used:
        await bob.press("M")
        await bob.sees("used before")
        await bob.dialog()
        await bob.press("down", "enter")
        await bob.done("me.note")
    assert used.pressed == 3
    assert base.stored(PRESENCE, "svc-user:bob")["note"] == note
    await bob.undo()
    assert base.stored(PRESENCE, "svc-user:bob")["note"] == "lunch"
    await bob.until(lambda: "lunch" in str(bob.backend.records("presence")["svc-user:bob"]))
    await bob.open_dialog("M")
    await bob.press("backspace")
    await bob.confirm("enter", does="me.note")
    assert not base.stored(PRESENCE, "svc-user:bob").get("note")


def listed(seat: Seat, chat: str) -> SupportChat:
    """Return a chat as the list on the screen has it."""
    screen = seat.app.screen
    assert isinstance(screen, ListScreen)
    return cast(SupportChat, screen.pane.view.records[chat])


async def test_the_id_of_a_chat_is_copied_with_one_key(ana: Seat, base: Base) -> None:
    chat = base.chat("ana")
    await ana.look_at("chats", chat)
    # Before its own list is known, it is listed from the agent's record, without its room.
    await ana.until(lambda: listed(ana, chat).chat_room_jid)
    with ana.counted(1):
        await ana.press("y")
        await ana.sees("Sent to the terminal's clipboard")
    assert ana.app.clipboard == base.stored(CHATS, chat)["chatRoomJid"]


async def test_available_agents_with_the_same_skills_are_one_key_away(ana: Seat, floor: Running) -> None:
    await ana.look_at("chats")
    with ana.counted(1):
        await ana.press("f")
        await ana.sees("Agents")
        await ana.until(lambda: "load" in ana.screen_text().casefold() and ana.shown)
    found = [ana.known("agents", each, Agent) for each in ana.shown]
    mine = Base(floor).skills_of("ana")
    assert mine
    assert all(each.online and Base(floor).skills_of(each.id) & mine for each in found)
    assert "ana" not in ana.shown
    order = [(load(each), cover(each) is not Availability.FREE) for each in found]
    assert order == sorted(order), "free agents first, then the least loaded"


async def test_agents_who_are_free_for_a_skill_are_one_key_away(eva: Seat, floor: Running) -> None:
    await eva.look_at("skills", "support")
    with eva.counted(1):
        await eva.press("f")
        await eva.until(lambda: bool(eva.shown) and set(eva.shown) <= set(eva.backend.records("agents")))
    found = [eva.known("agents", each, Agent) for each in eva.shown]
    assert all(each.online and "support" in Base(floor).skills_of(each.id) for each in found)
    order = [(load(each), cover(each) is not Availability.FREE) for each in found]
    assert order == sorted(order), "free agents first, then the least loaded"
    await eva.look_at("agents")


async def test_help_from_colleagues_is_requested_with_three_keys(ana: Seat, base: Base) -> None:
    before = {each.alert_id for each in active(ana)}
    with ana.counted(3):
        await ana.open_dialog("exclamation_mark")
        await ana.sees("Agent needs help")
        await ana.press("1")
        await ana.sees("An agent asks a supervisor to step in.")
        await ana.dialog()
        await ana.press("enter")
        ticket = await ana.done("alerts.send")
    sent = ticket.command.steps[0].key
    assert sent not in before
    assert base.stored(ALERTS, sent)["from"] == "ana"


async def test_all_chats_are_transferred_at_the_end_of_a_shift(carla: Seat, base: Base) -> None:
    await carla.look_at("chats")
    await carla.until(lambda: len(carla.backend.records("chats")) >= 2)
    held = [each.chat_id for each in carla.known("agents", "carla", Agent).channels.chat]
    await carla.look_at("chats", filter_text="mine:yes")
    with carla.counted() as used:
        await carla.press("asterisk", "t")
        await carla.type("whi")
        await carla.dialog()
        await carla.press("enter")
        await carla.sees("Bob Whitaker")
        await carla.confirm("enter", does="chats.transfer")
    assert used.pressed == 7, "what is about several chats is listed first"
    assert {base.stored(CHATS, each or "")["agent"]["id"] for each in held} == {"bob"}
    assert all(isinstance(each, SupportChat) for each in carla.backend.records("chats").values())


async def test_all_own_chats_are_spread_with_four_keys_after_a_preview_of_who_gets_what(
    carla: Seat, base: Base
) -> None:
    chats = [base.chat("carla") for _ in range(3)]
    await carla.look_at("chats", filter_text="mine:yes")
    await carla.until(lambda: set(chats) <= set(carla.shown))
    held = list(carla.shown)
    with carla.counted() as used:
        await carla.press("asterisk", "t")
        await carla.dialog()
        await carla.sees("► Spread by load")
        await carla.open_dialog("enter")
        await carla.sees("open now")
        await carla.press("enter")
        await carla.done("chats.transfer")
    assert used.pressed == 4 <= len(held) + 3
    holders = {each: base.stored(CHATS, each)["agent"]["id"] for each in held}
    assert "carla" not in holders.values()
    assert len(set(holders.values())) > 1
    await carla.sees(f"Transferred {len(held)} chats to {len(set(holders.values()))} agents")


async def test_a_new_chat_rings_and_is_shown_without_a_key(
    services: Services, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with services.anew(world("busy")) as running:
        await sees_a_new_chat(Base(running), tmp_path, monkeypatch)


async def sees_a_new_chat(base: Base, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # An old chat that becomes critical at the same time would be named in the same line.
    with base.service.database.read() as tx:
        old = [chat.chat_id for chat in CHATS.records(tx) if chat.agent is not None and chat.agent.id == "ana"]
    for chat_id in old:
        finish(base.service.platform, chat_id)
    async with seat(base.service, tmp_path, "ana", size=(80, 24), notices=NoticeSettings()) as ana:
        rung: list[str] = []
        await ana.go_to("calls")
        # What began before the console was opened is told together, and does not ring. So is what begins soon after
        # the first look at its list: the list of chats may have arrived last.
        await ana.sees("attention: ")
        await ana.until(lambda: ana.context.watch is not None and "chats" in ana.context.watch.judged)
        settled = time.monotonic() + SETTLING_SECONDS + 1
        await ana.until(lambda: time.monotonic() > settled)
        monkeypatch.setattr(ana.app, "bell", lambda: rung.append(ana.screen_text()))
        with ana.counted(0):
            base.chat("ana", "pat")
            await ana.until(lambda: rung)
            await ana.sees("new chat")
            await ana.sees("Pat Llorente")


# -- the administrator of groups -------------------------------------------------------------------------------------


async def test_a_group_is_found_by_part_of_its_name(eva: Seat, base: Base) -> None:
    group = base.group(name="Zeppelin hangar")
    await eva.look_at("groups")
    with eva.counted(4):
        await eva.press("slash")
        await eva.type("zep")
        await eva.until(lambda: eva.cursor == group.group_id)


async def test_members_and_their_presence_are_visible_without_a_key(eva: Seat, base: Base) -> None:
    group = base.group(["ana", "pat"])
    await eva.look_at("groups", group.group_id)
    shown = STATES.look(eva.known("presence", "svc-user:ana", Presence).activity)
    symbol = states.symbol(shown, eva.context.render_context())
    with eva.counted(0):
        await eva.sees(f"{symbol} Ana Belmonte")
        async with resized(eva):
            await eva.sees(f"{symbol} Ana Belmonte")


@presses("groups.add-many", undone=True)
async def test_twenty_members_are_added_with_three_keys_after_each_line_was_resolved(eva: Seat, base: Base) -> None:
    group = base.group(["pat"])
    people = [f"u{1005 + n}" for n in range(20)]
    await eva.look_at("groups", group.group_id)
    with eva.counted(3):
        await eva.press("A")
        await eva.paste(
            "\n".join(["pat@desk.example", "nobody-at-all", *people, "Bob Whitaker", "svc-user:carla", "ana", "ana"])
        )
        await eva.dialog()
        await eva.sees("23 to add, 1 already in, 1 listed twice, 1 unknown")
        await eva.sees("nobody-at-all  unknown")
        await eva.sees("pat@desk.example  already in")
        await eva.press("enter")
        await eva.done("groups.add-many")
    assert base.stored(GROUPS, group.group_id)["participants"] == ["pat", *people, "bob", "carla", "ana"]
    await eva.undo()
    assert base.stored(GROUPS, group.group_id)["participants"] == ["pat"]


@presses("members.remove", undone=True)
async def test_three_members_are_removed_with_four_keys_and_restored_with_one(eva: Seat, base: Base) -> None:
    group = base.group(["pat", "ana", "bob", "carla"])
    await eva.look_at("groups", group.group_id)
    await eva.press("tab")
    with eva.counted(4):
        await eva.press("space", "space", "space", "minus")
        await eva.done("members.remove")
    assert base.stored(GROUPS, group.group_id)["participants"] == ["carla"]
    with eva.counted(1):
        await eva.undo()
    assert base.stored(GROUPS, group.group_id)["participants"] == ["pat", "ana", "bob", "carla"]


async def test_a_member_is_moved_up_with_three_keys_unless_escape_discards_the_order(eva: Seat, base: Base) -> None:
    group = base.group(["pat", "ana", "bob", "carla"])
    await eva.look_at("groups", group.group_id)
    await eva.press("tab", "down", "down", "down")
    await eva.until(lambda: eva.cursor == "carla")
    before = eva.backend.commands.tickets()
    await eva.press("shift+up")
    await eva.sees("new order")
    await eva.press("escape")
    await eva.until(lambda: "new order" not in eva.screen_text())
    assert eva.backend.commands.tickets() == before
    assert eva.cursor == "carla"
    with eva.counted(3):
        await eva.press("shift+up", "shift+up", "enter")
        await eva.done("groups.reorder")
    assert base.stored(GROUPS, group.group_id)["participants"] == ["pat", "carla", "ana", "bob"]
    assert eva.cursor == "carla"


def strategy_in_list(eva: Seat, group_id: str) -> str | None:
    screen = eva.app.screen
    assert isinstance(screen, ListScreen)
    strategy = cast(Group, screen.pane.view.records[group_id]).ringing_strategy
    return strategy.type if strategy is not None else None


@presses("groups.strategy", undone=True)
async def test_the_strategy_is_changed_with_two_keys_or_typed_and_undone(eva: Seat, base: Base) -> None:
    base.group(strategy="sequential")
    group = base.group(["pat"])
    await eva.look_at("groups", group.group_id)
    with eva.counted(2):
        await eva.open_dialog("s")
        await eva.sees("2  sequential")
        await eva.press("2")
        await eva.done("groups.strategy")
    assert base.stored(GROUPS, group.group_id)["ringingStrategy"]["type"] == "sequential"
    # A change is based on what the list shows: before its own change is there, the next one would be refused.
    await eva.until(lambda: strategy_in_list(eva, group.group_id) == "sequential")
    await eva.press("down", "up")
    await eva.look_at("groups", group.group_id)
    await eva.open_dialog("s")
    await eva.type("weighted")
    await eva.sees("as typed")
    await eva.confirm("enter", does="groups.strategy")
    assert base.stored(GROUPS, group.group_id)["ringingStrategy"]["type"] == "weighted"
    await eva.undo()
    assert base.stored(GROUPS, group.group_id)["ringingStrategy"]["type"] == "sequential"


@presses("groups.copy")
async def test_a_group_is_copied_with_its_new_id_and_two_keys(eva: Seat, base: Base) -> None:
    group = base.group(["pat", "ana", "bob"], owner="bob", name="Original")
    await eva.look_at("groups", group.group_id)
    copy = fresh("copy")
    with eva.counted(len(copy) + 2):
        await eva.press("C")
        await eva.type(copy)
        await eva.dialog()
        await eva.press("enter")
        await eva.done("groups.copy")
    made = Group.model_validate(base.stored(GROUPS, copy))
    assert made.participants == ("pat", "ana", "bob")
    assert made.name == "Original (copy)"
    assert made.owner is not None
    assert made.owner.id == "eva"


@presses("users.leave-groups", undone=True)
async def test_a_leaver_is_removed_from_all_groups_with_two_keys_after_the_list_was_shown(
    eva: Seat, base: Base
) -> None:
    one, other = base.group(["pat", "u1100", "bob"]), base.group(["u1100", "ana"], owner="bob")
    await eva.look_at("users", "u1100")
    with eva.counted(2):
        await eva.open_dialog("L")
        await eva.sees(one.name or "")
        await eva.sees(f"{other.name}  of Bob Whitaker")
        await eva.press("ctrl+y")
        await eva.done("users.leave-groups")
    assert base.stored(GROUPS, one.group_id)["participants"] == ["pat", "bob"]
    assert base.stored(GROUPS, other.group_id)["participants"] == ["ana"]
    await eva.undo()
    assert base.stored(GROUPS, one.group_id)["participants"] == ["pat", "u1100", "bob"]
    assert base.stored(GROUPS, other.group_id)["participants"] == ["ana"], "only its owner can restore it"
