"""No frame is drawn while the terminal is not reading; the last frame shows the current state."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from textual.screen import Screen

from console.base.text import clean
from console.ui.textual_compat import backpressure
from console.ui.textual_compat.backpressure import ThrottledScreen, output_waits
from console.ui.textual_compat.testing import FrameRecorder, queue_output
from console.ui.widgets.styled_line import StyledLine, piece
from tests.live.until import until_async
from tests.pieces import needs

pytestmark = pytest.mark.usefixtures("every_frame")


class Line(ThrottledScreen[None]):
    """A screen of one line."""

    def __init__(self) -> None:
        super().__init__()
        self.line = StyledLine()
        self.drawn: list[str] = []

    def compose(self) -> Iterable[StyledLine]:
        yield self.line

    def say(self, words: str) -> None:
        self.line.update([piece(clean(words))])


class Lines(FrameRecorder):
    """Shows that screen and records the frames."""

    def __init__(self) -> None:
        super().__init__()
        self.shown = Line()
        self.frames = 0

    def on_mount(self) -> None:
        self.push_screen(self.shown)

    def on_frame(self, screen: Screen[Any], frame: object) -> None:
        self.frames += frame is not None


async def test_frames_are_left_out_while_output_waits_and_the_newest_is_drawn_then(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    app = Lines()
    async with app.run_test(size=(40, 5)) as pilot:
        await pilot.pause()
        asked: list[bool] = []
        waits = True

        def answer(_screen: object) -> bool:
            asked.append(waits)
            return waits

        monkeypatch.setattr(backpressure, "output_waits", answer)
        before = app.frames
        for number in range(5):
            app.shown.say(f"number {number}")
            seen = len(asked)
            await until_async(lambda seen=seen: len(asked) > seen)
        assert app.frames == before
        waits = False
        await until_async(lambda: app.frames > before)
        await pilot.pause()
        assert app.frames == before + 1
        assert "number 4" in app.export_screenshot().replace("&#160;", " ")


@needs("backpressure")
def test_what_the_terminal_has_not_taken_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    app = Lines()
    writer = queue_output(app)

    def of(_screen: object) -> Lines:
        return app

    monkeypatch.setattr(backpressure, "app_of", of)
    assert not output_waits(app.shown)
    writer.write("a frame")
    assert output_waits(app.shown)
    writer.start()
    writer.stop()
    assert not output_waits(app.shown)
