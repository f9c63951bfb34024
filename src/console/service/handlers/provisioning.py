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
    ProvisionedAttributes,
    ProvisionedDomain,
)
from console.records.responses import Acknowledgement
from console.service.domain import caller_ids, logouts, provisioning
from console.service.domain.domains import DOMAINS
from console.service.domain.identities import identities
from console.service.domain.people import USERS
from console.service.handlers.bindings import given_values
from console.service.handlers.handler import DONE, Wire, bind, handles
from console.service.periodic_jobs import every
from console.service.platform import Platform
from console.service.store.json_sql import first_item
from console.service.store.paging import any_of, part_of
from console.service.store.transaction import Transaction

MOST_LISTED = 1000
"""Default number of users in a page."""


@handles(ListProvisionedDomains)
def list_domains(request: ListProvisionedDomains, platform: Platform, tx: Transaction) -> tuple[ProvisionedDomain, ...]:
    """List the domains by name."""
    where = [*any_of(DOMAINS.c.key, request.name), *part_of(DOMAINS.c.key, request.name_contains)]
    return tuple(provisioning.shown_domain(platform, tx, record) for record in DOMAINS.records(tx, *where))


@every(0.5, again=0.05)
def go_on_logging_out(platform: Platform) -> bool:
    """Run the next step of logouts in progress."""
    return logouts.go_on(platform)


@handles(ListProvisionedUsers)
def list_users(request: ListProvisionedUsers, platform: Platform, tx: Transaction) -> Wire:
    """List users by domain and name."""
    columns = USERS.c
    matching = any_of if request.exact else part_of
    where: list[sa.ColumnElement[bool]] = [
        *matching(columns.email, request.email),
        *matching(columns.username, request.username),
        *any_of(columns.domain, request.domain),
    ]
    if request.phone_number is not None:
        where.append(first_item(columns.mobile_phone) == request.phone_number)
    if request.email_verified is not None:
        where.append(identities.c.email_verified == request.email_verified)
    limit = request.page_size or (MOST_LISTED if request.page is not None else None)
    offset = (limit or 0) * ((request.page or 1) - 1)
    return Wire({"users": provisioning.listed(platform, tx, *where, limit=limit, offset=offset)})


@handles(LogOutUser)
def log_out_user(request: LogOutUser, tx: Transaction) -> Acknowledgement:
    """End all sessions and tokens of a user."""
    logouts.log_out_user(tx, provisioning.user_of(tx, request.id))
    return DONE


bind(CreateProvisionedDomain, provisioning.create_domain, provisioned_domain="domain")
bind(UpdateProvisionedDomain, provisioning.update_domain, domain_id="id", fields=given_values("id"))
bind(LogOutDomain, logouts.log_out_domain, domain_id="id")
bind(LogOutDomainOfUsers, logouts.log_out_domain, domain_id="id")

bind(GetProvisionedUser, provisioning.need_named)
bind(
    CreateProvisionedUser,
    provisioning.create,
    provisioned_user="user",
    credentials=lambda request, _: request.user.credentials,
    hashes=lambda request: request.user.credentials and request.user.credentials.password,
)
bind(
    UpdateProvisionedUser,
    provisioning.update,
    identity_id="id",
    fields=given_values("id", "attributes", "credentials"),
    attributes=lambda request, _: request.attributes or ProvisionedAttributes(),
    hashes=lambda request: request.credentials and request.credentials.password,
)

bind(ListCallerIds, caller_ids.listed, name_part="name_contains", value_part="value_contains", size="page_size")
bind(CreateCallerId, caller_ids.create)
