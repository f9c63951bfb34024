"""The requests that take a change back, as far as what is known now tells them. One definition for every way of acting.

A key, a form, the palette and a grid all get the inverse of a request here, so that one request is guarded alike
however it came about. An inverse is exact for the moment before its own request; where earlier requests of the same
change matter, the caller passes what they leave.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from console.api.annotations import Place, Variant
from console.api.operations.domains import UpdateDomain
from console.api.operations.people import (
    AddParticipant,
    ClearParticipants,
    LeaveGroups,
    RemoveParticipant,
    ReorderParticipants,
    UpdateGroup,
    UpdateUser,
)
from console.api.operations.phonebooks import (
    AddPhonebookContact,
    AddSubscriber,
    RemovePhonebookContact,
    RemoveSubscriber,
)
from console.api.operations.presence import SubscribePresence, SubscribePresences, UpdatePresence
from console.api.operations.provisioning import UpdateProvisionedDomain
from console.api.operations.resolution import ListResolved, ResolveAddresses, UpdateSubscriptions
from console.api.operations.sip import DeleteSipMapping, NewSipCredential, SetSipMapping
from console.api.operations.support import (
    AttachAgent,
    AttachAgents,
    CreateTemplate,
    DeleteTemplate,
    DetachAgent,
    SetAgents,
)
from console.api.operations.traffic import EnableStatistics, StartRecording, StopRecording
from console.api.request import Request
from console.commands.action import Situation
from console.commands.inputs import build
from console.commands.lookup import ADDRESS, find, groups_of, owns, user_of
from console.kinds.presence import facts as presence
from console.kinds.sip_mappings.facts import identity_of
from console.live.command import Basis, Step
from console.records.people import AGENT_CAPABILITY, Group, User
from console.records.phonebooks import NewPhonebookContact, Phonebook
from console.records.record import Record
from console.records.resolution import ResolvedAddresses
from console.records.sip import SipIdentity, SipMapping
from console.records.support import Agent, Presence, Skill
from console.views.render_context import RenderContext

Inverse = tuple[Request[Any], ...]


LISTS = "lists"
"""Names, among the answers to an action's asks, the lists that the service was asked for."""


def read_first(request: type[Request[Any]]) -> Request[Any] | None:
    """Return what the service must be asked for before a request can be taken back, if anything."""
    return ListResolved() if request in _REPLACING else None


def step_of(
    situation: Situation,
    request: Request[Any],
    key: str,
    words: str,
    basis: Basis | None = None,
    read: object = None,
    record: Record | None = None,
) -> Step:
    """Return the step that sends a request, with its inverse as far as that is known.

    `read` is what the service answered to `read_first`; `record` is what is changed, where it is at hand.
    """
    if isinstance(read, ResolvedAddresses) and type(request) in _REPLACING:
        return Step(request, key, words, _listed_again(read), basis, leaves=_listed_after(request, read))
    return Step(request, key, words, inverse_of(situation, request, record), basis)


def inverse_of(situation: Situation, request: Request[Any], record: Record | None = None) -> Inverse:
    """Return the requests that put back what a request changes; empty when that is not known or cannot be done."""
    found = _INVERSES.get(type(request))
    if found is not None:
        return found(situation, request)
    record = record or record_of(situation, request)
    return _values_back(request, record) if record is not None else ()


def record_of(situation: Situation, request: Request[Any]) -> Record | None:
    """Return the record that a request is about, if it is known."""
    change = request.operation.change
    kind = change.touches[0] if change is not None and change.touches else ""
    return situation.render.find(kind, request.record_key()) if kind else None


def _values_back(request: Request[Any], record: Record, told: Collection[str] = ()) -> Inverse:
    """Put back every value that an update replaces, if all of them were known before.

    A list that is empty may be one that was not told, unless its field is named in `told`.
    """
    if request.operation.name.rpartition(".")[2] != "update":
        return ()
    by, named = _RENAMES.get(type(request), ("", ""))
    values: dict[str, Any] = {}
    changed = False
    for each in type(request).inputs():
        if each.field not in request.model_fields_set:
            continue
        if each.place is Place.PATH or each.field in {"id", type(record).key_field}:
            now_named = getattr(request, by) if each.field == named and by in request.model_fields_set else None
            values[each.field] = now_named or getattr(request, each.field)
            continue
        before = getattr(record, named if each.field == by else each.field, None)
        if before is None or each.secret or (before == () and each.field not in told):
            return ()
        values[each.field] = before
        changed = True
    return (build(type(request), values),) if changed else ()


_RENAMES: Mapping[type[Request[Any]], tuple[str, str]] = {
    UpdateDomain: ("domain", "id"),
    UpdateProvisionedDomain: ("domain", "id"),
    UpdateGroup: ("new_group_id", "group_id"),
}
"""Which input gives a record another id, and which input names the record by that id from then on."""


# -- groups ----------------------------------------------------------------------------------------------------------


def back_in(group_id: str, user_id: str, order: Sequence[str]) -> Inverse:
    """Put a user back into a group, at the old place."""
    return (
        AddParticipant(group_id=group_id, target_user_id=user_id),
        ReorderParticipants(group_id=group_id, participants=tuple(order)),
    )


def back_in_all(situation: Situation, user_id: str, orders: dict[str, list[str]]) -> Inverse:
    """Put a user back into the groups that the caller owns; `orders` says who is left in each, and is kept up to date.

    Only an owner can add members, so that the other groups stay left.
    """
    found: list[Request[Any]] = []
    for group in groups_of(situation.render, user_id):
        order = orders.setdefault(group.group_id, list(group.participants))
        if owns(situation, group):
            found.extend(back_in(group.group_id, user_id, order))
        order.remove(user_id)
    return tuple(found)


def _group(situation: Situation, key: str) -> Group | None:
    return find(situation.render, "groups", key, Group)


def _add(situation: Situation, request: AddParticipant) -> Inverse:
    group = _group(situation, request.group_id)
    if group is None or request.target_user_id in group.participants:
        return ()
    return (RemoveParticipant(group_id=request.group_id, target_user_id=request.target_user_id),)


def _remove(situation: Situation, request: RemoveParticipant) -> Inverse:
    group, user = _group(situation, request.group_id), request.target_user_id or situation.user_id
    if group is None or user not in group.participants or not owns(situation, group):
        return ()
    return back_in(group.group_id, user, group.participants)


def _clear(situation: Situation, request: ClearParticipants) -> Inverse:
    group = _group(situation, request.group_id)
    if group is None or not group.participants:
        return ()
    added = (AddParticipant(group_id=group.group_id, target_user_id=each) for each in group.participants)
    return (*added, ReorderParticipants(group_id=group.group_id, participants=group.participants))


def _reorder(situation: Situation, request: ReorderParticipants) -> Inverse:
    group = _group(situation, request.group_id)
    if group is None:
        return ()
    return (ReorderParticipants(group_id=request.group_id, participants=group.participants),)


def _leave(situation: Situation, request: LeaveGroups) -> Inverse:
    return back_in_all(situation, request.target_user_id or situation.user_id, {})


# -- skills and agents -----------------------------------------------------------------------------------------------


def _skill(situation: Situation, key: str) -> Skill | None:
    return find(situation.render, "skills", key, Skill)


def _attach(situation: Situation, request: AttachAgent) -> Inverse:
    skill = _skill(situation, request.skill)
    if skill is None or request.agent in skill.agents:
        return ()
    return (DetachAgent(skill=request.skill, agent=request.agent),)


def _attach_several(situation: Situation, request: AttachAgents) -> Inverse:
    skill = _skill(situation, request.skill)
    if skill is None:
        return ()
    return tuple(DetachAgent(skill=request.skill, agent=each) for each in request.agents if each not in skill.agents)


def _detach(situation: Situation, request: DetachAgent) -> Inverse:
    skill = _skill(situation, request.skill)
    if skill is None or request.agent not in skill.agents:
        return ()
    return (AttachAgent(skill=request.skill, agent=request.agent),)


def _make_agents(situation: Situation, request: SetAgents) -> Inverse:
    ids = request.user_ids or ((request.user_id,) if request.user_id else ())
    users = [user_of(situation.render, each) for each in ids]
    if any(user is None or not tells_capabilities(user) for user in users):
        return ()
    return tuple(UpdateUser(id=user.id, capabilities=user.capabilities) for user in users if user is not None)


def _update_user(situation: Situation, request: UpdateUser) -> Inverse:
    """Put back what is changed, as far as all of it was told, and the skills that go with the agent's capability."""
    user = user_of(situation.render, request.id)
    back = _values_back(request, user, user.model_fields_set) if user is not None else ()
    if user is None or not back or "capabilities" not in request.model_fields_set:
        return back
    lost = AGENT_CAPABILITY in user.capabilities and AGENT_CAPABILITY not in (request.capabilities or ())
    return (*back, *(_skills_back(situation, user) if lost else ()))


def tells_capabilities(user: User) -> bool:
    """Whether the service said which capabilities a user has: none that were told are other than none at all."""
    return "capabilities" in user.model_fields_set


def _skills_back(situation: Situation, user: User) -> Inverse:
    """Give a user the skills again that are lost with the agent's capability."""
    skills = (each for each in situation.render.lookup("skills").values() if isinstance(each, Skill))
    return tuple(AttachAgent(skill=each.skill, agent=user.id) for each in skills if user.id in each.agents)


# -- presence --------------------------------------------------------------------------------------------------------


def presence_of(render: RenderContext, address: str) -> Presence | None:
    """Return the presence of somebody, if it is known: as followed, else as the list of agents has it."""
    user_id = address.removeprefix(ADDRESS)
    found = presence.presence_of(user_id, render)
    if found is not None:
        return found
    agent = render.find("agents", user_id)
    return Presence(address=address, online=agent.online, activity=agent.activity) if isinstance(agent, Agent) else None


def _appear(situation: Situation, request: UpdatePresence) -> Inverse:
    now = presence_of(situation.render, request.address)
    if now is None:
        return ()
    before = {name: getattr(now, name) for name in request.model_fields_set - {"address"}}
    if "note" in before and presence.presence_of(request.address.removeprefix(ADDRESS), situation.render) is not None:
        # The list of agents tells no notes: only of a presence that is known is no note an empty one.
        before["note"] = before["note"] or ""
    if not before or None in before.values():
        return ()
    return (UpdatePresence(address=request.address, **before),)


def kept(lists: ResolvedAddresses) -> tuple[str, ...]:
    """Return the addresses of those whom the caller keeps resolved."""
    return tuple(f"{ADDRESS}{each.id}" for each in lists.resolved)


def _listed_again(lists: ResolvedAddresses) -> Inverse:
    """Put the lists of whom the caller keeps and follows back as they were, if they can be sent at all."""
    try:
        return (UpdateSubscriptions(resolved=kept(lists), subscribed=lists.subscribed),)
    except ValidationError:
        return ()


def _listed_after(request: Request[Any], lists: ResolvedAddresses) -> Basis:
    """Say whom the caller follows after a request, so that whom others add meanwhile is kept when it is undone."""
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


_REPLACING = (SubscribePresence, SubscribePresences, ResolveAddresses, UpdateSubscriptions)
"""What is taken back by putting a whole list in the place of another."""


# -- calls -----------------------------------------------------------------------------------------------------------


def _stop(_situation: Situation, request: StartRecording) -> Inverse:
    return (StopRecording(id=request.id, source=request.source) if request.source else StopRecording(id=request.id),)


def _switch_back(_situation: Situation, request: EnableStatistics) -> Inverse:
    return (request.model_copy(update={"enable": not request.enable}),)


# -- phonebooks, templates, SIP --------------------------------------------------------------------------------------


def _book(situation: Situation, key: str) -> Phonebook | None:
    return find(situation.render, "phonebooks", key, Phonebook)


def adding_contact(variant: Variant, book_id: str, name: str | None, address: str | None) -> AddPhonebookContact:
    """Return the request that puts a contact into a phonebook: the earlier variant wants its fields bare."""
    if variant is Variant.EARLIER:
        return AddPhonebookContact(phonebook_id=book_id, name=name, address=address)
    return AddPhonebookContact(phonebook_id=book_id, contact=NewPhonebookContact(name=name, address=address))


def _put_contact_back(situation: Situation, request: RemovePhonebookContact) -> Inverse:
    book = _book(situation, request.phonebook_id)
    contacts = book.contacts if book is not None else ()
    return tuple(
        adding_contact(situation.variant, request.phonebook_id, each.name, each.address)
        for each in contacts
        if each.id == request.contact_id
    )


def _subscribe(situation: Situation, request: AddSubscriber) -> Inverse:
    book = _book(situation, request.phonebook_id)
    if book is None or request.subscriber_id in book.subscribers:
        return ()
    return (RemoveSubscriber(phonebook_id=request.phonebook_id, subscriber_id=request.subscriber_id),)


def _unsubscribe(situation: Situation, request: RemoveSubscriber) -> Inverse:
    book = _book(situation, request.phonebook_id)
    if book is None or request.subscriber_id not in book.subscribers:
        return ()
    return (AddSubscriber(phonebook_id=request.phonebook_id, subscriber_id=request.subscriber_id),)


def _delete_template(situation: Situation, request: CreateTemplate) -> Inverse:
    if situation.render.find("templates", request.template_id) is not None:
        return ()
    return (DeleteTemplate(id=request.template_id),)


def mapping(uri: str, identity: SipIdentity) -> SetSipMapping:
    """Return the request that lets a user or a group go to the gateway under an identity of the pool."""
    return SetSipMapping(owner_uri=uri, credential=NewSipCredential(username=identity.username or ""))


def _pooled(situation: Situation, uri: str) -> tuple[SipMapping | None, SipIdentity | None]:
    present = find(situation.render, "sip-mappings", uri, SipMapping)
    return present, identity_of(present, situation.render) if present is not None else None


def _map_back(situation: Situation, request: SetSipMapping) -> Inverse:
    if not situation.render.lookup("sip-mappings"):
        return ()
    present, identity = _pooled(situation, request.owner_uri)
    if present is None:
        return (DeleteSipMapping(owner_uri=request.owner_uri),)
    return (mapping(request.owner_uri, identity),) if identity is not None else ()


def _map_again(situation: Situation, request: DeleteSipMapping) -> Inverse:
    identity = _pooled(situation, request.owner_uri)[1]
    return (mapping(request.owner_uri, identity),) if identity is not None else ()


_INVERSES: Mapping[type[Request[Any]], Callable[[Situation, Any], Inverse]] = {
    AddParticipant: _add,
    RemoveParticipant: _remove,
    ClearParticipants: _clear,
    ReorderParticipants: _reorder,
    LeaveGroups: _leave,
    AttachAgent: _attach,
    AttachAgents: _attach_several,
    DetachAgent: _detach,
    SetAgents: _make_agents,
    UpdateUser: _update_user,
    UpdatePresence: _appear,
    StartRecording: _stop,
    EnableStatistics: _switch_back,
    RemovePhonebookContact: _put_contact_back,
    AddSubscriber: _subscribe,
    RemoveSubscriber: _unsubscribe,
    CreateTemplate: _delete_template,
    SetSipMapping: _map_back,
    DeleteSipMapping: _map_again,
}
