"""Handlers for domains, their services and cloud directories (contract 4.4)."""

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
from console.records.domains import Confirmation, DirectoryCredentials, Domain
from console.records.people import Capabilities
from console.service.auth.caller import Caller
from console.service.auth.relation_checks import sees
from console.service.domain import directories, domains, renamed_domains
from console.service.domain.domains import DOMAINS
from console.service.handlers.bindings import as_record
from console.service.handlers.handler import Wire, bind, handles
from console.service.platform import Platform
from console.service.store.paging import any_of
from console.service.store.transaction import Transaction


@handles(ListDomains)
def list_domains(request: ListDomains, caller: Caller, platform: Platform, tx: Transaction) -> Wire:
    """List the domains that the caller may see, by name."""
    records = DOMAINS.records(tx, *any_of(DOMAINS.c.key, request.name), caller=caller)
    return Wire([domains.shown(platform, domain) for domain in records])


def _given(request: CreateDomain | UpdateDomain, _: Caller) -> dict[str, Any]:
    names = ("parent", "origins", "enable_anonymous", "anonymous_capabilities", "services")
    return {name: getattr(request, name) for name in names}


def _of_domain(caller: Caller, request: GetCapabilities) -> bool:
    return request.domain in {None, caller.domain}


@handles(GetCapabilities, related=_of_domain)
def capabilities(request: GetCapabilities, caller: Caller, tx: Transaction) -> Capabilities:
    """Return the services of the caller's domain, or for an admin of any domain, and the caller's capabilities."""
    offered = domains.services_of(tx, request.domain or caller.domain)
    return Capabilities(domain=offered, user=caller.user.capabilities)


@handles(DeleteDirectoryCredentials)
def delete_directory(request: DeleteDirectoryCredentials, platform: Platform) -> Confirmation:
    """Delete the cloud directory credentials of a domain."""
    directories.delete(platform, request.domain)
    return Confirmation(message=f"the cloud directory credentials of {request.domain} are deleted")


def _shown(platform: Platform, domain: Domain) -> Wire:
    return Wire(domains.shown(platform, domain))


bind(GetDomain, DOMAINS.need, key="id", related=sees(DOMAINS), answer=_shown)
bind(CreateDomain, domains.create, name="domain", given=_given, answer=_shown)
bind(UpdateDomain, renamed_domains.update, domain_id="id", name="domain", given=_given, answer=_shown)

bind(GetDirectoryCredentials, directories.need)
bind(CreateDirectoryCredentials, directories.create, directory_credentials=as_record(DirectoryCredentials))
bind(UpdateDirectoryCredentials, directories.update, given=lambda request, _: request.model_dump(exclude={"domain"}))
