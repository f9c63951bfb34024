"""Dialog with an operation's inputs, and the difference before sending."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, cast

from textual import events
from textual.app import ComposeResult

from console.api.annotations import Variant
from console.base.text import SafeText, cells, clean, clean_lines
from console.commands.action import FormAsk
from console.ui.dialogs.dialog import Dialog, KeyButton, Words
from console.ui.dialogs.fields import FieldsDialog
from console.ui.widgets.form_entries import HIDDEN, changes, line_of
from console.ui.widgets.form_fields import Blank, FormField, fields_of, json_value, lacking_of
from console.ui.widgets.form_reading import FormResult, Typed, read_form, value_of
from console.ui.widgets.theme import app_of
from console.ui.widgets.tones import block
from console.views.cell import Cell, Line, Tone

_MOST_LINES = 200


class DifferenceDialog(Dialog[bool]):
    """Shows the difference: Enter sends, Escape returns to the form."""

    WIDTH = 76

    def __init__(self, title: str, lines: Iterable[Line]) -> None:
        super().__init__(title)
        self._lines = tuple(lines)

    def body(self) -> ComposeResult:
        """Lay out the difference."""
        yield Words(block(self._lines))

    def buttons(self) -> Iterable[KeyButton]:
        """Return the buttons, back first."""
        yield KeyButton("escape", "esc", "Back to the form")
        yield KeyButton("enter", "enter", "Send", Tone.STRONG)

    def pressed(self, key: str, character: str | None) -> bool:
        """Send on Enter."""
        if key in {"enter", "ctrl+y"}:
            self.dismiss(True)
            return True
        return False

    def leave(self) -> None:
        """Return to the form."""
        self.dismiss(False)


class FormDialog(FieldsDialog[dict[str, Any] | None]):
    """Returns the changed values by python field name, or None after cancelling.

    Enter in a one-line field, or `ctrl+y` anywhere, shows the difference; Enter again sends it. `ctrl+n` sets a field
    to null, then to the empty value; unchanged fields are not sent.
    """

    def __init__(self, ask: FormAsk, variant: Variant = Variant.LATER) -> None:
        why = f"not in the {variant.value} variant"
        lacking = dict.fromkeys(lacking_of(ask, variant), why)
        super().__init__(ask.title, fields_of(ask, variant), lacking, ask.people, ask.note)
        self._ask = ask

    def on_paste(self, event: events.Paste) -> None:
        """Insert the first line of a text that was pasted before the focus was set."""
        for line in event.text.splitlines()[:1]:
            self.typed_early("", line)

    def buttons(self) -> Iterable[KeyButton]:
        """Return the buttons, cancel first."""
        yield KeyButton("escape", "esc", "Cancel")
        yield KeyButton("ctrl+n", "^n", "Clear")
        yield KeyButton("ctrl+y", "enter ^y", "Check and send", Tone.STRONG)

    def read(self, typed: Typed) -> FormResult:
        """Parse the form with the operation's checks."""
        return read_form(self._ask, self.fields, typed)

    def review(self, reading: FormResult) -> None:
        """Show the difference."""
        if not reading.changed and self._ask.initial:
            self.notice("Nothing was changed.")
            return
        changed, values = dict(reading.changed), reading.as_typed
        fields = [field for field in self.fields if field.name in values]
        room = max((cells(clean(field.title)) for field in fields), default=0) + 2
        lines = [line for field in fields for line in _difference(field, values, room)]
        lines += _one_by_one(self._ask, fields, values)
        lines = lines or [(Cell(clean("No fields filled in."), Tone.QUIET),)]

        def answered(send: bool | None) -> None:
            if send:
                self.dismiss(changed)

        app_of(self).push_screen(DifferenceDialog(self._title, lines), answered)


def _difference(field: FormField, values: Mapping[str, Any], room: int) -> list[Line]:
    """Return the lines of a field, its values in the column after `room` cells."""
    now = values[field.name]
    name = Cell(clean(field.title.ljust(room)), Tone.QUIET)
    if field.entries is not None and not isinstance(now, Blank):
        return list(_entry_by_entry(field, now, name))
    after = Cell(_words(field, now, 300), Tone.STRONG)
    if field.initial is None:
        return [(name, after)]
    return [(name, Cell(_words(field, field.initial, 300), Tone.QUIET), Cell(clean(" → "), Tone.QUIET), after)]


def _words(field: FormField, value: Any, most: int, lines: int = 20) -> SafeText:
    """Return a value as text, distinguishing null and empty; a secret is hidden."""
    if isinstance(value, Blank):
        return clean(field.words_of(value), most)
    if value is None or value in ("", [], {}, ()):
        return clean(field.words_of(Blank.NULL if value is None else Blank.EMPTY))
    return clean(HIDDEN if field.secret else " · ".join(clean_lines(field.write(value), lines)), most)


def _one_by_one(ask: FormAsk, fields: Sequence[FormField], values: Mapping[str, Any]) -> list[Line]:
    """Return lines with the current values of several records, including those without a change."""
    lines: list[Line] = []
    for name, present in ask.each[:_MOST_LINES]:
        line = [Cell(clean(f"{name}  ", 40), Tone.STRONG)]
        for field in fields:
            now: Any = json_value(present.get(field.path[0]))
            for step in field.path[1:]:
                now = cast("Mapping[str, Any]", now).get(step) if isinstance(now, Mapping) else None
            has = _words(field, now, 60, 5)
            same = now == value_of(field, values[field.name])
            line.append(Cell(clean(f"{field.title}: {'the same  ' if same else f'was {has}  '}", 90), Tone.QUIET))
        lines.append(tuple(line))
    if len(ask.each) > _MOST_LINES:
        lines.append((Cell(clean(f"and {len(ask.each) - _MOST_LINES} more"), Tone.QUIET),))
    return lines


def _entry_by_entry(field: FormField, value: Any, name: Cell) -> Iterator[Line]:
    """Return lines for added, removed and changed entries, with their number."""
    assert field.entries is not None
    before, after = field.entries.apart(field.initial), field.entries.apart(value)
    amount = f"{len(before)} → {len(after)}" if before else str(len(after))
    yield (name, Cell(clean(amount), Tone.STRONG))

    def words(entry: Any) -> SafeText:
        return clean(line_of(entry, secret=field.secret) or "nothing", 200)

    changed_entries = list(changes(before, after))
    for was, now in changed_entries[:_MOST_LINES]:
        if was is None:
            yield (Cell(clean("  + "), Tone.GOOD), Cell(words(now), Tone.STRONG))
        elif now is None:
            yield (Cell(clean("  - "), Tone.WARN), Cell(words(was), Tone.QUIET))
        else:
            yield (
                Cell(clean("  ~ "), Tone.NOTICE),
                Cell(words(was), Tone.QUIET),
                Cell(clean(" → "), Tone.QUIET),
                Cell(words(now), Tone.STRONG),
            )
    if len(changed_entries) > _MOST_LINES:
        yield (Cell(clean(f"  and {len(changed_entries) - _MOST_LINES} more"), Tone.QUIET),)
