"""Undo of changes to presence and to the followed users."""

from __future__ import annotations

from typing import Any

from console.api.operations.presence import SubscribePresence, SubscribePresences, UpdatePresence
from console.api.operations.resolution import ListResolved, ResolveAddresses, UpdateSubscriptions
from console.api.request import Request
from console.commands.action import Situation
from console.commands.lookup import bare
from console.kinds.inverses import Inverse, InverseRead, Inverses, InversesRead
from console.kinds.presence import facts as presence
from console.live.command import Basis
from console.records.resolution import ResolvedAddresses
from console.records.support import Agent, Presence
from console.views.render_context import RenderContext
from console.views.wording import user_address


def shown_presence(render: RenderContext, address: str) -> Presence | None:
    """Return the known presence of a user: the followed one, otherwise from the list of agents."""
    user_id = bare(render, address)
    found = presence.presence_of(user_id, render)
    if found is not None:
        return found
    agent = render.find("agents", user_id)
    return Presence(address=address, online=agent.online, activity=agent.activity) if isinstance(agent, Agent) else None


def _appear(situation: Situation, request: UpdatePresence) -> Inverse:
    now = shown_presence(situation.render, request.address)
    if now is None:
        return ()
    before = {name: getattr(now, name) for name in request.model_fields_set - {"address"}}
    if "note" in before and presence.presence_of(bare(situation.render, request.address), situation.render) is not None:
        # The list of agents has no notes. Only in a known presence, a missing note is an empty one.
        before["note"] = before["note"] or ""
    if not before or None in before.values():
        return ()
    return (UpdatePresence(address=request.address, **before),)


def resolved_addresses(lists: ResolvedAddresses, render: RenderContext) -> tuple[str, ...]:
    """Return the addresses of the users that the caller has resolved."""
    return tuple(user_address(resolved_user.id, render) for resolved_user in lists.resolved)


INVERSES: Inverses = {
    UpdatePresence: _appear,
}


# -- followed users --------------------------------------------------------------------------------------------------


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
