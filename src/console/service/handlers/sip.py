"""Handlers for SIP identities and mappings (contract 4.8). Lists and single identities omit passwords."""

from __future__ import annotations

import sqlalchemy as sa

from console.api.operations.sip import (
    CreateSipIdentity,
    DeleteSipIdentity,
    DeleteSipMapping,
    GetSipIdentity,
    GetSipMapping,
    ListSipIdentities,
    ListSipMappings,
    PageSipMappings,
    SetSipMapping,
    UpdateSipIdentity,
)
from console.base.frozen import replace
from console.records.responses import Acknowledgement
from console.service.auth.caller import Caller
from console.service.domain import sip, sip_mappings, withheld
from console.service.domain.sip import SIP_IDENTITIES
from console.service.domain.sip_mappings import SIP_MAPPINGS
from console.service.handlers.handler import DONE, Stored, StoredPage, bind, handles
from console.service.platform import Platform
from console.service.store.paging import any_of, page_of, part_of
from console.service.store.transaction import Transaction


@handles(CreateSipIdentity)
def create_identity(request: CreateSipIdentity, caller: Caller, platform: Platform, tx: Transaction) -> Acknowledgement:
    """Add an identity to a pool."""
    identity = sip.create(platform, caller, request.username, request.password, request.target_domain)
    sip_mappings.adopt(platform, tx, identity)
    return DONE


@handles(ListSipIdentities)
def list_identities(request: ListSipIdentities, caller: Caller, platform: Platform, tx: Transaction) -> Stored:
    """List a pool, or for an admin all pools, by domain and user name."""
    columns = SIP_IDENTITIES.c
    where = any_of(columns.domain, sip.pool_of(caller, request.domain))
    if request.available is not None:
        where.append(columns.available == request.available)
    order = (columns.domain, columns.username)
    bodies = SIP_IDENTITIES.bodies(tx, *where, caller=caller, order=order)
    return Stored(SIP_IDENTITIES, withheld.identities(platform, tx, caller, bodies))


@handles(GetSipIdentity)
def get_identity(request: GetSipIdentity, caller: Caller, platform: Platform, tx: Transaction) -> Stored:
    """Return an identity."""
    body = sip.need(tx, caller, request.id, request.domain).wire_json()
    return Stored(SIP_IDENTITIES, withheld.identities(platform, tx, caller, [body]), many=False)


@handles(UpdateSipIdentity)
def update_identity(request: UpdateSipIdentity, caller: Caller, platform: Platform, tx: Transaction) -> Acknowledgement:
    """Change an identity."""
    identity = sip.need(tx, caller, request.id, request.domain)
    changed = sip.update(
        platform,
        identity,
        username=request.username,
        password=request.password,
        available=request.available,
    )
    if changed.username != identity.username:
        sip_mappings.adopt(platform, tx, changed)
    return DONE


@handles(DeleteSipIdentity)
def delete_identity(request: DeleteSipIdentity, caller: Caller, platform: Platform, tx: Transaction) -> Acknowledgement:
    """Delete an identity."""
    sip.delete(platform, sip.need(tx, caller, request.id, request.domain))
    return DONE


def _registers_so(caller: Caller, request: GetSipMapping) -> bool:
    return request.owner_uri == caller.address


@handles(ListSipMappings)
def list_mappings(request: ListSipMappings, caller: Caller, platform: Platform, tx: Transaction) -> Stored:
    """List the mappings by the URIs of their owners."""
    where: list[sa.ColumnElement[bool]] = []
    if request.last_match is not None:
        where.append(SIP_MAPPINGS.c.key > request.last_match)
    limit = None if request.limit is None else min(int(request.limit), 2**31)
    bodies = SIP_MAPPINGS.bodies(tx, *where, caller=caller, limit=limit)
    return Stored(SIP_MAPPINGS, withheld.mappings(platform, tx, bodies))


@handles(PageSipMappings)
def page_mappings(request: PageSipMappings, caller: Caller, platform: Platform, tx: Transaction) -> StoredPage:
    """List the mappings in pages, by the URIs of their owners."""
    columns = SIP_MAPPINGS.c
    where = [
        *any_of(columns.key, request.owner_uri),
        *any_of(columns.type, request.owner_type),
        *any_of(columns.owner, request.owner_id),
        *any_of(columns.username, request.username),
        *part_of(columns.username, request.username_partial),
    ]
    page = page_of(SIP_MAPPINGS, request, caller, platform, *where, sort=columns.key)
    return replace(page, bodies=withheld.mappings(platform, tx, page.bodies))


bind(GetSipMapping, sip_mappings.credential_of, uri="owner_uri", related=_registers_so)
bind(
    SetSipMapping,
    sip_mappings.set_mapping,
    uri="owner_uri",
    username=lambda request, _: request.credential.username,
    password=lambda request, _: request.credential.password,
)
bind(DeleteSipMapping, sip_mappings.remove, uri="owner_uri")
