"""Facts about SIP mappings: owner and identity (contract 2.20)."""

from __future__ import annotations

from collections.abc import Sequence

from console.records.people import Group, User
from console.records.sip import SipIdentity, SipMapping
from console.views import wording
from console.views.index import Index
from console.views.render_context import RenderContext

_MAPPED: Index[SipMapping] = Index(
    "sip-mappings", lambda mapping: [mapping.mapping.username if mapping.mapping else None]
)
_POOLED: Index[SipIdentity] = Index("sip-identities", lambda identity: [identity.username])


def group_id(uri: str, render: RenderContext) -> str | None:
    """Return the key of the group that owns a mapping, or None for a user."""
    return render.addresses.group_id(uri)


def owner(uri: str | None, render: RenderContext) -> str | None:
    """Return the name of a mapping's owner: a user or a group."""
    key = group_id(uri, render) if uri else None
    if key is None:
        return wording.name(uri, render)
    group = render.find("groups", key)
    return (group.name if isinstance(group, Group) else None) or key


def domain_of(uri: str, render: RenderContext) -> str | None:
    """Return the domain of a mapping's owner, for a group the domain of its owner; None if unknown."""
    key = group_id(uri, render)
    if key is not None:
        group = render.find("groups", key)
        return group.owner.domain if isinstance(group, Group) and group.owner else None
    user = render.find("users", wording.user_id(uri, render) or "")
    return user.domain if isinstance(user, User) else None


def users_of(identity: SipIdentity, render: RenderContext) -> Sequence[SipMapping]:
    """Return the mappings that use an identity: those with its user name and an owner in its domain."""
    sip_mappings: list[SipMapping] = []
    for mapping in _MAPPED.any_of(render, identity.username):
        domain = domain_of(mapping.owner, render)
        if identity.domain is None or domain is None or domain == identity.domain:
            sip_mappings.append(mapping)
    return sip_mappings


def identity_of(mapping: SipMapping, render: RenderContext) -> SipIdentity | None:
    """Return the known identity of a pool that a mapping uses, or None."""
    username = mapping.mapping.username if mapping.mapping else None
    domain = domain_of(mapping.owner, render)
    pooled = _POOLED.any_of(render, username)
    return next(
        (sip_identity for sip_identity in pooled if domain is None or sip_identity.domain in {None, domain}), None
    )
