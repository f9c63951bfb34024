"""Dialogs for finished commands: conflicts to resolve, and secrets that the service returns only once.

They are opened only on the front screen, so that nothing opens over a dialog. Their modules are imported when needed,
since the first frame does not need them.
"""

from __future__ import annotations

from collections.abc import Sequence

from console.live.command import Outcome, Stage, Ticket, clashing, secret_of
from console.live.responses import awaits_secret
from console.ui.screens import deferred
from console.ui.screens.frame import FrameScreen
from console.ui.widgets.theme import app_of
from console.views.wording import plural


def show_outcomes(screen: FrameScreen) -> None:
    """Open the dialog that a finished command needs, one at a time."""
    app, context = app_of(screen), screen.context
    if app.screen is not screen:
        return
    tickets = context.backend.commands.tickets()
    for ticket in tickets:
        if ticket.command.number not in context.settled and (outcomes := clashing(ticket)):
            context.settled.add(ticket.command.number)
            screen.run_worker(_settle(screen, ticket, outcomes))
            return
    ticket = next((each for each in reversed(tickets) if secret_of(each)), None)
    if ticket is not None:
        app.push_screen(deferred.outcome_dialogs.ResponseDialog(context, ticket))


async def _settle(screen: FrameScreen, ticket: Ticket, outcomes: Sequence[Outcome]) -> None:
    for outcome in outcomes:
        try:
            instead = await deferred.outcome_dialogs.settle(app_of(screen), screen.context, ticket, outcome)
        except deferred.run_action.NotDone as reason:
            if str(reason):
                screen.say(str(reason))
            continue
        if instead is not None:
            screen.submitted(instead)


def pending_words(tickets: Sequence[Ticket]) -> list[str]:
    """Return the pending work while commands are in progress, a sentence each."""
    held = sum(ticket.stage is Stage.HELD for ticket in tickets)
    sent = sum(ticket.stage is Stage.PENDING for ticket in tickets)
    said: list[str] = []
    if held:
        rest = "is not sent yet: leaving sends it." if held == 1 else "are not sent yet: leaving sends them."
        said.append(f"{plural(held, 'change')} {rest}")
    if sent:
        said.append(f"{plural(sent, 'change')} {'waits' if sent == 1 else 'wait'} for the service to answer.")
    if any(awaits_secret(ticket) for ticket in tickets):
        said.append("The answer contains a secret that is shown only once.")
    return said
