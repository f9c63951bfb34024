"""Domains and what belongs to one: its services, its anonymous users, its cloud directory (contract 2.3, 2.20)."""

from __future__ import annotations

from typing import Any, ClassVar

from pydantic import Field

from console.records.record import Record


class Domain(Record):
    """A part of the platform with users of its own (contract 2.3). Here `anonymous_expiration` is in seconds."""

    key_field: ClassVar[str] = "id"

    id: str = ""
    domain: str | None = None
    """The name; the earlier variant leaves it out of lists."""
    parent: str | None = None
    origins: tuple[str, ...] = ()
    """Regular expressions of the web origins that belong to the domain."""
    enable_anonymous: bool | None = None
    anonymous_expiration: int | float | None = None
    anonymous_capabilities: tuple[str | tuple[str, ...], ...] = ()
    """Capabilities of anonymous users; groups of them in the earlier variant."""
    services: dict[str, tuple[Any, ...]] = Field(default_factory=dict[str, tuple[Any, ...]])
    """What the domain offers, by name of the service."""

    @property
    def name(self) -> str:
        """What people call the domain."""
        return self.domain or self.id

    @property
    def guest_capabilities(self) -> tuple[str, ...]:
        """The capabilities of anonymous users, without the earlier variant's groups, each once."""
        groups = ((each,) if isinstance(each, str) else each for each in self.anonymous_capabilities)
        return tuple(dict.fromkeys(each for group in groups for each in group))


class DirectoryCredentials(Record):
    """How the platform reaches a domain's cloud directory (contract 2.20): each text has at most 255 characters."""

    key_field: ClassVar[str] = "domain"

    domain: str = ""
    client_id: str | None = None
    client_secret: str | None = Field(default=None, repr=False)
    domain_tenant_id: str | None = None


class Notice(Record):
    """That something was done, in a sentence and without a code (contract 7, `{ message }`)."""

    message: str = ""
