"""Detect fields with secrets, and mask their values.

Operations declare their secret inputs; in records and answers, the contract's names identify secrets (2.4 `token`, 2.13
`pin`, 2.19 `clientSecret`, 2.20 `password`, `secret`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, cast

MASK = "(secret)"
_NAMES = frozenset(
    (
        *("token", "accesstoken", "refreshtoken", "password", "secret", "clientsecret", "pin"),
        # Names of other deployments, in fields that their routes do not name.
        *(
            "pw",
            "pwd",
            "pass",
            "passwd",
            "passphrase",
            "apikey",
            "secretkey",
            "privatekey",
            "authtoken",
            "sessiontoken",
        ),
    )
)
_ENDINGS = ("password", "secret")
"""How other names of secrets end: `newPassword`, `sip_secret`."""
_DEEPEST = 60


def is_secret(name: str) -> bool:
    """Return whether a field of this name, in any spelling, contains a secret."""
    plain = name.replace("_", "").replace("-", "").lower()
    return plain in _NAMES or plain.endswith(_ENDINGS)


def without_secrets(value: Any, depth: int = 0, *, also: Collection[str] = ()) -> Any:
    """Return a JSON value with MASK instead of every secret that is not empty.

    `also` are additional names of fields with secrets.
    """
    if depth > _DEEPEST:
        return MASK
    if isinstance(value, Mapping):
        members = cast("Mapping[str, Any]", value)
        return {
            name: MASK
            if (is_secret(str(name)) or name in also) and member not in (None, "")
            else without_secrets(member, depth + 1, also=also)
            for name, member in members.items()
        }
    if isinstance(value, list | tuple):
        return [without_secrets(item, depth + 1, also=also) for item in cast("Sequence[Any]", value)]
    return value


def secrets_in(value: Any, depth: int = 0, *, also: Collection[str] = ()) -> Iterator[str]:
    """Return the texts of secret fields in a JSON value."""
    if depth > _DEEPEST:
        return
    if isinstance(value, Mapping):
        for name, item in cast("Mapping[str, Any]", value).items():
            secret = is_secret(str(name)) or name in also
            if isinstance(item, str):
                if secret:
                    yield item
            elif secret:
                yield from texts_in(item, depth + 1)
            else:
                yield from secrets_in(item, depth + 1, also=also)
    elif isinstance(value, list | tuple):
        for item in cast("Sequence[Any]", value):
            yield from secrets_in(item, depth + 1, also=also)


def texts_in(value: Any, depth: int = 0) -> Iterator[str]:
    """Yield every text in a JSON value."""
    if isinstance(value, str):
        yield value
    elif depth <= _DEEPEST and isinstance(value, Mapping | list | tuple):
        inner = (
            cast("Mapping[str, Any]", value).values() if isinstance(value, Mapping) else cast("Sequence[Any]", value)
        )
        for item in inner:
            yield from texts_in(item, depth + 1)
