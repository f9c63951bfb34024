"""Rules in the program: their list and their form, and the keys that switch, write and delete them. Nothing is sent."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from console.base.text import clean
from console.config.rule_settings import SEVERITIES
from console.config.toml_source import ConfigFault
from console.config.writer import forget_rule, save_rule
from console.kinds.tables import TABLES
from console.rules.editing import faults_of_typed, new_name, rows_of, texts_of
from console.rules.reading import SHIPPED, load_rules, own_file
from console.rules.rule import Rule
from console.ui.dialogs import ConfirmDialog
from console.ui.dialogs.dialog import KeyButton
from console.ui.dialogs.fields import FieldsDialog
from console.ui.screens.app_context import AppContext
from console.ui.screens.frame import FrameScreen
from console.ui.screens.local_pane import LocalPane
from console.ui.screens.when_free import forget
from console.ui.widgets.field_kinds import FieldKind
from console.ui.widgets.form_fields import FormField
from console.ui.widgets.form_reading import FormResult, Typed
from console.ui.widgets.theme import app_of
from console.views.cell import Tone
from console.views.view import NOTHING, Repaint

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
        answers = {name: str(value).strip() for name, value in typed.items()}
        settings: dict[str, Any] = {**self._values, **answers}
        faults = faults_of_typed(
            settings["name"],
            {key: value for key, value in settings.items() if key != "name"},
            self._rules,
            new=self._new,
        )
        names = {field.name for field in self.fields}
        return FormResult(settings, {key if key in names else "": text for key, text in faults.items()})

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


class RulesPane(LocalPane):
    """The list of rules."""

    def __init__(self, context: AppContext) -> None:
        super().__init__(context, TABLES["rules"])

    @property
    def count(self) -> int:
        """The number of rules."""
        return len(self.context.watch.rules) if self.context.watch is not None else 0

    def source(self) -> Repaint:
        """Return the changes since the last call."""
        watch = self.context.watch
        if watch is None:
            return NOTHING
        state = watch.rules, watch.faults, self.context.backend.revision, watch.collection.version
        if not self.differs(state):
            return NOTHING
        rows = rows_of(watch.rules, watch.faults, watch.collection.copy().values())
        return self.replace_records({row.name: row for row in rows})


def make_rule(screen: FrameScreen, kind: str, filter_text: str) -> None:
    """Open the form of a new rule about a filtered list."""
    watch = screen.context.watch
    if watch is None:
        screen.say(screen.context.why_no_rules)
        return
    name = new_name(kind, filter_text, watch.rules)
    values = {"name": name, "list": kind, "filter": filter_text, "condition": "any", "severity": "warning"}
    values |= {"title": kind[:9], "words": "{name}", "each": "", "critical": ""}
    _edit(screen, f"New rule about {kind}", values, None)


def edit_rule(screen: FrameScreen, name: str) -> None:
    """Open the form of a rule."""
    rule = _rule(screen, name)
    if rule is not None and not _is_once(screen, rule):
        _edit(screen, f"Rule {name}", {"name": name, "list": rule.list, **texts_of(rule)}, rule)


def _edit(screen: FrameScreen, title: str, values: Mapping[str, str], rule: Rule | None) -> None:
    watch = screen.context.watch
    known = watch.rules if watch is not None else ()

    def answered(typed: dict[str, str] | None) -> None:
        if typed is None:
            return
        name = typed.pop("name")
        changed = typed if rule is None else {key: value for key, value in typed.items() if value != values.get(key)}
        if changed:
            _save(screen, name, {key: value for key, value in changed.items() if rule is not None or value})

    app_of(screen).push_screen(RuleDialog(title, values, known, new=rule is None), answered)


def switch_rule(screen: FrameScreen, name: str) -> None:
    """Switch a rule on or off."""
    rule = _rule(screen, name)
    if rule is not None and not _is_once(screen, rule):
        _save(screen, name, {"enabled": not rule.enabled})


def delete_rule(screen: FrameScreen, name: str) -> None:
    """Delete an own rule, or the own changes of a shipped one; ask before."""
    rule, file = _rule(screen, name), own_file(screen.context.places)
    if rule is None:
        return
    if rule.once:
        forget(screen, rule)
        return
    if rule.origin != str(file):
        where = "shipped with the console" if rule.origin == SHIPPED else "in the configuration of the profile"
        screen.say(f"{name} is {where}: switch it off instead.")
        return

    def answered(confirmed: bool | None) -> None:
        if confirmed:
            _apply(screen, forget_rule(file, name), f"Rule {name} deleted.")

    note = clean("A shipped rule of this name is as it was before your changes.")
    app_of(screen).push_screen(ConfirmDialog(f"Delete rule {name}", (), note, does="Delete", ready=True), answered)


def _is_once(screen: FrameScreen, rule: Rule) -> bool:
    """Return whether a rule is told once; say what can be done with it."""
    if rule.once:
        screen.say(f"{rule.name} is told once: it can only be deleted.")
    return rule.once


def _rule(screen: FrameScreen, name: str) -> Rule | None:
    watch = screen.context.watch
    watched_rule = next((rule for rule in watch.rules if rule.name == name), None) if watch is not None else None
    if watched_rule is None:
        screen.say("No rule under the cursor.")
    return watched_rule


def _save(screen: FrameScreen, name: str, values: Mapping[str, Any]) -> None:
    text = f"Rule {name} switched {'on' if values['enabled'] else 'off'}." if "enabled" in values else ""
    _apply(screen, save_rule(own_file(screen.context.places), name, values), text or f"Rule {name} saved.")


def _apply(screen: FrameScreen, fault: str, text: str) -> None:
    """Use the rules as they are in the files now."""
    context = screen.context
    if fault:
        screen.say(fault)
        return
    try:
        rules = load_rules(context.places, context.profile.rules).rules
    except ConfigFault as error:
        screen.say(str(error.problems[0]))
        return
    if context.watch is not None:
        context.watch.use(rules)
    screen.say(text)
    screen.beat(True)
