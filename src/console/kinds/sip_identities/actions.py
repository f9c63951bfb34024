"""Actions on SIP identities: assign to a user or group, take back, and undo.

Users and groups are picked by name. Those with their own password at the gateway are excluded, because it could not be
restored.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from console.api.operations.sip import DeleteSipMapping, GetSipMapping, NewSipCredential, SetSipMapping
from console.base.collation import collated
from console.base.text import SafeText, clean
from console.commands.action import Action, Answers, Asks, Choice, ChoiceAsk, Situation
from console.commands.inputs import text
from console.commands.lookup import find, group_name, lookup, user_name
from console.kinds.inverses import Bases, Inverse, Inverses, step_of
from console.kinds.scope import only_if_known
from console.kinds.sip_mappings.facts import identity_of, owner, users_of
from console.live.command import Basis, Step
from console.records import state_words
from console.records.extent import Extent
from console.records.people import Group, User
from console.records.sip import SipIdentity, SipMapping
from console.views.render_context import RenderContext
from console.views.wording import user_address


def _called(identity: SipIdentity) -> SafeText:
    return clean(identity.username or identity.id, 64)


def _name(uri: str, render: RenderContext) -> SafeText:
    return clean(owner(uri, render) or uri, 64)


def mapping(uri: str, identity: SipIdentity) -> SetSipMapping:
    """Return the request that maps a user or group to an identity of the pool, with its password if that is known."""
    known = {} if identity.password is None else {"password": identity.password}
    return SetSipMapping(owner_uri=uri, credential=NewSipCredential(username=identity.username or "", **known))


# -- assign ----------------------------------------------------------------------------------------------------------


def _may_assign(situation: Situation, records: Sequence[SipIdentity]) -> str | None:
    identity, render = records[0], situation.render
    users = users_of(identity, render)
    if users:
        return f"{_called(identity)} is used by {_name(users[0].owner, render)}: unassign it first."
    return f"{_called(identity)} cannot be assigned: set it available first." if identity.available is False else None


def _owners(situation: Situation, identity: SipIdentity) -> Iterator[Choice]:
    """Yield the groups and users of the identity's domain: those without an identity first, groups before users."""
    render = situation.render
    groups = [
        (
            render.addresses.group.of(group.group_id),
            group_name(group),
            "group",
            group.owner.domain if group.owner else None,
        )
        for group in lookup(render, "groups", Group)
    ]
    users = [
        (user_address(user.id, render), user_name(user), "user", user.domain)
        for user in lookup(render, "users", User)
        if state_words.role(user.role) != "anonymous"
    ]
    mapped: list[Choice] = []
    doubt = "" if render.extent("sip-mappings") is Extent.WHOLE else ", identity unknown"
    for uri, name, kind, domain in (*sorted(groups, key=_by_name), *sorted(users, key=_by_name)):
        if None not in {identity.domain, domain} and domain != identity.domain:
            continue
        now = find(render, "sip-mappings", uri, SipMapping)
        if now is None:
            yield Choice(uri, name, clean(f"{kind}{doubt}"))
        elif (pooled := identity_of(now, render)) is not None:
            mapped.append(Choice(uri, name, clean(f"{kind}, now {_called(pooled)}", 60)))
    yield from mapped


def _by_name(owner: tuple[str, SafeText, str, str | None]) -> str:
    return collated(owner[1])


def _ask_owner(situation: Situation, records: Sequence[SipIdentity]) -> Asks:
    choices = tuple(_owners(situation, records[0]))
    return (ChoiceAsk("owner", f"Assign {_called(records[0])} to", choices, free=not choices),)


def _assign(situation: Situation, records: Sequence[SipIdentity], answers: Answers) -> list[Step]:
    identity, uri = records[0], text(answers, "owner", "The owner")
    message = f"assigned {_called(identity)} to {_name(uri, situation.render)}"
    at_hand = situation.with_records("sip-identities", records)
    return [step_of(at_hand, mapping(uri, identity), identity.key, message)]


# -- take back -------------------------------------------------------------------------------------------------------


def _may_take(situation: Situation, records: Sequence[SipIdentity]) -> str | None:
    refusal = only_if_known("It is not assigned.", "sip-mappings", "SIP mappings", situation.render)
    return None if users_of(records[0], situation.render) else refusal


def _take(situation: Situation, records: Sequence[SipIdentity], _answers: Answers) -> list[Step]:
    identity, render = records[0], situation.render
    at_hand = situation.with_records("sip-identities", records)
    return [
        step_of(
            at_hand,
            DeleteSipMapping(owner_uri=user.owner),
            identity.key,
            f"unassigned {_called(identity)} from {_name(user.owner, render)}",
        )
        for user in users_of(identity, render)
    ]


# -- undo ------------------------------------------------------------------------------------------------------------


def _pooled(situation: Situation, uri: str) -> tuple[SipMapping | None, SipIdentity | None]:
    present = find(situation.render, "sip-mappings", uri, SipMapping)
    return present, identity_of(present, situation.render) if present is not None else None


def _map_back(situation: Situation, request: SetSipMapping) -> Inverse:
    if not situation.render.lookup("sip-mappings"):
        return ()
    present, identity = _pooled(situation, request.owner_uri)
    if present is None:
        # One that is not listed would be lost.
        is_whole = situation.render.extent("sip-mappings") is Extent.WHOLE
        return (DeleteSipMapping(owner_uri=request.owner_uri),) if is_whole else ()
    return (mapping(request.owner_uri, identity),) if identity is not None else ()


def _map_again(situation: Situation, request: DeleteSipMapping) -> Inverse:
    identity = _pooled(situation, request.owner_uri)[1]
    return (mapping(request.owner_uri, identity),) if identity is not None else ()


def _replaced(situation: Situation, request: SetSipMapping) -> Basis | None:
    """Return the credential that a mapping replaces; None while the mappings are not known."""
    if not situation.render.lookup("sip-mappings"):
        return None
    present = _pooled(situation, request.owner_uri)[0]
    before = present.mapping if present is not None else None
    return Basis(GetSipMapping(owner_uri=request.owner_uri), {"credential": before}, field="credential")


BASES: Bases = {SetSipMapping: _replaced}
INVERSES: Inverses = {
    SetSipMapping: _map_back,
    DeleteSipMapping: _map_again,
}


ACTIONS: tuple[Action[Any], ...] = (
    Action[SipIdentity](
        id="sip.assign",
        title="assign to a user or group",
        key="plus",
        verb="add",
        kind="sip-identities",
        plan=_assign,
        why_not=_may_assign,
        asks=_ask_owner,
        footer=3,
        short="assign",
        about="Assigns the identity to a user or a group, selected by name.",
        sends=(SetSipMapping,),
    ),
    Action[SipIdentity](
        id="sip.take-back",
        title="unassign",
        key="minus",
        verb="remove",
        kind="sip-identities",
        plan=_take,
        why_not=_may_take,
        footer=4,
        short="unassign",
        about="Removes the identity from its owner; it can be assigned again.",
        sends=(DeleteSipMapping,),
        noun="user",
    ),
)
