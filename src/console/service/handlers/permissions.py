"""Handlers for permissions (contract 4.3)."""

from __future__ import annotations

from console.api.operations.permissions import (
    CreateDomainPermissions,
    CreateUserPermissions,
    GetDomainPermissions,
    GetOwnPermissions,
    GetUserPermissions,
    UpdateDomainPermissions,
    UpdateUserPermissions,
)
from console.records.access import Permissions
from console.records.responses import Acknowledgement
from console.service.caller import Caller
from console.service.database import Transaction
from console.service.domain import people, permissions
from console.service.domain.domains import DOMAINS
from console.service.handler import DONE, handles
from console.service.platform import Platform
from console.service.relation_checks import is_self


@handles(GetOwnPermissions, related=is_self("user_id"))
def own(request: GetOwnPermissions, caller: Caller, tx: Transaction) -> Permissions:
    """Return the effective permissions of the caller, or for an admin of any user."""
    return permissions.in_force(tx, people.need_user(tx, request.user_id or caller.id))


@handles(GetDomainPermissions)
def get_of_domain(request: GetDomainPermissions, tx: Transaction) -> Permissions:
    """Return the permissions of a domain."""
    DOMAINS.need(tx, request.id)
    return permissions.need(tx, permissions.of_domain(request.id))


@handles(CreateDomainPermissions)
def create_of_domain(request: CreateDomainPermissions, platform: Platform, tx: Transaction) -> Acknowledgement:
    """Create the permissions of a domain."""
    DOMAINS.need(tx, request.id)
    permissions.create(platform, permissions.of_domain(request.id), request.recording, request.voicemail)
    return DONE


@handles(UpdateDomainPermissions)
def update_of_domain(request: UpdateDomainPermissions, platform: Platform, tx: Transaction) -> Acknowledgement:
    """Change the permissions of a domain."""
    DOMAINS.need(tx, request.id)
    permissions.update(platform, permissions.of_domain(request.id), request.recording, request.voicemail)
    return DONE


@handles(GetUserPermissions)
def get_of_user(request: GetUserPermissions, tx: Transaction) -> Permissions:
    """Return the user's own permissions, without those of the domain."""
    people.need_user(tx, request.id)
    return permissions.need(tx, permissions.of_user(request.id))


@handles(CreateUserPermissions)
def create_of_user(request: CreateUserPermissions, platform: Platform, tx: Transaction) -> Acknowledgement:
    """Create a user's own permissions."""
    people.need_user(tx, request.id)
    permissions.create(platform, permissions.of_user(request.id), request.recording, request.voicemail)
    return DONE


@handles(UpdateUserPermissions)
def update_of_user(request: UpdateUserPermissions, platform: Platform, tx: Transaction) -> Acknowledgement:
    """Change a user's own permissions."""
    people.need_user(tx, request.id)
    permissions.update(platform, permissions.of_user(request.id), request.recording, request.voicemail)
    return DONE
