"""Presence and its followers (contract 4.7)."""

from __future__ import annotations

from typing import Annotated

from console.api.annotations import DEPRECATED, Access, Change, Guard, InBody, InPath, InQuery, WholeBody
from console.api.request import Request
from console.records.fields import field
from console.records.resolution import unanswered
from console.records.support import Presence

LARGEST_AVATAR = 256 * 1024
"""Most characters of an avatar in base64."""


class ListPresences(
    Request[tuple[Presence, ...]],
    name="presence.list",
    section="4.7",
    row="List subscribed presences",
    route="GET /presence",
):
    """List the presence of the addresses that the caller follows.

    For admins, `addresses` lists these addresses instead, and the additional input `allUsers` the presence of all
    users.
    """

    without_avatar: Annotated[InQuery[bool | None], DEPRECATED] = None
    addresses: InQuery[tuple[str, ...] | None] = None
    all_users: InQuery[bool | None] = None

    def passed_over(self, answer: tuple[Presence, ...]) -> tuple[str, ...]:
        """Return the addresses whose presence is not in the answer."""
        return unanswered(self.addresses or (), answer)


class SubscribePresence(
    Request[Presence],
    name="presence.subscribe",
    label="follow presence",
    section="4.7",
    row="Subscribe to an address",
    route="POST /presence/subscriptions",
    change=Change(Guard.REVERSIBLE, done="followed", unnamed="an address", touches=("presence",)),
    access=Access.NAMED,
):
    """Follow the presence of an address.

    The default `address` is the caller's own.
    """

    address: InBody[str | None] = field(default=None, min_length=1)


class GetPresence(
    Request[Presence],
    name="presence.get",
    section="4.7",
    row="Get presence",
    route="GET /presence/{address}",
):
    """Get the presence of an address, or in the later variant of `username@domain`."""

    address: InPath[str]


class UpdatePresence(
    Request[Presence],
    name="presence.update",
    section="4.7",
    row="Update own presence",
    route="PUT /presence/{address}",
    change=Change(Guard.REVERSIBLE, done="set", touches=("presence",)),
    access=Access.SELF,
):
    """Set the caller's own presence; an empty avatar is ignored."""

    address: InPath[str]
    online: InBody[bool | None] = None
    activity: InBody[str | None] = None
    mood: InBody[str | None] = None
    note: InBody[str | None] = None
    avatar: InBody[str | None] = field(default=None, max_length=LARGEST_AVATAR)
    display_name: InBody[str | None] = None


class SubscribePresences(
    Request[tuple[Presence, ...]],
    name="presence.subscribe-many",
    label="follow several presences",
    section="4.7",
    row="Subscribe to several addresses",
    route="POST /presence/subscriptions/several",
    change=Change(Guard.REVERSIBLE, done="followed", unnamed="several addresses", touches=("presence",)),
    access=Access.NAMED,
):
    """Follow the presence of several addresses."""

    addresses: WholeBody[tuple[str, ...]] = ()

    def passed_over(self, answer: tuple[Presence, ...]) -> tuple[str, ...]:
        """Return the addresses whose presence is not in the answer."""
        return unanswered(self.addresses, answer)
