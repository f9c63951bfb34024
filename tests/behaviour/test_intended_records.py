"""An action applies once, to the record on which its key was pressed, whatever changes meanwhile."""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator

import pytest
import pytest_asyncio
from textual.events import AppBlur, Key

from console.config.schema import Config
from console.live.command import Stage
from console.records.support import Alert
from console.service.domain.alerts import ALERTS
from console.service.domain.calls import CALLS
from console.service.domain.groups import GROUPS
from tests.background import Running
from tests.behaviour.driver import Seat, seat
from tests.behaviour.service_base import Base, fresh

pytestmark = pytest.mark.asyncio(loop_scope="module")

WAVES = 6
WAVE = 30
"""Calls that begin, and end in the next wave, before the console gets time to list them."""


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def holding(floor: Running, tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Seat]:
    """A console that holds changes back for longer than a test takes."""
    folder = tmp_path_factory.mktemp("holding")
    async with seat(floor, folder, size=(80, 24), config=Config(hold_seconds=30)) as seated:
        yield seated


class Waves:
    """Calls that start and end in the service between two steps of the operator."""

    def __init__(self, base: Base, who: Seat) -> None:
        self.base = base
        self.who = who
        self._calls: list[str] = []

    async def pass_by(self) -> None:
        """End the calls of the last wave, begin those of the next, and wait until the console lists them."""
        ended, self._calls = self._calls, [self.base.call() for _ in range(WAVE)]
        for call in ended:
            self.base.end_call(call)
        self.base.forget_calls(2 * WAVE)
        await self.who.until(lambda: self._calls[-1] in self.who.backend.records("calls"))


# -- hundreds of other rows ------------------------------------------------------------------------------------------


async def test_the_cursor_and_the_selection_stay_on_their_calls_while_hundreds_are_added_and_removed(
    eva: Seat, base: Base
) -> None:
    mine = [base.call(f"+3460099{n:04}") for n in range(3)]
    await eva.look_at("calls", mine[1])
    await eva.press("greater_than_sign", "space")
    await eva.until(lambda: list(eva.marked) == [mine[1]])
    await eva.move_to(mine[2])
    waves = Waves(base, eva)
    for _ in range(WAVES):
        await waves.pass_by()
        assert eva.cursor == mine[2]
        assert list(eva.marked) == [mine[1]]
        assert screen_shows_cursor(eva)
    await eva.press("escape", "r")
    await waves.pass_by()
    await eva.dialog()
    await eva.sees(mine[2])
    await waves.pass_by()
    await eva.confirm("enter")
    await waves.pass_by()
    await eva.done("calls.record")
    assert eva.cursor == mine[2]
    for call in (mine[0], mine[1]):
        assert not base.stored(CALLS, call).get("data", {}).get("recording")
    assert base.stored(CALLS, mine[2])["data"]["recording"]["active"] is True


def screen_shows_cursor(who: Seat) -> bool:
    """Return whether exactly one row is painted with the cursor."""
    return sum(line.startswith("►") for line in who.screen_text().splitlines()) == 1


async def test_a_dialog_acts_on_its_record_although_a_filter_hid_it_and_others_took_its_place(
    eva: Seat, base: Base
) -> None:
    title = fresh("Meant")
    meant = base.alert(sender="eva", title=title)
    await eva.look_at("alerts", filter_text=f"{title} state:active")
    await eva.until(lambda: eva.cursor == meant)
    await eva.open_dialog("x")
    others = [base.alert(sender="eva", title=f"{title} {n}") for n in range(5)]
    await eva.until(lambda: all(each in eva.backend.records("alerts") for each in others))
    await eva.confirm("ctrl+y", does="alerts.cancel")
    assert base.stored(ALERTS, meant)["state"] == "canceled"
    assert all(base.stored(ALERTS, each)["state"] == "active" for each in others)


async def test_a_call_that_ended_under_the_dialog_is_reported_as_ended(eva: Seat, base: Base) -> None:
    call, other = base.call(), base.call()
    await eva.look_at("calls", call)
    await eva.open_dialog("r")
    base.end_call(call)
    await eva.until(lambda: getattr(eva.backend.records("calls")[call], "state", "") == "ended")
    await eva.press("enter")
    await eva.sees("refused")
    assert eva.backend.commands.tickets()[0].command.steps[0].key == call
    assert not base.stored(CALLS, other).get("data", {}).get("recording")


# -- exactly once ----------------------------------------------------------------------------------------------------


class Held:
    """A key as a terminal sends it: the time between events is that of a keyboard."""

    def __init__(self, who: Seat) -> None:
        self.who = who
        self._now = time.monotonic()

    async def press(self, key: str, *apart: float) -> None:
        """Send a key after so many seconds, and again after each further number of seconds."""
        for seconds in apart:
            self._now += seconds
            event = Key(key, key if len(key) == 1 else None)
            event.time = self._now
            self.who.app.post_message(event)
        await self.who.pilot.pause()


async def test_holding_a_key_down_accepts_one_alert_and_pressing_it_twice_accepts_two(eva: Seat, base: Base) -> None:
    title = fresh("Storm")
    alerts = [base.alert(title=title) for _ in range(4)]
    await eva.look_at("alerts", alerts[0], f"{title} state:active")
    keyboard = Held(eva)
    await keyboard.press("a", 10.0)
    await eva.until(lambda: len(eva.shown) == 3)
    await keyboard.press("a", 0.4, *[0.03] * 20)
    await eva.sees("Key repeat ignored")
    await keyboard.press("a", 2.0)
    await eva.until(lambda: len(eva.shown) == 2)
    await keyboard.press("a", 0.2)
    await eva.until(lambda: len(eva.shown) == 1)
    accepted = [each for each in alerts if base.stored(ALERTS, each)["state"] == "accepted"]
    assert len(accepted) == 3


async def test_holding_a_key_down_removes_one_member_and_undoes_one_change(eva: Seat, base: Base) -> None:
    people = ["pat", "ana", "bob", "carla"]
    group = base.group(people)
    await eva.look_at("groups", group.group_id)
    await eva.press("tab")
    keyboard = Held(eva)
    await keyboard.press("minus", 10.0)
    await eva.done("members.remove")
    await eva.until(lambda: eva.cursor != "pat")
    await keyboard.press("minus", 0.5, 0.03, 0.03)
    await eva.sees("Key repeat ignored")
    assert base.stored(GROUPS, group.group_id)["participants"] == people[1:]
    await eva.press("down", "minus")
    await eva.until(lambda: len(base.stored(GROUPS, group.group_id)["participants"]) == 2)
    await eva.until(lambda: eva.backend.commands.tickets()[0].can_undo)
    await keyboard.press("u", 10.0, 0.5, 0.03, 0.03)
    await eva.done("undo.members.remove")
    assert base.stored(GROUPS, group.group_id)["participants"] == people[1:]
    await eva.press("down")
    await eva.undo()
    assert base.stored(GROUPS, group.group_id)["participants"] == people


async def test_pressing_enter_twice_in_a_dialog_sends_once(eva: Seat, base: Base) -> None:
    group = base.group()
    await eva.look_at("groups", group.group_id)
    before = len(eva.backend.commands.tickets())
    await eva.press("plus")
    await eva.type("belmonte")
    await eva.dialog()
    await eva.press("enter", "enter")
    await eva.done("groups.add")
    assert len(eva.backend.commands.tickets()) == before + 1
    assert base.stored(GROUPS, group.group_id)["participants"] == ["ana"]


# -- concurrent changes by others ------------------------------------------------------------------------------------


async def test_the_second_acceptor_sees_who_accepted_first_and_when(holding: Seat, base: Base) -> None:
    alert = base.alert()
    await holding.look_at("alerts", alert)
    await holding.press("a")
    await holding.sees("s   u undo")
    base.end_alert(alert, "ana")
    holding.backend.commands.send_held()
    await holding.sees(f"refused: the alert {alert} was accepted by Ana Belmonte (ana) at 20")
    await holding.until(lambda: holding.known("alerts", alert, Alert).accepted_by == "ana")
    await holding.press("down", "up")
    await holding.look_at("alerts", alert)
    await holding.press("a")
    await holding.sees("Already accepted by Ana Belmonte at ")


async def test_a_held_change_is_sent_when_the_operator_moves_on(holding: Seat, base: Base) -> None:
    first, second, third = (base.alert(sender="eva") for _ in range(3))

    async def accept(alert: str) -> None:
        await holding.press("down", "up")
        await holding.look_at("alerts", alert)
        await holding.press("a")
        await holding.sees("s   u undo")

    await accept(first)
    await holding.press("2")
    await holding.done("alerts.accept")
    await accept(second)
    holding.app.post_message(AppBlur())
    await holding.done("alerts.accept")
    await accept(third)
    await holding.open_dialog("x")
    assert holding.backend.commands.tickets()[0].stage is Stage.HELD, "nothing else is decided yet"
    await holding.confirm("ctrl+y")
    await holding.until(lambda: base.stored(ALERTS, third)["state"] != "active")
    assert base.stored(ALERTS, third)["acceptedBy"] == "eva", "what was decided first was sent first"
    assert {base.stored(ALERTS, each)["acceptedBy"] for each in (first, second)} == {"eva"}
