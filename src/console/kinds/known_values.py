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
_USUAL_ROLE = "user"


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
    """Return the usual values of required inputs, with which the form of a new record starts.

    The usual domain is the caller's, the usual role the one without further permissions.
    """
    domain = "" if _names_domain(request) else situation.render.domain
    usual = {"domain": domain, "role": _USUAL_ROLE}
    needed = {input_.field for input_ in request.inputs() if input_.required_in(situation.variant)}
    return {name: value for name, value in usual.items() if value and name in needed}


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
