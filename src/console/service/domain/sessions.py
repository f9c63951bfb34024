"""Logins and sessions (contract 2.4, 4.1, 5). A session's token is returned once, at creation, and never stored."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import Any

import sqlalchemy as sa

from console.api.annotations import Variant
from console.api.services import LOGIN, offers
from console.records.people import BearerToken, Login, LoginCapabilities, Session, SessionContext, User, UserContext
from console.service.auth.caller import Caller
from console.service.auth.offers import not_offered
from console.service.auth.passwords import LONGEST_PASSWORD
from console.service.domain import credentials, domains, identities, people, tokens
from console.service.events.visibility import Admins, AnyOf, Same, by_id
from console.service.platform import Platform
from console.service.refusal import Refusal, forbidden, invalid, login_needed, missing, too_many
from console.service.store.documents import Documents
from console.service.store.transaction import Transaction


def _as_earlier(session: dict[str, Any]) -> dict[str, Any]:
    session.pop("userObj", None)
    return session


SESSIONS = Documents(
    "sessions",
    Session,
    columns=(
        sa.Column("user", sa.Text, nullable=False, index=True),
        sa.Column("domain", sa.Text, nullable=False),
        sa.Column("created", sa.Integer, nullable=False),
        sa.Column("expires", sa.Integer, nullable=False, index=True),
    ),
    extract=lambda session: {
        "user": session.user or "",
        "domain": session.domain or "",
        "created": int(session.from_ or 0),
        "expires": int(session.expires or 0),
    },
    rule=AnyOf(Admins(), Same("user", by_id)),
    earlier=_as_earlier,
)
"""Active sessions. Ended ones move to `ENDED`, so that lists and events contain the same sessions."""

ENDED = Documents(
    "ended_sessions",
    Session,
    columns=(
        sa.Column("user", sa.Text, nullable=False),
        sa.Column("ended", sa.Integer, nullable=False, index=True),
    ),
    extract=lambda session: {"user": session.user or "", "ended": int(session.to or 0)},
    rule=AnyOf(Admins(), Same("user", by_id)),
    singular="session",
    announced=False,
    earlier=_as_earlier,
)
KEEP_ENDED_MS = 24 * 3600 * 1000


# -- tokens for passwords -------------------------------------------------------------------------------------------


async def issue_for_password(
    platform: Platform, caller: Caller, name: str, password: str, new_password: str | None = None
) -> Callable[[], BearerToken]:
    """Return a function that issues OAuth2 tokens for a user (name, `username@domain` or id) with a correct password.

    An unknown name takes the same time and gets the same 401 as a wrong password; too many failures get 429. A disabled
    account gets 403, and so does a temporary password, unless a new one is given to replace it.
    """
    user = await _known_by_password(platform, caller, name, password)
    if new_password is not None and (new_password == password or not 0 < len(new_password) <= LONGEST_PASSWORD):
        raise invalid("new_password", f"must be another one, of 1 to {LONGEST_PASSWORD} characters", "password")
    new_hash = None if new_password is None else await platform.passwords.hashed(new_password)

    def issue() -> BearerToken:
        with platform.write() as tx:
            identities.check_enabled(tx, user.id)
            if new_hash is not None:
                people.set_password(platform, user.id, new_hash)
                tokens.drop(tx, [user.id], ("access", "refresh"))
            _admit(platform, tx, user)
            return tokens.issue(platform, user.id, caller.client_id)

    return issue


async def _known_by_password(platform: Platform, caller: Caller, name: str, password: str) -> User:
    account, address = f"account {name.casefold()}", f"address {caller.remote}"
    entered = platform.database.entered
    async with (
        entered(platform.address_login_tries.trying(address)),
        entered(platform.login_tries.trying(account)),
    ):
        user, stored = await platform.database.run(partial(_account, platform, caller, name))
        if not await platform.passwords.matches(stored, password) or user is None:
            raise login_needed("invalid user name or password")
    await platform.database.run(partial(platform.login_tries.forget, account))
    return user


def _account(platform: Platform, caller: Caller, name: str) -> tuple[User | None, str | None]:
    """Return the user with a name, and the hash of the password."""
    with platform.read() as tx:
        user = people.find_user(tx, name) or _of_origin(tx, caller, name)
        return user, None if user is None else people.password_hash_of(tx, user.id)


def _of_origin(tx: Transaction, caller: Caller, name: str) -> User | None:
    """Find a user, whose name exists in several domains, in the domain of the login's web page."""
    domain = domains.of_origin(tx, caller.origin)
    return None if domain is None else people.find_user(tx, f"{name}@{domain.name}")


def issue_for_refresh(platform: Platform, caller: Caller, text: str) -> BearerToken | Refusal:
    """Exchange a refresh token for a new pair of tokens; refuse with 401 an invalid one, or another client's.

    The refusal is returned, not raised, because the exchange may have revoked the whole family, which must be
    committed.
    """
    pair = tokens.refresh(platform, text, caller.client_id)
    return login_needed("the refresh token is invalid or expired") if pair is None else pair


def issue_for_guest(platform: Platform, caller: Caller) -> BearerToken:
    """Issue OAuth2 tokens for a new anonymous user."""
    with platform.write() as tx:
        return tokens.issue(platform, _new_guest(platform, tx, caller.origin).id, caller.client_id)


def _new_guest(platform: Platform, tx: Transaction, origin: str) -> User:
    """Create an anonymous user in the domain of the origin, with the capabilities that the domain grants."""
    if not platform.settings.allow_guests:
        raise forbidden("this service accepts no anonymous logins")
    if people.USERS.count(tx, people.USERS.c.role == "anonymous") >= platform.settings.most_guests:
        raise too_many("there are too many anonymous users", 60)
    domain = domains.for_guest(platform, tx, origin)
    guest_id = platform.new_id()
    guest = User(id=guest_id, username=f"guest-{guest_id}", domain=domain.id, role="anonymous")
    return people.add_user(platform, guest.model_copy(update={"capabilities": domain.guest_capabilities}))


# -- sessions ---------------------------------------------------------------------------------------------------------


def start(platform: Platform, caller: Caller, token: str, context: UserContext | None) -> Login:
    """Start a session for an OAuth2 access token or a `token` credential, or an anonymous one for an empty token."""
    with platform.write() as tx:
        if token:
            owner = credentials.owner_of_token(tx, token) or tokens.need_alive(tx, token, ("access",)).user
            user = people.USERS.get(tx, owner)
            if user is None:
                raise login_needed("the user no longer exists")
        else:
            user = _new_guest(platform, tx, caller.origin)
        session, text = create(platform, user, _session_context(context))
        return _login(platform, tx, session, text)


def resume(platform: Platform, token: str, context: UserContext | None) -> Login:
    """Log in again with the token of an active session; the token stays the same."""
    with platform.write() as tx:
        need_alive = tokens.need_alive(tx, token, ("session",))
        session = SESSIONS.get(tx, need_alive.session)
        if session is None:
            raise login_needed("the session has ended")
        if context is not None:
            session = session.model_copy(update={"context": _session_context(context)})
            SESSIONS.put(tx, session)
        return _login(platform, tx, session, token)


def create(platform: Platform, user: User, context: SessionContext | None) -> tuple[Session, str]:
    """Create a session; return it and its token, which is not stored. Refuse with 403 users who may not log in."""
    with platform.write() as tx:
        _admit(platform, tx, user)
        user = user.model_copy(update={"last_login": tx.now})
        people.USERS.put(tx, user)
        seconds = _seconds(platform, tx, user)
        session = Session(
            id=platform.new_id(),
            user=user.id,
            user_obj=people.reference(user),
            domain=user.domain,
            expires=tx.now + seconds * 1000,
            context=context,
        )
        session = session.model_copy(update={"from_": tx.now})
        SESSIONS.put(tx, session)
        text = tokens.mint(platform, "session", user.id, seconds, session=session.id)
        return session, text


def _admit(platform: Platform, tx: Transaction, user: User) -> None:
    """Refuse with 403 users who may not log in.

    Admins may log in even if their domain does not offer logins, because only they can enable them again.
    """
    identities.admit(tx, user.id)
    domain = user.domain or ""
    if user.role != "admin" and not offers(platform.offers.of(tx, domain), LOGIN):
        raise not_offered(domain, LOGIN)


def _seconds(platform: Platform, tx: Transaction, user: User) -> int:
    """Return the duration of a session in seconds; for a guest, the domain's."""
    domain = domains.DOMAINS.get(tx, user.domain or "") if user.role == "anonymous" else None
    own = domain.anonymous_expiration if domain is not None else None
    return platform.settings.session_seconds if own is None else max(1, int(own))


def _session_context(context: UserContext | None) -> SessionContext | None:
    return None if context is None else SessionContext.model_validate(context.wire())


def _login(platform: Platform, tx: Transaction, session: Session, token: str) -> Login:
    user = people.need_user(tx, session.user or "")
    offered = domains.services_of(tx, user.domain or "")
    return Login(
        access_token=token,
        expires_in=max(0, (int(session.expires or 0) - tx.now) // 1000),
        token_type="SvcSessionToken",
        session_id=session.id if platform.variant is Variant.EARLIER else None,
        session=_for_variant(session, platform.variant),
        credential=credentials.shown_at_login(tx, user),
        capabilities=LoginCapabilities(
            domain=tuple({"name": name} for name in offered), user=tuple({"name": name} for name in user.capabilities)
        ),
    )


def _for_variant(session: Session, variant: Variant) -> Session:
    return session if variant is Variant.LATER else session.model_copy(update={"user_obj": None})


def find(tx: Transaction, session_id: str) -> tuple[Documents[Session], sa.Row[Any]]:
    """Return the kind and row of a session, active or ended; refuse with 404 if there is none."""
    for kind in (SESSIONS, ENDED):
        row = kind.row(tx, session_id)
        if row is not None:
            return kind, row
    raise missing("session", session_id)


def update(platform: Platform, caller: Caller, session_id: str, changes: Mapping[str, Any]) -> str:
    """Change an active session; return its new text. `to` becomes -1: still open (2.4)."""
    return _update(platform, caller, [session_id], changes)[0]


def _update(platform: Platform, caller: Caller, ids: Collection[str], changes: Mapping[str, Any]) -> tuple[str, ...]:
    """Change several active sessions, all or none; return their new texts in the same order."""
    with platform.write() as tx:
        before = _texts(tx, ids)
        for session_id in ids:
            if session_id not in before:
                find(tx, session_id)
                raise missing("live session", session_id)
        domain = changes.get("domain")
        if domain is not None and not caller.is_admin and domain != caller.domain:
            raise forbidden("only an admin may move a session to another domain")
        SESSIONS.put_many(
            tx,
            [Session.model_validate({**json.loads(body), **changes, "to": -1}) for body in before.values()],
        )
        after = _texts(tx, ids)
        return tuple(after[session_id] for session_id in ids)


def _texts(tx: Transaction, ids: Collection[str]) -> Mapping[str, str]:
    """Return the texts of active sessions by id."""
    return {row.key: row.body for row in SESSIONS.rows(tx, ids)}


CHANGEABLE = frozenset({"registered", "context", "domain", "from"})


def update_many(platform: Platform, caller: Caller, ids: Sequence[str], data: Mapping[str, Any]) -> tuple[str, ...]:
    """Change several active sessions, all or none; return their new texts."""
    changes = {name: value for name, value in data.items() if value is not None}
    for name in changes:
        if name not in CHANGEABLE:
            raise invalid(f"data.{name}", "cannot be changed", "additionalProperties")
    registered = changes.get("registered")
    if registered is not None:
        wanted = str if platform.variant is Variant.LATER else int | float | str
        if not isinstance(registered, wanted) or isinstance(registered, bool):
            raise invalid("data.registered", "has the wrong type", "type")
        changes["registered"] = str(registered)
    if not isinstance(changes.get("domain", ""), str):
        raise invalid("data.domain", "must be a string", "type")
    if not isinstance(changes.get("from", 0), int | float) or isinstance(changes.get("from"), bool):
        raise invalid("data.from", "must be a number", "type")
    if "context" in changes and not _is_context(changes["context"]):
        raise invalid("data.context", "must be an object; src and language must be strings", "type")
    return _update(platform, caller, tuple(dict.fromkeys(ids)), changes)


def _is_context(value: object) -> bool:
    try:
        SessionContext.model_validate(value, context={"strict": True})
    except ValueError:
        return False
    return True


def revoke(platform: Platform, session_id: str) -> str:
    """End a session and return it. A session that has ended is returned unchanged."""
    with platform.write() as tx:
        kind, row = find(tx, session_id)
        return end(tx, kind.read(row.body)) if kind is SESSIONS else row.body


def end(tx: Transaction, session: Session) -> str:
    """Move an active session to the ended ones, and return its text."""
    end_many(tx, [session])
    return ENDED.body(tx, session.id) or ""


def end_many(tx: Transaction, sessions: Sequence[Session]) -> None:
    """Move active sessions to the ended ones, and delete guests without another session.

    The number of statements is constant.
    """
    keys = [session.id for session in sessions]
    owners = {session.user or "" for session in sessions}
    tokens.revoke_sessions(tx, keys)
    SESSIONS.remove_many(tx, keys)
    ENDED.load(tx, [session.model_copy(update={"to": tx.now}) for session in sessions])
    still_in = sa.select(SESSIONS.c.user)
    users = people.USERS.c
    guests = _ids(tx, users.key.in_(owners), users.role == "anonymous", users.key.not_in(still_in))
    tokens.drop(tx, guests, ("access", "refresh", "session"))
    people.remove_users(tx, guests)


def end_expired(platform: Platform) -> None:
    """End expired sessions; called every few seconds."""
    with platform.read() as tx:
        if not SESSIONS.count(tx, SESSIONS.c.expires <= tx.now):
            return
    with platform.write() as tx:
        end_many(tx, SESSIONS.records(tx, SESSIONS.c.expires <= tx.now))


def forget_old(platform: Platform) -> None:
    """Delete ended sessions, expired tokens, and guests without a token after a day; called every few minutes."""
    with platform.write() as tx:
        tx.run(sa.delete(ENDED.table).where(ENDED.c.ended <= tx.now - KEEP_ENDED_MS))
        tokens.forget_dead(tx, tx.now - KEEP_ENDED_MS)
        users = people.USERS.c
        old = (users.role == "anonymous", users.created <= tx.now - KEEP_ENDED_MS)
        people.remove_users(tx, _ids(tx, *old, users.key.not_in(tokens.users_with_one(tx))))


def _ids(tx: Transaction, *where: sa.ColumnElement[bool]) -> Sequence[str]:
    """Return the ids of the users under these conditions."""
    return tx.run(sa.select(people.USERS.c.key).where(*where)).scalars().all()


def belongs(tx: Transaction, username: str, token: str) -> bool:
    """Return whether the token of an active session belongs to the user with this id or name."""
    index = tokens.find(tx, token)
    user = people.find_user(tx, username)
    return bool(index and user and index.kind == "session" and index.alive(tx.now) and index.user == user.id)
