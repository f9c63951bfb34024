"""The core service's domains in the format of the provisioning service (its contract 2.1)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sqlalchemy as sa

from console.api.annotations import Variant
from console.records.domains import Domain
from console.records.provisioning import ProvisionedDomain
from console.service.auth.caller import Caller
from console.service.domain import domains, renamed_domains
from console.service.domain.remote_sip import remote_sip
from console.service.domain.renaming import inputs_named
from console.service.platform import Platform
from console.service.refusal import forbidden
from console.service.store.transaction import Transaction

_NAMES = {"anonymousCapabilities": "anonymous_capabilities"}
_CORE = ("parent", "origins", "enable_anonymous", "anonymous_capabilities", "services")


def create(platform: Platform, caller: Caller, provisioned_domain: ProvisionedDomain) -> ProvisionedDomain:
    """Create a domain in both services; refusals as for `domains.create`."""
    values = provisioned_domain.model_dump(exclude_unset=True)
    with platform.write() as tx, inputs_named(_NAMES, "domain."):
        domain = domains.create(platform, caller, provisioned_domain.domain or "", _for_core(platform, values))
        _set_remote_sip(platform, tx, domain.id, provisioned_domain.remote_sip_register)
        return shown(platform, tx, domain)


def update(platform: Platform, domain_id: str, given: Mapping[str, Any]) -> ProvisionedDomain:
    """Change the given fields of a domain that are not None, in both services; another `domain` renames it."""
    with platform.write() as tx, inputs_named(_NAMES):
        domain = renamed_domains.update(platform, domain_id, given.get("domain"), _for_core(platform, given))
        _set_remote_sip(platform, tx, domain.id, given.get("remote_sip_register"))
        return shown(platform, tx, domain)


def _for_core(platform: Platform, given: Mapping[str, Any]) -> dict[str, Any]:
    wanted = {name: given[name] for name in _CORE if given.get(name) is not None}
    if platform.variant is Variant.EARLIER:
        wanted.pop("anonymous_capabilities", None)
    return wanted


def _set_remote_sip(platform: Platform, tx: Transaction, domain: str, wanted: bool | None) -> None:
    if wanted is None or platform.variant is Variant.EARLIER:
        return
    if wanted and not platform.settings.remote_sip:
        raise forbidden("remote SIP registration must be activated by the system administrator first")
    tx.run(sa.delete(remote_sip).where(remote_sip.c.domain == domain))
    if wanted:
        tx.run(sa.insert(remote_sip).values(domain=domain))


def shown(platform: Platform, tx: Transaction, domain: Domain) -> ProvisionedDomain:
    """Return a domain in the format of the provisioning service's variant."""
    later = platform.variant is Variant.LATER
    registers = tx.row(sa.select(remote_sip.c.domain).where(remote_sip.c.domain == domain.id)) is not None
    return ProvisionedDomain(
        id=domain.id,
        domain=domain.name,
        parent=domain.parent,
        origins=domain.origins,
        enable_anonymous=bool(domain.enable_anonymous),
        anonymous_capabilities=domain.guest_capabilities if later else None,
        remote_sip_register=registers if later else None,
        services={name: tuple(str(item) for item in what) for name, what in domain.services.items()},
    )
