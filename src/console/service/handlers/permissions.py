"""Handlers for permissions (contract 4.3)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from console.api.operations.permissions import (
    CreateDomainPermissions,
    CreateUserPermissions,
    GetDomainPermissions,
    GetOwnPermissions,
    GetUserPermissions,
    UpdateDomainPermissions,
    UpdateUserPermissions,
)
from console.api.request import Request
from console.records.access import Permissions, RecordingPermission, VoicemailPermission
from console.service.auth.caller import Caller
from console.service.auth.relation_checks import is_self
from console.service.domain import people, permissions
from console.service.domain.domains import DOMAINS
from console.service.handlers.handler import bind, handles
from console.service.platform import Platform
from console.service.store.transaction import Transaction


@handles(GetOwnPermissions, related=is_self("user_id"))
def own(request: GetOwnPermissions, caller: Caller, tx: Transaction) -> Permissions:
    """Return the effective permissions of the caller, or for an admin of any user."""
    return permissions.in_force(tx, people.need_user(tx, request.user_id or caller.id))


def _bind_permissions(
    get: type[Request[Any]],
    create: type[Request[Any]],
    update: type[Request[Any]],
    key: Callable[[str], str],
    need: Callable[[Transaction, str], object],
) -> None:
    """Bind the operations on the permissions of domains or users. `need` refuses unknown ones with 404."""

    def read(tx: Transaction, of: str) -> Permissions:
        need(tx, of)
        return permissions.need(tx, key(of))

    def changes(change: Callable[..., None]) -> Callable[..., None]:
        def changed(
            platform: Platform,
            tx: Transaction,
            of: str,
            recording: RecordingPermission,
            voicemail: VoicemailPermission | None,
        ) -> None:
            need(tx, of)
            change(platform, key(of), recording, voicemail)

        return changed

    bind(get, read, of="id")
    bind(create, changes(permissions.create), of="id")
    bind(update, changes(permissions.update), of="id")


_bind_permissions(
    GetDomainPermissions, CreateDomainPermissions, UpdateDomainPermissions, permissions.of_domain, DOMAINS.need
)
_bind_permissions(
    GetUserPermissions, CreateUserPermissions, UpdateUserPermissions, permissions.of_user, people.need_user
)
