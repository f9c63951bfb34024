"""Undo by key: name the change first if it is not on the screen, or if a newer one cannot be undone."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from console.base.text import clean
from console.live.command import Stage, Ticket, next_undo
from console.ui.screens.frame import NOTHING_TO_UNDO
from console.ui.screens.updating import FullScreen
from console.ui.widgets.message_line import described
from console.ui.widgets.styled_line import piece
from console.ui.widgets.theme import app_of
from console.views.wording import capitalized

if TYPE_CHECKING:
    from console.ui.screens.frame import FrameScreen

NOT_DONE_YET = "Still being sent: undo it once it is done."
_INVERSES = (
    (re.compile(r"added (.+) to (.+)"), "remove {} from {}"),
    (re.compile(r"removed (.+) from (.+)"), "add {} to {}"),
    (re.compile(r"started (.+)"), "stop {}"),
    (re.compile(r"turned statistics on for (.+)"), "turn statistics off for {}"),
    (re.compile(r"turned statistics off for (.+)"), "turn statistics on for {}"),
)
_DOUBLES = re.compile(r"[^aeiou]*[aeiou][^aeiouwxy]|cancel|transfer")
"""Verbs whose last letter is doubled before -ing."""


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
    final = f"{cannot_undo(following.final)} " if following.final is not None else ""
    if ticket is None:
        under_way = any(each.under_way for each in tickets)
        text = NOT_DONE_YET if under_way else final or NOTHING_TO_UNDO
        line.say([piece(clean(text.strip(), 200))])
    elif ticket.stage is Stage.HELD or line.named == ticket.command.number:
        undone = context.backend.commands.undo(ticket.command.number)
        if undone is not None:
            screen.submitted(undone)
    else:
        text = f"{final}{key} again: {undoing(ticket)}"
        line.say([piece(clean(text, 240))], ticket.command.number)


def cannot_undo(ticket: Ticket) -> str:
    """Return the sentence that a change cannot be undone: `Accepting cannot be undone.`"""
    verb = ticket.command.title.strip().partition(" ")[0].lower()
    participle = ticket.command.steps[0].words.partition(" ")[0]
    stem = verb.removesuffix("e")
    if stem.isalpha() and re.fullmatch(rf"{stem}.?(ed|d)", participle):
        doubled = stem[-1] if stem == verb and _DOUBLES.fullmatch(verb) else ""
        return f"{capitalized(stem)}{doubled}ing cannot be undone."
    return f"Cannot be undone: {described(ticket)}."


def undoing(ticket: Ticket) -> str:
    """Return what undoing a change does: `remove Ana Belmonte from nights`, or `undo` and the change itself."""
    steps = [outcome.step for outcome in ticket.outcomes if outcome.stage is Stage.DONE and outcome.step.inverse]
    if len(steps) == 1 and len(ticket.command.steps) == 1:
        for pattern, text in _INVERSES:
            if (match := pattern.fullmatch(steps[0].words)) is not None:
                return text.format(*match.groups())
    return f"undo: {described(ticket)}"
