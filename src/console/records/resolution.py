"""Users that addresses resolve to (contract 2.2, 2.20)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import ClassVar, Protocol

from console.records.addresses import USER_PREFIX, without_scheme
from console.records.record import Record

MARKS = " -().,/"
"""Separators in written telephone numbers."""
_NUMBER = re.compile(r"\+?[0-9]{3,}")


def is_number(address: str) -> bool:
    """Return whether a normalized address is a telephone number."""
    return _NUMBER.fullmatch(address) is not None


def normal_address(address: str) -> str:
    """Normalize an address for comparison: numbers without separators, names in lower case."""
    text = address.strip().removeprefix("tel:").removeprefix("sip:")
    if text.startswith(USER_PREFIX):
        return text
    number = "".join(value for value in text if value not in MARKS)
    number = "+" + number[2:] if number.startswith("00") else number
    return number if is_number(number) else text.casefold()


class Addressed(Protocol):
    """A user with addresses."""

    @property
    def addresses(self) -> tuple[str | None, ...]:
        """All known addresses."""
        ...


def not_among(asked: Iterable[str], resolutions: Iterable[Addressed]) -> tuple[str, ...]:
    """Return the addresses that belong to nobody, in order and without duplicates."""
    known = {normal_address(address) for addressed in resolutions for address in addressed.addresses if address}
    # The addresses of users contain their ids, in the form of the deployment.
    forms = ((value, {normal_address(value), normal_address(without_scheme(value) or value)}) for value in asked)
    return tuple(dict.fromkeys(each for each, equal in forms if known.isdisjoint(equal)))


def unanswered(asked: Sequence[str], resolutions: Sequence[Addressed]) -> tuple[str, ...]:
    """Return the addresses missing in an answer that has one entry per address.

    If the number of entries is complete, none is missing, even if they are written differently.
    """
    return () if len(resolutions) >= len(set(asked)) else not_among(asked, resolutions)


class ResolvedUser(Record):
    """The user of an address, with the user's name at the gateway (contract 2.2)."""

    key_field: ClassVar[str] = "id"

    id: str = ""
    domain: str | None = None
    username: str | None = None
    email: str | None = None
    capabilities: tuple[str, ...] = ()
    mobile_phone: tuple[str, ...] = ()
    land_line_number: str | None = None
    alias: str | None = None
    gateway_username: str | None = None

    @property
    def addresses(self) -> tuple[str | None, ...]:
        """All known addresses of the user, including the id."""
        at_domain = f"{self.username}@{self.domain}" if self.username and self.domain else None
        return (
            self.id,
            f"{USER_PREFIX}{self.id}",
            at_domain,
            self.email,
            self.land_line_number,
            *self.mobile_phone,
            self.gateway_username,
        )


class ResolvedAddresses(Record):
    """Users that the caller has resolved, and addresses whose presence the caller follows (contract 2.20)."""

    resolved: tuple[ResolvedUser, ...] = ()
    subscribed: tuple[str, ...] = ()
