"""What may be done about presence: follow others, and say whether one is there oneself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from console.actions.action import Action, Answers, Asks, Choice, ChoiceAsk, Guard, Situation, TextAsk
from console.actions.answers import build, optional, text
from console.actions.known import ADDRESS, address_of, group_name, person
from console.actions.resolve import Found, resolve_people
from console.api.operations.presence import SubscribePresence, SubscribePresences, UpdatePresence
from console.live.command import Step
from console.records.desk import Agent, Presence
from console.records.people import Group, User
from console.records.record import Record
from console.tables.cell import Cell, Line, Tone
from console.tables.sight import Sight
from console.text import clean

ACTIVITIES: tuple[tuple[str, str, bool], ...] = (
    ("available", "Available", True),
    ("busy", "Busy", True),
    ("away", "Away", True),
    ("dnd", "Do not disturb", True),
    ("offline", "Offline", False),
)
"""What one can be: the activity sent, what it is called, and whether one is online then. The digit is the place."""


# -- follow ----------------------------------------------------------------------------------------------------------


def read_addresses(typed: str, sight: Sight) -> tuple[tuple[str, ...], tuple[Line, ...]]:
    """Return the addresses that pasted names mean, and a line about each name.

    What names a known user becomes that user's address; other addresses (`sip:`, `tel:`, `svc-user:`, numbers) stay
    as they are. A name that means nobody, or several, gives no address.
    """
    addresses: list[str] = []
    lines: list[Line] = []
    for each in resolve_people(typed, sight):
        if each.user is not None:
            addresses.append(each.user.address)
        elif each.found is Found.UNKNOWN and (":" in each.written or each.written.startswith("+")):
            addresses.append(str(each.written))
            lines.append((Cell(clean(f"{each.written}  ")), Cell(clean("an address"), Tone.PLAIN)))
            continue
        lines.append(each.line)
    return tuple(dict.fromkeys(addresses)), tuple(lines)


def is_followed(situation: Situation, address: str) -> bool:
    """Whether the caller is known to follow an address. Admins see everybody, so for them a listing says nothing."""
    return not situation.is_admin and situation.sight.find("presence", address) is not None


def follow_steps(addresses: Sequence[str], situation: Situation) -> list[Step]:
    """Follow addresses, several of them in one request. Raises ValueError when all are followed already."""
    sight = situation.sight
    new = [each for each in dict.fromkeys(addresses) if not is_followed(situation, each)]
    if not new:
        raise ValueError("You follow all of them already." if len(addresses) > 1 else "You follow it already.")
    if len(new) == 1:
        request = build(SubscribePresence, {"address": new[0]})
        return [Step(request, new[0], f"followed {person(sight, new[0])}")]
    return [Step(SubscribePresences(addresses=tuple(new)), new[0], f"followed {len(new)} addresses")]


def _ask_addresses(situation: Situation, _records: Sequence[Record]) -> Asks:
    def check(typed: str) -> str | None:
        return None if read_addresses(typed, situation.sight)[0] else "None of this is an address or a known user."

    def preview(typed: str) -> tuple[Line, ...]:
        return read_addresses(typed, situation.sight)[1]

    return (TextAsk("addresses", "Follow: one address or user per line", lines=True, check=check, preview=preview),)


def _follow(situation: Situation, _records: Sequence[Record], answers: Answers) -> list[Step]:
    addresses, _ = read_addresses(text(answers, "addresses", "The address"), situation.sight)
    if not addresses:
        raise ValueError("None of this is an address or a known user.")
    return follow_steps(addresses, situation)


def _follow_users(situation: Situation, records: Sequence[User], _answers: Answers) -> list[Step]:
    return follow_steps([each.address for each in records], situation)


def _follows_users(situation: Situation, records: Sequence[User]) -> str | None:
    if not all(is_followed(situation, each.address) for each in records):
        return None
    return f"You follow {person(situation.sight, records[0].id)} already."


def _follow_group(situation: Situation, records: Sequence[Group], _answers: Answers) -> list[Step]:
    return follow_steps([address_of(each) for each in records[0].participants], situation)


def _follows_group(situation: Situation, records: Sequence[Group]) -> str | None:
    group = records[0]
    if not group.participants:
        return f"{group_name(group)} has no members."
    if not all(is_followed(situation, address_of(each)) for each in group.participants):
        return None
    return f"You follow everybody in {group_name(group)} already."


# -- oneself ---------------------------------------------------------------------------------------------------------


def own_address(situation: Situation) -> str:
    """Return the caller's own address."""
    return ADDRESS + situation.user_id


def own_presence(situation: Situation) -> Presence | None:
    """Return the caller's own presence, if it is known: as followed, else as the list of agents has it."""
    found = situation.sight.find("presence", own_address(situation))
    if isinstance(found, Presence):
        return found
    agent = situation.sight.find("agents", situation.user_id)
    if not isinstance(agent, Agent):
        return None
    return Presence(address=own_address(situation), online=agent.online, activity=agent.activity)


def _ask_activity(situation: Situation, _records: Sequence[Record]) -> Asks:
    now = own_presence(situation)
    offered = [
        Choice(value, clean(title), clean("as it is now") if now and now.activity == value else None)
        for value, title, _ in ACTIVITIES
    ]
    offered.append(Choice("note", clean("Note…"), clean(now.note, 64) if now and now.note else None, "n", "me.note"))
    return (ChoiceAsk("activity", "I am", tuple(offered), digits=True),)


def _set(situation: Situation, _records: Sequence[Record], answers: Answers) -> list[Step]:
    wanted = text(answers, "activity", "The activity")
    online = next((online for value, _, online in ACTIVITIES if value == wanted), None)
    if online is None:
        raise ValueError(f"{clean(wanted, 40)} is no activity.")
    address, now = own_address(situation), own_presence(situation)
    undo: tuple[UpdatePresence, ...] = ()
    if now is not None and now.online is not None and now.activity is not None:
        undo = (UpdatePresence(address=address, online=now.online, activity=now.activity),)
    request = UpdatePresence(address=address, online=online, activity=wanted)
    return [Step(request, address, f"set yourself to {wanted}", undo)]


def _ask_note(situation: Situation, _records: Sequence[Record]) -> Asks:
    now = own_presence(situation)
    return (
        TextAsk("note", "Note beside your presence; empty takes it away", (now and now.note) or "", False, anew=True),
    )


def _note(situation: Situation, _records: Sequence[Record], answers: Answers) -> list[Step]:
    note = optional(answers, "note")
    address, now = own_address(situation), own_presence(situation)
    # The list of agents tells no notes: without the presence itself the former note is not known.
    followed = situation.sight.find("presence", address) is not None
    undo = (UpdatePresence(address=address, note=(now and now.note) or ""),) if followed else ()
    words = f"set your note to {clean(note, 64)}" if note else "took your note away"
    return [Step(UpdatePresence(address=address, note=note), address, words, undo)]


ACTIONS: tuple[Action[Any], ...] = (
    Action[Record](
        id="presence.follow",
        title="follow",
        key="s",
        kind="presence",
        guard=Guard.SMALL,
        plan=_follow,
        asks=_ask_addresses,
        needs="none",
        footer=2,
        about="Follows the presence of one or many addresses or users; the service knows no way to stop it.",
        sends=(SubscribePresence, SubscribePresences),
    ),
    Action[User](
        id="users.follow",
        title="follow presence",
        key="s",
        kind="users",
        guard=Guard.SMALL,
        plan=_follow_users,
        why_not=_follows_users,
        needs="many",
        footer=5,
        sends=(SubscribePresence, SubscribePresences),
        subject="presence",
    ),
    Action[Group](
        id="groups.follow",
        title="follow members",
        key="F",
        kind="groups",
        guard=Guard.SMALL,
        plan=_follow_group,
        why_not=_follows_group,
        footer=8,
        about="Follows the presence of all members.",
        sends=(SubscribePresence, SubscribePresences),
        subject="presence",
    ),
    Action[Record](
        id="me.set",
        title="my presence",
        key="m",
        kind="everywhere",
        guard=Guard.REVERSIBLE,
        plan=_set,
        asks=_ask_activity,
        needs="none",
        footer=6,
        about="Sets your own presence; n writes a note beside it.",
        sends=(UpdatePresence,),
        subject="presence",
    ),
    Action[Record](
        id="me.note",
        title="my note",
        key="M",
        kind="everywhere",
        guard=Guard.REVERSIBLE,
        plan=_note,
        asks=_ask_note,
        needs="none",
        footer=9,
        about="Writes a note beside your presence.",
        sends=(UpdatePresence,),
        subject="presence",
    ),
)
