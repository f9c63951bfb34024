"""Actions on the presence of others: follow, unfollow, and undo.

The list of followed addresses is read just before a change, because unfollowing replaces the whole list, and so does an
undo.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from console.api.operations.presence import SubscribePresence, SubscribePresences
from console.api.operations.resolution import ListResolved, ResolveAddresses, UpdateSubscriptions
from console.api.request import Request
from console.base.text import clean
from console.commands.action import Action, Answers, Asks, ReadAsk, Situation, TextAsk
from console.commands.inputs import build, text
from console.commands.lookup import group_name, person, without_members
from console.commands.resolve import Found, resolve_people
from console.kinds.inverses import LISTS, Inverse, InverseRead, InversesRead, step_of
from console.live.command import Basis, Step
from console.records.people import Group, User
from console.records.record import Record
from console.records.resolution import ResolvedAddresses
from console.records.support import Presence
from console.views.cell import Cell, Line, Tone
from console.views.render_context import RenderContext
from console.views.wording import plural, user_address

_NOBODY = "No address or known user found."


def read_addresses(typed: str, render: RenderContext) -> tuple[tuple[str, ...], tuple[Line, ...]]:
    """Return the addresses of pasted names, and a line about each name.

    The name of a known user becomes the user's address; other addresses (`sip:`, `tel:`, `svc-user:`, numbers) are
    unchanged. An unknown or ambiguous name yields no address.
    """
    addresses: list[str] = []
    lines: list[Line] = []
    for choice in resolve_people(typed, render):
        if choice.user is not None:
            addresses.append(user_address(choice.user.id, render))
        elif choice.found is Found.UNKNOWN and (":" in choice.written or choice.written.startswith("+")):
            addresses.append(str(choice.written))
            lines.append((Cell(clean(f"{choice.written}  ")), Cell(clean("an address"), Tone.PLAIN)))
            continue
        lines.append(choice.line)
    return tuple(dict.fromkeys(addresses)), tuple(lines)


def is_followed(situation: Situation, address: str) -> bool:
    """Return whether the caller is known to follow an address. Unknown for admins, whose list contains everybody."""
    return not situation.is_admin and situation.render.find("presence", address) is not None


def resolved_addresses(lists: ResolvedAddresses, render: RenderContext) -> tuple[str, ...]:
    """Return the addresses of the users that the caller has resolved."""
    return tuple(user_address(resolved_user.id, render) for resolved_user in lists.resolved)


def _lists(answers: Answers) -> ResolvedAddresses | None:
    lists = answers.get(LISTS)
    return lists if isinstance(lists, ResolvedAddresses) else None


# -- follow ----------------------------------------------------------------------------------------------------------


def follow_steps(addresses: Sequence[str], situation: Situation, lists: ResolvedAddresses | None = None) -> list[Step]:
    """Follow addresses, several in one request. Raise ValueError if all are followed already.

    `lists` are the caller's current lists; without them there is no undo.
    """
    followed = set(lists.subscribed) if lists is not None else {e for e in addresses if is_followed(situation, e)}
    new = [fromkey for fromkey in dict.fromkeys(addresses) if fromkey not in followed]
    if not new:
        raise ValueError(f"You already follow {'all of these' if len(addresses) > 1 else 'this address'}.")
    lacks_one, lacks_several = (
        operation_request.operation.name in situation.lacking
        for operation_request in (SubscribePresence, SubscribePresences)
    )
    if lacks_several or (len(new) == 1 and not lacks_one):
        return [
            step_of(
                situation,
                build(SubscribePresence, {"address": value}),
                value,
                f"followed {person(situation.render, value)}",
                read=lists,
            )
            for value in new
        ]
    several = SubscribePresences(addresses=tuple(new))
    return [step_of(situation, several, new[0], f"followed {plural(len(new), 'address')}", read=lists)]


def _ask_addresses(situation: Situation, _records: Sequence[Record]) -> Asks:
    def check(typed: str) -> str | None:
        return None if read_addresses(typed, situation.render)[0] else _NOBODY

    def preview(typed: str) -> tuple[Line, ...]:
        return read_addresses(typed, situation.render)[1]

    asked = TextAsk(
        "addresses", "Follow: one address or user per line", lines=True, check=check, preview=preview, verb="Follow"
    )
    return (asked, ReadAsk(LISTS, ListResolved()))


def _read_lists(_situation: Situation, _records: Sequence[Record]) -> Asks:
    return (ReadAsk(LISTS, ListResolved()),)


def _follow(situation: Situation, _records: Sequence[Record], answers: Answers) -> list[Step]:
    addresses, _ = read_addresses(text(answers, "addresses", "The address"), situation.render)
    if not addresses:
        raise ValueError(_NOBODY)
    return follow_steps(addresses, situation, _lists(answers))


Addresses = Callable[[Sequence[Any], RenderContext], list[str]]
"""Returns the addresses of records."""


def _of_users(users: Sequence[User], render: RenderContext) -> list[str]:
    return [user_address(user.id, render) for user in users]


def _of_presences(presences: Sequence[Presence], _render: RenderContext) -> list[str]:
    return [presence.address for presence in presences]


def _of_members(groups: Sequence[Group], render: RenderContext) -> list[str]:
    return [user_address(participant, render) for participant in groups[0].participants]


def _of_records(
    steps: Callable[[Sequence[str], Situation, ResolvedAddresses | None], list[Step]], addresses: Addresses
) -> Callable[[Situation, Sequence[Any], Answers], list[Step]]:
    """Return the plan that follows or unfollows the addresses of records."""

    def plan(situation: Situation, records: Sequence[Any], answers: Answers) -> list[Step]:
        return steps(addresses(records, situation.render), situation, _lists(answers))

    return plan


def _follows_users(situation: Situation, records: Sequence[User]) -> str | None:
    if not all(is_followed(situation, user_address(record.id, situation.render)) for record in records):
        return None
    who = person(situation.render, records[0].id) if len(records) == 1 else "all of these users"
    return f"You already follow {who}."


def _follows_group(situation: Situation, records: Sequence[Group]) -> str | None:
    group = records[0]
    if not group.participants:
        return without_members(group)
    if not all(
        is_followed(situation, user_address(participant, situation.render)) for participant in group.participants
    ):
        return None
    return f"You already follow everybody in {group_name(group)}."


# -- stop following --------------------------------------------------------------------------------------------------


def unfollow_steps(addresses: Sequence[str], situation: Situation, lists: ResolvedAddresses | None) -> list[Step]:
    """Unfollow addresses and keep the others. Raise ValueError if none is followed."""
    if lists is None:
        raise ValueError("The service does not say whom you follow.")
    gone = [fromkey for fromkey in dict.fromkeys(addresses) if fromkey in lists.subscribed]
    if not gone:
        who = person(situation.render, addresses[0]) if len(addresses) == 1 else "any of these"
        raise ValueError(f"You do not follow {who}.")
    left = tuple(value for value in lists.subscribed if value not in gone)
    request = build(UpdateSubscriptions, {"resolved": resolved_addresses(lists, situation.render), "subscribed": left})
    basis = Basis(ListResolved(), {"subscribed": lists.subscribed})
    who = person(situation.render, gone[0]) if len(gone) == 1 else plural(len(gone), "address")
    return [step_of(situation, request, gone[0], f"unfollowed {who}", basis, read=lists)]


def _not_followed(situation: Situation, addresses: Sequence[str]) -> bool:
    """Return whether the caller is known to follow none of them; unknown for admins, whose list contains everybody."""
    return not situation.is_admin and not any(is_followed(situation, address) for address in addresses)


def _follows_no_user(situation: Situation, records: Sequence[User]) -> str | None:
    if not _not_followed(situation, _of_users(records, situation.render)):
        return None
    who = person(situation.render, records[0].id) if len(records) == 1 else "any of these users"
    return f"You do not follow {who}."


def _follows_no_member(situation: Situation, records: Sequence[Group]) -> str | None:
    if not records[0].participants:
        return without_members(records[0])
    follows = not _not_followed(situation, _of_members(records, situation.render))
    return None if follows else f"You do not follow anybody in {group_name(records[0])}."


# -- undo -------------------------------------------------------------------------------------------------------------


def _put_back(situation: Situation, request: Request[Any], lists: ResolvedAddresses) -> tuple[Inverse, Basis]:
    return _listed_again(lists, situation.render), _listed_after(request, lists)


def _listed_again(lists: ResolvedAddresses, render: RenderContext) -> Inverse:
    """Restore the lists of resolved users and followed addresses, if they can be sent."""
    try:
        return (UpdateSubscriptions(resolved=resolved_addresses(lists, render), subscribed=lists.subscribed),)
    except ValueError:
        return ()


def _listed_after(request: Request[Any], lists: ResolvedAddresses) -> Basis:
    """Return the lists after a request, so that an undo keeps additions by others."""
    before, after = lists.subscribed, lists.subscribed
    match request:
        case UpdateSubscriptions():
            after = request.subscribed
        case SubscribePresence():
            after = (*before, request.address)
        case SubscribePresences() | ResolveAddresses():
            after = (*before, *request.addresses)
        case _:
            pass
    return Basis(ListResolved(), {"subscribed": tuple(dict.fromkeys(after))})


INVERSES_READ: InversesRead = {
    each: InverseRead(ListResolved(), _put_back)
    for each in (SubscribePresence, SubscribePresences, ResolveAddresses, UpdateSubscriptions)
}
"""Requests undone by replacing a whole list."""


ACTIONS: tuple[Action[Any], ...] = (
    Action[Record](
        id="presence.follow",
        title="follow",
        key="F",
        verb="follow",
        kind="presence",
        plan=_follow,
        asks=_ask_addresses,
        needs="none",
        footer=2,
        about="Follows the presence of one or many addresses or users.",
        sends=(SubscribePresence, SubscribePresences),
    ),
    Action[Presence](
        id="presence.unfollow",
        title="stop following",
        key="U",
        verb="stop following",
        kind="presence",
        plan=_of_records(unfollow_steps, _of_presences),
        asks=_read_lists,
        needs="many",
        footer=4,
        short="unfollow",
        about="Stops following the presence of these addresses.",
        sends=(UpdateSubscriptions,),
    ),
    Action[User](
        id="users.follow",
        title="follow presence",
        key="F",
        verb="follow",
        kind="users",
        plan=_of_records(follow_steps, _of_users),
        why_not=_follows_users,
        asks=_read_lists,
        needs="many",
        footer=5,
        about="Follows the presence of these users.",
        sends=(SubscribePresence, SubscribePresences),
        subject="presence",
    ),
    Action[User](
        id="users.unfollow",
        title="stop following presence",
        key="U",
        verb="stop following",
        kind="users",
        plan=_of_records(unfollow_steps, _of_users),
        why_not=_follows_no_user,
        asks=_read_lists,
        needs="many",
        footer=8,
        short="unfollow",
        about="Stops following the presence of these users.",
        sends=(UpdateSubscriptions,),
        subject="presence",
    ),
    Action[Group](
        id="groups.follow",
        title="follow members",
        key="F",
        verb="follow",
        kind="groups",
        plan=_of_records(follow_steps, _of_members),
        why_not=_follows_group,
        asks=_read_lists,
        footer=8,
        about="Follows the presence of all members.",
        sends=(SubscribePresence, SubscribePresences),
        subject="presence",
    ),
    Action[Group](
        id="groups.unfollow",
        title="stop following members",
        key="U",
        verb="stop following",
        kind="groups",
        plan=_of_records(unfollow_steps, _of_members),
        why_not=_follows_no_member,
        asks=_read_lists,
        footer=9,
        about="Stops following the presence of all members.",
        sends=(UpdateSubscriptions,),
        subject="presence",
    ),
)
