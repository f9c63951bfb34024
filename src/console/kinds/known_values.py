"""Known values of inputs, such as the domains that the caller can see. Others can be typed too."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any
from zoneinfo import available_timezones

from console.api.request import Request
from console.commands.action import Situation

_DOMAINS = frozenset({"domain", "target_domain", "parent"})
_IN_USE = frozenset({"locale", "current_timezone"})


def known_values(request: type[Request[Any]], situation: Situation) -> dict[str, tuple[str, ...]]:
    """Return the known values by input, the caller's own or those in use first."""
    known: dict[str, tuple[str, ...]] = {}
    for input_ in request.inputs():
        name = input_.field
        if name in _DOMAINS and not (name == "domain" and _names_domain(request)):
            own = [situation.render.domain] if situation.render.domain else []
            rows = [("users", "domain"), ("domains", "domain"), ("domains", "parent")]
            seen = {value for kind, field in rows for value in _seen(situation, kind, field)}
            known[name] = tuple(dict.fromkeys((*own, *sorted(seen))))
        elif name in _IN_USE:
            used = sorted({*_seen(situation, "users", name)})
            known[name] = tuple(dict.fromkeys((*used, *(_zones() if name == "current_timezone" else ()))))
    return known


def own_values(request: type[Request[Any]], situation: Situation) -> dict[str, str]:
    """Return what the form of a new record starts with: a domain that must be given is mostly the caller's."""
    domain = situation.render.domain
    needed = any(input_.field == "domain" and input_.required_in(situation.variant) for input_ in request.inputs())
    return {"domain": domain} if domain and needed and not _names_domain(request) else {}


def _names_domain(request: type[Request[Any]]) -> bool:
    """Return whether the input `domain` is the name of a domain to create or change."""
    change = request.operation.change
    return change is not None and bool({"domains", "provisioning-domains"} & {*change.touches})


def _seen(situation: Situation, kind: str, field: str) -> Iterator[str]:
    for record in situation.render.lookup(kind).values():
        value = getattr(record, field, None)
        if isinstance(value, str) and value:
            yield value


@cache
def _zones() -> tuple[str, ...]:
    return tuple(sorted(available_timezones()))
