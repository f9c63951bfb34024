"""Actions on the caller's own presence: activity and note."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from console.api.operations.presence import UpdatePresence
from console.base.text import clean
from console.commands.action import Action, Answers, Asks, Choice, ChoiceAsk, Situation, TextAsk
from console.commands.inputs import optional, text
from console.commands.lookup import bare
from console.kinds.inverses import Inverse, Inverses, step_of
from console.kinds.presence import following
from console.kinds.presence.facts import presence_of
from console.kinds.presence.following import INVERSES_READ
from console.live.command import Step
from console.records.record import Record
from console.records.support import Agent, Presence
from console.views.render_context import RenderContext
from console.views.wording import in_sentence, user_address

ACTIVITIES: tuple[tuple[str, str, bool], ...] = (
    ("available", "Available", True),
    ("busy", "Busy", True),
    ("away", "Away", True),
    ("dnd", "Do not disturb", True),
    ("offline", "Offline", False),
)
"""Activities with title, and whether they are online. The digit is the position."""


def shown_presence(render: RenderContext, address: str) -> Presence | None:
    """Return the known presence of a user: the followed one, otherwise from the list of agents."""
    user_id = bare(render, address)
    followed = presence_of(user_id, render)
    if followed is not None:
        return followed
    agent = render.find("agents", user_id)
    return Presence(address=address, online=agent.online, activity=agent.activity) if isinstance(agent, Agent) else None


def own_address(situation: Situation) -> str:
    """Return the caller's own address."""
    return user_address(situation.user_id, situation.render)


def own_presence(situation: Situation) -> Presence | None:
    """Return the caller's own presence, or None."""
    return shown_presence(situation.render, own_address(situation))


def _ask_activity(situation: Situation, _records: Sequence[Record]) -> Asks:
    now = own_presence(situation)
    offered = [
        Choice(value, clean(title), clean("current") if now and now.activity == value else None)
        for value, title, _ in ACTIVITIES
    ]
    offered.append(Choice("note", clean("Note…"), clean(now.note, 64) if now and now.note else None, "n", "me.note"))
    offered.append(Choice("leave", clean("Leave all my groups…"), leads_to="groups.leave-all"))
    return (ChoiceAsk("activity", "My status", tuple(offered), digits=True),)


def _set(situation: Situation, _records: Sequence[Record], answers: Answers) -> list[Step]:
    wanted = text(answers, "activity", "The status")
    title, online = next(((title, online) for value, title, online in ACTIVITIES if value == wanted), ("", None))
    if online is None:
        raise ValueError(f"{clean(wanted, 40)} is not a status.")
    address = own_address(situation)
    request = UpdatePresence(address=address, online=online, activity=wanted)
    return [step_of(situation, request, address, f"status: {in_sentence(title)}")]


def _ask_note(situation: Situation, _records: Sequence[Record]) -> Asks:
    now = own_presence(situation)
    note = (now and now.note) or ""
    hint = "Shown beside your status; empty removes it."
    return (TextAsk("note", "Status note", note, False, hint, anew=True, remembered="note", verb="Set"),)


def _note(situation: Situation, _records: Sequence[Record], answers: Answers) -> list[Step]:
    note = optional(answers, "note")
    address = own_address(situation)
    message = f"set your note to {clean(note, 64)}" if note else "removed your note"
    return [step_of(situation, UpdatePresence(address=address, note=note), address, message)]


def _undo_appearing(situation: Situation, request: UpdatePresence) -> Inverse:
    now = shown_presence(situation.render, request.address)
    if now is None:
        return ()
    before = {name: getattr(now, name) for name in request.model_fields_set - {"address"}}
    if "note" in before and presence_of(bare(situation.render, request.address), situation.render) is not None:
        # The list of agents has no notes. Only in a known presence, a missing note is an empty one.
        before["note"] = before["note"] or ""
    if not before or None in before.values():
        return ()
    return (UpdatePresence(address=request.address, **before),)


INVERSES: Inverses = {
    UpdatePresence: _undo_appearing,
}

ACTIONS: tuple[Action[Any], ...] = (
    *following.ACTIONS,
    Action[Record](
        id="me.set",
        title="my status",
        key="m",
        kind="everywhere",
        plan=_set,
        asks=_ask_activity,
        needs="none",
        footer=6,
        about="Sets your status; n edits its note, and the last entry leaves all your groups.",
        sends=(UpdatePresence,),
        subject="presence",
    ),
    Action[Record](
        id="me.note",
        title="my note",
        key="M",
        kind="everywhere",
        plan=_note,
        asks=_ask_note,
        needs="none",
        footer=9,
        about="Edits your status note; the arrow keys offer the notes that you used before.",
        sends=(UpdatePresence,),
        subject="presence",
    ),
)

__all__ = ["ACTIONS", "ACTIVITIES", "INVERSES", "INVERSES_READ", "own_address", "own_presence"]
