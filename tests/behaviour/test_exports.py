"""The notice about a written file."""

from __future__ import annotations

from pathlib import Path

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
