"""Messages about a change are shown while they are news: a few seconds, also on screens that were not in front."""

from __future__ import annotations

from pathlib import Path

from console.api.operations.people import CreateGroup
from console.api.operations.support import AcceptAlert
from console.live.command import Command, Outcome, Stage, Step
from console.records.people import Group
from console.records.support import Alert
from console.ui.screens.console_screen import ConsoleScreen
from console.ui.screens.list_screen import ListScreen
from console.ui.screens.next_steps import offer
from console.ui.textual_compat.testing import painted
from tests.idle.backend import IdleBackend
from tests.idle.console import still_console
from tests.idle.world import NOW_MS, StillWorld
from tests.snapshots.pictures import IN_LOOKS, Sitter, Size


def acceptance(key: str = "a") -> Command:
    step = Step(AcceptAlert(alert_id=key), key, "accepted Line down")
    return Command("alerts.accept", "alerts", (step,), "Accept", noun="alert")


def an_alert(key: str, state: str = "active", minutes: int = 3) -> Alert:
    at = NOW_MS - minutes * 60_000
    fields = {"alertId": key, "title": "Line down", "state": state, "from": "mallory", "createdAt": at}
    return Alert.model_validate(fields)


def text_of(sitter: Sitter) -> str:
    return "\n".join(line.text for line in painted(sitter.app.screen))


@IN_LOOKS
async def test_the_reason_of_a_refusal_leaves_the_row_after_ten_seconds(
    empty: StillWorld, tmp_path: Path, size: Size, theme: str
) -> None:
    backend = IdleBackend(empty)
    backend.change("alerts", an_alert("a"))
    async with still_console(backend, tmp_path, theme).run_test(size=size) as pilot:
        eva = Sitter(pilot)
        await eva.press("6")
        command = acceptance()
        reason = "the service is too busy to accept anything at the moment, try again later"
        backend.became(command, Outcome(command.steps[0], Stage.REFUSED, reason, at=empty.clock.now_ms()))
        await eva.until(lambda: "the service is too busy" in text_of(eva))
        assert "mallory" not in text_of(eva) or size[0] > 80
        empty.clock.advance(11)
        await eva.settle()
        row = next(line for line in text_of(eva).splitlines() if "Line down" in line and "active" in line)
        assert "too busy" not in row
        assert "mallory" in row


async def test_a_screen_shows_no_message_about_a_change_that_ended_long_before(
    empty: StillWorld, tmp_path: Path
) -> None:
    backend = IdleBackend(empty)
    backend.change("alerts", an_alert("a"))
    async with still_console(backend, tmp_path).run_test(size=(80, 24)) as pilot:
        eva = Sitter(pilot)
        await eva.press("6", "2")
        command = acceptance()
        backend.became(command, Outcome(command.steps[0], Stage.DONE, at=empty.clock.now_ms()))
        await eva.until(lambda: "Accepted Line down" in text_of(eva))
        empty.clock.advance(16 * 60)
        await eva.press("6")
        assert isinstance(eva.app.screen, ListScreen)
        assert "Accepted Line down" not in text_of(eva)


async def test_no_next_step_is_offered_for_an_hour_after_the_clock_was_set_back(
    empty: StillWorld, tmp_path: Path
) -> None:
    backend = IdleBackend(empty)
    backend.change("groups", Group(group_id="night"))
    step = Step(CreateGroup(group_id="night", name="Night"), "night", "created night")
    async with still_console(backend, tmp_path).run_test(size=(80, 24)) as pilot:
        screen = Sitter(pilot).app.screen
        assert isinstance(screen, ConsoleScreen)
        command = Command("groups.create", "groups", (step,), "Create")
        backend.became(command, Outcome(step, Stage.DONE))
        assert offer(screen.context) is not None
        empty.clock.jump(-3_600_000)
        assert offer(screen.context) is None


async def test_alerts_open_at_those_that_are_open_after_others_were_accepted(empty: StillWorld, tmp_path: Path) -> None:
    backend = IdleBackend(empty)
    backend.change("alerts", *(an_alert(f"a{number:02}", minutes=number + 1) for number in range(40)))
    async with still_console(backend, tmp_path).run_test(size=(80, 24)) as pilot:
        eva = Sitter(pilot)
        await eva.press("6")
        screen = eva.app.screen
        assert isinstance(screen, ListScreen)
        screen.pane.live_table.move_to("a39")
        command = acceptance("a39")
        backend.became(command, Outcome(command.steps[0], Stage.DONE, at=empty.clock.now_ms()))
        backend.change("alerts", an_alert("a39", "accepted", 40))
        await eva.settle()
        assert screen.cursor_key == "a39"
        await eva.press("2", "6")
        await eva.until(lambda: screen.cursor_key == screen.pane.view.keys[0])
        assert screen.pane.live_table.scroll_offset.y == 0
