"""The form of a rule."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from console.config.rule_settings import SEVERITIES
from console.rules.editing import faults_of_typed
from console.rules.rule import Rule
from console.ui.dialogs.dialog import KeyButton
from console.ui.dialogs.fields import FieldsDialog
from console.ui.widgets.field_kinds import FieldKind
from console.ui.widgets.form_fields import FormField
from console.ui.widgets.form_reading import FormResult, Typed
from console.views.cell import Tone

_FIELDS = (
    ("name", "Name", ""),
    ("filter", "Filter", "as after /"),
    ("condition", "Condition", "count > 5"),
    ("critical", "Critical from", ""),
    ("each", "Each", "record, column"),
    ("severity", "Severity", ""),
    ("title", "Title", "a word"),
    ("words", "Words", "{name} waits"),
)


class RuleDialog(FieldsDialog[dict[str, str] | None]):
    """Returns all typed keys of the rule with its name, or None after cancelling."""

    def __init__(self, title: str, values: Mapping[str, str], rules: Iterable[Rule], *, new: bool) -> None:
        """`values` has the name, the list and the typed keys; the name can be typed if the rule is new."""
        fields = [_field(*field, values.get(field[0], "")) for field in _FIELDS if new or field[0] != "name"]
        super().__init__(title, fields, {})
        self._values = dict(values)
        self._rules, self._new = tuple(rules), new

    def buttons(self) -> Iterable[KeyButton]:
        """Return the buttons, cancel first."""
        yield KeyButton("escape", "esc", "Cancel")
        yield KeyButton("ctrl+y", "enter ^y", "Save", Tone.STRONG)

    def read(self, typed: Typed) -> FormResult:
        """Check the rule with the columns of its list."""
        given = {name: str(value).strip() for name, value in typed.items()}
        found: dict[str, Any] = {**self._values, **given}
        faults = faults_of_typed(
            found["name"], {key: value for key, value in found.items() if key != "name"}, self._rules, new=self._new
        )
        names = {field.name for field in self.fields}
        return FormResult(found, {key if key in names else "": text for key, text in faults.items()})

    def review(self, reading: FormResult) -> None:
        """Return the rule."""
        self.dismiss(dict(reading.changed))


def _field(name: str, title: str, about: str, initial: str) -> FormField:
    offered = tuple((severity, severity) for severity in SEVERITIES) if name == "severity" else ()
    return FormField(
        name=name,
        path=(name,),
        title=title,
        kind=FieldKind.CHOICE if offered else FieldKind.TEXT,
        required=name in ("name", "condition"),
        secret=False,
        about=about,
        initial=initial,
        offered=offered,
    )
