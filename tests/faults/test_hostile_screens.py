"""Hostile texts in every text field of every kind of record: nothing of them is more than text on the screen."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import AsyncGenerator, Generator, Mapping
from typing import Any, cast

import pytest
import pytest_asyncio
from rich.style import Style
from textual.pilot import Pilot

from console.app import ConsoleApp
from console.live.feeds import FEEDS
from console.records.record import Record
from console.screens.list_screen import ListScreen
from console.screens.navigation import SCREENS, go, screen_of
from tests.faults.figures import count, record
from tests.faults.hostile_texts import FEW, HOSTILE, plain
from tests.still.console import still_console
from tests.still.desk import StillDesk
from tests.still.world import StillWorld, still_world
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
def world() -> Generator[StillWorld]:
    found = still_world("busy", "eva")
    yield found
    found.platform.close()


class Glass:
    """A console at a still desk, on which one record of one kind is shown at a time."""

    def __init__(self, app: ConsoleApp, desk: StillDesk, pilot: Pilot[Any]) -> None:
        self.app = app
        self.desk = desk
        self.pilot = pilot

    async def show(self, kind: str, one: Record) -> bytes:
        """Show a record in its list, with its detail beside it; return what a terminal would be sent for it."""
        self.desk.change(kind, one, removes=set(self.desk.records(kind)))
        screen = self.app.screen
        assert isinstance(screen, ListScreen)
        screen.beat(True)
        screen.pane.live_table.move_to(one.key)
        await self.pilot.pause()
        assert one.key in screen.pane.view.keys
        return self.written()

    def written(self, width: int | None = None) -> bytes:
        """Return the screen as it goes to a terminal, or its left part of so many cells."""
        screen = self.app.screen
        strips = screen._compositor.render_strips(screen.size)  # pyright: ignore[reportPrivateUsage] - no public way
        parts = (strip.crop(0, width).render(self.app.console) for strip in strips)
        return "\n".join(parts).encode("utf-8", "surrogateescape")

    def skeleton(self) -> list[bytes]:
        """Return the control tokens of the list, in their order.

        Those of the detail follow where its lines are broken, which words and addresses have a say in.
        """
        screen = self.app.screen
        assert isinstance(screen, ListScreen)
        return list(tokens(self.written(screen.pane.region.right)))

    def harm(self) -> str:
        """Say what on the screen is more than text, if anything is."""
        screen = self.app.screen
        for strip in screen._compositor.render_strips(screen.size):  # pyright: ignore[reportPrivateUsage] - as above
            if strip.cell_length != screen.size.width:
                return f"a row of {strip.cell_length} cells: {strip.text!r}"
            for segment in strip:
                style = segment.style or Style()
                if segment.control or style.link or "@click" in style.meta:
                    return f"{segment!r}"
        return ""


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def glass(world: StillWorld, tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Glass]:
    desk = StillDesk(world)
    app = still_console(desk, tmp_path_factory.mktemp("glass"))
    async with app.run_test(size=(160, 45)) as pilot:
        yield Glass(app, desk, pilot)


def with_text(kind: type[Record], one: Record | None, text: str) -> Record:
    """Return a record with a text in every field that can hold one, but for its key and the state it is in."""
    spared = {_wire(kind, kind.key_field), "state"}
    key = one.key if one is not None else "only"

    def filled(value: Any, name: str = "") -> Any:
        if isinstance(value, str):
            return value if name in spared or value == key else text
        if isinstance(value, list | tuple):
            return [filled(each) for each in cast("list[Any]", value)]
        if isinstance(value, Mapping):
            return {each: filled(inner, each) for each, inner in cast("Mapping[str, Any]", value).items()}
        return value

    known = one.wire() if one is not None else {_wire(kind, kind.key_field): key}
    able = {
        _wire(kind, name): text for name, field in kind.model_fields.items() if cast(Any, field.annotation) in _TEXTS
    }
    return kind.model_validate(filled({**able, **known}))


_TEXTS = (str, str | None)


def _wire(kind: type[Record], name: str) -> str:
    return kind.model_fields[name].alias or kind.wire_name(name)


def fields_of(value: Any) -> int:
    """Count the texts within a record as it travels."""
    if isinstance(value, str):
        return 1
    if isinstance(value, list | tuple):
        return sum(map(fields_of, cast("list[Any]", value)))
    return sum(map(fields_of, cast("Mapping[str, Any]", value).values())) if isinstance(value, Mapping) else 0


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.timeout(60 + 2 * len(TEXTS))
async def test_no_text_is_more_than_text_on_the_screen(glass: Glass, world: StillWorld, kind: str) -> None:
    spec = screen_of(kind)
    assert spec is not None
    most = max(world.records[kind].values(), key=lambda each: fields_of(each.wire()), default=None)
    made = FEEDS[kind].record
    if kind == "chats":
        # The chats of agents stand among them.
        glass.desk.change("agents", removes=set(glass.desk.records("agents")))
    go(glass.app, glass.app.station, spec.name, kind)
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
async def test_a_window_may_have_any_size_while_rows_change(glass: Glass, world: StillWorld) -> None:
    lot = random.Random(1)
    calls = list(world.records["calls"].values())
    sizes = [(1, 1), LARGEST, *((lot.randint(1, LARGEST[0]), lot.randint(1, LARGEST[1])) for _ in range(SIZES - 2))]
    harm: list[str] = []
    for number, (width, height) in enumerate(sizes):
        if number % 50 == 2:
            go(glass.app, glass.app.station, lot.choice(SCREENS).name)
        glass.desk.change("calls", *lot.sample(calls, 20), removes=lot.sample(list(glass.desk.records("calls")), 1))
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
