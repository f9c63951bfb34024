"""SIP identities, and their mapping to users and groups (contract 2.20)."""

from __future__ import annotations

from typing import ClassVar

from console.records.fields import field
from console.records.record import Record


class SipCredential(Record):
    """Credential for the gateway (contract 2.20)."""

    username: str = ""
    password: str | None = field(default=None, repr=False)


class SipIdentity(Record):
    """An entry of a domain's pool of SIP credentials (contract 2.20)."""

    key_field: ClassVar[str] = "id"

    id: str = ""
    username: str | None = None
    password: str | None = field(default=None, repr=False)
    available: bool | None = None
    """Whether it can be assigned."""
    domain: str | None = None
    """Additional field: the domain of the pool, since an admin lists all of them."""


class SipMapping(Record):
    """The SIP credential of a user or a group (contract 2.20)."""

    key_field: ClassVar[str] = "owner"

    owner: str = ""
    """`svc-user:<user id>` or `svc-group:<groupId>`."""
    mapping: SipCredential | None = None
