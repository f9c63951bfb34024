"""Driving the real console by its keys over the real service, and waiting for what a person would see."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar
from zoneinfo import ZoneInfo

from textual.pilot import Pilot

from console.actions.keymap import key_map
from console.app import ConsoleApp
from console.client.endpoint import Endpoint
from console.clock import SystemClock
from console.config import Config, Profile
from console.live.delta import Freshness
from console.live.desk import Desk
from console.paths import places, resource_dir
from console.screens.station import Station
from console.service.serve import Running
from console.widgets.dialogs import FormDialog

T = TypeVar("T")


@dataclass
class Seat:
    """Somebody at a console."""

    app: ConsoleApp
    desk: Desk
    station: Station
    pilot: Pilot[Any]
    journal: Path
    """Where this console writes down its changes."""

    async def press(self, *keys: str) -> None:
        """Press keys one after the other."""
        await self.pilot.press(*keys)

    async def type(self, text: str) -> None:
        """Type a text, character by character."""
        await self.pilot.press(*text)

    async def until(self, condition: Callable[[], T], seconds: float = 10.0) -> T:
        """Return what the condition returns once it is true; fail with what is on the screen."""
        end = time.monotonic() + seconds
        while not (found := condition()):
            if time.monotonic() > end:
                raise AssertionError(f"not within {seconds} s; the screen says:\n{self.screen_text()}")
            await self.pilot.pause()
            await asyncio.get_running_loop().run_in_executor(None, time.sleep, 0.01)
        return found

    async def dialog(self) -> None:
        """Wait until a dialog is open and takes keys: it is deaf for a moment, so that a stray key does nothing."""
        await self.until(lambda: getattr(self.app.screen, "listening", False))

    async def focus_field(self, label: str) -> None:
        """Go from field to field of a form until the one of that label has the keys."""
        dialog = self.app.screen
        assert isinstance(dialog, FormDialog)
        titles = {f"field-{number}": each.title for number, each in enumerate(dialog.fields)}
        assert label in titles.values(), f"{label} is none of {list(titles.values())}"
        while (focused := dialog.focused) is None or titles.get(focused.id or "") != label:
            await self.press("tab")

    async def sees(self, words: str, seconds: float = 10.0) -> None:
        """Wait until the screen says these words."""
        await self.until(lambda: words in self.screen_text(), seconds)

    def screen_text(self) -> str:
        """Return the screen as lines of text."""
        screen = self.app.screen
        width, height = screen.size
        lines = screen._compositor.render_strips(screen.size)  # pyright: ignore[reportPrivateUsage] - no public way
        return "\n".join(line.text.rstrip() for line in lines[:height] if width)

    @property
    def cursor(self) -> str:
        """The key of the record under the cursor of the list in front."""
        return str(getattr(self.app.screen, "cursor_key", ""))


@asynccontextmanager
async def seat(
    service: Running,
    folder: Path,
    who: str = "eva",
    size: tuple[int, int] = (120, 40),
    *,
    events: bool = True,
    config: Config | None = None,
    read_only: bool = False,
) -> AsyncGenerator[Seat]:
    """Sit down at a console that is logged in and has listed everything."""
    config = config or Config(hold_seconds=0, bell=False)
    endpoint = Endpoint(
        core=service.core_url,
        provisioning=service.provisioning_url,
        events=service.events_url if events else None,
        read_only=read_only,
    )
    journal = folder / f"{who}-{id(folder)}-journal.jsonl"
    desk = Desk(
        endpoint,
        journal_path=journal,
        login=lambda: (who, "demo"),
        hold_seconds=config.hold_seconds,
    )
    station = Station(
        desk=desk,
        config=config,
        profile_name="test",
        profile=Profile(core=service.core_url, read_only=read_only),
        clock=SystemClock(),
        zone=ZoneInfo("Europe/Madrid"),
        keys=key_map(config.keys).keys,
        places=places({"CONSOLE_HOME": str(folder)}),
    )
    desk.start()
    try:
        app = ConsoleApp(station, resource_dir("themes"))
        async with app.run_test(size=size) as pilot:
            found = Seat(app, desk, station, pilot, journal)
            ready = {Freshness.LIVE, Freshness.POLLING}
            for kind in ("calls", "alerts", "groups", "users"):
                desk.records(kind)
                await found.until(lambda kind=kind: desk.health(kind).state in ready and desk.me is not None)
            yield found
    finally:
        desk.stop()
