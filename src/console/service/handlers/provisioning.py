"""Handlers of the provisioning service (provisioning contract 4)."""

from __future__ import annotations

import sqlalchemy as sa

from console.api.operations.provisioning import (
    CreateCallerId,
    CreateProvisionedDomain,
    CreateProvisionedUser,
    GetProvisionedUser,
    ListCallerIds,
    ListProvisionedDomains,
    ListProvisionedUsers,
    LogOutDomain,
    LogOutDomainOfUsers,
    LogOutUser,
    UpdateProvisionedDomain,
    UpdateProvisionedUser,
)
from console.records.provisioning import (
    CallerId,
    CallerIdPage,
    DomainLogout,
    ProvisionedAttributes,
    ProvisionedDomain,
    ProvisionedUser,
)
from console.records.responses import Acknowledgement
from console.service.caller import Caller
from console.service.domain import caller_ids, logouts, provisioned_domains, provisioning
from console.service.domain.domains import DOMAINS
from console.service.domain.identities import identities
from console.service.domain.people import USERS
from console.service.handler import DONE, Wire, handles
from console.service.paging import any_of, part_of
from console.service.periodic_jobs import every
from console.service.platform import Platform

MOST_LISTED = 1000
"""Users in one page where none is said."""

# -- domains ----------------------------------------------------------------------------------------------------------


@handles(ListProvisionedDomains)
def list_domains(request: ListProvisionedDomains, caller: Caller, platform: Platform) -> tuple[ProvisionedDomain, ...]:
    """List the domains by name."""
    where = [*any_of(DOMAINS.c.key, request.name), *part_of(DOMAINS.c.key, request.name_contains)]
    with platform.read() as tx:
        return tuple(provisioned_domains.shown(platform, tx, each) for each in DOMAINS.records(tx, *where))


@handles(CreateProvisionedDomain)
def create_domain(request: CreateProvisionedDomain, caller: Caller, platform: Platform) -> ProvisionedDomain:
    """Create a domain."""
    return provisioned_domains.create(platform, caller, request.domain)


@handles(UpdateProvisionedDomain)
def update_domain(request: UpdateProvisionedDomain, caller: Caller, platform: Platform) -> ProvisionedDomain:
    """Change a domain."""
    given = request.model_dump(exclude={"id"}, exclude_unset=True)
    return provisioned_domains.update(platform, request.id, given)


@handles(LogOutDomain)
def log_out_domain(request: LogOutDomain, caller: Caller, platform: Platform) -> DomainLogout:
    """Log out a domain's users, or say how far that has come."""
    return logouts.log_out_domain(platform, caller, request.id)


@handles(LogOutDomainOfUsers)
def log_out_domain_of_users(request: LogOutDomainOfUsers, caller: Caller, platform: Platform) -> DomainLogout:
    """Log out a domain's users, or say how far that has come."""
    return logouts.log_out_domain(platform, caller, request.id)


@every(0.5, again=0.05)
def go_on_logging_out(platform: Platform) -> bool:
    """Take the next step of the logouts that are under way."""
    return logouts.go_on(platform)


# -- users ------------------------------------------------------------------------------------------------------------


@handles(ListProvisionedUsers)
def list_users(request: ListProvisionedUsers, caller: Caller, platform: Platform) -> Wire:
    """List users by domain and name."""
    columns = USERS.c
    matching = any_of if request.exact else part_of
    where: list[sa.ColumnElement[bool]] = [
        *matching(columns.email, request.email),
        *matching(columns.username, request.username),
        *any_of(columns.domain, request.domain),
    ]
    if request.phone_number is not None:
        where.append(sa.func.json_extract(columns.mobile_phone, "$[0]") == request.phone_number)
    if request.email_verified is not None:
        where.append(identities.c.email_verified == request.email_verified)
    limit = request.page_size or (MOST_LISTED if request.page is not None else None)
    offset = (limit or 0) * ((request.page or 1) - 1)
    with platform.read() as tx:
        return Wire({"users": provisioning.listed(platform, tx, *where, limit=limit, offset=offset)})


@handles(CreateProvisionedUser, hashes=lambda request: request.user.credentials and request.user.credentials.password)
def create_user(request: CreateProvisionedUser, caller: Caller, platform: Platform) -> ProvisionedUser:
    """Create a user in both services."""
    return provisioning.create(platform, caller, request.user, request.user.credentials)


@handles(GetProvisionedUser)
def get_user(request: GetProvisionedUser, caller: Caller, platform: Platform) -> ProvisionedUser:
    """Get one user."""
    with platform.read() as tx:
        return provisioning.need_named(platform, tx, request.domain, request.username)


@handles(UpdateProvisionedUser, hashes=lambda request: request.credentials and request.credentials.password)
def update_user(request: UpdateProvisionedUser, caller: Caller, platform: Platform) -> ProvisionedUser:
    """Change a user in both services."""
    given = request.model_dump(exclude={"id", "attributes", "credentials"}, exclude_unset=True)
    attributes = request.attributes or ProvisionedAttributes()
    return provisioning.update(platform, caller, request.id, given, attributes, request.credentials)


@handles(LogOutUser)
def log_out_user(request: LogOutUser, caller: Caller, platform: Platform) -> Acknowledgement:
    """End all sessions and tokens of a user."""
    with platform.write() as tx:
        logouts.log_out_user(tx, provisioning.user_of(tx, request.id))
    return DONE


# -- caller ids -------------------------------------------------------------------------------------------------------


@handles(ListCallerIds)
def list_caller_ids(request: ListCallerIds, caller: Caller, platform: Platform) -> CallerIdPage:
    """List the caller-id table."""
    return caller_ids.listed(platform, request.name_contains, request.value_contains, request.page_size, request.page)


@handles(CreateCallerId)
def create_caller_id(request: CreateCallerId, caller: Caller, platform: Platform) -> CallerId:
    """Add an entry to the caller-id table."""
    return caller_ids.create(platform, request.name, request.value)
