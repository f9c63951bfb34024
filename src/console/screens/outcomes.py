"""What is put before the operator when a change has come to its end: conflicts to settle, secrets that are said once.

Only over the screen in front, so that nothing opens over a dialog. What it needs is imported when there is such an end:
the first frame does without.
"""

from __future__ import annotations

from collections.abc import Sequence

from console.live.command import Outcome, Stage, Ticket, clashing, secret_of
from console.screens.frame import FrameScreen
from console.views.words import plural
from console.widgets.theme import app_of


def show_outcomes(screen: FrameScreen) -> None:
    """Open what a change that has ended calls for, one thing at a time."""
    app, context = app_of(screen), screen.context
    if app.screen is not screen:
        return
    tickets = context.backend.tickets()
    for ticket in tickets:
        if ticket.command.number not in context.settled and (outcomes := clashing(ticket)):
            context.settled.add(ticket.command.number)
            screen.run_worker(_settle(screen, ticket, outcomes))
            return
    ticket = next((each for each in reversed(tickets) if secret_of(each)), None)
    if ticket is not None:
        from console.screens.response_dialog import ResponseDialog

        app.push_screen(ResponseDialog(context, ticket))


async def _settle(screen: FrameScreen, ticket: Ticket, outcomes: Sequence[Outcome]) -> None:
    from console.screens.conflicts import settle
    from console.screens.run_action import NotDone

    for outcome in outcomes:
        try:
            instead = await settle(app_of(screen), screen.context, ticket, outcome)
        except NotDone as reason:
            if str(reason):
                screen.say(str(reason))
            continue
        if instead is not None:
            screen.submitted(instead)


def pending_words(tickets: Sequence[Ticket]) -> list[str]:
    """Return what is pending while commands are under way, a sentence each."""
    from console.live.responses import awaits_secret

    held = sum(each.stage is Stage.HELD for each in tickets)
    sent = sum(each.stage is Stage.PENDING for each in tickets)
    said: list[str] = []
    if held:
        rest = "is not sent yet: leaving sends it." if held == 1 else "are not sent yet: leaving sends them."
        said.append(f"{plural(held, 'change')} {rest}")
    if sent:
        said.append(f"{plural(sent, 'change')} {'waits' if sent == 1 else 'wait'} for the service to answer.")
    if any(awaits_secret(each) for each in tickets):
        said.append("The answer contains a secret that is shown only once.")
    return said
