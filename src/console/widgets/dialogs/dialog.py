"""What all dialogs have in common: where they stand, how they look, and that nobody answers one by accident.

A dialog is deaf for its first moment, so that a key meant for the screen below cannot answer it; where one types, what
is typed in that moment counts, for it answers nothing and would be missed: `t` and the first letters of a name are one
movement of the hand. Escape always leaves everything as it is. What changes something is confirmed by `ctrl+y`, which
neither a paste nor a terminal's own reply can contain.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar, TypeVar

from textual import events
from textual.app import ComposeResult, RenderResult
from textual.await_complete import AwaitComplete
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.screen import ModalScreen
from textual.widget import Widget
from textual.widgets import Input

from console.text import clean
from console.views.cell import Tone
from console.widgets.occlusion import CellsCompositor
from console.widgets.once import once
from console.widgets.pick_list import PickList
from console.widgets.theme import Part
from console.widgets.tones import styled

Result = TypeVar("Result")

DEAF_SECONDS = 0.15
_ANSWERS = frozenset({"enter", "ctrl+y", "escape", "tab"})


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

    def update(self, words: Content) -> None:
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
    TYPED: ClassVar[bool] = False
    """Whether one types here from the first moment on."""
    EARLY: ClassVar[frozenset[str]] = frozenset()
    """Keys that answer nothing and move between fields: heard from the first moment on as well."""
    FOOT: ClassVar[int] = 0
    """How many rows `foot` needs."""
    DEFAULT_CSS = """
    Dialog { align: center middle; background: $background 60%; }
    Dialog > #box {
        max-width: 96%; height: auto; max-height: 100%; padding: 0 2;
        background: $surface; border: solid $border;
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
        self._compositor = CellsCompositor()
        self._title = clean(title, 120)
        self.listening = False
        """Whether keys and clicks count by now."""

    # -- what subclasses say ---------------------------------------------------------------------------------------

    def body(self) -> ComposeResult:
        """Give what stands in the dialog."""
        yield from ()

    def foot(self) -> ComposeResult:
        """Give what stays in sight below a body that scrolls: `FOOT` rows of it."""
        yield from ()

    def wide(self) -> int:
        """Return the width of the box; a terminal that is narrower narrows it."""
        return self.WIDTH

    def buttons(self) -> Iterable[KeyButton]:
        """Give the keys it can be answered with, the safe one first."""
        yield KeyButton("escape", "esc", "Close", first=True)

    def begin(self) -> None:
        """Take up work, to put the focus where typing goes: called when it begins to listen, or with `TYPED` before."""

    def pressed(self, key: str, character: str | None) -> bool:
        """Answer a key that no field took; return whether it meant something."""
        return False

    def typed_early(self, key: str, character: str | None) -> None:
        """Take a key from the deaf moment that answers nothing; called with `TYPED` only."""

    def leave(self) -> None:
        """Close with everything left as it was."""
        self.dismiss(None)

    def dismiss(self, result: Result | None = None) -> AwaitComplete:
        """Close, once: a second key that was meant for this dialog must not close what is beneath."""
        return super().dismiss(result) if self.is_active else AwaitComplete()

    # -- the machinery ---------------------------------------------------------------------------------------------

    def compose(self) -> ComposeResult:
        """Lay out the box."""
        with Vertical(id="box") as box:
            box.border_title = styled(f" {self._title} ")
            box.styles.width = self.wide()
            with VerticalScroll(id="body", can_focus=False):
                yield from self.body()
            yield from self.foot()
            with Horizontal(id="buttons"):
                yield from self.buttons()

    def on_mount(self) -> None:
        """Be deaf for a moment."""
        self.deaf()

    def deaf(self) -> None:
        """Hear nothing for a moment, as when what is asked has just become another thing."""
        self.listening = False
        self.set_focus(None)
        if self.TYPED:
            self.begin()
        once(self, DEAF_SECONDS, self.listen)

    def listen(self) -> None:
        """Hear from now on."""
        self.listening = True
        if not self.TYPED:
            self.begin()

    def on_resize(self, event: events.Resize) -> None:
        """Leave room for frame and buttons, and scroll what is between them."""
        self.query_one("#body").styles.max_height = max(1, event.size.height - 6 - self.FOOT)
        for rows in self.query(PickList):
            rows.limit(max(3, event.size.height - 9 - self.FOOT))

    def on_key(self, event: events.Key) -> None:
        """Hear a key that no field took. None of them goes further than the dialog."""
        character = event.character if event.is_printable else None
        if not self.listening:
            if event.key in self.EARLY:
                return
            if self.TYPED and event.key not in _ANSWERS:
                self.typed_early(event.key, character)
            event.stop()
            event.prevent_default()
        elif event.key == "escape":
            event.stop()
            self.leave()
        elif self.pressed(event.key, character) or self._scrolled(event.key):
            event.stop()
            event.prevent_default()

    def _scrolled(self, key: str) -> bool:
        """Scroll what does not fit, unless what has the focus scrolls itself; return whether the key was for that."""
        if not isinstance(self.focused, Input | None):
            return False
        body = self.query_one("#body", VerticalScroll)
        step = {"up": -1, "down": 1, "pageup": -body.size.height + 1, "pagedown": body.size.height - 1}.get(key)
        if step is None:
            return False
        body.scroll_relative(y=step, animate=False, force=True)
        return True

    def on_key_button_pressed(self, message: KeyButton.Pressed) -> None:
        """Answer a click like the key it stands for."""
        message.stop()
        if not self.listening:
            return
        if message.key == "escape":
            self.leave()
        else:
            self.pressed(message.key, None)
