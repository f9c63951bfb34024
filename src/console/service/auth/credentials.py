"""Find the caller by the headers of a request. The format, `Bearer <token>`, is open in the contract (5.8)."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import replace
from urllib.parse import unquote_plus

from console.service.auth.caller import NOBODY, Caller
from console.service.domain import clients, tokens
from console.service.domain.people import USERS
from console.service.platform import Platform

LONGEST_TOKEN = 512


def caller_of(platform: Platform, headers: Mapping[str, str], remote: str = "") -> Caller:
    """Return the caller of these headers: a user with a valid token, an OAuth2 client, or a caller without a login.

    Refuse with 401 an OAuth2 client with a wrong id or secret.
    """
    scheme, _, text = headers.get("authorization", "").strip().partition(" ")
    text = text.strip()
    nobody = Caller(remote=remote, origin=headers.get("origin", ""))
    if scheme.lower() == "basic":
        return clients.check(platform, nobody, *_client(text))
    if scheme.lower() != "bearer" or not text or len(text) > LONGEST_TOKEN:
        return nobody
    with platform.read() as tx:
        token = tokens.find(tx, text)
        if token is None or token.kind not in {"session", "access"} or not token.alive(tx.now):
            return nobody
        user = USERS.get(tx, token.user)
        return nobody if user is None else replace(nobody, user=user, session_id=token.session, credential=token.id)


def _client(text: str) -> tuple[str, str]:
    """Return the id and secret of a client, which are form-encoded within the header (RFC 6749 2.3.1).

    They are empty, which no client has, if the header is too long or cannot be decoded.
    """
    if len(text) > LONGEST_TOKEN:
        return "", ""
    try:
        client_id, _, secret = base64.b64decode(text, validate=True).decode().partition(":")
    except ValueError:
        return "", ""
    return unquote_plus(client_id), unquote_plus(secret)


def renewed(platform: Platform, caller: Caller) -> Caller | None:
    """Return the caller with current data, or None if the credential is no longer valid."""
    with platform.read() as tx:
        token = tokens.by_id(tx, caller.credential)
        if token is None or not token.alive(tx.now):
            return None
        user = USERS.get(tx, token.user)
        return None if user is None else replace(caller, user=user)


__all__ = ["NOBODY", "caller_of", "renewed"]
