"""The first frame is shown before the backend runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from console.base.clock import SystemClock
from console.base.zone import zone_of
from console.client.endpoint import Endpoint
from console.config.paths import places, resource_dir
from console.config.schema import Config, Profile
from console.kinds.catalogue import FEEDS
from console.live import gc_tuning
from console.live.backend import Backend
from console.live.backend_api import BackendApi
from console.rules.reading import load_rules
from console.rules.watch import Watch
from console.rules.watching import watch_by
from console.ui.app import ConsoleApp
from console.ui.screens import preload
from console.ui.screens.app_context import AppContext
from console.ui.screens.board import Tile
from console.ui.screens.home import SectionTitle
from tests.idle.backend import IdleBackend
from tests.idle.world import StillWorld
from tests.live.until import until_async


@dataclass
class Told(IdleBackend):
    """A backend that records the calls."""

    shown: frozenset[str] = frozenset()
    started: list[bool] = field(default_factory=list[bool])
    """Whether the first frame was painted at each start."""
    paints: Callable[[], bool] = bool

    def show(self, kinds: frozenset[str]) -> None:
        self.shown = kinds

    def start(self) -> None:
        self.started.append(self.paints())


class NeverStarted(Backend):
    """A backend whose thread has not come up yet."""

    def start(self) -> None: ...


class CountingWatch(Watch):
    """Counts how often the application looks whether the rules were evaluated."""

    looks = 0

    @property
    def is_loading(self) -> bool:
        self.looks += 1
        return super().is_loading


def coming_up(folder: Path, backend: BackendApi) -> ConsoleApp:
    clock = SystemClock()
    context = AppContext(
        backend=backend,
        config=Config(),
        profile_name="busy",
        profile=Profile(core="https://voice.desk.example/core"),
        clock=clock,
        zone=zone_of("UTC"),
        places=places({"CONSOLE_HOME": str(folder)}),
    )
    return ConsoleApp(context, resource_dir("themes"), owns_process=True)


async def test_the_backend_starts_once_after_the_first_frame_with_the_displayed_lists(
    busy: StillWorld, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tuned: list[bool] = []
    monkeypatch.setattr(gc_tuning, "prepare", lambda: tuned.append(preload.is_loaded()))
    backend = Told(busy)
    app = coming_up(tmp_path, backend)
    backend.paints = lambda: "Active calls" in app.screen.query_one("#tile-calls", Tile).said
    async with app.run_test(size=(120, 40)) as pilot:
        await until_async(lambda: bool(backend.started))
        await pilot.press("2")
        await until_async(lambda: "calls" in backend.shown)
        await until_async(lambda: bool(tuned))
    assert backend.started == [True]
    assert tuned == [True]


async def test_other_screens_are_imported_after_the_first_evaluation_of_rules(
    busy: StillWorld, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tuned: list[bool] = []
    monkeypatch.setattr("console.ui.app.LATEST_SECONDS", 1_000.0)
    monkeypatch.setattr(gc_tuning, "prepare", lambda: tuned.append(bool(watch.judged)))
    backend = Told(busy)
    app = coming_up(tmp_path, backend)
    context = app.context
    watch = context.watch = CountingWatch(load_rules(None).rules, backend, context.render_context)
    async with app.run_test(size=(120, 40)):
        await until_async(lambda: watch.looks > 2)
        assert not tuned
        watch.update()
        await until_async(lambda: bool(tuned))
    assert tuned == [True]


async def test_actions_before_the_backend_runs_fail_safely(tmp_path: Path) -> None:
    endpoint = Endpoint(core="http://127.0.0.1:9/core")
    backend = NeverStarted(endpoint, FEEDS.values(), journal_path=tmp_path / "journal.jsonl", login=None)
    app = coming_up(tmp_path, backend)
    app.context.watch = watch_by(load_rules(None), backend, app.context.render_context)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("r", "u", "ctrl+r", "enter", "2", "a", "space", "3", "1")
        assert "loading" in app.screen.query_one("#concerns-head", SectionTitle).said
        assert app.is_running
        app.exit()
    assert app.fault is None
