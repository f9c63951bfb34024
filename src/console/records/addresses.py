"""The addresses of users and groups: a text around the id (contract 1.5). Deployments have other texts."""

from __future__ import annotations

import re
from collections.abc import Collection, Container
from itertools import islice

from console.base.frozen import Frozen
from console.config.address_forms import AddressForms

USER_PREFIX = "svc-user:"
"""Prefix of a user's own address in the contract."""
GROUP_PREFIX = "svc-group:"
"""Prefix of a group's own address in the contract."""
GENERAL_SCHEMES = frozenset({"sip", "sips", "tel", "xmpp", "mailto", "http", "https"})
"""Schemes of addresses that are not of a platform: their rest is not an id, unless the deployment says so."""
_ID = "{id}"
_LONGEST = 200
_SEPARATOR = re.compile(r"[:/|#]")
_NAMED = re.compile(r"[^\s:@/+]*[^\W\d][^\s:@/+]*")
"""An id without anything around it that is certainly no number of a phone, nor an address of another kind."""
_LEARNT_FROM = 100
"""Most addresses by which the form is learnt."""
_OWN_SCHEME = re.compile(r"(?:.+-)?(?:user|group)", re.IGNORECASE)


class Pattern(Frozen):
    """A text around an id."""

    prefix: str
    suffix: str = ""

    def __str__(self) -> str:
        return f"{self.prefix}{_ID}{self.suffix}"

    def of(self, identifier: str) -> str:
        """Return the address with an id."""
        return f"{self.prefix}{identifier}{self.suffix}"

    @property
    def is_bare(self) -> bool:
        """Whether addresses are ids."""
        return not self.prefix and not self.suffix

    def id_of(self, address: str) -> str | None:
        """Return the id in an address, or None if the address has another form."""
        if not address.startswith(self.prefix) or not address.endswith(self.suffix):
            return None
        return address[len(self.prefix) : len(address) - len(self.suffix)] or None


class Addresses(Frozen):
    """The forms of addresses in a deployment."""

    user: Pattern = Pattern(USER_PREFIX)
    group: Pattern = Pattern(GROUP_PREFIX)
    also: tuple[Pattern, ...] = ()
    """Further forms of a user's address, which some lists of the deployment have."""

    def user_id(self, address: str) -> str | None:
        """Return the id in a user's address, or None. Of two forms that match, the longer one applies."""
        if self.also:
            further = next(filter(None, (form.id_of(address) for form in self.also)), None)
            if further is not None:
                return further
        identifier = self.user.id_of(address)
        if identifier is None or (self.user.is_bare and _NAMED.fullmatch(address) is None):
            return None
        if self.group.id_of(address) is None:
            return identifier
        return identifier if len(self.user.of("")) > len(self.group.of("")) else None

    def group_id(self, address: str) -> str | None:
        """Return the id in a group's address, or None."""
        return self.group.id_of(address) if self.user_id(address) is None else None


CONTRACT = Addresses()
"""The forms in the contract."""


def configured_addresses(forms: AddressForms | None) -> Addresses | None:
    """Return the forms in a profile, or None for a profile without any."""
    if forms is None:
        return None
    return Addresses(_pattern(forms.user), _pattern(forms.group), tuple(map(_pattern, forms.also)))


def _pattern(text: str) -> Pattern:
    prefix, _, suffix = text.partition(_ID)
    return Pattern(prefix, suffix)


def learnt_addresses(me: str, presences: Collection[str], users: Container[str]) -> Addresses | None:
    """Return the forms of a deployment, by the known addresses of people, or None if they do not show it.

    `me` is the caller's id, `users` are the ids of known users.
    """
    if me and CONTRACT.user.of(me) in presences:
        return CONTRACT
    for address in islice(presences, _LEARNT_FROM):
        if CONTRACT.user.id_of(address) is not None:
            return CONTRACT
        identifier = _known_id(address, me, users)
        if identifier:
            return _with_user_prefix(address.removesuffix(identifier))
    return None


def _known_id(address: str, me: str, users: Container[str]) -> str | None:
    """Return the id of a known user at the end of an address, after a separator; or the address itself."""
    scheme, colon, _ = address[:_LONGEST].partition(":")
    if colon and (scheme.lower() in GENERAL_SCHEMES or scheme.lower().endswith("group")):
        return None
    ends = (0, *(match.end() for match in _SEPARATOR.finditer(address[:_LONGEST])))
    rests = (address[end:] for end in ends)
    return next((rest for rest in rests if rest and (rest == me or rest in users)), None)


def _with_user_prefix(prefix: str) -> Addresses:
    kind = "user:"
    group = prefix.removesuffix(kind) + "group:" if prefix.endswith(kind) else GROUP_PREFIX
    return Addresses(Pattern(prefix), Pattern(group))


def has_own_scheme(address: str) -> bool:
    """Return whether an address names a user or group of some platform, such as `wac-user:17`."""
    scheme, colon, _ = address.partition(":")
    return bool(colon) and _OWN_SCHEME.fullmatch(scheme) is not None


def without_scheme(address: str) -> str | None:
    """Return what may be the id in an address of an unknown form, or None: not of a group, a number or a mailbox."""
    scheme, colon, rest = address.partition(":")
    if not colon or scheme.lower() in GENERAL_SCHEMES or scheme.lower().endswith("group"):
        return None
    return rest or None
