"""The lists of a recording at one moment: their rows, checked, with times that make that moment the present."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn, TypeVar, cast

from console.frozen import Frozen
from console.records.moments import at
from console.records.record import Record
from console.records.structured import STRICT

R = TypeVar("R", bound=Record)

_TIMES = frozenset({"created", "date", "expires", "from", "lastLogin", "timestamp", "to", "ts"})
"""Names of fields with times, in addition to those that end in `At`."""
_NEAR_MS = 400 * 24 * 3600 * 1000
"""A number of ms this close to the moment is a time in any field."""
_LARGEST = 2**53


class Stand(Frozen):
    """The lists at a moment of a recording."""

    at_ms: int
    lists: Mapping[str, Sequence[bytes]]
    """The rows of each list that was known, as the service sent them."""
    caller: Mapping[str, Any] | None = None
    """The row of the user who was logged in, if known."""


class Rows:
    """Reads the rows of a stand as records of a world that begins at `now_ms`."""

    def __init__(self, stand: Stand, now_ms: int) -> None:
        self.stand = stand
        self._later = now_ms - stand.at_ms
        self.left_out: Counter[str] = Counter()
        """Numbers of rows that cannot be used, by list."""

    def read(self, name: str, kind: type[R], **defaults: Any) -> dict[str, R]:
        """Return the records of a list by key. A row without a key, or with values that no service can store, is left
        out, and so is a field of another type.
        """
        found: dict[str, R] = {}
        for row in self.stand.lists.get(name, ()):
            try:
                values: Any = json.loads(row, parse_constant=_refuse)
                record = _checked(kind, {**defaults, **self._moved(values)})
            except (ValueError, TypeError, RecursionError, OverflowError):
                self.left_out[name] += 1
            else:
                found[record.key] = record
        return found

    def one(self, kind: type[R], values: Mapping[str, Any]) -> R | None:
        """Return the record of a row, None for one that cannot be used."""
        try:
            return _checked(kind, self._moved(dict(values)))
        except (ValueError, TypeError, RecursionError, OverflowError):
            return None

    def _moved(self, value: Any, name: str = "") -> Any:
        """Return a value with all times moved. Raise ValueError for what cannot be stored."""
        if isinstance(value, dict):
            table = cast("dict[str, Any]", value)
            return {_text(key): self._moved(each, key) for key, each in table.items()}
        if isinstance(value, list):
            return [self._moved(each, name) for each in cast("list[Any]", value)]
        if isinstance(value, str):
            text = _text(value)
            ms = at(text) if _is_time(name) and "-" in text[1:] else None
            return value if ms is None else round(ms) + self._later
        if value is None or isinstance(value, bool):
            return value
        if not abs(value) <= _LARGEST:
            raise ValueError("a number is too large")
        ms = at(value) if _is_time(name) else value if abs(value - self.stand.at_ms) < _NEAR_MS else None
        return value if ms is None else ms + self._later


def _is_time(name: str) -> bool:
    return name in _TIMES or name.endswith("At")


def _text(value: str) -> str:
    """Return a text. Raise ValueError for one that is no Unicode."""
    value.encode()
    return value


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number")


def _checked(kind: type[R], values: dict[str, Any]) -> R:
    """Return a record, checked as those in the file of a scenario. Raise ValueError."""
    faults = kind.model_validate(values).faults
    record = kind.model_validate({name: each for name, each in values.items() if name not in faults}, context=STRICT)
    if not record.key:
        raise ValueError("it has no key")
    return record
