"""Every record with half a million lines, or a megabyte on one line, opens from its list and says what was cut."""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator

import pytest
import pytest_asyncio

from console.kinds.catalogue import FEEDS
from console.ui.dialogs import dialog
from console.ui.screens.detail import DetailScreen
from console.ui.screens.list_screen import ListScreen
from console.ui.screens.navigation import go
from console.ui.screens.specs import screen_of
from console.ui.widgets.detail_pane import DetailPane
from tests.faults.glass import Glass, with_text
from tests.idle.backend import IdleBackend
from tests.idle.console import still_console
from tests.idle.world import StillWorld, StillWorlds

pytestmark = pytest.mark.asyncio(loop_scope="module")

KINDS = [kind for kind in FEEDS if screen_of(kind) is not None and kind != "status"]
TEXT = "x\n" * 500_000 + "y" * 1_000_000
SECONDS = 4.0
"""Processor time for the list and the record; on an idle machine they take a tenth of it."""


@pytest.fixture(scope="module")
def world(still_worlds: StillWorlds) -> StillWorld:
    return still_worlds.of("busy")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def glass(world: StillWorld, tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Glass]:
    backend = IdleBackend(world)
    app = still_console(backend, tmp_path_factory.mktemp("long"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dialog, "DEAF_SECONDS", 0.001)
        async with app.run_test(size=(80, 24)) as pilot:
            yield Glass(app, backend, pilot)


@pytest.mark.parametrize("kind", KINDS)
async def test_a_record_of_long_texts_opens_from_its_list(glass: Glass, world: StillWorld, kind: str) -> None:
    spec = screen_of(kind)
    assert spec is not None
    most = max(world.records[kind].values(), key=lambda each: len(str(each)), default=None)
    record = with_text(FEEDS[kind].record, most, TEXT)
    if kind == "chats":
        glass.backend.change("agents", removes=set(glass.backend.records("agents")))
    before = time.process_time()
    go(glass.app, glass.app.context, spec.name, kind)
    await glass.pilot.pause()
    await glass.show(kind, record)
    screen = glass.app.screen
    assert isinstance(screen, ListScreen)
    ListScreen.open_detail(screen)
    await glass.pilot.pause()
    opened = glass.app.screen
    assert isinstance(opened, DetailScreen)
    pane = opened.query_one(DetailPane)
    # The raw record may be open already: what was opened stays so for the next record.
    texts: list[str] = []
    for _ in range(2):
        opened.beat(True)
        texts.append(pane.words)
        pane.toggle()
    assert any("not shown" in text for text in texts)
    assert time.process_time() - before < SECONDS
    assert not glass.harm()
    glass.app.pop_screen()
    await glass.pilot.pause()
