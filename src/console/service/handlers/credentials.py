"""Handlers for credentials (contract 4.4). Answers omit secrets, unless the service is configured to show them."""

from __future__ import annotations

import sqlalchemy as sa

from console.api.operations.domains import CreateCredential, GetCredential, ListCredentials, UpdateCredential
from console.records.access import Credential
from console.records.people import User
from console.service.auth.caller import Caller
from console.service.auth.relation_checks import is_self
from console.service.domain import credentials, people, withheld
from console.service.domain.credentials import CREDENTIALS
from console.service.handlers.handler import Stored, handles
from console.service.platform import Platform
from console.service.refusal import invalid
from console.service.store.paging import any_of
from console.service.store.transaction import Transaction


@handles(ListCredentials, related=is_self("user"))
def list_credentials(request: ListCredentials, caller: Caller, platform: Platform, tx: Transaction) -> Stored:
    """List the credentials of the caller, or for an admin of the named user; `data` matches a value in the data."""
    column = CREDENTIALS.c
    where = [column.user == (request.user or caller.id), *any_of(column.type, request.type)]
    if request.id is not None:
        where.append(sa.or_(column.key == request.id, column.short == request.id))
    bodies = CREDENTIALS.bodies(tx, *where)
    if request.data is not None:
        bodies = tuple(body for body in bodies if request.data in (CREDENTIALS.read(body).data or {}).values())
    return Stored(CREDENTIALS, withheld.data_of(platform, tx, bodies))


def _password(request: CreateCredential | UpdateCredential) -> str | None:
    password = (request.data or {}).get("password")
    return password if isinstance(password, str) and request.type in {None, "basic"} else None


@handles(CreateCredential, related=is_self("user"), hashes=_password)
def create(request: CreateCredential, caller: Caller, platform: Platform, tx: Transaction) -> Stored:
    """Create a credential."""
    credential = credentials.create(
        platform,
        _owner(tx, request.user or caller.id),
        source=request.source,
        type=request.type,
        domain=request.domain,
        data=request.data,
        lease=request.lease,
        context=request.context,
    )
    return _one(platform, tx, credential)


def _own(tx: Transaction, caller: Caller, request: GetCredential | UpdateCredential) -> bool:
    handed_on = isinstance(request, UpdateCredential) and request.user not in {None, caller.id}
    return credentials.need(tx, request.id).user == caller.id and not handed_on


@handles(GetCredential, related=_own)
def get(request: GetCredential, platform: Platform, tx: Transaction) -> Stored:
    """Get one credential."""
    return _one(platform, tx, credentials.need(tx, request.id))


@handles(UpdateCredential, related=_own, hashes=_password)
def update(request: UpdateCredential, platform: Platform, tx: Transaction) -> Stored:
    """Change a credential; only an admin may change its owner."""
    given = {name: getattr(request, name) for name in ("source", "type", "domain", "data", "lease", "context")}
    owner = _owner(tx, request.user or credentials.need(tx, request.id).user or "")
    return _one(platform, tx, credentials.update(platform, request.id, owner, given))


def _one(platform: Platform, tx: Transaction, credential: Credential) -> Stored:
    bodies = [CREDENTIALS.need_row(tx, credential.key).body]
    return Stored(CREDENTIALS, withheld.data_of(platform, tx, bodies), many=False)


def _owner(tx: Transaction, user_id: str) -> User:
    user = people.USERS.get(tx, user_id)
    if user is None:
        raise invalid("user", f"there is no user {user_id}", "reference")
    return user
