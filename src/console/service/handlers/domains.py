"""Handlers for domains, what they offer, and their cloud directories (contract 4.4)."""

from __future__ import annotations

from typing import Any

from console.api.operations.domains import (
    CreateDirectoryCredentials,
    CreateDomain,
    DeleteDirectoryCredentials,
    GetCapabilities,
    GetDirectoryCredentials,
    GetDomain,
    ListDomains,
    UpdateDirectoryCredentials,
    UpdateDomain,
)
from console.records.domains import DirectoryCredentials, Notice
from console.records.people import Capabilities
from console.service.caller import Caller
from console.service.database import Transaction
from console.service.domain import directories, domains, renamed_domains
from console.service.domain.domains import DOMAINS
from console.service.handler import Wire, handles
from console.service.paging import any_of
from console.service.platform import Platform
from console.service.relation_checks import sees


@handles(ListDomains)
def list_domains(request: ListDomains, caller: Caller, platform: Platform) -> Wire:
    """List the domains that the caller may see, by name."""
    with platform.read() as tx:
        found = DOMAINS.records(tx, *any_of(DOMAINS.c.key, request.name), caller=caller)
        return Wire([domains.shown(platform, each) for each in found])


@handles(CreateDomain)
def create(request: CreateDomain, caller: Caller, platform: Platform) -> Wire:
    """Create a domain."""
    return Wire(domains.shown(platform, domains.create(platform, caller, request.domain, _given(request))))


@handles(GetDomain, related=sees(DOMAINS))
def get(request: GetDomain, caller: Caller, platform: Platform) -> Wire:
    """Get one domain."""
    with platform.read() as tx:
        return Wire(domains.shown(platform, DOMAINS.need(tx, request.id)))


@handles(UpdateDomain)
def update(request: UpdateDomain, caller: Caller, platform: Platform) -> Wire:
    """Change a domain."""
    return Wire(domains.shown(platform, renamed_domains.update(platform, request.id, request.domain, _given(request))))


def _given(request: CreateDomain | UpdateDomain) -> dict[str, Any]:
    names = ("parent", "origins", "enable_anonymous", "anonymous_capabilities", "services")
    return {name: getattr(request, name) for name in names}


def _of_domain(platform: Platform, tx: Transaction, caller: Caller, request: GetCapabilities) -> bool:
    return request.domain in {None, caller.domain}


@handles(GetCapabilities, related=_of_domain)
def capabilities(request: GetCapabilities, caller: Caller, platform: Platform) -> Capabilities:
    """Say what the caller's domain, or for an admin any domain, offers, and what the caller has."""
    with platform.read() as tx:
        offered = domains.services_of(tx, request.domain or caller.domain)
        return Capabilities(domain=offered, user=caller.user.capabilities)


# -- cloud directories ------------------------------------------------------------------------------------------------


@handles(CreateDirectoryCredentials)
def create_directory(request: CreateDirectoryCredentials, caller: Caller, platform: Platform) -> DirectoryCredentials:
    """Store how a domain's cloud directory is reached."""
    given = DirectoryCredentials(
        domain=request.domain,
        client_id=request.client_id,
        client_secret=request.client_secret,
        domain_tenant_id=request.domain_tenant_id,
    )
    return directories.create(platform, given)


@handles(GetDirectoryCredentials)
def get_directory(request: GetDirectoryCredentials, caller: Caller, platform: Platform) -> DirectoryCredentials:
    """Get how a domain's cloud directory is reached."""
    with platform.read() as tx:
        return directories.need(platform, tx, request.domain)


@handles(UpdateDirectoryCredentials)
def update_directory(request: UpdateDirectoryCredentials, caller: Caller, platform: Platform) -> DirectoryCredentials:
    """Change how a domain's cloud directory is reached."""
    given = {name: getattr(request, name) for name in ("client_id", "client_secret", "domain_tenant_id")}
    return directories.update(platform, request.domain, given)


@handles(DeleteDirectoryCredentials)
def delete_directory(request: DeleteDirectoryCredentials, caller: Caller, platform: Platform) -> Notice:
    """Forget how a domain's cloud directory is reached."""
    directories.delete(platform, request.domain)
    return Notice(message=f"the cloud directory credentials of {request.domain} are deleted")
