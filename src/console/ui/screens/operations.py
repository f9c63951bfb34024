"""Run any operation: a form for its inputs, then a command, or for a query the answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf
from typing import TYPE_CHECKING, Any

from textual.app import ComposeResult

from console.api.catalogue import find
from console.api.request import Request
from console.base.text import clean
from console.commands.action import Choice, ChoiceAsk, FormAsk
from console.commands.conditions import condition
from console.commands.guards import blocked
from console.commands.inputs import build
from console.kinds.known_values import known_values
from console.kinds.operating import change, is_change, title_of
from console.kinds.resource import Resource
from console.kinds.resources import acts_on_row, bound, operations_of
from console.live.store import Asked
from console.records.record import Record
from console.ui.dialogs import ChoiceDialog, FormDialog
from console.ui.screens.app_context import AppContext
from console.ui.screens.overlay import Overlay, OverlayKey, lines_of
from console.ui.screens.revealing import Revealing
from console.ui.widgets.detail_pane import DetailPane
from console.ui.widgets.styled_line import piece
from console.ui.widgets.theme import app_of
from console.views.cell import Line, Section, Tone
from console.views.lines import raw
from console.views.wording import capitalized

if TYPE_CHECKING:
    from console.ui.screens.console_screen import ConsoleScreen


def run(
    screen: ConsoleScreen,
    name: str,
    wanted: Resource | None = None,
    records: Sequence[Record] = (),
    *,
    anew: bool = False,
) -> None:
    """Run an operation by name, on rows of a resource if it needs any; `anew` to create a record."""
    request = find(name)
    if is_change(request):
        action = change(name, wanted, anew=anew)
        screen.carry_out(action, tuple(records) if action.needs != "none" else ())
    else:
        _ask(screen, request, wanted, records)


def choose(screen: ConsoleScreen, wanted: Resource, records: Sequence[Record]) -> None:
    """Let the operator choose among all operations of a resource; those that are not for several records say so."""
    choices: list[Choice] = []
    situation = screen.context.situation()
    for request in operations_of(wanted):
        why = blocked(change(request.operation.name, wanted), situation, records)
        note = clean(why or request.operation.words, 80)
        choices.append(Choice(request.operation.name, clean(title_of(request, wanted)), note))

    def chosen(name: str | tuple[str, ...] | None) -> None:
        if isinstance(name, str):
            run(screen, name, wanted, records)

    if choices:
        title = wanted.title if len(records) < 2 else f"{wanted.title}: {len(records)} selected"
        app_of(screen).push_screen(ChoiceDialog(ChoiceAsk("operation", title, tuple(choices), digits=True)), chosen)
    else:
        screen.say("No actions are available here.")


def _ask(
    screen: ConsoleScreen, request: type[Request[Any]], wanted: Resource | None, records: Sequence[Record]
) -> None:
    on_row = wanted is not None and acts_on_row(wanted, request)
    if on_row and not records:
        screen.say("No record selected.")
        return
    context = screen.context
    situation = context.situation()
    action = change(request.operation.name, wanted)
    reason = blocked(action, situation, records)
    if reason:
        screen.say(reason)
        return
    fixed = bound(wanted, request, records[0]) if on_row and wanted else {}

    def answered(values: Mapping[str, Any] | None) -> None:
        if values is None:
            return
        try:
            asked = build(request, {**fixed, **values})
        except ValueError as error:
            screen.say(str(error))
            return
        app_of(screen).push_screen(AnswerScreen(context, asked))

    if any(input_.field not in fixed for input_ in request.inputs()):
        note = condition(request.operation, situation)
        known = known_values(request, situation)
        ask = FormAsk("form", capitalized(title_of(request, wanted)), request, {}, fixed, known=known, note=note)
        app_of(screen).push_screen(FormDialog(ask, context.variant(request.operation.service)), answered)
    else:
        answered({})


class AnswerScreen(Overlay):
    """The answer to a query, as received. Secrets are masked, and revealed for a few seconds on request."""

    def __init__(self, context: AppContext, request: Request[Any]) -> None:
        super().__init__(context)
        self._request = request
        self._revealed: tuple[Line, ...] = ()
        self._revealing = Revealing(context.clock)
        self._asked = Asked(context.store, request, self._read, seconds=inf)
        self._pane = DetailPane()

    def body(self) -> ComposeResult:
        """Return the answer."""
        yield self._pane

    def on_mount(self) -> None:
        """Send the query."""
        operation = self._request.operation
        self.head.update([piece(f"{operation.name}  ", Tone.STRONG), piece(operation.words, Tone.QUIET)])
        self._pane.focus()

    def keys(self) -> list[OverlayKey]:
        """Return the keys; secrets can be revealed if there are any."""
        reveal = OverlayKey("answer.reveal", self._revealing.key_words, self.reveal, shown=self._hides)
        return [reveal, OverlayKey("view.refresh", "refresh", self.refresh_answer, about="Query the service again.")]

    @property
    def _hides(self) -> bool:
        """Whether anything is masked."""
        return self._asked.answer is not None and self._revealed != self._asked.value

    def reveal(self) -> None:
        """Reveal secrets for a few seconds, or mask them again."""
        self._revealing.toggle()
        self.beat(True)

    def on_screen_suspend(self) -> None:
        """Mask secrets when the screen is left."""
        self._revealing.mask()

    def refresh_answer(self) -> None:
        """Query the service again."""
        self._asked.again()
        self.say("Refreshing…")

    def draw(self) -> None:
        """Show the current state of the answer."""
        masked = lines_of(self._asked, "There is no such operation.")
        revealed = self._revealed if self._revealing.left > 0 and self._hides else masked
        self._pane.show("answer", (Section("answer", "Answer", revealed),))

    def _read(self, answer: Any) -> tuple[Line, ...]:
        self._revealed = raw(answer, revealed=True)
        return raw(answer)
