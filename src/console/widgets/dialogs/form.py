"""The dialog that fills in an operation's inputs, and shows what would be sent before it is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.widget import Widget
from textual.widgets import Input, TextArea

from console.actions.action import FormAsk
from console.api.marks import Variant
from console.tables.cell import Cell, Line, Tone
from console.text import SafeText, clean, clean_lines
from console.widgets.clean_area import CleanArea
from console.widgets.clean_input import LONGEST, CleanInput
from console.widgets.cycle import Cycle
from console.widgets.dialogs.dialog import Dialog, KeyButton, Words
from console.widgets.form_fields import FieldKind, FormField, Reading, fields_of, lacking_of, read_form
from console.widgets.theme import app_of
from console.widgets.tones import block, styled

_HIDDEN = "••••••"


class DifferenceDialog(Dialog[bool]):
    """Shows what would be sent: Enter sends it, Escape goes back to the form."""

    def __init__(self, title: str, lines: Iterable[Line]) -> None:
        super().__init__(title)
        self._lines = tuple(lines)

    def body(self) -> ComposeResult:
        """Lay out the difference."""
        yield Words(block(self._lines))

    def buttons(self) -> Iterable[KeyButton]:
        """Give the way back first."""
        yield KeyButton("escape", "esc", "Back to the form", first=True)
        yield KeyButton("enter", "⏎", "Send it", Tone.STRONG)

    def pressed(self, key: str, character: str | None) -> bool:
        """Send on Enter."""
        if key in {"enter", "ctrl+y"}:
            self.dismiss(True)
            return True
        return False

    def leave(self) -> None:
        """Go back."""
        self.dismiss(False)


class FormDialog(Dialog[dict[str, Any] | None]):
    """Answers with the changed values by python field name, or None when it was left.

    A value that nobody touched is not read back from the screen, so that what cannot be shown is not lost. Enter in a
    one-line field, or `ctrl+y` anywhere, shows the difference; a second Enter sends it.
    """

    TYPED = True
    WIDTH = 76
    DEFAULT_CSS = """
    FormDialog .field { height: auto; }
    FormDialog .field > Words { width: 28; padding-right: 2; }
    FormDialog .field > CleanArea, FormDialog .field > CleanArea:focus { height: 4; width: 1fr; }
    FormDialog .field > CleanInput { width: 1fr; }
    FormDialog .fault { padding-left: 28; }
    """

    def __init__(self, ask: FormAsk, variant: Variant = Variant.LATER) -> None:
        super().__init__(ask.title)
        self._ask = ask
        self.fields = fields_of(ask, variant)
        self._variant = variant
        self._shown_faults = False

    def body(self) -> ComposeResult:
        """Lay out a label, a field and room for what is wrong, for each input."""
        yield Words(styled(""), id="form-fault")
        for number, field in enumerate(self.fields):
            label = styled(field.title) + styled(" *" if field.required else "", Tone.WARN)
            about = {FieldKind.LINES: "one a line", FieldKind.JSON: "JSON"}.get(field.kind, field.about)
            if about:
                label += styled(f"  {about}", Tone.QUIET)
            with Horizontal(classes="field"):
                yield Words(label)
                yield self._widget(field, f"field-{number}")
            yield Words(styled(""), id=f"fault-{number}", classes="fault")
        for title in lacking_of(self._ask, self._variant):
            with Horizontal(classes="field"):
                yield Words(styled(clean(title), Tone.QUIET))
                yield Words(styled(f"not in the {self._variant.value} variant", Tone.QUIET))

    @staticmethod
    def _widget(field: FormField, widget_id: str) -> Widget:
        match field.kind:
            case FieldKind.CHOICE:
                return Cycle([clean(words) for words, _ in field.offered], clean(field.shown), id=widget_id)
            case FieldKind.LINES | FieldKind.JSON:
                return CleanArea(field.shown, id=widget_id)
            case _:
                return CleanInput(field.shown, password=field.secret, id=widget_id)

    def buttons(self) -> Iterable[KeyButton]:
        """Give the way out first."""
        yield KeyButton("escape", "esc", "Leave it", first=True)
        yield KeyButton("ctrl+y", "⏎ ^y", "See the difference", Tone.STRONG)

    def begin(self) -> None:
        """Go to the first field."""
        if self.focused is None and self.fields:
            self.query_one("#field-0").focus()

    # -- reading ---------------------------------------------------------------------------------------------------

    def _typed(self) -> dict[str, str]:
        """Return the text of every field that differs from what was shown at first."""
        found: dict[str, str] = {}
        for number, field in enumerate(self.fields):
            widget = self.query_one(f"#field-{number}")
            if isinstance(widget, CleanArea):
                text, before = widget.text, "\n".join(clean_lines(field.shown))
            elif isinstance(widget, Cycle):
                text, before = widget.value, clean(field.shown)
            else:
                text, before = self.query_one(f"#field-{number}", CleanInput).value, clean(field.shown, LONGEST)
            if text != before:
                found[field.name] = text
        return found

    def _read(self) -> Reading:
        return read_form(self._ask, self.fields, self._typed())

    def _say_faults(self, faults: Mapping[str, str]) -> None:
        for number, field in enumerate(self.fields):
            self.query_one(f"#fault-{number}", Words).put(styled(faults.get(field.name, ""), Tone.WARN))
        self.query_one("#form-fault", Words).put(styled(faults.get("", ""), Tone.WARN))

    def _check(self) -> None:
        """Say what is wrong while it is typed, but not before it was tried once what merely is missing yet."""
        faults = self._read().faults
        if not self._shown_faults:
            typed = self._typed()
            faults = {name: words for name, words in faults.items() if name in typed}
        self._say_faults(faults)

    def on_input_changed(self, _event: Input.Changed) -> None:
        """Check what is typed."""
        self._check()

    def on_text_area_changed(self, _event: TextArea.Changed) -> None:
        """Check what is typed."""
        self._check()

    def on_cycle_changed(self, _event: Cycle.Changed) -> None:
        """Check what is chosen."""
        self._check()

    # -- keys ------------------------------------------------------------------------------------------------------

    def pressed(self, key: str, character: str | None) -> bool:
        """Go from field to field, or show the difference."""
        if key in {"enter", "ctrl+y"}:
            self._review()
        elif key in {"up", "down"} and not isinstance(self.focused, CleanArea):
            if key == "up":
                self.focus_previous()
            else:
                self.focus_next()
        else:
            return False
        return True

    def _review(self) -> None:
        reading = self._read()
        self._shown_faults = True
        self._say_faults(reading.faults)
        if reading.faults:
            first = next((n for n, field in enumerate(self.fields) if field.name in reading.faults), None)
            if first is not None:
                self.query_one(f"#field-{first}").focus()
            return
        if not reading.changed and self._ask.initial:
            self.query_one("#form-fault", Words).put(styled("Nothing was changed.", Tone.NOTICE))
            return
        changed = dict(reading.changed)
        told = reading.told
        lines = [line for field in self.fields if field.name in told for line in _difference(field, told)]
        lines = lines or [(Cell(clean("With nothing filled in."), Tone.QUIET),)]

        def answered(send: bool | None) -> None:
            if send:
                self.dismiss(changed)

        app_of(self).push_screen(DifferenceDialog(self._title, lines), answered)


def _difference(field: FormField, told: Mapping[str, Any]) -> list[Line]:
    def words(value: Any) -> SafeText:
        if field.secret and value:
            return clean(_HIDDEN)
        return clean(" · ".join(clean_lines(field.write(value), 20)) or "nothing", 300)

    name = Cell(clean(f"{field.title}  "), Tone.QUIET)
    after = Cell(words(told[field.name]), Tone.STRONG)
    if field.initial is None:
        return [(name, after)]
    return [(name, Cell(words(field.initial), Tone.QUIET), Cell(clean(" → "), Tone.QUIET), after)]
