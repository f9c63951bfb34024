"""SIP identities, and which user or group goes to the gateway under which of them (contract 2.20)."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from console.records.record import Record


class SipCredential(Record):
    """What registers at the gateway (contract 2.20)."""

    username: str = ""
    password: str | None = Field(default=None, repr=False)


class SipIdentity(Record):
    """An entry of a domain's pool of SIP credentials (contract 2.20)."""

    key_field: ClassVar[str] = "id"

    id: str = ""
    username: str | None = None
    password: str | None = Field(default=None, repr=False)
    available: bool | None = None
    """Whether it can still be assigned."""
    domain: str | None = None
    """Our addition: whose pool it lies in, since an admin lists them all."""


class SipMapping(Record):
    """The SIP credential of a user or a group (contract 2.20)."""

    key_field: ClassVar[str] = "owner"

    owner: str = ""
    """`svc-user:<user id>` or `svc-group:<groupId>`."""
    mapping: SipCredential | None = None
