"""The message line: how long a message stays, what comes first, and that no list moves."""

from __future__ import annotations

import itertools
from collections.abc import AsyncGenerator
from itertools import pairwise

import pytest
import pytest_asyncio

from console.live.command import Stage
from console.ui.screens.console_screen import ConsoleScreen
from console.ui.screens.specs import SCREENS
from console.ui.widgets import message_line
from console.ui.widgets.live_table import LiveTable
from console.ui.widgets.message_line import MESSAGE_SECONDS, MessageLine
from console.ui.widgets.styled_line import piece
from console.views.cell import Tone
from tests.behaviour.idle_console import SharedSitter, shared_console
from tests.idle.backend import IdleBackend
from tests.idle.world import StillWorld

pytestmark = pytest.mark.asyncio(loop_scope="module")

UNSEEN = (piece("× 21 new need attention", Tone.BAD), piece(" (^e)"))


class Clock:
    """The clock of messages, moved by the test. Each starts when the messages of the test before have ended."""

    starts = itertools.count(1_000, 10_000)

    def __init__(self) -> None:
        self.now = float(next(self.starts))

    def __call__(self) -> float:
        return self.now


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def prompt(busy: StillWorld, tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[SharedSitter]:
    """A console that holds no change."""
    backend = IdleBackend(busy)
    async with shared_console(backend, tmp_path_factory.mktemp("prompt"), hold_seconds=0) as sitter:
        yield sitter


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(message_line, "monotonic", clock)
    return clock


def line_of(who: SharedSitter) -> MessageLine:
    """Return the message line of the screen in front."""
    screen = who.app.screen
    assert isinstance(screen, ConsoleScreen)
    return screen.message_line


async def changed(who: SharedSitter, stage: Stage, reason: str = "") -> None:
    """Accept an alert with this result."""
    await who.restart()
    who.backend.becomes = stage, reason
    await who.look_at("alerts")
    await who.press("home", "a")


async def test_a_message_ends_after_ten_seconds_or_at_the_next_key(prompt: SharedSitter, clock: Clock) -> None:
    screen = await prompt.look_at("calls")
    for end in ("seconds", "key"):
        screen.say("Refreshing…")
        clock.now += MESSAGE_SECONDS - 1
        screen.beat(False)
        assert "Refreshing…" in line_of(prompt).said
        if end == "seconds":
            clock.now += 1
        else:
            await prompt.press("down")
        await prompt.until(lambda: "Refreshing…" not in line_of(prompt).said)


@pytest.mark.parametrize("stage", [Stage.REFUSED, Stage.UNKNOWN])
async def test_a_failure_stays_until_a_key_after_its_ten_seconds(
    prompt: SharedSitter, clock: Clock, stage: Stage
) -> None:
    await changed(prompt, stage, "why it failed")
    await prompt.until(lambda: "why it failed" in line_of(prompt).said)
    clock.now += 1
    await prompt.press("down")
    clock.now += 1_000
    screen = prompt.app.screen
    assert isinstance(screen, ConsoleScreen)
    screen.beat(False)
    assert "why it failed" in line_of(prompt).said
    await prompt.press("down")
    await prompt.until(lambda: "why it failed" not in line_of(prompt).said)


async def test_what_is_unseen_stands_at_the_right_of_a_message_and_a_notice_waits_for_its_end(
    prompt: SharedSitter, clock: Clock
) -> None:
    screen, line = await prompt.look_at("calls"), line_of(prompt)
    screen.say("Copied.")
    line.show_notice([piece("notice")], UNSEEN)
    assert line.said.startswith("Copied. ")
    assert line.said.endswith("  × 21 new need attention (^e)")
    assert len(line.said) == line.size.width
    clock.now += MESSAGE_SECONDS
    line.show((), "", 0)
    line.show_notice([piece("notice")], UNSEEN)
    assert line.said == "notice"
    line.show_notice((), ())


async def test_a_notice_without_room_is_cut_after_a_whole_part(prompt: SharedSitter) -> None:
    await prompt.look_at("calls")
    line = line_of(prompt)
    line.show((), "", 0)
    parts = ", ".join(f"part {number}" for number in range(1, 40))
    line.show_notice([piece(f"40 things: {parts}")], ())
    assert line.said.endswith("…")
    assert f"{line.said.removesuffix('…')}, " in f"40 things: {parts}"
    words = " ".join(["whole"] * 40)
    line.show_notice([piece(words)], ())
    assert line.said.endswith("whole…")
    assert len(line.said) <= line.size.width
    line.show_notice([piece("x" * 400)], ())
    assert line.said == "x" * (line.size.width - 1) + "…"
    line.show_notice((), ())


async def test_a_decision_comes_back_after_a_newer_message(prompt: SharedSitter, clock: Clock) -> None:
    screen, line = await prompt.look_at("calls"), line_of(prompt)
    line.decide([piece("Offered to you")])
    screen.say("Copied.")
    assert line.said == "Copied."
    clock.now += MESSAGE_SECONDS
    line.show((), "", 0)
    assert line.said == "Offered to you"
    line.decide(())


async def test_a_long_message_moves_no_row(prompt: SharedSitter, clock: Clock) -> None:
    screen = await prompt.look_at("calls")
    before = prompt.text().splitlines()
    screen.say("The recording cannot be started, because " + "the service says " * 6 + "no.")
    await prompt.until(lambda: screen.message_line.region.height == 2)
    after = prompt.text().splitlines()
    assert "no." in after[-2]
    assert after[1:-3] == before[1:-3]


def filter_is_seen(who: SharedSitter) -> bool:
    return "filter state:queued" in who.text().replace("\xa0", " ")


@pytest.mark.parametrize("hidden", [False, True])
async def test_what_a_long_message_covered_is_seen_again_when_it_ends(
    prompt: SharedSitter, clock: Clock, hidden: bool
) -> None:
    await prompt.restart()
    screen = await prompt.look_at("calls")
    await prompt.press("slash")
    await prompt.type("state:queued")
    await prompt.press("enter")
    await prompt.until(lambda: filter_is_seen(prompt))
    screen.say("The recording cannot be started, because " + "the service says " * 6 + "no.")
    await prompt.until(lambda: screen.message_line.region.height == 2)
    assert not filter_is_seen(prompt)
    if hidden:
        await prompt.press("enter")
        clock.now += MESSAGE_SECONDS
        await prompt.press("escape")
    clock.now += MESSAGE_SECONDS
    screen.beat(False)
    await prompt.until(lambda: filter_is_seen(prompt))


async def test_the_first_row_of_every_list_stands_in_the_same_line(prompt: SharedSitter) -> None:
    lines: dict[tuple[str, str | None], int] = {}
    for kind in [kind for spec in SCREENS for kind in spec.kinds]:
        screen = await prompt.look_at(kind)
        tables = [table for table in screen.query(LiveTable) if table.is_on_screen]
        lines |= {(kind, table.parent and table.parent.id): table.region.y for table in tables}
    assert all(one == other for one, other in pairwise(lines.values())), lines
