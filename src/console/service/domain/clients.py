"""OAuth2 clients: applications registered to request tokens (contract 2.19, 4.2, 5.3).

A client that sends its id and secret with a token request, by HTTP Basic or in the body (RFC 6749 2.3.1), becomes the
token's `clientId` and `audience`. Admins can read its secret again, so the secret is stored encrypted.
"""

from __future__ import annotations

import hmac
import secrets
from dataclasses import replace
from urllib.parse import urlsplit

import sqlalchemy as sa

from console.records.access import OAuthClient
from console.service.auth.caller import Caller
from console.service.events.visibility import Admins
from console.service.platform import Platform
from console.service.refusal import invalid, unknown_client
from console.service.store.documents import Documents
from console.service.store.transaction import Transaction

LONGEST_NAME = 200
LONGEST_URI = 2000

CLIENTS = Documents(
    "oauth2_clients",
    OAuthClient,
    columns=(
        sa.Column("client_id", sa.Text, nullable=False, unique=True),
        sa.Column("sealed", sa.Text, nullable=False),
    ),
    extract=lambda client: {"client_id": client.client_id or ""},
    rule=Admins(),
    singular="OAuth2 client",
    announced=False,
)


def register(platform: Platform, name: str | None, redirect_uri: str | None) -> OAuthClient:
    """Register an application and return it with its secret. Refuse with 400 an invalid name or redirect URI."""
    if name is not None and not 0 < len(name.strip()) <= LONGEST_NAME:
        raise invalid("name", f"must have 1 to {LONGEST_NAME} characters", "length")
    if redirect_uri is not None:
        _check_uri(redirect_uri)
    client = OAuthClient(id=platform.new_id(), name=name, client_id=secrets.token_hex(12))
    client = client.model_copy(update={"redirect_uri": redirect_uri})
    secret = secrets.token_urlsafe(32)
    with platform.write() as tx:
        CLIENTS.put(tx, client, sealed=sealed(platform, client.id, secret))
    return client.model_copy(update={"client_secret": secret})


def sealed(platform: Platform, key: str, secret: str) -> str:
    """Encrypt the secret of a client for storage."""
    return platform.seals.seal(_purpose(key), secret)


def with_secret(platform: Platform, tx: Transaction, key: str) -> OAuthClient:
    """Return a client with its secret; refuse with 404 if there is none."""
    row = CLIENTS.need_row(tx, key)
    secret = platform.seals.unseal(_purpose(key), row.sealed)
    return CLIENTS.read(row.body).model_copy(update={"client_secret": secret})


def is_right(platform: Platform, client_id: str, secret: str) -> bool:
    """Return whether the client exists and this is its secret."""
    with platform.read() as tx:
        row = tx.row(sa.select(CLIENTS.table).where(CLIENTS.c.client_id == client_id))
        if row is None:
            return False
        return hmac.compare_digest(platform.seals.unseal(_purpose(row.key), row.sealed).encode(), secret.encode())


def check(platform: Platform, caller: Caller, client_id: str | None, secret: str | None) -> Caller:
    """Return the caller with the client named in a token request, or unchanged without one.

    Refuse with 401 an unknown id or wrong secret, with 400 a client that is given in two ways.
    """
    if client_id is None and secret is None:
        return caller
    if caller.client_id:
        raise invalid("client_id", "must not be given in addition to the client of the Authorization header", "client")
    with platform.address_login_tries.trying(f"address {caller.remote}"):
        if not is_right(platform, client_id or "", secret or ""):
            raise unknown_client()
    return replace(caller, client_id=client_id or "")


def _purpose(key: str) -> str:
    return f"OAuth2 client {key}"


def _check_uri(uri: str) -> None:
    try:
        parts = urlsplit(uri)
    except ValueError:
        parts = urlsplit("")
    if not parts.scheme or not (parts.netloc or parts.path) or parts.fragment or len(uri) > LONGEST_URI:
        raise invalid("redirectURI", "must be an absolute URI without a fragment", "format")
