"""Users, domains and caller ids as the provisioning service knows them (provisioning contract 2).

Names travel as they are written there, with underscores.
"""

from __future__ import annotations

from typing import ClassVar

from pydantic import ConfigDict, Field

from console.records.record import Record


class ProvisioningRecord(Record):
    """A record of the provisioning service, whose wire names are the fields' own."""

    model_config = ConfigDict(alias_generator=None)

    @classmethod
    def wire_name(cls, field: str) -> str:
        """Return the field's own name."""
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
    """How a user registers at the gateway (provisioning contract 2.2)."""

    username: str | None = None
    password: str | None = Field(default=None, repr=False)
    sip_domain: str | None = None
    sip_auth_proxy: str | None = None
    """A SIP URI."""


class ProvisionedAttributes(ProvisioningRecord):
    """What the identity system keeps of a user besides the account (provisioning contract 2.2)."""

    domain: str | None = None
    phone_number: str | None = None
    capabilities: tuple[str, ...] | None = None
    sip_mapping: SipProvision | None = None


class ProvisionedCredentials(ProvisioningRecord):
    """A password to set (provisioning contract 2.2); no answer ever holds one."""

    password: str | None = Field(default=None, repr=False)
    temporary: bool | None = None
    """Whether it must be changed before it is good for anything else."""


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
    attributes: ProvisionedAttributes = Field(default_factory=ProvisionedAttributes)


class DomainLogout(ProvisioningRecord):
    """How far the logout of a domain's users has come; ours, since the contract shows no answer. Times in ms."""

    key_field: ClassVar[str] = "id"

    id: str = ""
    """The domain's id."""
    domain: str | None = None
    sessions: int | None = None
    """How many there were to end."""
    ended: int | None = None
    """How many of them have ended by now."""
    started_at: int | float | None = None
    finished_at: int | float | None = None
    """None as long as it goes on."""


class CallerId(ProvisioningRecord):
    """An entry of the caller-id table (provisioning contract 2.3)."""

    key_field: ClassVar[str] = "name"

    name: str = ""
    value: str | None = None


class CallerIdPage(ProvisioningRecord):
    """Some entries of the caller-id table, and how many match in all (provisioning contract 4)."""

    rows_field: ClassVar[str] = "entries"

    entries: tuple[CallerId, ...] = ()
    total: int | None = None
