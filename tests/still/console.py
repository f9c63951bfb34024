"""A console at a desk where nothing happens by itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from console.app import ConsoleApp
from console.config import Config, Profile
from console.live.admission import Login
from console.paths import places, resource_dir
from console.screens import later
from console.screens.station import Station
from tests.still.desk import StillDesk


def still_console(desk: StillDesk, folder: Path, theme: str = "dark", **config: Any) -> ConsoleApp:
    """Make a console that shows a still desk; `folder` is where its files would be, `config` differs from the usual."""
    profile = Profile(
        core="https://voice.desk.example/core",
        provisioning="https://voice.desk.example/provisioning",
        username="eva",
        read_only=desk.read_only,
    )
    differing: dict[str, Any] = {"bell": False, **config}
    settings = Config(theme=theme, **differing)
    station = Station(
        desk=desk,
        config=settings,
        profile_name="busy",
        profile=profile,
        clock=desk.world.clock,
        zone=ZoneInfo("Europe/Madrid"),
        places=places({"CONSOLE_HOME": str(folder)}),
    )
    later.fetch()  # In a fresh process it would come in while the first picture is taken.
    app = ConsoleApp(station, resource_dir("themes"), Login("eva", ""))
    app.animation_level = "none"
    return app
