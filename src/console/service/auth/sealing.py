"""Encryption of secrets that must be readable again, such as secrets of clients and gateways.

The key is in a separate file next to the database (`<database>.key`, readable by its owner only), so that a copy of the
database alone reveals nothing. Secrets that only need to be checked are hashed instead: see `passwords.py` and
`domain/tokens.py`.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import os
import secrets
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from console.config.paths import read_private
from console.service.store.database import Database
from console.service.store.faults import DatabaseFault

_NONCE_BYTES = 12
_PROOF = "a text that every database keeps, to see whether the key is its own"


class Seals:
    """Encrypts and decrypts texts with one key (AES-256-GCM)."""

    def __init__(self, key: bytes) -> None:
        self._cipher = AESGCM(key)
        self._marks = hmac.new(key, b"fingerprints", hashlib.sha256).digest()

    def seal(self, purpose: str, text: str) -> str:
        """Encrypt a text. It can be decrypted only with the same `purpose`."""
        nonce = secrets.token_bytes(_NONCE_BYTES)
        return base64.b64encode(nonce + self._cipher.encrypt(nonce, text.encode(), purpose.encode())).decode()

    def unseal(self, purpose: str, sealed: str) -> str:
        """Decrypt a text. Raise ValueError if it is invalid, was changed, or has another purpose."""
        try:
            raw = base64.b64decode(sealed, validate=True)
            return self._cipher.decrypt(raw[:_NONCE_BYTES], raw[_NONCE_BYTES:], purpose.encode()).decode()
        except (InvalidTag, binascii.Error, ValueError) as error:
            raise ValueError(f"{purpose} cannot be decrypted with this key") from error

    def fingerprint(self, content: bytes) -> str:
        """Return a keyed hash that identifies a content without revealing it."""
        return hmac.new(self._marks, content, hashlib.sha256).hexdigest()


def seals_of(database: Database, key_file: Path | None = None) -> Seals:
    """Return the encryption of a database, and create its key with the database. Raise DatabaseFault if it is missing.

    The key is in `key_file`; by default next to the file of the database, or in memory for a database in memory.
    """
    path = key_file
    if path is None and database.path is not None:
        path = database.path.with_name(database.path.name + ".key")
    if path is None and database.is_remote:
        raise DatabaseFault(f"{database.name}: name the file of the key that encrypts secrets in it, with --key")
    key = secrets.token_bytes(32)

    def seals() -> Seals:
        return Seals(key if path is None else _read(path))

    def prove() -> str:
        if path is not None:
            _create(path, key)
        return seals().seal("proof", _PROOF)

    proof = database.fact("sealed proof", prove)
    known = seals()
    try:
        known.unseal("proof", proof)
    except ValueError as error:
        raise DatabaseFault(f"{path}: not the key of {database.name}") from error
    return known


def _create(path: Path, key: bytes) -> None:
    """Create the file of a key, if there is none. Raise DatabaseFault."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with os.fdopen(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as file:
            file.write(key)
    except FileExistsError:
        pass
    except OSError as error:
        raise DatabaseFault(f"{path}: {error.strerror}") from error


def _read(path: Path) -> bytes:
    try:
        key = read_private(path)
    except FileNotFoundError as error:
        raise DatabaseFault(f"{path}: the key is missing. Copy it there from a backup.") from error
    except OSError as error:
        raise DatabaseFault(f"{path}: {error.strerror}") from error
    if len(key) != 32:
        raise DatabaseFault(f"{path}: is not a key")
    return key
