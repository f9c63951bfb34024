"""References from records to users, by address, and to times, in ms (contract 1.2, 1.5)."""

from __future__ import annotations

from typing import Any

ADDRESS_PREFIX = "svc-user:"


def user_id_of(address: str | None) -> str | None:
    """Return the id in a user address (contract 1.5), or None for any other address."""
    return address.removeprefix(ADDRESS_PREFIX) if address and address.startswith(ADDRESS_PREFIX) else None


def address_of(user_id: str) -> str:
    """Return the address of a user (contract 1.5)."""
    return ADDRESS_PREFIX + user_id


def whole(value: Any) -> int | None:
    """Return a time as whole milliseconds, as columns store it."""
    return None if value is None else int(value)
