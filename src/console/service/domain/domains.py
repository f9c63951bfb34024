"""Domains: their services, their web origins, and anonymous logins (contract 2.3, 4.4).

The id of a domain is its name, and changes with it (see `renamed_domains.py`). Admins are admins of all domains; the
contract has none of a single domain (4.6: "an admin gets all domains").
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

import sqlalchemy as sa

from console.api.annotations import Variant
from console.base.patterns import BadPattern, compiled, matches
from console.records.domains import Domain
from console.service.auth.caller import Caller
from console.service.events.visibility import Admins, AllOf, AnyOf, Named, Same, by_domain
from console.service.platform import Platform
from console.service.refusal import conflict, forbidden, invalid
from console.service.store.documents import Documents
from console.service.store.transaction import Transaction

SERVICES = (
    "stats", "alarms", "callcontrol", "chat", "contacts", "datapipe", "login", "log", "meetings", "presence",
    "recording", "settings",
)  # fmt: skip
"""Default services of a domain: names from the contract's list (2.3)."""

GUESTS = "guests"
"""The domain of anonymous users whose origin matches no domain. It is created with the first of them."""

LONGEST_NAME = 253
MOST_ORIGINS = 50
MOST_NAMES = 200
"""Most services of a domain, or capabilities of its anonymous users."""


DOMAINS = Documents(
    "domains",
    Domain,
    columns=(sa.Column("parent", sa.Text),),
    extract=lambda domain: {"parent": domain.parent},
    rule=AnyOf(Admins(), AllOf(Named(), Same("key", by_domain))),
    announced=False,
)


def shown(platform: Platform, domain: Domain) -> dict[str, Any]:
    """Return a domain in the format of the platform's variant (2.3).

    The earlier variant has the name only in the id, and groups the capabilities of anonymous users.
    """
    wire = domain.wire()
    if platform.variant is Variant.LATER:
        return {**wire, "anonymousCapabilities": list(domain.guest_capabilities)}
    del wire["domain"]
    groups = [
        [capability] if isinstance(capability, str) else list(capability)
        for capability in domain.anonymous_capabilities
    ]
    return {**wire, "anonymousCapabilities": groups}


def add(platform: Platform, name: str, parent: str | None = None, services: Sequence[str] = SERVICES) -> Domain:
    """Create a domain, or change its parent and services, without a check of permissions."""
    with platform.write() as tx:
        found = DOMAINS.get(tx, name) or _new(platform, name)
        domain = found.model_copy(update={"parent": parent, "services": _offering(services)})
        _check(tx, domain)
        DOMAINS.put(tx, domain)
        return domain


def create(platform: Platform, caller: Caller, name: str, given: Mapping[str, Any]) -> Domain:
    """Create a domain, by default below the caller's domain; `given` as for `update`.

    Refuse with 409 a name in use, with 400 an invalid name, parent, pattern or capability.
    """
    with platform.write() as tx:
        check_name(tx, name)
        changes = {"parent": caller.domain, **_given(platform, given)}
        domain = _new(platform, name).model_copy(update=changes)
        _check(tx, domain)
        DOMAINS.put(tx, domain)
        return domain


def check_name(tx: Transaction, name: str) -> None:
    """Refuse with 400 an invalid domain name, with 409 a name in use."""
    if not is_name(name):
        raise invalid("domain", "must consist of lowercase letters, digits, dots and hyphens", "pattern")
    if DOMAINS.row(tx, name) is not None:
        raise conflict(f"there is a domain {name} already")


def is_name(text: str) -> bool:
    """Return whether a domain can have this name."""
    return len(text) <= LONGEST_NAME and matches("[a-z0-9]([a-z0-9._-]*[a-z0-9])?", text)


def update(platform: Platform, domain_id: str, given: Mapping[str, Any]) -> Domain:
    """Change `parent`, `origins`, `enable_anonymous`, `anonymous_capabilities`, `services`, if given and not None."""
    with platform.write() as tx:
        domain = DOMAINS.need(tx, domain_id).model_copy(update=_given(platform, given))
        _check(tx, domain)
        DOMAINS.put(tx, domain)
        return domain


def services_of(tx: Transaction, name: str) -> tuple[str, ...]:
    """Return the names of a domain's services; refuse with 404 an unknown domain."""
    return tuple(DOMAINS.need(tx, name).services)


def is_at_root(tx: Transaction, name: str) -> bool:
    """Return whether a domain has no parent."""
    row = DOMAINS.row(tx, name)
    return row is None or row.parent is None


def of_origin(tx: Transaction, origin: str) -> Domain | None:
    """Return the domain of a web origin: one of its patterns matches the whole origin, or its whole host.

    Of several matches, return the domain with the longest name, which is the most specific.
    """
    if not origin:
        return None
    try:
        host = urlsplit(origin).hostname or ""
    except ValueError:
        return None
    fitting = [
        domain
        for domain in DOMAINS.records(tx)
        if any(matches(pattern, text) for pattern in domain.origins for text in (origin, host) if text)
    ]
    return max(fitting, key=lambda domain: (len(domain.id), domain.id), default=None)


def for_guest(platform: Platform, tx: Transaction, origin: str) -> Domain:
    """Return the domain for an anonymous user from this origin; refuse with 403 if it accepts none."""
    domain = of_origin(tx, origin)
    if domain is None:
        domain = DOMAINS.get(tx, GUESTS) or add_guests(platform)
    if not domain.enable_anonymous:
        raise forbidden(f"the domain {domain.name} accepts no anonymous logins")
    return domain


def add_guests(platform: Platform) -> Domain:
    """Create the domain of anonymous users whose origin matches none. It accepts all until an admin disables it."""
    with platform.write() as tx:
        domain = add(platform, GUESTS).model_copy(update={"enable_anonymous": True})
        DOMAINS.put(tx, domain)
        return domain


def _new(platform: Platform, name: str) -> Domain:
    return Domain(
        id=name,
        domain=name,
        enable_anonymous=False,
        anonymous_expiration=platform.settings.session_seconds,
        services=_offering(SERVICES),
    )


def _offering(services: Sequence[str]) -> dict[str, tuple[Any, ...]]:
    return {service: () for service in services}


def _given(platform: Platform, given: Mapping[str, Any]) -> dict[str, Any]:
    changes = {name: value for name, value in given.items() if value is not None}
    grouped = platform.variant is Variant.EARLIER
    if any(isinstance(item, str) is grouped for item in changes.get("anonymous_capabilities", ())):
        raise invalid("anonymousCapabilities", f"must be {'arrays of texts' if grouped else 'texts'}", "type")
    return changes


def _check(tx: Transaction, domain: Domain) -> None:
    above = domain.parent
    if above is not None and DOMAINS.row(tx, above) is None:
        raise invalid("parent", f"there is no domain {above}", "reference")
    while above is not None:
        if above == domain.id:
            raise invalid("parent", "lies below the domain itself", "cycle")
        row = DOMAINS.row(tx, above)
        above = None if row is None else row.parent
    if len(domain.origins) > MOST_ORIGINS:
        raise invalid("origins", f"may be at most {MOST_ORIGINS}", "maxItems")
    for number, pattern in enumerate(domain.origins):
        try:
            compiled(pattern)
        except BadPattern as error:
            raise invalid(f"origins.{number}", f"is not a regular expression: {error}", "pattern") from None
    for path, names in (("anonymousCapabilities", domain.guest_capabilities), ("services", tuple(domain.services))):
        if len(names) > MOST_NAMES or not all(0 < len(name) <= LONGEST_NAME for name in names):
            raise invalid(path, f"must be at most {MOST_NAMES} names of 1 to {LONGEST_NAME} characters", "names")
