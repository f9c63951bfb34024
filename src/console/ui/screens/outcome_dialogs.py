"""Dialogs of finished changes: conflicts to resolve, and answers with secrets that the service returns only once.

In a conflict between the operator's change and somebody else's, nothing was sent, and no input is lost.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import Any, Literal, TypeVar, cast

from textual import events
from textual.app import App, ComposeResult

from console.api.inputs import Input
from console.api.request import Request
from console.base.secrets import is_secret, without_secrets
from console.base.text import SafeText, as_label, clean, fit, join, left_out
from console.commands.action import Action
from console.kinds.actions import by_id
from console.kinds.catalogue import RESOURCES
from console.kinds.members.actions import written_order
from console.kinds.operating import change, operation_of
from console.kinds.tables import TABLES
from console.live.command import Clash, Command, Disputed, Outcome, Stage, Step, Ticket
from console.live.merging import insisting
from console.live.responses import masked, secrets_of, unmasked
from console.records.people import USER_ID_FIELDS
from console.records.record import Record
from console.ui.dialogs.dialog import Dialog, KeyButton, Words
from console.ui.screens.app_context import AppContext
from console.ui.screens.revealing import REVEALED_SECONDS, Revealing
from console.ui.screens.run_action import NotDone, run_action
from console.ui.screens.updating import Updating
from console.ui.widgets.detail_pane import DetailPane
from console.ui.widgets.theme import app_of
from console.ui.widgets.tones import block, styled
from console.ui.widgets.wrapping import wrap
from console.views.cell import Cell, Line, Section, Tone
from console.views.generated_table import field_text, name_of, value_text
from console.views.lines import MOST, raw
from console.views.spans import typed_span
from console.views.wording import capitalized, person

Settled = Literal["theirs", "mine", "edit"]
_SIDES = ("before", "theirs", "mine")


class ConflictDialog(Dialog[Settled]):
    """Shows the three versions side by side. Escape keeps theirs, `e` edits mine, `ctrl+y` sends mine."""

    WIDTH = 76

    def __init__(
        self,
        title: str,
        before: Sequence[SafeText],
        theirs: Sequence[SafeText],
        mine: Sequence[SafeText],
        *,
        editable: bool = True,
    ) -> None:
        super().__init__(title)
        self._columns = (before, theirs, mine)
        self._editable = editable

    def body(self) -> ComposeResult:
        """Lay out the versions in columns."""
        yield Words(styled("Not sent: somebody else changed it in the meantime.", Tone.WARN))
        yield Words(block(self._lines()), apart=True)

    def _lines(self) -> Iterable[Line]:
        width = (self.WIDTH - 10) // len(self._columns)
        yield tuple(Cell(fit(clean(heading), width), Tone.QUIET) for heading in _SIDES)
        nothing = clean("")
        for before, theirs, mine in zip_longest(*self._columns, fillvalue=nothing):
            tones = (
                Tone.QUIET,
                Tone.PLAIN if theirs == before else Tone.WARN,
                Tone.PLAIN if mine == before else Tone.STRONG,
            )
            columns = [_rows(side, width - 1) for side in (before, theirs, mine)]
            for row in zip_longest(*columns, fillvalue=nothing):
                yield tuple(Cell(fit(text, width), tone) for text, tone in zip(row, tones, strict=True))

    def buttons(self) -> Iterable[KeyButton]:
        """Return the buttons, the safe one first."""
        yield KeyButton("escape", "esc", "Keep theirs", Tone.STRONG)
        if self._editable:
            yield KeyButton("e", "e", "Edit mine again")
        yield KeyButton("ctrl+y", "^y", "Send mine", Tone.BAD)

    def pressed(self, key: str, character: str | None) -> bool:
        """Decide; Enter does nothing."""
        if key == "ctrl+y":
            self.dismiss("mine")
        elif key == "e" and self._editable:
            self.dismiss("edit")
        else:
            return character is not None or key == "enter"
        return True

    def leave(self) -> None:
        """Keep theirs."""
        self.dismiss("theirs")


class GoneDialog(Dialog[None]):
    """Shows the values of a change that was not sent because its record no longer exists. `y` copies them."""

    WIDTH = 76
    FOOT = 1

    def __init__(self, title: str, values: Sequence[tuple[str, SafeText]], copied: str) -> None:
        """`values` are the titles of fields and their values; `copied` is the text for the clipboard."""
        super().__init__(title)
        self._values = values
        self._copied = copied
        self._message = Words(styled(""))

    def body(self) -> ComposeResult:
        """Lay out the values."""
        yield Words(styled("Not sent: it was deleted or renamed in the meantime.", Tone.WARN))
        lines = ((Cell(clean(f"{title}: "), Tone.QUIET), Cell(value, Tone.STRONG)) for title, value in self._values)
        yield Words(block(row for line in lines for row in wrap(line, self.WIDTH - 8)), apart=True)

    def foot(self) -> ComposeResult:
        """Return the line of notices."""
        yield self._message

    def buttons(self) -> Iterable[KeyButton]:
        """Return the buttons, the safe one first."""
        yield KeyButton("escape", "esc", "Close", Tone.STRONG)
        if self._values:
            yield KeyButton("y", "y", "Copy values")

    def pressed(self, key: str, character: str | None) -> bool:
        """Copy the values; Enter does nothing, because the form was sent with it."""
        if character == "y" and self._values:
            app_of(self).copy_to_clipboard(clean(self._copied, _LONGEST))
            self._message.update(styled("The values were sent to the terminal's clipboard."))
        return character is not None or key == "enter"


def _rows(text: SafeText, width: int) -> list[SafeText]:
    """Wrap text in a column, so that it is completely visible."""
    return [join("", [cell.text for cell in row]) for row in wrap((Cell(text),), width)]


T = TypeVar("T")

_NOTHING = clean("")
_OF_USERS = USER_ID_FIELDS | {"participants", "subscribed"}
"""Inputs with ids of users, which are shown as names."""


async def settle(app: App[Any], context: AppContext, ticket: Ticket, outcome: Outcome) -> Ticket | None:
    """Show the three versions and execute the operator's choice; return the new command, if one was submitted.

    Raise NotDone like `run_action`.
    """
    clash = cast(Clash, outcome.clash)
    command = ticket.command
    form = operation_of(command) is not None
    table = TABLES.get(command.kind)
    render = context.render_context()
    # A record without a key, such as permissions, belongs to the row of the step.
    is_row = clash.record is not None and hasattr(clash.record, type(clash.record).key_field)
    row = clash.record if is_row else render.find(command.kind, outcome.step.key)
    name = outcome.step.words if row is None else table.name(row, render) if table else name_of(row)
    if clash.record is None:
        values = [
            (
                _label(outcome.step.request, disputed.field),
                join(", ", _value_text(context, outcome.step.request, disputed, disputed.mine)),
            )
            for disputed in clash.disputed
        ]
        copied = _copied(outcome.step.request, {each.field for each in clash.disputed})
        await app.push_screen_wait(GoneDialog(f"{capitalized(command.title)}: {name}", values, copied))
        return None
    before, theirs, mine = _sides(context, outcome.step.request, clash.disputed)
    chosen = await app.push_screen_wait(
        ConflictDialog(
            f"{capitalized(command.title)}: {name}",
            before,
            theirs,
            mine,
            editable=not command.takes_back and row is not None,
        )
    )
    if chosen not in {"mine", "edit"}:
        return None
    try:
        step = insisting(outcome.step, clash)
    except ValueError:
        raise NotDone("The changes that somebody else made cannot be sent along.") from None
    if chosen == "mine":
        return context.backend.commands.submit(Command(command.action, command.kind, (step,), command.title))
    draft = _draft(context, step, clash, form=form)
    records = () if row is None else (row,)
    return await run_action(app, context, _action(command), records, row, draft=draft)


def _action(command: Command) -> Action[Any]:
    """Return the action of a command."""
    operation = operation_of(command)
    return by_id(command.action) if operation is None else change(operation, RESOURCES.get(command.kind))


def _input(request: Request[Any], field: str) -> Input | None:
    """Return the declared input of a field."""
    return next((part for part in request.inputs() if part.field == field), None)


def _label(request: Request[Any], field: str) -> str:
    """Return the name of a field in the form of a request."""
    declared = _input(request, field)
    return (declared.title if declared is not None else "") or as_label(field)


def _sides(
    context: AppContext, request: Request[Any], disputed: Sequence[Disputed]
) -> tuple[list[SafeText], list[SafeText], list[SafeText]]:
    """Return the previous, their and the operator's values, field by field, each below its label."""
    sides: tuple[list[SafeText], list[SafeText], list[SafeText]] = ([], [], [])
    for difference in disputed:
        sides[0].append(clean(f"{_label(request, difference.field)}:"))
        sides[1].append(_NOTHING)
        sides[2].append(_NOTHING)
        versions = [
            _value_text(context, request, difference, value)
            for value in (difference.before, difference.theirs, difference.mine)
        ]
        for lines in zip_longest(*versions, fillvalue=_NOTHING):
            for side, line in zip(sides, lines, strict=True):
                side.append(line)
    return sides


def _value_text(context: AppContext, request: Request[Any], disputed: Disputed, value: Any) -> Sequence[SafeText]:
    """Return one value as text, a line per entry, without secrets."""
    declared = _input(request, disputed.field)
    of_users = disputed.field in _OF_USERS

    def line(entry: object) -> SafeText:
        if isinstance(entry, Record):
            known = entry.model_dump(exclude_none=True).items()
            return clean(value_text([member for name, member in known if not is_secret(name)]) or "nothing", 200)
        if of_users and isinstance(entry, str):
            return clean(person(entry, context.render_context()) or "nobody")
        if declared is not None and declared.duration is not None and isinstance(entry, int | float):
            return clean(typed_span(entry * declared.duration.unit_ms))
        return clean(field_text(disputed.field, entry) or "nothing", 200)

    entries = cast("tuple[object, ...]", value) if isinstance(value, tuple) else (value,)
    return _several(entries, line) or [clean("nobody" if of_users else "nothing")]


def _copied(request: Request[Any], fields: Collection[str]) -> str:
    """Return the values of fields for the clipboard: one text as it is, others as JSON, without secrets."""
    sent = request.model_dump(by_alias=True, mode="json", exclude_unset=True)
    shown = {part.wire: sent[part.wire] for part in request.inputs() if part.field in fields and part.wire in sent}
    values = without_secrets(shown, also={part.wire for part in request.inputs() if part.secret})
    only = next(iter(values.values())) if len(values) == 1 else None
    return only if isinstance(only, str) else json.dumps(values, ensure_ascii=False)


def _several(entries: Sequence[T], text_of: Callable[[T], SafeText]) -> Sequence[SafeText]:
    """Return the first entries as text, a line each, and the number of further ones."""
    more = left_out(len(entries) - MOST, "entry")
    return [*(text_of(entry) for entry in entries[:MOST]), *([more] if more else [])]


def _draft(context: AppContext, step: Step, clash: Clash, *, form: bool) -> str | Mapping[str, Any]:
    """Return the operator's value as form input. Members that others added meanwhile are at the end of an order."""
    if form:
        return {name: getattr(step.request, name) for name in step.request.model_fields_set}
    mine = getattr(step.request, clash.disputed[0].field, None)
    if isinstance(mine, tuple):
        return written_order(context.render_context(), cast("tuple[str, ...]", mine))
    return mine if isinstance(mine, str) else ""


_LONGEST = 100_000
ONCE = "The secret is shown only here: v shows it, y copies it while it is shown."
SURE = "The secret has not been shown yet. Press esc again to close anyway."


class ResponseDialog(Dialog[None], Updating):
    """The answer to a change, with its secrets masked.

    `v` reveals them for ten seconds, during which `y` copies them. They are deleted when the dialog closes; `esc`
    closes it at once if they were revealed, otherwise it asks first.
    """

    WIDTH = 76
    FOOT = 2
    DEFAULT_CSS = """
    ResponseDialog DetailPane { background: $surface; height: 3; }
    ResponseDialog #said { margin-top: 1; }
    """

    def __init__(self, context: AppContext, ticket: Ticket) -> None:
        super().__init__(_title(ticket))
        self._app_context = context
        self._number = ticket.command.number
        self._outcomes = tuple(outcome for outcome in ticket.outcomes if outcome.stage is Stage.DONE)
        self._revealing = Revealing(context.clock)
        self._seen = self._shown = self._sure = False
        self._pane = DetailPane()
        self._message = Words(styled(""), id="said")

    def body(self) -> ComposeResult:
        """Return the answers."""
        yield self._pane

    def foot(self) -> ComposeResult:
        """Return the line of notices."""
        yield self._message

    def buttons(self) -> Iterable[KeyButton]:
        """Return the buttons for the secrets, and the one that closes."""
        yield KeyButton("v", "v", "Show")
        yield KeyButton("y", "y", "Copy")
        yield KeyButton("escape", "esc", "Close")

    def begin(self) -> None:
        """Focus the answers, so that the arrow keys scroll."""
        self._pane.focus()

    def on_mount(self) -> None:
        """Show the answers before keys are handled."""
        super().on_mount()
        self._say(ONCE)
        self.beat(True)

    def on_resize(self, event: events.Resize) -> None:
        """Adapt the height to the terminal and the contents."""
        super().on_resize(event)
        self.beat(True)

    def beat(self, _fresh: bool, /) -> None:
        """Show the answers, masked again after the time has passed."""
        if not self._pane.is_mounted:
            return
        if self._shown and not self._revealing.left:
            self._say(ONCE)
        self._shown = bool(self._revealing.left)
        lines: list[Line] = []
        for outcome in self._outcomes:
            lines += self._lines(outcome)
        self._pane.show("answer", (Section("answer", "Answer", tuple(lines)),))
        self._pane.styles.height = max(3, min(self._pane.rows, self.size.height - 10))

    def _lines(self, outcome: Outcome) -> Iterable[Line]:
        request, answer = outcome.step.request, outcome.answer
        if len(self._outcomes) > 1:
            yield (Cell(clean(outcome.step.words, 100), Tone.STRONG),)
        shown = unmasked(request, answer) if self._revealing.left else masked(request, answer)
        yield from raw(shown, revealed=True)

    def pressed(self, key: str, character: str | None) -> bool:
        """Reveal, mask or copy the secrets."""
        match character:
            case "v":
                self._revealing.toggle()
                self._seen = self._seen or bool(self._revealing.left)
                self._say(f"Shown for {REVEALED_SECONDS:.0f} s: y copies it." if self._revealing.left else ONCE)
                self.beat(True)
            case "y":
                self._copy()
            case _:
                return key == "enter"
        return True

    def _copy(self) -> None:
        """Send the only secret, or otherwise the whole answer, to the terminal's clipboard while it is revealed."""
        if not self._revealing.left:
            self._say("Press v to show it first, then y to copy it.")
            return
        secrets = [secret for outcome in self._outcomes for secret in secrets_of(outcome.step.request, outcome.answer)]
        answers = [unmasked(outcome.step.request, outcome.answer) for outcome in self._outcomes]
        text = secrets[0] if len(secrets) == 1 else json.dumps(answers[0] if len(answers) == 1 else answers)
        if clean(text, _LONGEST) != text:
            self._say("It contains characters that cannot be copied safely: write it down.")
            return
        app_of(self).copy_to_clipboard(clean(text, _LONGEST))
        what = "The secret" if len(secrets) == 1 else "The answer with its secrets"
        self._say(f"{what} was sent to the terminal's clipboard.")

    def _say(self, text: str) -> None:
        self._message.update(styled(text, Tone.NOTICE if text != SURE else Tone.WARN))

    def leave(self) -> None:
        """Close and delete the secrets; ask first if they were never revealed."""
        if not self._seen and not self._sure:
            self._sure = True
            self._say(SURE)
            return
        self._app_context.backend.commands.forget_secrets(self._number)
        self.dismiss(None)


def _title(ticket: Ticket) -> str:
    steps = ticket.command.steps
    text = steps[0].words if len(steps) == 1 else ticket.command.title
    return f"Answer: {text}"
