"""The list of own changes: the commands of this console, the newest first, with the result of each record.

It includes commands that an earlier run of the console had sent or was about to send when it ended; their results are
unknown.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from console.config.paths import objects_in
from console.kinds.tables import TABLES
from console.live.command import KEPT, Outcome, Stage, Step, Ticket
from console.live.delta import Health
from console.live.responses import masked, shown_inputs
from console.records.own_changes import OwnChange
from console.ui.screens.app_context import AppContext
from console.ui.screens.list_pane import ListPane
from console.ui.screens.list_screen import ListScreen
from console.ui.screens.local_pane import LocalPane
from console.ui.screens.specs import ScreenSpec
from console.ui.widgets.message_line import named
from console.ui.widgets.styled_line import Piece, piece
from console.views.cell import Tone
from console.views.view import NOTHING, Repaint

MOST = 2_000
"""Maximum number of records shown; the oldest are left out."""
_EARLIER = "earlier session"


def changes_of(tickets: Sequence[Ticket], unresolved: Sequence[Mapping[str, Any]]) -> Iterator[OwnChange]:
    """Yield the changes of commands record by record, the newest command first, then those that an earlier run left
    open.

    Commands that were cancelled before they were sent are left out.
    """
    for ticket in tickets:
        if ticket.stage is Stage.TAKEN_BACK and not ticket.outcomes:
            continue
        outcomes = dict(enumerate(ticket.outcomes))
        for number, step in enumerate(ticket.command.steps):
            yield _change(ticket, number, step, outcomes.get(number))
    for intent in reversed(unresolved):
        yield from _earlier(intent)


def _change(ticket: Ticket, number: int, step: Step, outcome: Outcome | None) -> OwnChange:
    command = ticket.command
    state, reason = _state(ticket, outcome)
    title = step.words if state in {"done", "taken back"} else f"{command.title}: {named(step)}"
    request = outcome.step.request if outcome is not None else step.request
    return OwnChange(
        id=f"{command.number:06}-{number + 1:04}",
        state=state,
        at=outcome.at if outcome is not None and outcome.at else ticket.decided_at,
        decided_at=ticket.decided_at,
        words=title,
        answer=reason or (outcome.says if outcome is not None else "") or None,
        operation=request.operation.name,
        kind=command.kind,
        subject=step.key,
        made=outcome.made[0] if outcome is not None and outcome.made else None,
        inputs=shown_inputs(request),
        answered=masked(request, outcome.answer) if outcome is not None and outcome.answer is not None else None,
    )


def _state(ticket: Ticket, outcome: Outcome | None) -> tuple[str, str]:
    """Return the state of a step, and the reason if it was not done."""
    if outcome is None:
        if ticket.stage in {Stage.HELD, Stage.PENDING}:
            return ticket.stage.value, ""
        return "not sent", ticket.reason
    if outcome.stage is Stage.DONE:
        return ticket.stage.value if ticket.stage is Stage.TAKEN_BACK else "done", ""
    return outcome.stage.value if outcome.sent else "not sent", outcome.reason


def _earlier(intent: Mapping[str, Any]) -> Iterator[OwnChange]:
    """Parse an intent of the journal. The file may contain anything."""
    for number, step in enumerate(objects_in(intent.get("steps")) or [{}]):
        title = step.get("words") or step.get("operation") or intent.get("title") or intent.get("action")
        yield OwnChange.model_validate(
            {
                "id": f"earlier-{intent.get('command')}-{number + 1}",
                "state": Stage.UNKNOWN.value,
                "at": intent.get("at"),
                "decidedAt": intent.get("at"),
                "words": str(title),
                "answer": _EARLIER,
                "operation": step.get("operation"),
                "subject": step.get("key"),
                "earlier": True,
                "inputs": step.get("inputs"),
            }
        )


class ChangesPane(LocalPane):
    """The list of own changes."""

    def __init__(self, context: AppContext) -> None:
        super().__init__(context, TABLES["changes"])
        self._left_out = False

    @property
    def count(self) -> int:
        """The number of records of changes."""
        return self.view.total

    def source(self) -> Repaint:
        """Return the changes since the last call."""
        backend = self.context.backend
        tickets, unresolved = backend.commands.tickets(), backend.unresolved
        state = (
            tuple((ticket.command.number, ticket.stage, ticket.outcomes, ticket.reason) for ticket in tickets),
            unresolved,
        )
        if not self.differs(state):
            return NOTHING
        own_changes = list(changes_of(tickets, unresolved))
        self._left_out = len(own_changes) > MOST or len(tickets) >= KEPT
        return self.replace_records({own_change.id: own_change for own_change in own_changes[:MOST]})

    def totals(self) -> list[Piece]:
        """Return the totals, with a note if older changes are left out."""
        pieces = super().totals()
        return [*pieces, piece("  older ones are in the journal", Tone.WARN)] if self._left_out else pieces

    def why_empty(self) -> str:
        """Return the text for an empty list."""
        return "" if self.view.total else "No changes yet."


class ActivityScreen(ListScreen):
    """The list of own changes, opened over another screen; `esc` returns to that."""

    spec: ClassVar[ScreenSpec] = ScreenSpec("activity", "", "Own changes", "Changes", ("changes",))
    OVER: ClassVar[bool] = True

    def make_panes(self) -> Sequence[ListPane]:
        """Return the list of changes."""
        return [ChangesPane(self.context)]

    def on_mount(self) -> None:
        """Mark the changes of an earlier run as seen."""
        super().on_mount()
        self.context.backend.saw_unresolved()

    def health(self) -> Health:
        """Return the freshness of the connection."""
        return self.context.backend.link

    def kinds_in_view(self) -> frozenset[str]:
        """Return no kinds: all data are local."""
        return frozenset()

    def do_activity(self) -> None:
        """Close the list."""
        self.dismiss()
