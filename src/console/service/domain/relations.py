"""References from records to users, by address, and to times, in ms (contract 1.2, 1.5)."""

from __future__ import annotations

from typing import Any

from console.records.addresses import CONTRACT


def user_id_of(address: str | None) -> str | None:
    """Return the id in a user address (contract 1.5), or None for any other address."""
    return CONTRACT.user.id_of(address) if address else None


def address_of(user_id: str) -> str:
    """Return the address of a user (contract 1.5)."""
    return CONTRACT.user.of(user_id)


def whole(value: Any) -> int | None:
    """Return a time as whole milliseconds, as columns store it."""
    return None if value is None else int(value)
