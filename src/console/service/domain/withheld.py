"""Passwords and tokens in answers, which contain them only with `Settings.show_secrets`.

Events, and answers to callers other than admins and the owner, never contain them. A token is shown if it was issued
while the setting was on; of all others only hashes are stored.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from console.records.people import TokenRecord
from console.service.auth.caller import Caller
from console.service.domain import credentials, sip, sip_mappings, tokens
from console.service.platform import Platform
from console.service.store.transaction import Transaction

Wire = dict[str, Any]


def identities(platform: Platform, tx: Transaction, caller: Caller, bodies: Sequence[str]) -> Sequence[str]:
    """Return SIP identities, for admins with their passwords."""
    if not caller.is_admin:
        return bodies
    return _changed(platform, bodies, lambda wire: {**wire, "password": sip.password_of(platform, tx, str(wire["id"]))})


def mappings(platform: Platform, tx: Transaction, bodies: Sequence[str]) -> Sequence[str]:
    """Return SIP mappings with their passwords."""

    def with_password(wire: Wire) -> Wire:
        credential = sip_mappings.credential_of(platform, tx, str(wire["owner"]))
        return {**wire, "mapping": credential.wire()}

    return _changed(platform, bodies, with_password)


def sessions(platform: Platform, tx: Transaction, bodies: Sequence[str]) -> Sequence[str]:
    """Return sessions with their tokens."""

    def with_token(wire: Wire) -> Wire:
        text = tokens.text_of(platform, tx, tokens.tokens.c.session == str(wire["id"]))
        return wire if text is None else {**wire, "token": text}

    return _changed(platform, bodies, with_token)


def data_of(platform: Platform, tx: Transaction, bodies: Sequence[str]) -> Sequence[str]:
    """Return credentials with the secrets in their data; of passwords only hashes are stored."""

    def with_secrets(wire: Wire) -> Wire:
        secret = credentials.secret_of(platform, tx, str(wire["id"]))
        return {**wire, "data": {**wire.get("data", {}), **secret}}

    return _changed(platform, bodies, with_secrets)


def records(platform: Platform, tx: Transaction, token_records: Sequence[TokenRecord]) -> Sequence[TokenRecord]:
    """Return the records of OAuth2 tokens with the tokens themselves."""
    if not platform.settings.show_secrets:
        return token_records
    return [
        token_record.model_copy(update={"token": tokens.text_of(platform, tx, tokens.tokens.c.id == token_record.id)})
        for token_record in token_records
    ]


def _changed(platform: Platform, bodies: Sequence[str], change: Callable[[Wire], Wire]) -> Sequence[str]:
    if not platform.settings.show_secrets:
        return bodies
    return [json.dumps(change(json.loads(body)), separators=(",", ":")) for body in bodies]
