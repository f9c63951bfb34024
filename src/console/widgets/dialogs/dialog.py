"""What all dialogs have in common: where they stand, how they look, and that nobody answers one by accident.

A dialog is deaf for its first moment, so that a key meant for the screen below cannot answer it. Escape always leaves
everything as it is. What changes something is confirmed by `ctrl+y`, which neither a paste nor a terminal's own reply
can contain.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar, TypeVar

from textual import events
from textual.app import ComposeResult, RenderResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.screen import ModalScreen
from textual.widget import Widget

from console.tables.cell import Tone
from console.text import clean
from console.widgets.pick_list import PickList
from console.widgets.theme import Part
from console.widgets.tones import styled

Result = TypeVar("Result")

DEAF_SECONDS = 0.15


class KeyButton(Widget):
    """A key and what it does, which can be clicked as well."""

    DEFAULT_CSS = """
    KeyButton { width: auto; height: 1; margin-left: 2; }
    KeyButton.first { background: $panel; margin-left: 0; }
    """

    class Pressed(Message):
        """It was clicked."""

        def __init__(self, key: str) -> None:
            super().__init__()
            self.key = key

    def __init__(self, key: str, shown: str, words: str, tone: Tone = Tone.PLAIN, *, first: bool = False) -> None:
        super().__init__(classes="first" if first else "")
        self._key = key
        self._label = styled(" ") + styled(words, tone) + styled(f"  {shown}", Part.KEY) + styled(" ")

    def render(self) -> RenderResult:
        """Paint the words and the key."""
        return self._label

    def get_content_width(self, container: Size, viewport: Size) -> int:
        """Return how wide the words are."""
        return self._label.cell_length

    def on_click(self, event: events.Click) -> None:
        """Pass the click on as the key."""
        event.stop()
        self.post_message(self.Pressed(self._key))


class Words(Widget):
    """A paragraph, broken to the width of the dialog; without words it takes no room."""

    DEFAULT_CSS = """
    Words { width: 1fr; height: auto; }
    Words.apart { margin-top: 1; }
    """

    def __init__(self, words: Content, *, apart: bool = False, id: str | None = None, classes: str = "") -> None:
        super().__init__(id=id, classes=f"apart {classes}" if apart else classes)
        self._words = words
        self.display = bool(words)

    @property
    def words(self) -> str:
        """What it says, without looks."""
        return self._words.plain

    def put(self, words: Content) -> None:
        """Say other words, if they differ."""
        if not words.is_same(self._words):
            self._words = words
            self.display = bool(words)
            self.refresh(layout=True)

    def render(self) -> RenderResult:
        """Paint the words."""
        return self._words


class Dialog(ModalScreen[Result]):
    """The base: subclasses give `body` and `buttons`, and answer keys in `pressed`."""

    AUTO_FOCUS = ""
    WIDTH: ClassVar[int] = 64
    DEFAULT_CSS = """
    Dialog { align: center middle; background: $background 60%; }
    Dialog > #box {
        max-width: 96%; height: auto; max-height: 100%; padding: 0 2;
        background: $surface; border: round $border;
        border-title-color: $foreground; border-title-style: bold;
    }
    Dialog #body {
        height: auto; padding: 1 0 0 0;
        scrollbar-size-vertical: 1; scrollbar-size-horizontal: 0; scrollbar-background: $surface;
    }
    Dialog #buttons { height: 1; margin: 1 0 1 0; align-horizontal: right; }
    """

    def __init__(self, title: str) -> None:
        super().__init__()
        self._title = clean(title, 120)
        self.listening = False
        """Whether keys and clicks count by now."""

    # -- what subclasses say ---------------------------------------------------------------------------------------

    def body(self) -> ComposeResult:
        """Give what stands in the dialog."""
        yield from ()

    def buttons(self) -> Iterable[KeyButton]:
        """Give the keys it can be answered with, the safe one first."""
        yield KeyButton("escape", "esc", "Close", first=True)

    def begin(self) -> None:
        """Take up work: called when the dialog begins to listen, to put the focus where typing goes."""

    def pressed(self, key: str, character: str | None) -> bool:
        """Answer a key that no field took; return whether it meant something."""
        return False

    def leave(self) -> None:
        """Close with everything left as it was."""
        self.dismiss(None)

    # -- the machinery ---------------------------------------------------------------------------------------------

    def compose(self) -> ComposeResult:
        """Lay out the box."""
        with Vertical(id="box") as box:
            box.border_title = styled(f" {self._title} ")
            box.styles.width = self.WIDTH
            with VerticalScroll(id="body", can_focus=False):
                yield from self.body()
            with Horizontal(id="buttons"):
                yield from self.buttons()

    def on_mount(self) -> None:
        """Be deaf for a moment."""
        self.deaf()

    def deaf(self) -> None:
        """Hear nothing for a moment, as when what is asked has just become another thing."""
        self.listening = False
        self.set_focus(None)
        self.set_timer(DEAF_SECONDS, self.listen)

    def listen(self) -> None:
        """Hear from now on."""
        self.listening = True
        self.begin()

    def on_resize(self, event: events.Resize) -> None:
        """Leave room for frame and buttons, and scroll what is between them."""
        self.query_one("#body").styles.max_height = max(1, event.size.height - 6)
        for rows in self.query(PickList):
            rows.limit(max(3, event.size.height - 9))

    def on_key(self, event: events.Key) -> None:
        """Hear a key that no field took. None of them goes further than the dialog."""
        if not self.listening:
            event.stop()
            event.prevent_default()
        elif event.key == "escape":
            event.stop()
            self.leave()
        elif self.pressed(event.key, event.character if event.is_printable else None):
            event.stop()
            event.prevent_default()

    def on_key_button_pressed(self, message: KeyButton.Pressed) -> None:
        """Answer a click like the key it stands for."""
        message.stop()
        if not self.listening:
            return
        if message.key == "escape":
            self.leave()
        else:
            self.pressed(message.key, None)
