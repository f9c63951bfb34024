"""Handlers for addresses and users' names at the gateway (contract 4.8)."""

from __future__ import annotations

from console.api.operations.resolution import (
    GetGatewayUser,
    GetGatewayUsername,
    ListGatewayUsernames,
    ListResolved,
    ResolveAddress,
    ResolveAddresses,
    UpdateSubscriptions,
)
from console.records.people import Group
from console.service.auth.caller import Caller
from console.service.domain import addresses
from console.service.domain.groups import GROUPS
from console.service.domain.people import USERS
from console.service.domain.sip_mappings import gateway_username_of, users_at_gateway
from console.service.handlers.handler import bind, handles
from console.service.refusal import invalid, missing
from console.service.store.transaction import Transaction


@handles(GetGatewayUsername)
def gateway_username(request: GetGatewayUsername, caller: Caller, tx: Transaction) -> str:
    """Return the gateway name of a user that the caller may see."""
    user_id = request.id or caller.id
    if not USERS.may_see(tx, caller, user_id):
        raise missing("user", user_id)
    username = gateway_username_of(tx, user_id)
    if username is None:
        raise missing("gateway username of user", user_id)
    return username


@handles(GetGatewayUser)
def gateway_user(request: GetGatewayUser, caller: Caller, tx: Transaction) -> str:
    """Return the user with this name at the gateway, among those that the caller may see."""
    known = USERS.records(tx, USERS.c.key.in_(users_at_gateway(tx, request.value)), caller=caller)
    ids = [user.id for user in known if request.username in {None, user.username}]
    if not ids:
        raise missing("user with the gateway username", request.value)
    if len(ids) > 1:
        raise invalid("username", "is needed: several users have this gateway username", "required")
    return ids[0]


def _in_group(tx: Transaction, caller: Caller, request: ListGatewayUsernames) -> bool:
    return GROUPS.may_see(tx, caller, _group_named(tx, request.groupname).group_id)


@handles(ListGatewayUsernames, related=_in_group)
def gateway_usernames_of_group(request: ListGatewayUsernames, tx: Transaction) -> tuple[str, ...]:
    """List the gateway names of a group's members, without members who have none."""
    group = _group_named(tx, request.groupname)
    known = addresses.gateway_usernames(tx, group.participants)
    return tuple(known[participant] for participant in group.participants if participant in known)


def _group_named(tx: Transaction, name: str) -> Group:
    """Return the group with this `groupId`, or otherwise the only one with this name."""
    if GROUPS.row(tx, name) is None:
        same = GROUPS.records(tx, GROUPS.c.name == name, limit=2)
        if len(same) == 1:
            name = same[0].group_id
    return GROUPS.need(tx, name)


bind(ListResolved, addresses.lists)
bind(ResolveAddresses, addresses.resolve)
bind(UpdateSubscriptions, addresses.replace)
bind(ResolveAddress, addresses.find, address=lambda request, caller: request.address or caller.address)
