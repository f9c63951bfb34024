"""Pictures of users, served at their own URLs (contract 2.11, later variant).

A URL contains a random part in place of a login, because pages load pictures without credentials. It changes with the
picture, so the content of a URL never changes. A URL is a path on the service's own host.
"""

from __future__ import annotations

import base64
import binascii
import secrets
from urllib.parse import quote

from console.service.domain.presence import PRESENCE
from console.service.domain.relations import address_of
from console.service.refusal import invalid
from console.service.store.transaction import Transaction

PREFIX = "/avatars"
_BEGINNINGS = {
    b"\x89PNG\r\n\x1a\n": "image/png",
    b"\xff\xd8\xff": "image/jpeg",
    b"GIF87a": "image/gif",
    b"GIF89a": "image/gif",
}


def new_url(user: str, avatar: str | None) -> str | None:
    """Return a new URL for the picture of a user, or None if the avatar is not a picture."""
    return None if _read(avatar) is None else url(user, secrets.token_hex(16))


def check(avatar: str) -> None:
    """Refuse with 400 an avatar that is not base64, with or without a data URL prefix."""
    if _decoded(avatar) is None:
        raise invalid("avatar", "must be base64", "format")


def url(user: str, name: str) -> str:
    """Return the URL of a user's picture by its random name."""
    return f"{PREFIX}/{quote(user, safe='')}/{name}"


def picture(tx: Transaction, user: str, name: str) -> tuple[str, bytes] | None:
    """Return media type and bytes of the user's picture with this name, or None."""
    presence = PRESENCE.get(tx, address_of(user))
    if presence is None or presence.avatar_url != url(user, name):
        return None
    return _read(presence.avatar)


def _read(avatar: str | None) -> tuple[str, bytes] | None:
    """Decode base64, with or without a data URL prefix, and detect the image type by its first bytes."""
    content = _decoded(avatar or "")
    if content is None:
        return None
    media = next((kind for beginning, kind in _BEGINNINGS.items() if content.startswith(beginning)), None)
    if media is None and content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        media = "image/webp"
    return None if media is None else (media, content)


def _decoded(avatar: str) -> bytes | None:
    try:
        return base64.b64decode(avatar.rpartition("base64,")[2], validate=True)
    except (binascii.Error, ValueError):
        return None
