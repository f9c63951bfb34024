"""Forms of values that a deployment has instead of the contract's: units of times and durations, numbers as text.

`forms` of a route names them. Requests are sent in these forms. Of answers, only numbers in other units are converted:
all other forms are recognised by themselves.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, cast

from console.records.members import ENTRIES, Change
from console.records.moments import at

ISO, NUMBER, TEXT = "iso", "number", "text"
_UNITS_MS = {"us": 0.001, "ms": 1, "s": 1_000, "min": 60_000}
FORMS = (*_UNITS_MS, ISO, NUMBER, TEXT)
"""All forms, in the order of the documentation."""
_CONTRACT_SECONDS = frozenset({"uptime", "anonymousExpiration", "lease"})
"""Fields that the contract has in seconds; all others are in ms."""
_LONGEST = 40


def changed_at(value: Any, path: Sequence[str], change: Callable[[Any], Any]) -> Any:
    """Return a value with its members at a path changed, in each entry of lists on the way."""
    if isinstance(value, list | tuple):
        return [changed_at(item, path, change) for item in cast("Sequence[Any]", value)]
    if not path:
        return value if value is None else change(value)
    if not isinstance(value, Mapping) or path[0] not in value:
        return cast(Any, value)
    members = cast("Mapping[str, Any]", value)
    return {**members, path[0]: changed_at(members[path[0]], path[1:], change)}


def steps_of(path: str) -> tuple[str, ...]:
    """Return the names in a path without the signs for entries of lists."""
    return tuple(path.replace(ENTRIES, "").split("."))


def sent_as(path: str, form: str) -> Callable[[Any], Any]:
    """Return the function that brings a value of the contract into a form. It raises ValueError."""
    unit = _contract_unit(path)

    def sent(value: Any) -> Any:
        if form == TEXT:
            return value if isinstance(value, str) else json.dumps(value)
        if form == NUMBER:
            return _number(path, value)
        if isinstance(value, bool) or not isinstance(value, int | float):
            ms = at(value)
            if ms is None:
                raise ValueError(f"{path} is not a time")
        else:
            ms = value * unit
        if form == ISO:
            return _iso(path, ms)
        return _whole(ms / _UNITS_MS[form])

    return sent


def read_in(path: str, form: str) -> Change | None:
    """Return the function that brings an unparsed value of an answer into the contract's unit; None for the same."""
    unit = _UNITS_MS.get(form)
    if unit is None or unit == _contract_unit(path):
        return None
    factor = unit / _contract_unit(path)

    def read(value: bytes) -> bytes:
        text = value.strip().strip(b'"')
        try:
            number = float(text) if len(text) <= _LONGEST else None
        except ValueError:
            number = None
        if number is None or not abs(number) < 1e18:
            return value
        return json.dumps(_whole(number * factor)).encode()

    return read


def _contract_unit(path: str) -> int:
    return 1_000 if steps_of(path)[-1] in _CONTRACT_SECONDS else 1


def _number(path: str, value: Any) -> Any:
    if not isinstance(value, str):
        return value
    text = value.strip()
    if len(text) <= _LONGEST and text.isascii():
        try:
            return int(text) if text.removeprefix("-").isdigit() else _whole(float(text))
        except (ValueError, OverflowError):
            pass
    raise ValueError(f"{path} must be a number in this deployment")


def _iso(path: str, ms: float) -> str:
    try:
        return datetime.fromtimestamp(ms / 1_000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    except (ValueError, OverflowError, OSError):
        raise ValueError(f"{path} is not a time") from None


def _whole(number: float) -> float:
    return int(number) if number == int(number) else number
