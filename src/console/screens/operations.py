"""Running any operation: a form for what it needs to know, then a command, or for a question its answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.screen import Screen

from console.actions.action import Choice, ChoiceAsk, FormAsk
from console.actions.answers import build
from console.actions.gate import blocked
from console.actions.operating import change, is_change, title_of
from console.actions.resources import Resource, acts_on_row, bound, operations_of
from console.api.catalogue import find
from console.api.request import Request
from console.records.record import Record
from console.screens.asked import Asked
from console.screens.detail import DetailFoot, DetailHead
from console.screens.revealing import Revealing
from console.screens.station import Station
from console.tables.cell import Line, Section, Tone
from console.tables.lines import raw
from console.text import clean
from console.widgets.detail_pane import DetailPane
from console.widgets.dialogs import ChoiceDialog, FormDialog
from console.widgets.saying import piece
from console.widgets.theme import app_of

if TYPE_CHECKING:
    from console.screens.frame import DeskScreen


def run(
    screen: DeskScreen,
    name: str,
    wanted: Resource | None = None,
    records: Sequence[Record] = (),
    *,
    anew: bool = False,
) -> None:
    """Run an operation by name, on a row of a resource where it is about one, unless it is to make one `anew`."""
    request = find(name)
    if is_change(request):
        action = change(name, wanted, anew=anew)
        screen.carry_out(action, tuple(records) if action.needs != "none" else ())
    else:
        _ask(screen, request, wanted, records)


def choose(screen: DeskScreen, wanted: Resource, records: Sequence[Record]) -> None:
    """Let the operator choose among all that can be done with a resource."""
    choices: list[Choice] = []
    situation = screen.station.situation()
    for request in operations_of(wanted):
        why = blocked(change(request.operation.name, wanted), situation, records)
        note = clean(why or request.operation.title, 80)
        choices.append(Choice(request.operation.name, clean(title_of(request, wanted)), note))

    def chosen(name: str | tuple[str, ...] | None) -> None:
        if isinstance(name, str):
            run(screen, name, wanted, records)

    if choices:
        app_of(screen).push_screen(
            ChoiceDialog(ChoiceAsk("operation", wanted.title, tuple(choices), digits=True)), chosen
        )
    else:
        screen.say("There is nothing that can be done here.")


def _ask(screen: DeskScreen, request: type[Request[Any]], wanted: Resource | None, records: Sequence[Record]) -> None:
    on_row = wanted is not None and acts_on_row(wanted, request)
    if on_row and not records:
        screen.say("There is nothing here to act on.")
        return
    fixed = bound(wanted, request, records[0]) if on_row and wanted else {}
    station = screen.station

    def answered(given: Mapping[str, Any] | None) -> None:
        if given is None:
            return
        try:
            asked = build(request, {**fixed, **given})
        except ValueError as error:
            screen.say(str(error))
            return
        app_of(screen).push_screen(AnswerScreen(station, asked))

    if any(each.field not in fixed for each in request.inputs()):
        ask = FormAsk("form", request.operation.name, request, {}, fixed)
        app_of(screen).push_screen(FormDialog(ask, station.variant(request.operation.backend)), answered)
    else:
        answered({})


class AnswerScreen(Screen[None]):
    """What the service answered to a question, as it came. Its secrets are masked, but for a moment on request."""

    BINDINGS: ClassVar[list[BindingType]] = [
        ("escape,q,enter", "dismiss", "back"),
        ("ctrl+r", "again", "ask again"),
        ("v", "reveal", "reveal secrets"),
    ]

    def __init__(self, station: Station, request: Request[Any]) -> None:
        super().__init__()
        self._station = station
        self._request = request
        self._revealed: tuple[Line, ...] = ()
        self._revealing = Revealing(station.clock)
        self._asked = Asked(station, request, self._read, "There is no such thing.", again=float("inf"))
        self._head = DetailHead()
        self._pane = DetailPane()
        self._foot = DetailFoot()

    def compose(self) -> ComposeResult:
        """Lay out what was asked, the answer and the keys."""
        yield self._head
        yield self._pane
        yield self._foot

    def on_mount(self) -> None:
        """Ask at once."""
        operation = self._request.operation
        self._head.put([piece(f"{operation.name}  ", Tone.STRONG), piece(operation.title, Tone.QUIET)])
        self._pane.focus()
        self.beat(True)

    def action_again(self) -> None:
        """Ask once more."""
        self._asked.refresh()

    def action_reveal(self) -> None:
        """Show what is masked for a moment, or no longer."""
        self._revealing.toggle()
        self.beat(True)

    def on_screen_suspend(self) -> None:
        """Mask what is no longer looked at."""
        self._revealing.mask()

    def beat(self, _fresh: bool) -> None:
        """Show what is known of the answer."""
        masked = self._asked.lines()
        shown = self._revealed if self._asked.answer is not None else masked
        left = self._revealing.left
        reveal = (("v", self._revealing.key_words),) if shown != masked else ()
        self._foot.keys(("esc", "back"), *reveal, ("^r", "ask again"), ("↑↓", "scroll"))
        self._pane.show("answer", (Section("answer", "Answer", shown if left > 0 else masked),))

    def _read(self, answer: Any) -> tuple[Line, ...]:
        self._revealed = raw(answer, revealed=True)
        return raw(answer)
