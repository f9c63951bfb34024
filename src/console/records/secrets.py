"""Which fields hold secrets, wherever they stand, and how values are told without them.

Inputs that are secret say so on the operation; inside of records and answers the contract's own names say it
(2.4 `token`, 2.13 `pin`, 2.19 `clientSecret`, 2.20 `password`, `secret`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

MASK = "(secret)"
_NAMES = frozenset({"token", "accesstoken", "refreshtoken", "password", "secret", "clientsecret", "pin"})
_DEEPEST = 60


def is_secret(name: str) -> bool:
    """Say whether a field of that name, in any of its spellings, holds a secret."""
    return name.replace("_", "").lower() in _NAMES


def without_secrets(value: Any, depth: int = 0) -> Any:
    """Return a JSON value with MASK in place of every secret that is not empty."""
    if depth > _DEEPEST:
        return MASK
    if isinstance(value, Mapping):
        members = cast("Mapping[str, Any]", value)
        return {
            name: MASK if is_secret(str(name)) and each not in (None, "") else without_secrets(each, depth + 1)
            for name, each in members.items()
        }
    if isinstance(value, list | tuple):
        return [without_secrets(each, depth + 1) for each in cast("Sequence[Any]", value)]
    return value


def secrets_in(value: Any, depth: int = 0) -> Iterator[str]:
    """Return the texts that stand in a JSON value under the name of a secret."""
    if depth > _DEEPEST:
        return
    if isinstance(value, Mapping):
        for name, each in cast("Mapping[str, Any]", value).items():
            if isinstance(each, str):
                if is_secret(str(name)):
                    yield each
            else:
                yield from secrets_in(each, depth + 1)
    elif isinstance(value, list | tuple):
        for each in cast("Sequence[Any]", value):
            yield from secrets_in(each, depth + 1)
