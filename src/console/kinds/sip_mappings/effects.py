"""Undo of changes to SIP mappings."""

from __future__ import annotations

from console.api.operations.sip import DeleteSipMapping, NewSipCredential, SetSipMapping
from console.commands.action import Situation
from console.commands.lookup import find
from console.kinds.inverses import Inverse, Inverses
from console.kinds.sip_mappings.facts import identity_of
from console.records.sip import SipIdentity, SipMapping


def mapping(uri: str, identity: SipIdentity) -> SetSipMapping:
    """Return the request that maps a user or group to an identity of the pool, with its password if that is known."""
    known = {} if identity.password is None else {"password": identity.password}
    return SetSipMapping(owner_uri=uri, credential=NewSipCredential(username=identity.username or "", **known))


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


INVERSES: Inverses = {
    SetSipMapping: _map_back,
    DeleteSipMapping: _map_again,
}
