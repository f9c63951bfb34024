"""The first frame is shown before there is a backend; then the backend takes over, or the console exits."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator
from dataclasses import dataclass
from pathlib import Path

import pytest

from console.app import ConsoleApp
from console.clock import SystemClock
from console.config import Config, Profile
from console.live.backend_api import BackendApi
from console.live.pending_backend import PendingBackend
from console.paths import places, resource_dir
from console.screens.app_context import AppContext
from console.screens.home import Heading
from console.screens.list_screen import ListScreen
from console.widgets.tile import Tile
from console.zone import zone_of
from tests.idle.backend import IdleBackend
from tests.idle.world import StillWorld, still_world
from tests.live.until import until_async


@pytest.fixture(scope="module")
def busy() -> Generator[StillWorld]:
    found = still_world("busy")
    yield found
    found.platform.close()


@dataclass
class Told(IdleBackend):
    """A backend that records the calls."""

    shown: frozenset[str] = frozenset()
    started: int = 0

    def show(self, kinds: frozenset[str]) -> None:
        self.shown = kinds

    def start(self) -> None:
        self.started += 1


def coming_up(folder: Path, make_backend: Callable[[], BackendApi]) -> ConsoleApp:
    clock = SystemClock()
    context = AppContext(
        backend=PendingBackend(clock),
        config=Config(bell=False),
        profile_name="busy",
        profile=Profile(core="https://voice.desk.example/core"),
        clock=clock,
        zone=zone_of("UTC"),
        places=places({"CONSOLE_HOME": str(folder)}),
    )
    return ConsoleApp(context, resource_dir("themes"), make_backend=make_backend)


async def test_the_first_frame_waits_for_no_desk_and_what_is_in_view_is_asked_of_the_desk_that_takes_over(
    busy: StillWorld, tmp_path: Path
) -> None:
    backend, may_be_made = Told(busy), threading.Event()

    def make() -> BackendApi:
        assert may_be_made.wait(60)
        return backend

    app = coming_up(tmp_path, make)
    async with app.run_test(size=(120, 40)) as pilot:
        assert "Active calls" in app.screen.query_one("#tile-calls", Tile).said
        heading = app.screen.query_one("#concerns-head", Heading)
        assert "loading" in heading.said
        await pilot.press("2")
        await until_async(lambda: isinstance(app.screen, ListScreen))
        assert not backend.started
        may_be_made.set()
        await until_async(lambda: app.context.backend is backend and backend.started == 1)
        assert "calls" in backend.shown
        screen = app.screen
        assert isinstance(screen, ListScreen)
        await until_async(lambda: screen.pane.view.matched == len(backend.records("calls")))
        await pilot.press("1")
        await until_async(lambda: "loading" not in heading.said)


async def test_nothing_can_be_done_before_there_is_a_desk_and_nothing_breaks(tmp_path: Path) -> None:
    never = threading.Event()

    def make() -> BackendApi:
        never.wait(60)
        raise OSError("nobody waits for it any more")

    app = coming_up(tmp_path, make)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("r", "u", "ctrl+r", "enter", "2", "a", "space", "3", "1")
        assert app.is_running
        app.exit()
    never.set()
    assert app.fault is None


async def test_a_desk_that_cannot_be_made_ends_the_console_with_the_reason(tmp_path: Path) -> None:
    def make() -> BackendApi:
        raise OSError("no room for a backend")

    app = coming_up(tmp_path, make)
    with pytest.raises(OSError, match="no room for a backend"):
        async with app.run_test(size=(120, 40)):
            await until_async(lambda: app.fault is not None)
    assert str(app.fault) == "no room for a backend"
