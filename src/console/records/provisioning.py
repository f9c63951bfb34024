"""Users, domains and caller ids of the provisioning service (provisioning contract 2).

Wire names equal the field names, with underscores.
"""

from __future__ import annotations

from typing import ClassVar

from console.records.fields import field
from console.records.record import Record


class ProvisioningRecord(Record):
    """A record of the provisioning service, whose wire names equal the field names."""

    @classmethod
    def wire_name(cls, field: str) -> str:
        """Return the field name."""
        return field


class ProvisionedDomain(ProvisioningRecord):
    """A domain (provisioning contract 2.1)."""

    key_field: ClassVar[str] = "id"

    id: str = ""
    domain: str | None = None
    parent: str | None = None
    origins: tuple[str, ...] = ()
    """Regular expressions."""
    enable_anonymous: bool | None = None
    anonymous_capabilities: tuple[str, ...] | None = None
    remote_sip_register: bool | None = None
    services: dict[str, tuple[str, ...]] | None = None


class SipProvision(ProvisioningRecord):
    """Registration of a user at the gateway (provisioning contract 2.2)."""

    username: str | None = None
    password: str | None = field(default=None, repr=False)
    sip_domain: str | None = None
    sip_auth_proxy: str | None = None
    """A SIP URI."""


class ProvisionedAttributes(ProvisioningRecord):
    """Additional data of a user in the identity system (provisioning contract 2.2)."""

    domain: str | None = None
    phone_number: str | None = None
    capabilities: tuple[str, ...] | None = None
    sip_mapping: SipProvision | None = None


class ProvisionedCredentials(ProvisioningRecord):
    """A password to set (provisioning contract 2.2); answers never contain one."""

    password: str | None = field(default=None, repr=False)
    temporary: bool | None = None
    """Whether the user must change it before any other use."""


class ProvisionedUser(ProvisioningRecord):
    """A user of the identity system (provisioning contract 2.2). `first_name` is the core service's display name."""

    key_field: ClassVar[str] = "id"

    id: str = ""
    username: str | None = None
    email: str | None = None
    enabled: bool | None = None
    first_name: str | None = None
    last_name: str | None = None
    email_verified: bool | None = None
    attributes: ProvisionedAttributes = field(default_factory=ProvisionedAttributes)


class DomainLogout(ProvisioningRecord):
    """Progress of logging out a domain's users; the contract defines no answer. Times in ms."""

    key_field: ClassVar[str] = "id"

    id: str = ""
    """The domain's id."""
    domain: str | None = None
    sessions: int | None = None
    """Number of sessions to end."""
    ended: int | None = None
    """Number of sessions ended so far."""
    started_at: int | float | None = None
    finished_at: int | float | None = None
    """None while in progress."""


class CallerId(ProvisioningRecord):
    """An entry of the caller-id table (provisioning contract 2.3)."""

    key_field: ClassVar[str] = "name"

    name: str = ""
    value: str | None = None


class CallerIdPage(ProvisioningRecord):
    """A page of the caller-id table, and the total number of matches (provisioning contract 4)."""

    rows_field: ClassVar[str] = "entries"

    entries: tuple[CallerId, ...] = ()
    total: int | None = None
