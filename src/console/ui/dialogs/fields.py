"""Base class of dialogs with fields: forms, and forms of list entries.

Optional fields of which none is set are one closed line at first, so that the required ones are filled in quickly.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input, TextArea

from console.base.frozen import replace
from console.base.text import SafeText, cells, clean, fit
from console.commands.action import UserNames
from console.records.people import USER_ID_FIELDS
from console.ui.dialogs.dialog import Dialog, KeyButton, Words
from console.ui.widgets.clean_area import CleanArea, shown_in_area
from console.ui.widgets.clean_input import CleanInput, shown_in_input
from console.ui.widgets.field_kinds import FieldKind
from console.ui.widgets.form_entries import Entries
from console.ui.widgets.form_fields import Blank, FormField, closed_from, fields_of_entry, first_to_fill
from console.ui.widgets.form_reading import FormResult, Typed, read_entry
from console.ui.widgets.form_widgets import Cycle, EntryList, HintLine, KnownInput
from console.ui.widgets.theme import app_of
from console.ui.widgets.tones import styled
from console.views.cell import Tone
from console.views.wording import capitalized

Result = TypeVar("Result")
FIELDS = (CleanInput, CleanArea, Cycle, EntryList)
"""Widgets of fields."""
_NAMED = "name or id"
_LABEL, _MORE = 26, 44
"""Width of a label, and of the names of closed fields on the smallest terminal, in cells."""
_MOST_KNOWN = 3
"""The number of known values that fit the line of the hint."""
_HINTS = {
    FieldKind.DURATION: "such as 45s",
    FieldKind.LINES: "one per line",
    FieldKind.JSON: "JSON",
    FieldKind.VALUE: "text or JSON",
}


class FieldsDialog(Dialog[Result]):
    """Shows label, input and error of each of `fields`.

    Unchanged values are not read from the screen, so that values that cannot be displayed are not lost.
    """

    TYPED = True
    EARLY = frozenset({"tab", "shift+tab"})
    WIDTH = 76
    FOOT = 2
    DEFAULT_CSS = """
    FieldsDialog .field { height: auto; border-left: blank; }
    FieldsDialog .field:focus-within { border-left: outer $accent; }
    FieldsDialog .field:focus-within > .label { text-style: bold; }
    FieldsDialog .field > Words { width: 29; padding: 0 2 0 1; }
    FieldsDialog .field > .value { text-style: underline; }
    FieldsDialog .field > CleanArea, FieldsDialog .field > CleanArea:focus {
        height: auto; min-height: 1; max-height: 5; width: 1fr;
    }
    FieldsDialog .field > CleanInput { width: 1fr; }
    FieldsDialog .fault { padding-left: 30; }
    """

    def __init__(
        self,
        title: str,
        fields: Sequence[FormField],
        lacking: Mapping[str, str],
        people: UserNames | None = None,
        note: str = "",
    ) -> None:
        """`lacking` are titles of unavailable inputs, with the reason; `note` is shown at the top."""
        super().__init__(title)
        self.fields = fields
        self._lacking = lacking
        self._people = people
        self._note = clean(note, 300)
        self._shown_faults = False
        self._closed_at = closed_from(fields)
        """The number of the first hidden field."""
        self._blanks = {field.name: field.begins for field in fields}
        """The last blank of each field."""
        self._shown: dict[str, str] = {}
        """The initial text of each field."""

    # -- for subclasses -----------------------------------------------------------------------------------------

    def read(self, typed: Typed) -> FormResult:
        """Parse the fields."""
        raise NotImplementedError  # A widget class cannot be abstract too.

    def review(self, reading: FormResult) -> None:
        """Continue with valid values."""
        raise NotImplementedError  # As above.

    # -- layout ------------------------------------------------------------------------------------------------------

    def body(self) -> ComposeResult:
        """Lay out note, fields and unavailable inputs."""
        if self._note:
            yield Words(styled(self._note, Tone.WARN))
        yield Words(styled(""), id="form-fault")
        for number, field in enumerate(self.fields):
            if number == self._closed_at:
                yield KeyButton("ctrl+o", "^o", self._more())
            with Horizontal(classes="field", id=f"row-{number}") as row:
                row.display = number < self._closed_at
                yield Words(self._label(field), classes="label")
                yield self._widget(field, f"field-{number}").add_class("value")
            yield Words(styled(""), id=f"fault-{number}", classes="fault")
        for title, why in self._lacking.items():
            with Horizontal(classes="field"):
                yield Words(styled(clean(title), Tone.QUIET))
                yield Words(styled(clean(why), Tone.QUIET))

    def typed_early(self, key: str, character: str | None) -> None:
        """Insert letters that were typed before the focus was set."""
        first = self.focused or self.query_one(f"#field-{first_to_fill(self.fields)}")
        if character is not None and isinstance(first, CleanInput):
            first.put_in(character)

    def foot(self) -> ComposeResult:
        """Lay out the line with the hint of the field in focus."""
        yield HintLine()

    def _more(self) -> SafeText:
        """Return the number and the names of the closed fields."""
        closed = self.fields[self._closed_at :]
        return fit(clean(f"{len(closed)} more: " + ", ".join(field.title.lower() for field in closed)), _MORE)

    def _label(self, field: FormField) -> Content:
        """Return the title of a field, with its hint if both fit on a line."""
        label = styled(field.title) + styled(" *" if field.required else "", Tone.WARN)
        hint = "" if field.kind is FieldKind.CHOICE else self._hint(field)
        fits = label.cell_length + 2 + cells(hint) <= _LABEL
        return label + styled(f"  {hint}", Tone.QUIET) if hint and fits else label

    def _hint(self, field: FormField) -> SafeText:
        """Return what to enter in a field; empty if its title says it."""
        if field.kind is FieldKind.CHOICE:
            offered = f"←→ one of: {', '.join(text for text, _ in field.offered)}"
            return clean(f"{offered}. {field.about}" if field.about else offered)
        if self._people is not None and field.path[-1] in USER_ID_FIELDS and field.kind is FieldKind.TEXT:
            return self._people.name(field.filled) if isinstance(field.filled, str) and field.filled else clean(_NAMED)
        return clean(_HINTS.get(field.kind, "") or field.about)

    @staticmethod
    def _widget(field: FormField, widget_id: str) -> Widget:
        if field.entries is not None:
            return EntryList(field.entries, field.filled, secret=field.secret, id=widget_id)
        filled = field.write(field.filled)
        match field.kind:
            case FieldKind.CHOICE:
                return Cycle([clean(text) for text, _ in field.offered], clean(filled), id=widget_id)
            case FieldKind.LINES | FieldKind.JSON:
                return CleanArea(filled, id=widget_id)
            case FieldKind.TEXT if field.known and not field.secret:
                return KnownInput(filled, field.known, id=widget_id)
            case _:
                return CleanInput(filled, password=field.secret, id=widget_id)

    def begin(self) -> None:
        """Insert the blanks of a draft, and focus the first field to fill in."""
        for number, field in enumerate(self.fields):
            if field.begins is not None:
                self._put_blank(number, field.begins)
        self._need_members()
        if self.focused is None and self.fields:
            self.query_one(f"#field-{first_to_fill(self.fields)}").focus()

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Show the hint of the field."""
        self._show_hint(event.widget)

    def _show_hint(self, widget: Widget | None) -> None:
        """Show the hint of a field's widget with matching known values, or what the sign of a required field means."""
        field = next((field for n, field in enumerate(self.fields) if widget and widget.id == f"field-{n}"), None)
        hint = clean("") if field is None else self._hint(field)
        if isinstance(widget, KnownInput):
            offered = widget.matches[:_MOST_KNOWN]
            more = f", {len(widget.matches) - len(offered)} more" if len(widget.matches) > len(offered) else ""
            hint = clean(f"→ next of: {', '.join(offered)}{more}" if offered else "a new value: no known one matches")
        if not hint and any(field.required for field in self.fields):
            hint = clean("* required")
        self.query_one(HintLine).show(hint)

    def _open(self) -> None:
        """Show the closed fields."""
        for number in range(self._closed_at, len(self.fields)):
            self.query_one(f"#row-{number}").display = True
        self.query("#body > KeyButton").set(display=False)
        self._closed_at = len(self.fields)

    # -- parsing -----------------------------------------------------------------------------------------------------

    def typed(self) -> Typed:
        """Return the content of every field that differs from its initial content."""
        content: dict[str, str | Sequence[Any] | Blank] = {}
        for number, field in enumerate(self.fields):
            widget = self.query_one(f"#field-{number}")
            blank = self._blanks[field.name]
            if blank is not None and isinstance(widget, FIELDS) and widget.instead is not None:
                content[field.name] = blank
                continue
            if isinstance(widget, EntryList):
                if widget.value != widget.entries.apart(field.initial):
                    content[field.name] = widget.value
                continue
            text = widget.text if isinstance(widget, CleanArea) else _value_of(widget)
            if text != self._shown_at_first(field, widget):
                content[field.name] = text
        return content

    def _shown_at_first(self, field: FormField, widget: Widget) -> str:
        """Return the initial text of a field, computed once."""
        if field.name not in self._shown:
            if isinstance(widget, CleanArea):
                self._shown[field.name] = "\n".join(shown_in_area(field.shown))
            else:
                self._shown[field.name] = (
                    clean(field.shown) if isinstance(widget, Cycle) else shown_in_input(field.shown)
                )
        return self._shown[field.name]

    def _say_faults(self, faults: Mapping[str, str]) -> None:
        if any(field.name in faults for field in self.fields[self._closed_at :]):
            self._open()
        for number, field in enumerate(self.fields):
            self.query_one(f"#fault-{number}", Words).update(styled(faults.get(field.name, ""), Tone.WARN))
        self.notice(faults.get("", ""), Tone.WARN)

    def notice(self, text: str, tone: Tone = Tone.NOTICE) -> None:
        """Show a message about the whole form."""
        self.query_one("#form-fault", Words).update(styled(text, tone))

    def _need_members(self) -> None:
        """Show the rows of the names that an object must contain, as another field requires."""
        widgets = {field.name: self.query_one(f"#field-{number}") for number, field in enumerate(self.fields)}
        for field in self.fields:
            widget = widgets[field.name]
            if field.members is not None and isinstance(widget, EntryList) and field.members.by in widgets:
                widget.need(field.members.of(_value_of(widgets[field.members.by])))

    def _check(self) -> None:
        """Show errors while typing, but missing values only after the first attempt to submit."""
        typed = self.typed()
        faults = self.read(typed).faults
        if not self._shown_faults:
            faults = {name: text for name, text in faults.items() if name in typed}
        self._say_faults(faults)

    def on_input_changed(self, _event: Input.Changed) -> None:
        """Check the text, and show the known values that match it."""
        self._check()
        self._show_hint(self.focused)

    def on_text_area_changed(self, _event: TextArea.Changed) -> None:
        """Check the text."""
        self._check()

    def on_cycle_changed(self, _event: Cycle.Changed) -> None:
        """Check the selected value, which other fields may depend on."""
        self._need_members()
        self._check()

    def on_entry_list_changed(self, _event: EntryList.Changed) -> None:
        """Check the entries."""
        self._check()

    def on_entry_list_opened(self, message: EntryList.Opened) -> None:
        """Open the form of an entry."""
        rows, index = message.sender, message.index
        new = index >= len(rows.value)
        entry = rows.entries.opened(({"name": message.name} if message.name else {}) if new else rows.value[index])
        field = next(form_field for at, form_field in enumerate(self.fields) if f"field-{at}" == rows.id)

        def answered(filled: dict[str, Any] | None) -> None:
            if filled is not None:
                beside = rows.value if new else [rows.value[index]]
                rows.put(len(rows.value) if new else index, rows.entries.closed(filled, beside))

        of = "add" if new else f"entry {index + 1} of {len(rows.value)}"
        title = f"{field.title}: {message.name or of}"
        dialog = EntryDialog(title, rows.entries, entry, rows.secret, self._people, message.name, message.text)
        app_of(self).push_screen(dialog, answered)

    # -- keys --------------------------------------------------------------------------------------------------------

    def pressed(self, key: str, character: str | None) -> bool:
        """Move between fields, or submit."""
        if key in {"enter", "ctrl+y"}:
            self._go_on()
        elif key == "ctrl+n":
            self._next_blank()
        elif key == "ctrl+o" and self._closed_at < len(self.fields):
            first = self._closed_at
            self._open()
            self.query_one(f"#field-{first}").focus()
        elif key in {"up", "down"} and not isinstance(self.focused, CleanArea):
            if key == "up":
                self.focus_previous()
            else:
                self.focus_next()
        else:
            return False
        return True

    def _next_blank(self) -> None:
        """Insert the next value that cannot be typed into the focused field; after the last, restore the content."""
        number = next((n for n, _ in enumerate(self.fields) if self.query_one(f"#field-{n}") is self.focused), None)
        if number is None:
            return
        field = self.fields[number]
        widget = self.query_one(f"#field-{number}")
        now = self._blanks[field.name] if isinstance(widget, FIELDS) and widget.instead is not None else None
        if not field.blanks:
            self.notice(f"{field.title} cannot be none or empty.", Tone.WARN)
            return
        order = (None, *field.blanks)
        self._put_blank(number, order[(order.index(now) + 1) % len(order)])
        self._check()

    def _put_blank(self, number: int, blank: Blank | None) -> None:
        field, widget = self.fields[number], self.query_one(f"#field-{number}")
        self._blanks[field.name] = blank
        if isinstance(widget, FIELDS):
            widget.put_instead(None if blank is None else clean(field.words_of(blank)))

    def _go_on(self) -> None:
        reading = self.read(self.typed())
        self._shown_faults = True
        self._say_faults(reading.faults)
        if not reading.faults:
            self.review(reading)
            return
        first = next((n for n, field in enumerate(self.fields) if field.name in reading.faults), None)
        if first is not None:
            self.query_one(f"#field-{first}").focus()


def _value_of(widget: Widget) -> str:
    return widget.value if isinstance(widget, CleanInput | Cycle) else ""


class EntryDialog(FieldsDialog[dict[str, Any] | None]):
    """The form of a list entry: returns the whole entry by wire name, or None after cancelling."""

    WIDTH = 70

    def __init__(
        self,
        title: str,
        entries: Entries,
        entry: Mapping[str, Any],
        secret: bool,
        people: UserNames | None,
        name: str = "",
        text: str = "",
    ) -> None:
        """With a required `name`, only its value is entered, as text; `text` is the begin of it."""
        fields = fields_of_entry(entries, entry, secret=secret)
        if name:
            value = next(field for field in fields if field.name == entries.member)
            fields = (replace(value, title=capitalized(name), kind=FieldKind.TEXT, required=True, about=""),)
        super().__init__(title, fields, {}, people)
        self._entries = entries
        self._entry = entry
        self._text = text

    def begin(self) -> None:
        """Insert the typed text first: what follows it is appended."""
        super().begin()
        if self._text:
            first = self.query_one("#field-0", CleanInput)
            first.value = ""
            first.put_in(self._text)
            self._text = ""

    def buttons(self) -> Iterable[KeyButton]:
        """Return the buttons, cancel first."""
        yield KeyButton("escape", "esc", "Cancel")
        yield KeyButton("ctrl+n", "^n", "Clear")
        yield KeyButton("enter", "enter", "OK", Tone.STRONG)

    def read(self, typed: Typed) -> FormResult:
        """Parse the entry."""
        return read_entry(self._entries, self._entry, self.fields, typed, self._people)

    def review(self, reading: FormResult) -> None:
        """Return the entry; the form that contains it shows the difference."""
        self.dismiss(dict(reading.changed))
