"""The texts of the screens are visible, also in 80 columns, over an idle backend."""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator, Generator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, cast

import pytest
from textual.events import Key

from console.app import ConsoleApp
from console.live.delta import Freshness, Health
from console.screens.calls import CallsScreen
from console.screens.console_screen import ConsoleScreen
from console.screens.overlays import help_lines
from console.text import cells
from console.views.cell import Section
from console.widgets.detail_pane import DetailPane
from console.widgets.textual_compat.testing import painted
from tests.idle.backend import IdleBackend
from tests.idle.console import still_console
from tests.idle.world import StillWorld, still_world
from tests.snapshots.pictures import SMALL, USUAL, Sitter, Size

pytestmark = pytest.mark.usefixtures("every_frame")


@pytest.fixture(scope="module")
def busy() -> Generator[StillWorld]:
    world = still_world("busy")
    yield world
    world.platform.close()


@asynccontextmanager
async def sitting(
    backend: IdleBackend, folder: Path, size: Size = SMALL, symbols: str = "unicode"
) -> AsyncGenerator[tuple[Sitter, ConsoleApp]]:
    app = still_console(backend, folder, symbols=symbols)
    async with app.run_test(size=size) as pilot:
        sitter = Sitter(pilot)
        await sitter.settle()
        yield sitter, app


def lines(app: ConsoleApp) -> list[str]:
    """Return the screen as last composed."""
    return [line.text.rstrip() for line in painted(app.screen)]


async def test_a_pause_and_the_changes_since_are_shown_in_a_full_totals_line(busy: StillWorld, tmp_path: Path):
    backend = IdleBackend(busy)
    async with sitting(backend, tmp_path) as (eva, app):
        await eva.press("2", "p")
        backend.change("calls", removes=[*busy.records["calls"]][:3])
        await eva.hold_still()
        assert "paused, 3 behind" in lines(app)[3]


async def test_the_size_of_the_selection_is_shown_in_a_full_totals_line(busy: StillWorld, tmp_path: Path):
    async with sitting(IdleBackend(busy), tmp_path) as (eva, app):
        await eva.press("2", "space", "space")
        await eva.hold_still()
        assert "2 selected" in lines(app)[3]


async def test_sorting_cycles_through_the_visible_columns(busy: StillWorld, tmp_path: Path):
    async with sitting(IdleBackend(busy), tmp_path) as (eva, app):
        await eva.press("2")
        titles: list[str] = []
        for _ in range(3):
            await eva.press("less_than_sign")
            await eva.hold_still()
            titles.append(next(word for word in ("State", "Caller", "Callee", "Age") if f"{word} ↓" in lines(app)[4]))
        assert titles == ["Callee", "Caller", "State"]


async def test_typed_text_stays_readable_beside_its_error(busy: StillWorld, tmp_path: Path):
    async with sitting(IdleBackend(busy), tmp_path) as (eva, app):
        await eva.press("2", "slash")
        await eva.type("colour:red")
        await eva.hold_still()
        assert any("colour:red" in line and 'no field "colour"' in line for line in lines(app))


@pytest.mark.parametrize(("size", "concerns", "queues"), [(SMALL, 7, 8), (USUAL, 8, 9)])
async def test_home_uses_all_its_room_at_once(busy: StillWorld, tmp_path: Path, size: Size, concerns: int, queues: int):
    async with sitting(IdleBackend(busy), tmp_path, size) as (eva, app):
        await eva.hold_still()
        shown = lines(app)
        assert sum(line.lstrip("► ").startswith(("×", "▲")) for line in shown) == concerns
        names = [str(each) for each in busy.records["skills"]]
        assert sum(any(re.search(rf"{name} +\d+ +[\d:–]+ ", line) for name in names) for line in shown) == queues


async def test_a_dialog_leaves_the_rows_below_it_visible(busy: StillWorld, tmp_path: Path):
    async with sitting(IdleBackend(busy), tmp_path) as (eva, app):
        await eva.press("2", "colon")
        await eva.hold_still()
        assert app.screen.styles.background.a < 1


async def test_the_keys_that_apply_a_staged_order_are_shown_in_full(busy: StillWorld, tmp_path: Path):
    async with sitting(IdleBackend(busy), tmp_path, USUAL) as (eva, app):
        await eva.press("7", "slash")
        await eva.type("mine:yes")
        await eva.press("enter", "tab", "shift+down")
        await eva.hold_still()
        assert "new order: enter applies, esc discards" in lines(app)[2]


async def test_every_screen_has_a_visible_digit_in_sixty_columns(busy: StillWorld, tmp_path: Path):
    async with sitting(IdleBackend(busy), tmp_path, (60, 16)) as (eva, app):
        await eva.press("7")
        await eva.hold_still()
        assert "7 Groups 30" in lines(app)[1]
        assert [each for each in lines(app)[1].split() if each in "12345678"] == [*"12345678"]


async def test_the_skill_grid_shows_that_there_is_more_than_is_visible(busy: StillWorld, tmp_path: Path):
    async with sitting(IdleBackend(busy), tmp_path) as (eva, app):
        await eva.press("5", "G")
        await eva.hold_still()
        assert "of 9, agents 1-19 of 40" in lines(app)[1]


async def test_quality_names_the_violated_rule(busy: StillWorld, tmp_path: Path):
    async with sitting(IdleBackend(busy), tmp_path) as (eva, app):
        await eva.press("2", "slash")
        await eva.type("id:c100020")
        await eva.press("enter", "Q")
        await eva.hold_still()
        assert any("major" in line and "packetsLost > 0.05" in line for line in lines(app))


async def test_the_confirming_button_is_as_readable_as_the_other(busy: StillWorld, tmp_path: Path):
    async with sitting(IdleBackend(busy), tmp_path) as (eva, app):
        await eva.goto("access sessions")
        await eva.press("d")
        await eva.hold_still()
        assert any("Cancel  esc" in line and "End session  ^y" in line for line in lines(app))


@pytest.mark.parametrize("keys", ["1", "2", "3", "4", "5", "6", "7", "8", "2?", "2:", "5G", "6a"])
async def test_a_terminal_without_unicode_gets_only_ascii(busy: StillWorld, tmp_path: Path, keys: str):
    async with sitting(IdleBackend(busy), tmp_path, USUAL, symbols="ascii") as (eva, app):
        await eva.press(*keys)
        await eva.hold_still()
        assert all(line.isascii() for line in lines(app))
        assert "enter open" in lines(app)[-1] or len(app.screen_stack) > 1


async def test_the_next_attempt_is_separated_from_the_user_name(busy: StillWorld, tmp_path: Path):
    offline = Health(Freshness.OFFLINE, 42.0, "connection refused", retry_in=8.0)
    async with sitting(IdleBackend(busy, link=offline), tmp_path) as (eva, app):
        await eva.hold_still()
        assert "  OFFLINE 42s retry in 8s  " in lines(app)[0]


async def test_a_new_domain_is_a_domain(busy: StillWorld, tmp_path: Path):
    async with sitting(IdleBackend(busy), tmp_path) as (eva, app):
        await eva.goto("directory domains")
        await eva.press("n")
        await eva.hold_still()
        assert any("create domain" in line.lower() for line in lines(app))


async def test_the_actions_on_a_user_begin_with_those_of_the_user_itself(busy: StillWorld, tmp_path: Path):
    async with sitting(IdleBackend(busy), tmp_path) as (eva, app):
        await eva.goto("directory users")
        await eva.press("o")
        await eva.hold_still()
        assert next(line for line in lines(app) if " 1  " in line).split()[3:5] == ["create", "user"]


async def test_a_list_waiting_for_input_does_not_show_loading(busy: StillWorld, tmp_path: Path):
    async with sitting(IdleBackend(busy), tmp_path) as (eva, app):
        await eva.goto("oauth2 tokens")
        await eva.hold_still()
        assert any("Press enter to fill in" in line for line in lines(app))
        assert not any("loading" in line.lower() for line in lines(app))


async def test_moving_to_another_record_lays_nothing_out_however_long_its_detail_is(busy: StillWorld, tmp_path: Path):
    """A layout of the screen paints all of it, which would be the longest latency of a key."""
    async with sitting(IdleBackend(busy), tmp_path, (160, 50)) as (eva, app):
        await eva.press("2")
        await eva.hold_still()
        screen = app.screen
        assert isinstance(screen, CallsScreen)
        lengths = {screen.detail.rows}
        laid_out: list[object] = []
        cast("Any", screen).screen_layout_refresh_signal.subscribe(screen, laid_out.append)
        for _ in range(12):
            await eva.press("down")
            await eva.hold_still()
            lengths.add(screen.detail.rows)
        assert len(lengths) > 2
        assert not laid_out


async def test_no_detail_is_built_for_records_that_are_skipped(
    busy: StillWorld, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    async with sitting(IdleBackend(busy), tmp_path, (160, 50)) as (eva, app):
        await eva.press("2")
        await eva.hold_still()
        screen = app.screen
        assert isinstance(screen, CallsScreen)
        made: list[str] = []

        def noted(key: str, sections: Sequence[Section]) -> None:
            made.append(key)
            DetailPane.show(screen.detail, key, sections)

        monkeypatch.setattr(screen.detail, "show", noted)
        for _ in range(12):
            app.post_message(Key("down", None))
        await eva.until(lambda: screen.cursor_key == screen.pane.view.key_at(12))
        await eva.hold_still()
        assert made == [screen.cursor_key]


async def test_clicking_a_key_in_the_footer_equals_pressing_it(busy: StillWorld, tmp_path: Path):
    async with sitting(IdleBackend(busy), tmp_path) as (eva, app):
        await eva.press("2")
        footer = lines(app)[-1]
        await eva.click("KeyFooter", footer.index("open") + 1)
        assert lines(app)[1].startswith(" call ")
        await eva.press("escape")
        await eva.click("KeyFooter", footer.index("help"))
        assert "With calls" in "".join(lines(app))


async def test_keys_without_effect_are_grey(busy: StillWorld, tmp_path: Path):
    backend = IdleBackend(busy)
    async with sitting(backend, tmp_path) as (eva, app):
        await eva.press("2")
        screen = app.screen
        assert isinstance(screen, ConsoleScreen)

        def grey() -> set[str]:
            return {each.words for each in screen.footer_keys() if each.why_not}

        assert {"undo"} <= grey()
        assert not {"open", "select", "longest wait"} & grey()
        backend.change("calls", removes=[*busy.records["calls"]])
        await eva.hold_still()
        assert {"open", "select", "quality", "longest wait"} <= grey()


async def test_keys_and_words_are_aligned_in_help(busy: StillWorld, tmp_path: Path):
    async with sitting(IdleBackend(busy), tmp_path) as (eva, app):
        await eva.press("6")
        screen = app.screen
        assert isinstance(screen, ConsoleScreen)
        keys = [line[0].text for line in help_lines(screen) if len(line) == 3]
        assert any("shift+tab" in each for each in keys)
        assert len({cells(each) for each in keys}) == 1


async def test_a_difference_of_the_clocks_is_an_episode(busy: StillWorld, tmp_path: Path):
    async with sitting(IdleBackend(busy, clock_difference=-65_000), tmp_path) as (eva, app):
        await eva.press("ctrl+e", "slash", *"rule:clock", "enter")
        await eva.hold_still()
        (line,) = (line for line in lines(app) if "ahead of" in line)
        assert "clock       1m 5s ahead of the servi" in line
