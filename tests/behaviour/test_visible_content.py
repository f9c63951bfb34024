"""The texts of the screens are visible, also in 80 columns, over an idle backend."""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator, Sequence
from pathlib import Path
from typing import Any, cast

import pytest
import pytest_asyncio
from textual.events import Key

from console.base.text import cells
from console.live.delta import Freshness, Health
from console.ui.screens.calls import CallsScreen
from console.ui.screens.console_screen import ConsoleScreen
from console.ui.screens.overlays import help_lines
from console.ui.textual_compat.testing import painted
from console.ui.widgets.detail_pane import DetailPane
from console.views.cell import Section
from tests.behaviour.idle_console import SharedSitter, shared_console
from tests.idle.backend import IdleBackend
from tests.idle.world import StillWorld
from tests.snapshots.pictures import SMALL, USUAL, Sitter, Size

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def console(busy: StillWorld, tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[SharedSitter]:
    async with shared_console(IdleBackend(busy), tmp_path_factory.mktemp("eva")) as sitter:
        yield sitter


@pytest_asyncio.fixture(loop_scope="module")
async def eva(console: SharedSitter) -> SharedSitter:
    await console.restart()
    return console


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def wide(busy: StillWorld, tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[SharedSitter]:
    async with shared_console(IdleBackend(busy), tmp_path_factory.mktemp("wide"), (160, 50)) as sitter:
        yield sitter


def lines(sitter: Sitter) -> list[str]:
    """Return the screen as last composed."""
    return [line.text.rstrip() for line in painted(sitter.app.screen)]


async def test_a_pause_and_the_changes_since_are_shown_in_a_full_totals_line(eva: SharedSitter, busy: StillWorld):
    await eva.press("2", "p")
    eva.backend.change("calls", removes=[*busy.records["calls"]][:3])
    await eva.hold_still()
    assert "paused, 3 behind" in lines(eva)[3]


async def test_the_size_of_the_selection_is_shown_in_a_full_totals_line(eva: SharedSitter):
    await eva.press("2", "space", "space")
    await eva.hold_still()
    assert "2 selected" in lines(eva)[3]


async def test_sorting_cycles_through_the_visible_columns(eva: SharedSitter):
    await eva.press("2")
    titles: list[str] = []
    for _ in range(3):
        await eva.press("less_than_sign")
        await eva.hold_still()
        titles.append(next(word for word in ("State", "Caller", "Queue/callee", "Age") if f"{word} ↓" in lines(eva)[4]))
    assert titles == ["Queue/callee", "Caller", "State"]


async def test_typed_text_stays_readable_beside_its_error(eva: SharedSitter):
    await eva.press("2", "slash")
    await eva.type("colour:red")
    await eva.hold_still()
    assert any("colour:red" in line and 'No field "colour"' in line for line in lines(eva))


@pytest.mark.parametrize(("size", "concerns", "queues"), [(SMALL, 7, 7), (USUAL, 7, 9)])
async def test_home_uses_all_its_room_at_once(
    eva: SharedSitter, busy: StillWorld, size: Size, concerns: int, queues: int
):
    await eva.restart(size)
    await eva.hold_still()
    shown = lines(eva)
    assert sum(line.lstrip("► ").startswith(("×", "▲")) for line in shown) == concerns
    names = [str(each) for each in busy.records["skills"]]
    assert sum(any(re.search(rf"{name} +\d+ +[\d:–]+ ", line) for name in names) for line in shown) == queues


async def test_a_dialog_leaves_the_rows_below_it_visible(eva: SharedSitter):
    await eva.press("2", "colon")
    await eva.hold_still()
    assert eva.app.screen.styles.background.a < 1


async def test_the_keys_that_apply_a_staged_order_are_shown_in_full(eva: SharedSitter):
    await eva.restart(USUAL)
    await eva.press("7", "slash")
    await eva.type("mine:yes")
    await eva.press("enter", "tab", "shift+down")
    await eva.hold_still()
    assert "new order: enter applies, esc discards" in lines(eva)[3]


async def test_every_screen_has_a_visible_digit_in_sixty_columns(eva: SharedSitter):
    await eva.restart((60, 16))
    await eva.press("7")
    await eva.hold_still()
    assert "7 Groups 30" in lines(eva)[1]
    assert [each for each in lines(eva)[1].split() if each in "12345678"] == [*"12345678"]


async def test_the_skill_grid_shows_that_there_is_more_than_is_visible(eva: SharedSitter):
    await eva.press("5", "G")
    await eva.hold_still()
    assert "of 9, agents 1-18 of 40" in lines(eva)[1]


async def test_quality_names_the_violated_rule(eva: SharedSitter):
    await eva.press("2", "slash")
    await eva.type("id:c100020")
    await eva.press("enter", "Q")
    await eva.hold_still()
    assert any("major" in line and "over 5 % of sound lost" in line for line in lines(eva))


async def test_a_list_of_one_row_is_counted_in_the_singular(eva: SharedSitter):
    for name, counted in (("credentials", "1 credential "), ("own permissions", "1 permission ")):
        await eva.goto(f"access {name}")
        await eva.hold_still()
        assert any(f" {counted}" in f"{line} " for line in lines(eva)), name


async def test_the_confirming_button_is_as_readable_as_the_other(eva: SharedSitter):
    await eva.goto("access sessions")
    await eva.press("d")
    await eva.hold_still()
    assert any("Cancel  esc" in line and "End session  ^y" in line for line in lines(eva))


async def test_a_terminal_without_unicode_gets_only_ascii(busy: StillWorld, tmp_path: Path):
    async with shared_console(IdleBackend(busy), tmp_path, USUAL, symbols="ascii") as eva:
        for keys in ("1", "2", "5", "7", "8", "2?", "5G", "6a"):
            await eva.press(*keys)
            assert all(line.isascii() for line in lines(eva)), keys
            assert "enter open" in lines(eva)[-1] or len(eva.app.screen_stack) > 1
            if len(keys) > 1:
                await eva.restart()


async def test_the_next_attempt_is_separated_from_the_user_name(eva: SharedSitter, monkeypatch: pytest.MonkeyPatch):
    offline = Health(Freshness.OFFLINE, 42.0, "connection refused", retry_in=8.0)
    monkeypatch.setattr(eva.backend, "link", offline)
    await eva.hold_still()
    assert "  OFFLINE 42s retry in 8s  " in lines(eva)[0]


async def test_a_new_domain_is_a_domain(eva: SharedSitter):
    await eva.goto("directory domains")
    await eva.press("n")
    await eva.hold_still()
    assert any("create domain" in line.lower() for line in lines(eva))


async def test_the_actions_on_a_user_begin_with_those_of_the_user_itself(eva: SharedSitter):
    await eva.goto("directory users")
    await eva.press("o")
    await eva.hold_still()
    assert next(line for line in lines(eva) if " 1  " in line).split()[3:5] == ["create", "user"]


async def test_a_list_waiting_for_input_does_not_show_loading(eva: SharedSitter):
    await eva.goto("oauth2 tokens")
    await eva.hold_still()
    assert any("Press enter to fill in" in line for line in lines(eva))
    assert not any("loading" in line.lower() for line in lines(eva))


@pytest.mark.usefixtures("every_frame")
async def test_moving_to_another_record_lays_nothing_out_however_long_its_detail_is(wide: SharedSitter):
    """A layout of the screen paints all of it, which would be the longest latency of a key."""
    await wide.restart()
    await wide.press("2", "end")
    await wide.hold_still()
    screen = wide.app.screen
    assert isinstance(screen, CallsScreen)
    lengths = {screen.detail.rows}
    laid_out: list[object] = []
    cast("Any", screen).screen_layout_refresh_signal.subscribe(screen, laid_out.append)
    for _ in range(6):
        await wide.press("up")
        await wide.hold_still()
        lengths.add(screen.detail.rows)
    assert len(lengths) > 2
    assert not laid_out


@pytest.mark.usefixtures("every_frame")
async def test_no_detail_is_built_for_records_that_are_skipped(wide: SharedSitter, monkeypatch: pytest.MonkeyPatch):
    await wide.restart()
    await wide.press("2", "home")
    await wide.hold_still()
    screen = wide.app.screen
    assert isinstance(screen, CallsScreen)
    made: list[str] = []

    def noted(key: str, sections: Sequence[Section], further: tuple[Section, ...]) -> None:
        made.append(key)
        DetailPane.show(screen.detail, key, sections, further)

    monkeypatch.setattr(screen.detail, "show", noted)
    for _ in range(12):
        wide.app.post_message(Key("down", None))
    await wide.until(lambda: screen.cursor_key == screen.pane.view.key_at(12))
    await wide.hold_still()
    assert made == [screen.cursor_key]


async def test_clicking_a_key_in_the_footer_equals_pressing_it(eva: SharedSitter):
    await eva.press("2")
    footer = lines(eva)[-1]
    await eva.click("KeyFooter", footer.index("open") + 1)
    assert lines(eva)[1].startswith(" call ")
    await eva.press("escape")
    await eva.click("KeyFooter", footer.index("help"))
    assert "With calls" in "".join(lines(eva))


async def test_keys_without_effect_are_grey(eva: SharedSitter, busy: StillWorld):
    await eva.press("2")
    screen = eva.app.screen
    assert isinstance(screen, ConsoleScreen)

    def grey() -> set[str]:
        return {each.words for each in screen.footer_keys() if each.why_not}

    assert {"undo"} <= grey()
    assert not {"open", "select", "longest wait"} & grey()
    eva.backend.change("calls", removes=[*busy.records["calls"]])
    await eva.hold_still()
    assert {"open", "select", "quality", "longest wait"} <= grey()


async def test_keys_and_words_are_aligned_in_help(eva: SharedSitter):
    await eva.press("6")
    screen = eva.app.screen
    assert isinstance(screen, ConsoleScreen)
    keys = [line[0].text for line in help_lines(screen) if len(line) == 3]
    assert any("shift+tab" in each for each in keys)
    assert len({cells(each) for each in keys}) == 1


async def test_a_difference_of_the_clocks_is_an_episode(eva: SharedSitter, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(eva.backend, "clock_difference", -65_000)
    eva.backend.revision += 1
    await eva.press("ctrl+e", "slash", *"rule:clock", "enter")
    await eva.hold_still()
    (line,) = (line for line in lines(eva) if "ahead of" in line)
    assert "· clock          1m 5s ahead of the service: ages too long" in line


@pytest.mark.parametrize("screen", ["4", "8"])
async def test_a_short_record_beside_a_list_leaves_a_wide_terminal_to_the_list(eva: SharedSitter, screen: str):
    await eva.restart((300, 80))
    await eva.press(screen)
    await eva.hold_still()
    assert 0 < eva.app.screen.query_one("Beside").outer_size.width <= 64


@pytest.mark.parametrize("width", [200, 300])
async def test_users_are_named_whole_on_wide_terminals(busy: StillWorld, tmp_path: Path, width: int):
    async with shared_console(IdleBackend(busy), tmp_path, (width, 60)) as eva:
        await eva.look_at("users")
        cut = [row for line in lines(eva)[5:40] if "…" in (row := line.rpartition("│")[0])]
        assert not cut, "\n".join(cut)
