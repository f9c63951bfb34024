"""Base class of dialogs: layout, buttons, and protection against accidental answers.

A dialog ignores keys for its first moment, so that a key meant for the screen below cannot answer it. Where text is
typed, letters in that moment count, because they answer nothing: `t` and the first letters of a name are often typed in
one go. Escape always cancels. Changes are confirmed by `ctrl+y`, which neither a paste nor an answer of the terminal
can contain.
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

from console.base.text import clean
from console.ui.textual_compat import use_compositor
from console.ui.textual_compat.stylesheet import StylesKept
from console.ui.widgets.once import once
from console.ui.widgets.pick_list import PickList
from console.ui.widgets.theme import ScreenPart
from console.ui.widgets.tones import styled
from console.views.cell import Tone

Result = TypeVar("Result")

DEAF_SECONDS = 0.15
_LOW = 20
"""Height of the screen below which dialogs give their empty lines to the content."""
_ANSWERS = frozenset({"enter", "ctrl+y", "escape", "tab"})


class KeyButton(Widget):
    """A key with its meaning, which can be clicked."""

    DEFAULT_CSS = """
    KeyButton { width: auto; height: 1; margin-left: 2; }
    KeyButton:first-child { margin-left: 0; }
    KeyButton.filled { background: $panel; }
    """

    class Pressed(Message):
        """The button was clicked."""

        def __init__(self, key: str) -> None:
            super().__init__()
            self.key = key

    def __init__(self, key: str, text: str, message: str, tone: Tone = Tone.PLAIN) -> None:
        super().__init__()
        self._key, self._text, self._tone = key, text, tone
        self.on_enter = "enter" in text.split()
        self._message = message
        self._label = self._labelled()

    def _labelled(self) -> Content:
        key = styled(f"  {self._text}", ScreenPart.KEY)
        return styled(" ") + styled(self._message, self._tone) + key + styled(" ")

    def name_it(self, message: str) -> None:
        """Change the meaning of the key if it differs."""
        if message != self._message:
            self._message = message
            self._label = self._labelled()
            self.refresh(layout=True)

    def render(self) -> RenderResult:
        """Paint key and meaning."""
        return self._label

    def get_content_width(self, container: Size, viewport: Size) -> int:
        """Return the width of the text."""
        return self._label.cell_length

    def on_click(self, event: events.Click) -> None:
        """Report the click as the key."""
        event.stop()
        self.post_message(self.Pressed(self._key))


class Words(Widget):
    """A paragraph, wrapped to the width of the dialog; hidden without text."""

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
        """The text, without styles."""
        return self._words.plain

    def update(self, content: Content) -> None:
        """Replace the text if it differs."""
        if not content.is_same(self._words):
            self._words = content
            self.display = bool(content)
            self.refresh(layout=True)

    def render(self) -> RenderResult:
        """Paint the text."""
        return self._words


class Dialog(StylesKept, ModalScreen[Result]):
    """Base class: subclasses define `body` and `buttons`, and handle keys in `pressed`."""

    AUTO_FOCUS = ""
    WIDTH: ClassVar[int] = 64
    TYPED: ClassVar[bool] = False
    """Whether text is typed from the first moment."""
    EARLY: ClassVar[frozenset[str]] = frozenset()
    """Keys without effect except moving between fields; they work from the first moment."""
    FOOT: ClassVar[int] = 0
    """Number of rows of `foot`."""
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
    Dialog.low #body { padding: 0; }
    Dialog.low #buttons { margin: 1 0 0 0; }
    """

    def __init__(self, title: str) -> None:
        super().__init__()
        use_compositor(self)
        self._title = clean(title, 120)
        self.listening = False
        """Whether keys and clicks have an effect."""

    # -- for subclasses ---------------------------------------------------------------------------------------

    def body(self) -> ComposeResult:
        """Return the content of the dialog."""
        yield from ()

    def foot(self) -> ComposeResult:
        """Return the `FOOT` rows that stay visible below a scrolling body."""
        yield from ()

    def wide(self) -> int:
        """Return the width of the dialog; a narrower terminal limits it."""
        return self.WIDTH

    def buttons(self) -> Iterable[KeyButton]:
        """Return the buttons, the safe one first; the one that shows Enter is filled."""
        yield KeyButton("escape", "esc", "Close")

    def begin(self) -> None:
        """Set the focus; called when the dialog accepts keys, or with `TYPED` at the start."""

    def pressed(self, key: str, character: str | None) -> bool:
        """Handle a key that no field used; return whether it had a meaning."""
        return False

    def typed_early(self, key: str, character: str | None) -> None:
        """Handle a key of the first moment that answers nothing; called with `TYPED` only."""

    def leave(self) -> None:
        """Close without a change."""
        self.dismiss(None)

    def dismiss(self, result: Result | None = None) -> AwaitComplete:
        """Close once: a repeated key must not close the screen below."""
        return super().dismiss(result) if self.is_active else AwaitComplete()

    # -- implementation --------------------------------------------------------------------------------------------

    def compose(self) -> ComposeResult:
        """Lay out the dialog."""
        with Vertical(id="box") as box:
            box.border_title = styled(f" {self._title} ")
            box.styles.width = self.wide()
            with VerticalScroll(id="body", can_focus=False):
                yield from self.body()
            yield from self.foot()
            with Horizontal(id="buttons"):
                buttons = list(self.buttons())
                # Where Enter confirms nothing, the safe button has the background.
                next((button for button in buttons if button.on_enter), buttons[0]).add_class("filled")
                yield from buttons

    def on_mount(self) -> None:
        """Ignore keys for a moment."""
        self.deaf()

    def deaf(self) -> None:
        """Ignore keys for a moment, also after the content changed."""
        self.listening = False
        self.set_focus(None)
        if self.TYPED:
            self.begin()
        once(self, DEAF_SECONDS, self.listen)

    def listen(self) -> None:
        """Accept keys from now on."""
        self.listening = True
        if not self.TYPED:
            self.begin()

    def on_resize(self, event: events.Resize) -> None:
        """Reserve space for frame and buttons, and scroll the body; a low screen has no empty lines at the edges."""
        low = event.size.height < _LOW
        self.set_class(low, "low")
        self.query_one("#body").styles.max_height = max(1, event.size.height - (4 if low else 6) - self.FOOT)
        for rows in self.query(PickList):
            rows.limit(self.rows_below_a_line(event.size.height))

    def rows_below_a_line(self, height: int) -> int:
        """Return the rows of a body below its first line, such as an entry, on a screen of this height."""
        return max(3, height - (6 if height < _LOW else 9) - self.FOOT)

    def on_key(self, event: events.Key) -> None:
        """Handle a key that no field used. No key passes through the dialog."""
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
        """Scroll the body, unless the focused widget scrolls itself; return whether it was a scroll key."""
        if not isinstance(self.focused, Input | None):
            return False
        body = self.query_one("#body", VerticalScroll)
        step = {"up": -1, "down": 1, "pageup": -body.size.height + 1, "pagedown": body.size.height - 1}.get(key)
        if step is None:
            return False
        body.scroll_relative(y=step, animate=False, force=True)
        return True

    def on_key_button_pressed(self, message: KeyButton.Pressed) -> None:
        """Handle a click like its key."""
        message.stop()
        if not self.listening:
            return
        if message.key == "escape":
            self.leave()
        else:
            self.pressed(message.key, None)
