"""From the Authorization header to a caller (contract 5.8 leaves the form open; ours is `Bearer <token>`)."""

from __future__ import annotations

from console.service.caller import NOBODY, Caller
from console.service.domain import tokens
from console.service.domain.people import USERS
from console.service.platform import Platform

LONGEST_TOKEN = 512


def caller_of(platform: Platform, authorization: str | None, remote: str = "") -> Caller:
    """Return who presents this header: somebody with a valid session or access token, or nobody."""
    scheme, _, text = (authorization or "").strip().partition(" ")
    text = text.strip()
    nobody = Caller(remote=remote)
    if scheme.lower() != "bearer" or not text or len(text) > LONGEST_TOKEN:
        return nobody
    with platform.read() as tx:
        found = tokens.find(tx, text)
        if found is None or found.kind not in {"session", "access"} or not found.alive(tx.now):
            return nobody
        user = USERS.get(tx, found.user)
        return nobody if user is None else Caller(user, found.session, found.id, remote)


def renewed(platform: Platform, caller: Caller) -> Caller | None:
    """Return the caller as they are now, or None when their credential holds no longer."""
    with platform.read() as tx:
        found = tokens.by_id(tx, caller.credential)
        if found is None or not found.alive(tx.now):
            return None
        user = USERS.get(tx, found.user)
        return None if user is None else Caller(user, found.session, found.id, caller.remote)


__all__ = ["NOBODY", "caller_of", "renewed"]
