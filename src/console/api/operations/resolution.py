"""Resolution of addresses to users, and of users to gateway names (contract 4.8)."""

from __future__ import annotations

from typing import Annotated

from console.api.annotations import OR_IN_PATH, Access, Change, Guard, InBody, InPath, WholeBody
from console.api.request import Request
from console.records.addresses import has_own_scheme
from console.records.fields import field
from console.records.resolution import ResolvedAddresses, ResolvedUser, not_among

MOST_ADDRESSES = 1000
"""Most addresses in one request."""


class ListResolved(
    Request[ResolvedAddresses],
    name="addresses.list",
    label="list resolved addresses",
    section="4.8",
    row="List resolved addresses",
    route="GET /addresses",
    access=Access.NAMED,
):
    """List the users that the caller has resolved, and the addresses that the caller follows."""


class ResolveAddresses(
    Request[ResolvedAddresses],
    name="addresses.resolve",
    section="4.8",
    row="Resolve new addresses",
    route="POST /addresses",
    change=Change(Guard.SMALL, done="resolved", touches=("presence",)),
    access=Access.NAMED,
):
    """Resolve addresses to users, store them and follow their presence.

    Unknown addresses are ignored.
    """

    addresses: WholeBody[tuple[str, ...]] = field(default=(), max_length=MOST_ADDRESSES)

    def passed_over(self, answer: ResolvedAddresses) -> tuple[str, ...]:
        """Return the addresses that belong to nobody."""
        return not_among(self.addresses, answer.resolved)


class UpdateSubscriptions(
    Request[ResolvedAddresses],
    name="addresses.update",
    section="4.8",
    row="Update subscription list",
    route="PUT /addresses",
    change=Change(Guard.REVERSIBLE, done="changed", touches=("presence",)),
    access=Access.NAMED,
):
    """Replace the lists of resolved users and followed addresses."""

    resolved: InBody[tuple[str, ...]] = field(max_length=MOST_ADDRESSES)
    subscribed: InBody[tuple[str, ...]] = field(max_length=MOST_ADDRESSES)

    def passed_over(self, answer: ResolvedAddresses) -> tuple[str, ...]:
        """Return the addresses that are not resolved or not followed now.

        Whom a followed address belongs to is not in the answer, so only the users' own addresses can be compared.
        """
        followed = {*answer.subscribed}
        own = (value for value in self.subscribed if has_own_scheme(value) and value not in followed)
        return tuple(dict.fromkeys((*not_among(self.resolved, answer.resolved), *own)))


class GetGatewayUsername(
    Request[str],
    name="gateway.username",
    label="get gateway name of user",
    section="4.8",
    row="Gateway username by user id",
    route="POST /gateway/username",
    access=Access.NAMED,
):
    """Get the gateway name of a user, by default of the caller."""

    id: InBody[str | None] = None


class GetGatewayUser(
    Request[str],
    name="gateway.user",
    label="get user of gateway name",
    section="4.8",
    row="User id by gateway username",
    route="POST /gateway/user",
    access=Access.NAMED,
):
    """Get the user with a gateway name; `username` selects one of several."""

    value: InBody[str] = field(min_length=1)
    username: InBody[str | None] = None


class ResolveAddress(
    Request[ResolvedUser],
    name="addresses.find",
    section="4.8",
    row="Resolve address without subscribing",
    route="POST /addresses/find",
    access=Access.NAMED,
):
    """Resolve an address to its user, without storing it.

    The default address is the caller's own.

    A routes file may put it into the path instead, as `{addresses}`.
    """

    address: Annotated[InBody[str | None], OR_IN_PATH] = field(default=None, min_length=1, wire="addresses")


class ListGatewayUsernames(
    Request[tuple[str, ...]],
    name="gateway.group",
    label="list gateway names of group",
    section="4.8",
    row="Gateway usernames of a group",
    route="GET /gateway/groups/{groupname}",
    access=Access.GROUP_MEMBER_OR_ADMIN,
    unwrap="gatewayUsernames",
):
    """List the gateway names of a group's members, in the group's order."""

    groupname: InPath[str]
