"""A console with an idle backend."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from console.config.paths import places, resource_dir
from console.config.schema import Config, Profile
from console.live.authentication import LoginDetails
from console.live.rest import no_rest
from console.rules.reading import load_rules
from console.rules.watch import Watch
from console.ui.app import ConsoleApp
from console.ui.screens import preload
from console.ui.screens.app_context import AppContext
from console.ui.screens.profiles import tone_of
from tests.identities import BUSY
from tests.idle.backend import IdleBackend
from tests.surroundings import SILENT


def still_console(backend: IdleBackend, folder: Path, theme: str = "dark", **config: Any) -> ConsoleApp:
    """Return a console over an idle backend. `folder` contains its files, `config` overrides its configuration."""
    profile = Profile(
        core="https://voice.desk.example/core",
        provisioning="https://voice.desk.example/provisioning",
        username="eva",
        read_only=backend.read_only,
    )
    differing: dict[str, Any] = {"notices": SILENT, **config}
    settings = Config(theme=theme, **differing)
    context = AppContext(
        backend=backend,
        config=settings,
        profile_name="busy",
        profile=profile,
        clock=backend.world.clock,
        zone=ZoneInfo("Europe/Madrid"),
        places=places({"CONSOLE_HOME": str(folder)}),
        colour=tone_of("busy", settings.profiles.get("busy", profile), settings),
    )
    context.identity = lambda: BUSY
    context.watch = backend.watch = Watch(load_rules(None).rules, backend, context.render_context, rest=no_rest)
    preload.load()  # In a fresh process it would come in while the first picture is taken.
    app = ConsoleApp(context, resource_dir("themes"), LoginDetails("eva", ""), opener=_opens_nothing)
    app.animation_level = "none"
    return app


def _opens_nothing(name: str) -> tuple[AppContext, LoginDetails]:
    raise ValueError(f"{name} is only listed")
