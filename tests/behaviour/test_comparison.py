"""What changed between two moments of the past: numbers by list, then records field by field."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import pytest

from console.records.differences import ChangedList, Difference
from console.ui.screens.comparison import ComparisonScreen
from console.ui.screens.detail import DetailScreen
from console.ui.textual_compat.testing import painted
from tests.behaviour.idle_console import SharedSitter
from tests.behaviour.past import go_back, screen_of, seat
from tests.identities import recording_of_busy
from tests.idle.world import NOW_MS, StillWorld
from tests.recording.film import film
from tests.snapshots.pictures import SMALL, Sitter

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def compare(sitter: Sitter) -> ComparisonScreen:
    """Open the comparison, and wait for it."""
    await sitter.press("equals_sign")
    screen = screen_of(sitter)
    assert isinstance(screen, ComparisonScreen)
    await sitter.until(lambda: screen.pane.count > 0)
    await sitter.settle()
    return screen


def numbers(screen: ComparisonScreen) -> dict[str, tuple[int | None, int | None, int | None]]:
    lists = [cast(ChangedList, each) for each in screen.panes[0].view.shown()]
    return {each.list: (each.came, each.went, each.changed) for each in lists}


async def test_the_mark_is_compared_with_the_moment_that_is_shown(recorded_eva: SharedSitter):
    await recorded_eva.press("2")
    await go_back(recorded_eva, "-50s")
    await recorded_eva.press("m", *["full_stop"] * 4)
    screen = await compare(recorded_eva)
    assert numbers(screen) == {"calls": (1, 0, 1), "episodes": (1, 0, 0)}
    assert "2 records came, 0 went, 1 changed" in screen.pane.head.said
    await recorded_eva.press("equals_sign")
    assert not isinstance(screen_of(recorded_eva), ComparisonScreen)


async def test_without_a_mark_the_moment_is_compared_with_now_and_what_changed_is_opened_filtered_and_exported(
    recorded_eva: SharedSitter,
):
    await recorded_eva.press("2")
    await go_back(recorded_eva, "-50s")
    screen = await compare(recorded_eva)
    assert numbers(screen) == {"calls": (1, 0, 1), "episodes": (1, 0, 0)}
    screen.pane.show_key("calls")
    await recorded_eva.press("enter")
    shown = [cast(Difference, each) for each in screen.pane.view.shown()]
    told = [(each.subject, each.change, each.before, each.after) for each in shown]
    assert told == [("a", "changed", "≡ queued", "● connected"), ("b", "came", None, "≡ queued")]
    await recorded_eva.press("enter")
    assert isinstance(recorded_eva.app.screen, DetailScreen)
    await recorded_eva.press("escape", "escape")
    assert (screen_of(recorded_eva), screen.pane.kind, screen.pane.filter_text) == (screen, "changed-lists", "")
    await recorded_eva.press("tab", "slash")
    await recorded_eva.type("change:came")
    await recorded_eva.press("enter")
    assert {cast(Difference, each).list for each in screen.pane.view.shown()} == {"calls", "episodes"}
    await recorded_eva.press("E")
    (file,) = screen.context.places.downloads.glob("differences-*.csv")
    assert len(file.read_text().splitlines()) == 3
    await recorded_eva.press("escape")
    await recorded_eva.press("escape")
    assert not isinstance(screen_of(recorded_eva), ComparisonScreen)


async def test_stepping_compares_again(recorded_eva: SharedSitter):
    await recorded_eva.press("2")
    await go_back(recorded_eva, "-90s")
    await recorded_eva.press("m", "full_stop")
    await recorded_eva.press("equals_sign")
    screen = screen_of(recorded_eva)
    assert isinstance(screen, ComparisonScreen)
    await recorded_eva.until(lambda: "Nothing came" in screen.pane.why_empty())
    await recorded_eva.press(*["full_stop"] * 7)

    def is_drawn() -> bool:
        screen.beat(True)
        return numbers(screen).get("calls") == (1, 0, 1)

    await recorded_eva.until(is_drawn)


async def test_rows_above_the_limit_are_said_to_be_left_out(empty: StillWorld, tmp_path: Path):
    file = recording_of_busy(tmp_path)
    file.parent.mkdir(parents=True)
    with film(file, NOW_MS - 60_000, profile="busy") as made:
        made.known(0, "calls")
        made.whole("calls", 0, [])
        made.change("calls", 10_000, *({"id": f"c{number:05}", "state": "queued"} for number in range(6_000)))
        made.span(0, 60_000)
    async with seat(empty, tmp_path, "2", size=SMALL) as eva:
        await go_back(eva, "-55s")
        screen = await compare(eva)
        assert "6 000 records came, 0 went, 0 changed" in screen.pane.head.said
        screen.pane.show_key("calls")
        await eva.press("enter")
        await eva.until(lambda: screen.pane.view.matched == 5_000)
        await eva.settle()
        width = screen.pane.head.size.width
        assert "only 5 000 of 6 000 rows" in screen.pane.head.said[:width]
        assert "10:41:22 to 10:42:17" in screen.pane.head.said[:width]


async def test_a_list_that_was_not_recorded_then_is_named_and_nothing_is_said_of_it(empty: StillWorld, tmp_path: Path):
    file = recording_of_busy(tmp_path)
    file.parent.mkdir(parents=True)
    with film(file, NOW_MS - 60_000, profile="busy") as made:
        made.known(0, "episodes")
        made.whole("episodes", 0, [])
        made.known(30_000, "episodes", "calls")
        made.whole("calls", 30_000, [{"id": "a", "state": "queued"}])
        made.span(0, 60_000)
    async with seat(empty, tmp_path, "2") as eva:
        await go_back(eva, "-50s")
        screen = await compare(eva)
        screen.pane.show_key("calls")
        await eva.press("enter")
        await eva.settle()
        assert "Calls cannot be compared: not recorded" in "\n".join(strip.text for strip in painted(eva.app.screen))
        assert numbers(screen) == {"calls": (None, None, None)}
        await eva.press("tab")
        await eva.settle()
        assert screen.pane.why_empty() == "No list that can be compared has changed."
