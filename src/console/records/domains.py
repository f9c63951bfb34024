"""Domains, with services, anonymous users and cloud directories (contract 2.3, 2.20)."""

from __future__ import annotations

from typing import Any, ClassVar

from console.records.fields import field
from console.records.record import Record


class Domain(Record):
    """A part of the platform with its own users (contract 2.3). `anonymous_expiration` is in seconds."""

    key_field: ClassVar[str] = "id"

    id: str = ""
    domain: str | None = None
    """The name; missing in lists of the earlier variant."""
    parent: str | None = None
    origins: tuple[str, ...] = ()
    """Regular expressions for the web origins of the domain."""
    enable_anonymous: bool | None = None
    anonymous_expiration: int | float | None = None
    anonymous_capabilities: tuple[str | tuple[str, ...], ...] = ()
    """Capabilities of anonymous users; groups of them in the earlier variant."""
    services: dict[str, tuple[Any, ...]] = field(default_factory=dict[str, tuple[Any, ...]])
    """Services of the domain, by name."""

    @property
    def name(self) -> str:
        """The name of the domain."""
        return self.domain or self.id

    @property
    def guest_capabilities(self) -> tuple[str, ...]:
        """The capabilities of anonymous users, without the groups of the earlier variant and without duplicates."""
        groups = (
            (capability,) if isinstance(capability, str) else capability for capability in self.anonymous_capabilities
        )
        return tuple(dict.fromkeys(value for group in groups for value in group))


class DirectoryCredentials(Record):
    """Credentials for a domain's cloud directory (contract 2.20); each text has at most 255 characters."""

    key_field: ClassVar[str] = "domain"

    domain: str = ""
    client_id: str | None = None
    client_secret: str | None = field(default=None, repr=False)
    domain_tenant_id: str | None = None


class Confirmation(Record):
    """A message without a code that confirms a change (contract 7, `{ message }`)."""

    message: str = ""
