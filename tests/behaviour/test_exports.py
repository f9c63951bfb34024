"""The notice about a written file."""

from __future__ import annotations

from pathlib import Path

import pytest

from console.live.delta import Freshness, Health
from console.ui.textual_compat.testing import painted
from tests.idle.backend import IdleBackend
from tests.idle.console import still_console
from tests.idle.world import StillWorld
from tests.snapshots.pictures import Sitter


async def test_the_name_of_an_exported_file_is_visible_however_long_its_folder_is(
    busy: StillWorld, tmp_path: Path
) -> None:
    async with still_console(IdleBackend(busy), tmp_path / ("long" * 40)).run_test(size=(80, 24)) as pilot:
        eva = Sitter(pilot)
        await eva.press("2", "J")

        def said() -> str:
            return "\n".join(strip.text for strip in painted(eva.app.screen))

        await eva.until(lambda: "rows in calls-" in said())


@pytest.mark.parametrize(
    ("health", "doubt"),
    [
        (Health(Freshness.POLLING, 1.0, cut="10 of 20 rows shown"), "; 10 of 20 rows shown; "),
        (Health(Freshness.POLLING, 1.0, more=True), "; not all rows were loaded; "),
        (Health(Freshness.STALE, 90.0, "the event channel is silent"), "; not current: STALE 1"),
    ],
)
async def test_the_notice_about_a_file_says_that_rows_may_be_missing_or_old(
    busy: StillWorld, tmp_path: Path, health: Health, doubt: str
) -> None:
    backend = IdleBackend(busy, healths={"calls": health})
    async with still_console(backend, tmp_path).run_test(size=(200, 24)) as pilot:
        eva = Sitter(pilot)
        await eva.press("2", "E")
        await eva.until(lambda: ".csv" in eva.app.clipboard)

        def said() -> str:
            return "\n".join(strip.text for strip in painted(eva.app.screen))

        await eva.until(lambda: ".csv; " in said())
        assert doubt in said()
