"""Users as addresses resolve to them (contract 2.2, 2.20)."""

from __future__ import annotations

from typing import ClassVar

from console.records.record import Record


class ResolvedUser(Record):
    """Who an address belongs to, and the gateway's name for that user (contract 2.2)."""

    key_field: ClassVar[str] = "id"

    id: str = ""
    domain: str | None = None
    username: str | None = None
    email: str | None = None
    capabilities: tuple[str, ...] = ()
    mobile_phone: tuple[str, ...] = ()
    land_line_number: str | None = None
    alias: str | None = None
    gateway_username: str | None = None


class ResolvedAddresses(Record):
    """Whom the caller has resolved, and the addresses whose presence the caller follows (contract 2.20)."""

    resolved: tuple[ResolvedUser, ...] = ()
    subscribed: tuple[str, ...] = ()
