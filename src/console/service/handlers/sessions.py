"""Handlers for logins and sessions (contract 4.1)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa

from console.api.operations.sessions import (
    CreateSession,
    GetSession,
    ListOwnSessions,
    ListSessions,
    ResumeSession,
    RevokeSession,
    StartSession,
    UpdateSession,
    UpdateSessions,
    ValidateSession,
)
from console.records.people import Login
from console.records.responses import Acknowledgement
from console.service.auth.caller import Caller
from console.service.domain import credentials, people, push, sessions, tokens, withheld
from console.service.domain.sessions import ENDED, SESSIONS
from console.service.domain.sip_mappings import users_at_gateway
from console.service.handlers.handler import DONE, Stored, Wire, bind, handles
from console.service.platform import Platform
from console.service.refusal import Refusal, invalid
from console.service.store.documents import Documents
from console.service.store.json_sql import number_at, text_at
from console.service.store.transaction import Transaction

PROVIDERS = frozenset({None, "", "local"})


@handles(StartSession)
def start(request: StartSession, caller: Caller, platform: Platform) -> Login:
    """Start a session; `local` is the only OAuth2 provider of this service."""
    if request.provider not in PROVIDERS:
        raise invalid("provider", "is not known here", "enum")
    return sessions.start(platform, caller, request.token, request.context)


@handles(ListSessions)
def list_all(request: ListSessions, caller: Caller, platform: Platform, tx: Transaction) -> Stored:
    """List the sessions of all users."""
    where = [SESSIONS.c.user.in_(request.users)] if request.users is not None else []
    ended = [ENDED.c.user.in_(request.users)] if request.users is not None else []
    return _listed(request, caller, platform, tx, where, ended)


@handles(ListOwnSessions)
def list_own(request: ListOwnSessions, caller: Caller, platform: Platform, tx: Transaction) -> Stored:
    """List the caller's sessions."""
    return _listed(request, caller, platform, tx, [SESSIONS.c.user == caller.id], [ENDED.c.user == caller.id])


def _listed(
    request: ListSessions | ListOwnSessions,
    caller: Caller,
    platform: Platform,
    tx: Transaction,
    live: Sequence[sa.ColumnElement[bool]],
    ended: Sequence[sa.ColumnElement[bool]],
) -> Stored:
    """List active sessions, or with `to` those that ended by then; by default the newest last.

    A signaling user is a user's name at the gateway, by a credential or a SIP mapping. A push token selects the
    sessions of the user who registered it.
    """
    documents: Documents[Any] = SESSIONS
    where = list(live)
    if request.to is not None:
        documents = ENDED
        where = [*ended, ENDED.c.ended <= request.to]
    columns = documents.c
    began = number_at(columns.body, "from")
    if request.session_id is not None:
        where.append(columns.key == request.session_id)
    if request.token is not None:
        token = tokens.find(tx, request.token)
        where.append(columns.key == (token.session if token else ""))
    if request.user is not None:
        where.append(columns.user == request.user)
    if request.signaling_user is not None:
        name = request.signaling_user
        mapped = columns.user.in_(users_at_gateway(tx, name))
        where.append(sa.or_(columns.user.in_(credentials.signing_as(name)), mapped))
    if request.push_token is not None:
        where.append(columns.user.in_(push.owners_of(request.push_token)))
    if request.domain is not None:
        where.append(text_at(columns.body, "domain") == request.domain)
    since = [each for each in (request.from_, request.created_since) if each is not None]
    where += [began >= value for value in since]
    if request.created_until is not None:
        where.append(began <= request.created_until)
    if request.expires_in is not None:
        where.append(number_at(columns.body, "expires") <= tx.now + request.expires_in * 1000)
    order = began.desc() if request.sort == "-createdAt" else began.asc()
    bodies = documents.bodies(tx, *where, caller=caller, order=[order], limit=request.limit)
    return Stored(documents, withheld.sessions(platform, tx, bodies))


@handles(CreateSession)
def create(request: CreateSession, caller: Caller, platform: Platform, tx: Transaction) -> Wire:
    """Create another session for the caller. Only this answer contains the new token."""
    user = people.need_user(tx, caller.id)
    session, text = sessions.create(platform, user, request.context)
    body = session.wire() | {"token": text}
    if platform.variant.value == "earlier":
        body.pop("userObj", None)
    return Wire(body)


def _own(tx: Transaction, caller: Caller, request: GetSession | UpdateSession | RevokeSession) -> bool:
    return request.id is None or sessions.find(tx, request.id)[1].user == caller.id


@handles(GetSession, related=_own)
def get(request: GetSession, platform: Platform, tx: Transaction) -> Stored:
    """Return a session, active or ended."""
    documents, row = sessions.find(tx, request.id)
    return Stored(documents, withheld.sessions(platform, tx, (row.body,)), many=False)


@handles(UpdateSession, related=_own)
def update(request: UpdateSession, caller: Caller, platform: Platform) -> Stored:
    """Change an active session."""
    changes: dict[str, Any] = {}
    if request.domain is not None:
        changes["domain"] = request.domain
    if request.from_ is not None:
        changes["from"] = request.from_
    if request.context is not None:
        changes["context"] = request.context.wire()
    return Stored(SESSIONS, (sessions.update(platform, caller, request.id, changes),), many=False)


@handles(RevokeSession, related=_own)
def revoke(request: RevokeSession, caller: Caller, platform: Platform) -> Stored:
    """End a session: its event channels close, and its token is invalid at once."""
    session_id = request.id or caller.session_id
    if not session_id:
        raise invalid("id", "is required: this login has no session", "required")
    return Stored(ENDED, (sessions.revoke(platform, session_id),), many=False)


@handles(ValidateSession)
def validate(request: ValidateSession, tx: Transaction) -> Acknowledgement:
    """Check a pair of user and session token, without revealing which of the two is wrong."""
    if not sessions.belongs(tx, request.username, request.token):
        raise Refusal(400, "the user and the token do not belong together", invalid("token", "is not valid").problems)
    return DONE


bind(ResumeSession, sessions.resume)
bind(UpdateSessions, sessions.update_many, answer=lambda _, bodies: Stored(SESSIONS, bodies))
