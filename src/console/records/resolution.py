"""Users as addresses resolve to them (contract 2.2, 2.20)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import ClassVar, Protocol

from console.records.record import Record

USER_PREFIX = "svc-user:"
"""What a user's own address begins with (contract 1.5)."""
MARKS = " -().,/"
"""Characters that people write between the digits of a number."""
_NUMBER = re.compile(r"\+?[0-9]{3,}")


def is_number(address: str) -> bool:
    """Return whether a normal address is a telephone number."""
    return _NUMBER.fullmatch(address) is not None


def normal_address(address: str) -> str:
    """Return an address in the form in which it is compared: numbers without marks, names in small letters."""
    text = address.strip().removeprefix("tel:").removeprefix("sip:")
    if text.startswith(USER_PREFIX):
        return text
    number = "".join(each for each in text if each not in MARKS)
    number = "+" + number[2:] if number.startswith("00") else number
    return number if is_number(number) else text.casefold()


class Addressed(Protocol):
    """Somebody who has addresses."""

    @property
    def addresses(self) -> tuple[str | None, ...]:
        """Every address that is known."""
        ...


def not_among(asked: Iterable[str], found: Iterable[Addressed]) -> tuple[str, ...]:
    """Return the addresses that nobody has, in their order, each once."""
    known = {normal_address(address) for each in found for address in each.addresses if address}
    return tuple(dict.fromkeys(each for each in asked if normal_address(each) not in known))


def unanswered(asked: Sequence[str], found: Sequence[Addressed]) -> tuple[str, ...]:
    """Return the addresses that an answer with one entry for each of them leaves out.

    Where there is an entry for each, they may be written in another way.
    """
    return () if len(found) >= len(set(asked)) else not_among(asked, found)


class ResolvedUser(Record):
    """Who an address belongs to, and the gateway's name for that user (contract 2.2)."""

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
        """Every address of the user that is known, the id among them."""
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
    """Whom the caller has resolved, and the addresses whose presence the caller follows (contract 2.20)."""

    resolved: tuple[ResolvedUser, ...] = ()
    subscribed: tuple[str, ...] = ()
