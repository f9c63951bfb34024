"""Own commands on the screen: dialogs that their outcomes need, undo by key, and what is pending on leaving.

Dialogs are opened only on the front screen, so that nothing opens over a dialog. Their modules are imported when
needed, since the first frame does not need them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from console.base.text import clean, of_number
from console.live.command import Outcome, Stage, Ticket, clashing, next_undo, secret_of
from console.live.responses import awaits_secret
from console.ui.screens import deferred
from console.ui.screens.frame import NOTHING_TO_UNDO, FrameScreen
from console.ui.screens.updating import FullScreen
from console.ui.widgets.message_line import described
from console.ui.widgets.styled_line import piece
from console.ui.widgets.theme import app_of
from console.views.wording import capitalized, plural

NOT_DONE_YET = "Still being sent: undo it once it is done."
_INVERSES = (
    (r"added (.+) to (.+)", "remove {} from {}"),
    (r"removed (.+) from (.+)", "add {} to {}"),
    (r"started (.+)", "stop {}"),
    (r"turned statistics on for (.+)", "turn statistics off for {}"),
    (r"turned statistics off for (.+)", "turn statistics on for {}"),
)
_DOUBLES = r"[^aeiou]*[aeiou][^aeiouwxy]|cancel|transfer"
"""Verbs whose last letter is doubled before -ing."""


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
    ticket = next((earlier for earlier in reversed(tickets) if secret_of(earlier)), None)
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
    sentences: list[str] = []
    if held:
        rest = "is not sent yet: leaving sends it." if held == 1 else "are not sent yet: leaving sends them."
        sentences.append(f"{plural(held, 'change')} {rest}")
    if sent:
        sentences.append(f"{plural(sent, 'change')} {of_number(sent, 'waits')} for the service to answer.")
    if any(awaits_secret(ticket) for ticket in tickets):
        sentences.append("The answer contains a secret that is shown only once.")
    return sentences


def undo(screen: FrameScreen) -> None:
    """Undo the last change, or name the change that another press undoes."""
    context = screen.context
    front = app_of(screen).screen
    shown_on = front if isinstance(front, FullScreen) else screen
    line = shown_on.message_line
    tickets, key = context.backend.commands.tickets(), context.key_words("view.undo")
    # Report finished commands first: their notice would replace this one at the next refresh.
    shown_on.show_commands()
    following = next_undo(tickets)
    ticket = following.ticket
    final = f"{_cannot_undo(following.final)} " if following.final is not None else ""
    if ticket is None:
        under_way = any(sent.under_way for sent in tickets)
        text = NOT_DONE_YET if under_way else final or NOTHING_TO_UNDO
        line.say([piece(clean(text.strip(), 200))])
    elif ticket.stage is Stage.HELD or line.named == ticket.command.number:
        undone = context.backend.commands.undo(ticket.command.number)
        if undone is not None:
            screen.submitted(undone)
    else:
        text = f"{final}{key} again: {_undoing(ticket)}"
        line.say([piece(clean(text, 240))], ticket.command.number)


def _cannot_undo(ticket: Ticket) -> str:
    """Return the sentence that a change cannot be undone: `Accepting cannot be undone.`"""
    verb = ticket.command.title.strip().partition(" ")[0].lower()
    participle = ticket.command.steps[0].words.partition(" ")[0]
    stem = verb.removesuffix("e")
    if stem.isalpha() and re.fullmatch(rf"{stem}.?(ed|d)", participle):
        doubled = stem[-1] if stem == verb and re.fullmatch(_DOUBLES, verb) else ""
        return f"{capitalized(stem)}{doubled}ing cannot be undone."
    return f"Cannot be undone: {described(ticket)}."


def _undoing(ticket: Ticket) -> str:
    """Return what undoing a change does: `remove Ana Belmonte from nights`, or `undo` and the change itself."""
    steps = [outcome.step for outcome in ticket.outcomes if outcome.stage is Stage.DONE and outcome.step.inverse]
    if len(steps) == 1 and len(ticket.command.steps) == 1:
        for pattern, text in _INVERSES:
            if (match := re.fullmatch(pattern, steps[0].words)) is not None:
                return text.format(*match.groups())
    return f"undo: {described(ticket)}"
