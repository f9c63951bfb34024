"""Hostile texts in every text field of every kind of record are shown as text on the screen."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import AsyncGenerator, Generator

import pytest
import pytest_asyncio

from console.kinds.catalogue import FEEDS
from console.ui.screens.navigation import go
from console.ui.screens.specs import SCREENS, screen_of
from tests.faults.figures import count, record
from tests.faults.glass import Glass, fields_of, with_text
from tests.faults.hostile_texts import FEW, HOSTILE, plain
from tests.idle.backend import IdleBackend
from tests.idle.console import still_console
from tests.idle.world import StillWorld, StillWorlds
from tests.terminal.tap import answers, tokens, unlawful

TEXTS = HOSTILE if count("FAULTS_COUNT", 0) else FEW
KINDS = [kind for kind in FEEDS if screen_of(kind) is not None and kind != "status"]
SIZES = 1000 if count("FAULTS_COUNT", 0) else 3
LARGEST = (400, 200)
told: Counter[str] = Counter()

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.usefixtures("every_frame")]


@pytest.fixture(scope="module", autouse=True)
def figures() -> Generator[None]:
    yield
    if not told["screens"]:
        return
    texts = f"{len(TEXTS)} texts in {told['fields']} fields of {told['kinds']} kinds"
    record("T1", not told["harm"], f"{told['harm']} of {told['screens']:,} screens harmed: {texts}", "0")
    record("T3", not told["strange"], f"{told['strange']} of {told['tokens']:,} tokens: {texts}", "0")
    record("T4", not told["other"], f"{told['other']} of {told['screens']:,} lists differ from those with x's", "0")
    record("T6", not told["asked"], f"{told['asked']} bytes answered: {texts}", "0")


@pytest.fixture(scope="module")
def world(still_worlds: StillWorlds) -> StillWorld:
    return still_worlds.of("busy", "eva")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def glass(world: StillWorld, tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Glass]:
    backend = IdleBackend(world)
    app = still_console(backend, tmp_path_factory.mktemp("glass"))
    async with app.run_test(size=(160, 45)) as pilot:
        yield Glass(app, backend, pilot)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.timeout(60 + 2 * len(TEXTS))
async def test_screens_show_hostile_text_only_as_text(glass: Glass, world: StillWorld, kind: str) -> None:
    spec = screen_of(kind)
    assert spec is not None
    most = max(world.records[kind].values(), key=lambda each: fields_of(each.wire()), default=None)
    made = FEEDS[kind].record
    if kind == "chats":
        # They include the chats of agents.
        glass.backend.change("agents", removes=set(glass.backend.records("agents")))
    go(glass.app, glass.app.context, spec.name, kind)
    await glass.pilot.pause()
    told["kinds"] += 1
    told["fields"] += fields_of(with_text(made, most, "x").wire()) - 1
    for text in TEXTS:
        written = await glass.show(kind, with_text(made, most, text))
        harm, skeleton = glass.harm(), glass.skeleton()
        strange, asked = unlawful(written), answers(written)
        await glass.show(kind, with_text(made, most, plain(text)))
        other = glass.skeleton() != skeleton
        told["screens"] += 1
        told["tokens"] += sum(1 for _ in tokens(written))
        told["harm"] += bool(harm)
        told["strange"] += len(strange)
        told["asked"] += len(asked)
        told["other"] += other
        assert not harm, repr(text)
        assert not strange, repr(text)
        assert not asked, repr(text)
        assert not other, repr(text)


@pytest.mark.timeout(60 + 2 * SIZES)
async def test_a_window_can_have_any_size_while_rows_change(glass: Glass, world: StillWorld) -> None:
    lot = random.Random(1)
    calls = list(world.records["calls"].values())
    sizes = [(1, 1), LARGEST, *((lot.randint(1, LARGEST[0]), lot.randint(1, LARGEST[1])) for _ in range(SIZES - 2))]
    harm: list[str] = []
    for number, (width, height) in enumerate(sizes):
        if number % 50 == 2:
            go(glass.app, glass.app.context, lot.choice(SCREENS).name)
        glass.backend.change(
            "calls", *lot.sample(calls, 20), removes=lot.sample(list(glass.backend.records("calls")), 1)
        )
        await glass.pilot.resize_terminal(width, height)
        await glass.pilot.pause()
        if glass.app.fault is not None:
            raise glass.app.fault
        found = glass.harm()
        if found:
            harm.append(f"{width}x{height}: {found}")
    record("T12", not harm, f"{len(harm)} of {len(sizes):,} sizes from 1x1 to 400x200, 0 crashes", "0")
    assert not harm, harm[0]
    await glass.pilot.resize_terminal(160, 45)
