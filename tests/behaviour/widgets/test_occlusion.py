"""A partial frame has the same effect as a whole one, and contains only what differs."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pyte
import pytest
from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from textual.app import App, ComposeResult
from textual.containers import Container, Horizontal, Vertical
from textual.geometry import Region
from textual.screen import Screen
from textual.strip import Strip
from textual.widget import Widget

from console.ui.screens.specs import SCREENS
from console.ui.textual_compat.backpressure import ThrottledScreen
from console.ui.textual_compat.compositor import CellsCompositor, CellsUpdate, stretches
from console.ui.textual_compat.testing import FrameRecorder, compositor_of, painted_by_textual
from tests.for_each import for_each
from tests.idle.backend import IdleBackend
from tests.idle.console import still_console
from tests.idle.world import StillWorld
from tests.pieces import needs

pytestmark = pytest.mark.usefixtures("every_frame")

WIDTH, HEIGHT = 60, 8
CONSOLE = Console(force_terminal=True, color_system="truecolor", width=WIDTH)


def lines(letter: str) -> list[str]:
    """Lines to show: some letters, some of them two cells wide, and a number."""
    return [f"{letter * 12}{'世界' if y % 2 else 'ab' * 2}{y:>{WIDTH - 16}}" for y in range(HEIGHT)]


def update(shown: list[str], spans: list[tuple[int, int, int]]) -> CellsUpdate:
    """Return the partial frame with spans of these lines."""
    return CellsUpdate([(left, y, Strip([Segment(shown[y])]).crop(left, right)) for y, left, right in spans])


@for_each("seed", range(20))
def test_what_is_sent_makes_the_named_cells_as_they_are_to_be_and_leaves_all_others(seed: int) -> None:
    chance = random.Random(seed)
    screen = pyte.Screen(WIDTH, HEIGHT)
    stream = pyte.Stream(screen)
    before, after = lines("o"), lines("n")
    stream.feed(update(before, [(y, 0, WIDTH) for y in range(HEIGHT)]).render_segments(CONSOLE))
    assert screen.display == before
    spans: list[tuple[int, int, int]] = []
    for y in sorted(chance.sample(range(HEIGHT), 4)):
        left = chance.choice([0, 3, 12, 16, 22, 40])
        spans.append((y, left, chance.choice([right for right in (3, 12, 16, 22, 40, WIDTH) if right > left])))
    stream.feed(update(after, spans).render_segments(CONSOLE))
    cells = {(y, x) for y, left, right in spans for x in range(left, right)}
    old, new = (pyte.Screen(WIDTH, HEIGHT) for _ in range(2))
    for paper, said in ((old, before), (new, after)):
        pyte.Stream(paper).feed("\r\n".join(said))
    for y in range(HEIGHT):
        for x in range(WIDTH):
            assert screen.buffer[y][x].data == (new if (y, x) in cells else old).buffer[y][x].data


def test_what_stands_before_a_cell_is_not_sent_again() -> None:
    sent = update(lines("n"), [(2, 40, 44), (2, 50, 53)]).render_segments(CONSOLE)
    assert "n" not in sent
    assert len(sent) < 40


@for_each("seed", range(20))
def test_parts_that_share_a_style_look_like_parts_with_their_own(seed: int) -> None:
    chance = random.Random(seed)
    styles = [Style(), Style(color="red"), Style(color="red", bold=True), Style(bgcolor="#102030", reverse=True)]
    pieces = [
        (
            chance.randrange(WIDTH - 12),
            chance.randrange(HEIGHT),
            Strip([Segment(chance.choice(["", " ", "ab", "世界"]), chance.choice(styles)) for _ in range(3)]),
        )
        for _ in range(20)
    ]
    sent = CellsUpdate(pieces).render_segments(CONSOLE)
    alone = "".join(f"\x1b[{y + 1};{x + 1}H{strip.render(CONSOLE)}" for x, y, strip in pieces)
    shown, wanted = (pyte.Screen(WIDTH, HEIGHT) for _ in range(2))
    for paper, text in ((shown, sent), (wanted, alone)):
        pyte.Stream(paper).feed(f"{text}\x1b[1;1Hend")
    assert shown.buffer == wanted.buffer
    assert len(sent) < len(alone)


def test_digits_of_one_style_name_it_once() -> None:
    digit = Strip([Segment("7", Style(color="red"))])
    assert CellsUpdate([(4, 1, digit), (4, 2, digit)]).render_segments(CONSOLE) == (
        "\x1b[2;5H\x1b[31m7\x1b[3;5H7\x1b[0m"
    )


@needs("compositor")
async def test_every_screen_that_changes_by_itself_is_painted_so() -> None:
    app = App[None]()
    async with app.run_test(size=(WIDTH, HEIGHT)) as pilot:
        await app.push_screen(ThrottledScreen[None]())
        await pilot.pause()
        assert isinstance(app.screen, ThrottledScreen)
        made = [each for each in vars(app.screen).values() if isinstance(each, CellsCompositor)]
        assert len(made) == 1


class Words(Widget):
    """Lines with their owner and the number of updates."""

    def __init__(self, id: str) -> None:
        super().__init__(id=id)
        self.turns = [0] * HEIGHT

    def render_line(self, y: int) -> Strip:
        return Strip([Segment(f"{self.id}{y}.{self.turns[y]} ".ljust(self.size.width, "."))])

    def turn(self, y: int) -> None:
        self.turns[y] += 1
        self.refresh(Region(0, y, self.size.width, 1))


class Nested(ThrottledScreen[None]):
    """Nested widgets beside and below each other, one with a border and one with a margin."""

    CSS = """
    Words { width: 1fr; height: 1fr; }
    #framed { border-left: solid red; width: 3fr; height: 1fr; }
    #room { width: 12; height: 1fr; padding: 0 0 1 2; }
    #top, #bottom { height: 1; }
    """

    def compose(self) -> ComposeResult:
        yield Words(id="top")
        with Vertical(), Container(), Horizontal():
            yield Words(id="left")
            with Container(id="framed"):
                yield Words(id="right")
            with Container(id="room"):
                yield Words(id="inner")
        yield Words(id="bottom")


class Shown(FrameRecorder):
    """Shows that screen on a recorded terminal."""

    def __init__(self) -> None:
        super().__init__()
        self.paper = pyte.Screen(WIDTH, HEIGHT)
        self.nested = Nested()

    def on_mount(self) -> None:
        self.push_screen(self.nested)

    def on_frame(self, screen: Screen[Any], frame: object) -> None:
        if isinstance(frame, CellsUpdate) and screen is self.nested:
            pyte.Stream(self.paper).feed(frame.render_segments(CONSOLE))


def looks(strips: list[Strip]) -> list[list[tuple[str, Style | None]]]:
    return [[(character, part.style) for part in strip for character in part.text] for strip in strips]


@needs("compositor")
async def test_every_screen_and_what_opens_over_it_look_as_if_textual_had_painted_them(
    busy: StillWorld, tmp_path: Path
) -> None:
    app = still_console(IdleBackend(busy), tmp_path)
    async with app.run_test(size=(120, 40)) as pilot:
        for spec in SCREENS:
            for key in (spec.digit, "question_mark", "escape"):
                await pilot.press(key)
                await pilot.pause()
                screen: Screen[Any] = app.screen
                compositor = compositor_of(screen)
                assert isinstance(compositor, CellsCompositor)
                ours = compositor.render_strips()
                assert looks(ours) == looks(painted_by_textual(screen)), (spec.name, key)


@needs("compositor")
async def test_what_is_left_out_of_a_frame_could_not_have_been_seen() -> None:
    chance = random.Random(7)
    app = Shown()
    async with app.run_test(size=(WIDTH, HEIGHT)) as pilot:
        await pilot.pause()
        for _ in range(60):
            for words in chance.sample([*app.nested.query(Words)], 3):
                words.turn(chance.randrange(words.size.height or 1))
                if chance.random() < 0.2 and words.id != "left":
                    words.display = not words.display
            await pilot.pause()
            assert app.paper.display == [
                "".join(each.text for each in strip) for strip in painted_by_textual(app.nested)
            ]


def test_in_every_cell_the_widget_is_seen_that_stands_in_front() -> None:
    one, other, under, edge = (Widget(id=name) for name in ("one", "other", "under", "edge"))
    left, right = Region(0, 0, 10, 3), Region(12, 0, 8, 3)
    places = [(one, left), (other, right), (under, Region(2, 1, 18, 2)), (edge, Region(0, 0, 20, 4))]
    first, second, third, fourth = (
        "".join(str(part.widget.id)[0] * (part.right - part.left) for part in line) for line in stretches(places, 4)
    )
    assert first == "o" * 10 + "e" * 2 + "o" * 8
    assert second == third == "o" * 10 + "u" * 2 + "o" * 8
    assert fourth == "e" * 20
