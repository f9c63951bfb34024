"""Tests of a filter, on words or columns."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar
from unicodedata import decimal

from console.base.collation import fold
from console.records.record import Record
from console.views.doubt import in_doubt, is_minimum, unread_fields
from console.views.render_context import RenderContext
from console.views.spans import Span, moment, span
from console.views.table import Column
from console.views.wording import shown_unit

R = TypeVar("R", bound=Record)

Edges = Callable[[RenderContext], tuple[float, float]]
_SOON_MS = 60_000
"""Longest delay before a filter on times of today notices a new day."""
_YES = frozenset({"yes", "true", "1", "on", "y"})
_NO = frozenset({"no", "false", "0", "off", "n"})


class NotAValue(ValueError):
    """A value that a field cannot be compared with; the message is a sentence."""


_BLANKS = r"\s().\-/\u2010-\u2015\u2212\u200b-\u200f\u202a-\u202e\u2060-\u2069"
_NUMBER = re.compile(rf"[{_BLANKS}]*(?:\+[\d*{_BLANKS}]{{2,}}|[\d*{_BLANKS}]{{5,}})")
_BLANK = re.compile(rf"[{_BLANKS}]")


def spellings(text: str) -> tuple[str, ...]:
    """Return a normalized text, and the telephone number without blanks that it may be, with `+` for `00`."""
    if not _NUMBER.fullmatch(text):
        return (text,)
    # A telephone number may be written in the digits of any script.
    in_digits = "".join(str(decimal(sign)) if sign.isdecimal() else sign for sign in text)
    number = _BLANK.sub("", in_digits.replace("(0)", "") if in_digits.lstrip().startswith(("+", "00")) else in_digits)
    if number.startswith("00"):
        number = f"+{number[2:]}"
    return (text, number) if number.strip("+*") and number != text else (text,)


def glob(pattern: str) -> Callable[[str], bool]:
    """Return a test on normalized text: `*` matches anything, and the whole text must match. Takes linear time."""
    first, *middle, last = pattern.split("*")

    def fits(text: str) -> bool:
        if len(text) < len(first) + len(last) or not text.startswith(first) or not text.endswith(last):
            return False
        at, end = len(first), len(text) - len(last)
        for part in middle:
            index = text.find(part, at, end)
            if index < 0:
                return False
            at = index + len(part)
        return True

    return fits


def texts(column: Column[R], record: R, render: RenderContext) -> tuple[str, ...]:
    """Return all texts that match a column's value."""
    value = column.value(record, render)
    also = column.also(record, render) if column.also else ()
    return also if value is None else (str(value), *also)


class Field(ABC, Generic[R]):
    """A comparison of a column with a value."""

    column: Column[R]
    ticks = False

    @abstractmethod
    def holds(self, record: R, render: RenderContext) -> bool:
        """Return whether a record matches."""

    def holds_if_known(self, record: R, render: RenderContext) -> bool | None:
        """Return whether a record matches; None if that is not known."""
        return None if in_doubt(self.column, record, render) else self.holds(record, render)

    def recheck(self, record: R, render: RenderContext) -> float | None:
        """Return the time, in ms since the epoch, until which the result cannot change."""
        del record, render
        return None


@dataclass(frozen=True)
class Text(Field[R]):
    """A text that contains, equals or matches a pattern."""

    column: Column[R]
    fits: Callable[[str], bool] | None
    """None tests for an empty text."""

    def holds(self, record: R, render: RenderContext) -> bool:
        """Return whether any text of the column matches."""
        found = texts(self.column, record, render)
        if self.fits:
            return any(self.fits(fold(value)) for value in found)
        return not any(found) and not _is_unread(self.column, record, render)

    def holds_if_known(self, record: R, render: RenderContext) -> bool | None:
        """Return whether a record matches; a text that is there matches, whatever else is not known."""
        return (self.fits is not None and self.holds(record, render)) or super().holds_if_known(record, render)


@dataclass(frozen=True)
class Flag(Field[R]):
    """A flag; unknown means no."""

    column: Column[R]
    wanted: bool

    def holds(self, record: R, render: RenderContext) -> bool:
        """Return whether the flag has this value."""
        return bool(self.column.value(record, render)) is self.wanted


@dataclass(frozen=True)
class NumberRange(Field[R]):
    """A number within limits, the upper one excluded if the value is a whole unit; None never matches."""

    column: Column[R]
    operator: str
    edges: Edges
    ticks: bool = False
    """Whether the value changes with time."""
    ago: bool = False
    """Whether the value is a time and the limits are durations before now."""
    again: Edges | None = None
    """The limits of a clock time where it comes a second time; its only limits where it comes once."""

    def holds(self, record: R, render: RenderContext) -> bool:
        """Return whether the value is within the limits."""
        value = self._value(record, render)
        if value is None:
            return False
        low, high = self.edges(render)
        match self.operator:
            case ">":
                return value > low
            case ">=":
                return value >= low
            case "<":
                return value < low
            case "<=":
                return value <= low
            case _:
                if self.again is None:
                    return low <= value < high if high > low else value == low
                second_low, second_high = self.again(render)
                return low <= value < high or second_low <= value < second_high

    def holds_if_known(self, record: R, render: RenderContext) -> bool | None:
        """Return whether a record matches; the least number that it may be can already be above a limit."""
        holds = self.holds(record, render)
        is_above = holds if self.operator in {">", ">="} else not holds and self.operator in {"<", "<="}
        if is_above and is_minimum(self.column, record, render):
            return holds
        return super().holds_if_known(record, render)

    def recheck(self, record: R, render: RenderContext) -> float | None:
        """Return when the nearest limit can be reached; for times of today, soon."""
        if self.column.kind == "time" and not self.ago:
            return render.now_ms + _SOON_MS
        value = self._value(record, render)
        if value is None:
            return None
        # A countdown may end the record's state, and with it the value, before it reaches a limit.
        edges = (*self.edges(render), 0) if value > 0 else self.edges(render)
        return render.now_ms + max(1.0, min(abs(value - edge) for edge in edges))

    def _value(self, record: R, render: RenderContext) -> float | None:
        value = self.column.value(record, render)
        if value is None or isinstance(value, str):
            return None
        return render.now_ms - value if self.ago else value


@dataclass(frozen=True)
class Missing(Field[R]):
    """Tests that there is no value."""

    column: Column[R]

    def holds(self, record: R, render: RenderContext) -> bool:
        """Return whether there is none: one that cannot be read is not missing."""
        return self.column.value(record, render) is None and not _is_unread(self.column, record, render)


def _is_unread(column: Column[R], record: R, render: RenderContext) -> bool:
    """Return whether a value is in doubt because of what cannot be read in its row."""
    return bool(unread_fields(record)) and in_doubt(column, record, render)


class Term(Generic[R]):
    """Comparisons of which one must match, or none if negated."""

    def __init__(self, tests: tuple[Field[R], ...], turned: bool = False) -> None:
        self.tests = tests
        self.turned = turned
        self.ticks = any(test.ticks for test in tests)

    def holds(self, record: R, render: RenderContext) -> bool:
        """Return whether the term matches."""
        for test in self.tests:
            if test.holds(record, render):
                return not self.turned
        return self.turned

    def holds_if_known(self, record: R, render: RenderContext) -> bool | None:
        """Return whether the term matches; None if that is not known."""
        found = [test.holds_if_known(record, render) for test in self.tests]
        if any(found):
            return not self.turned
        return None if None in found else self.turned

    def recheck(self, record: R, render: RenderContext) -> float | None:
        """Return the earliest time at which a comparison may change."""
        moments = (test.recheck(record, render) for test in self.tests if test.ticks)
        return min((each for each in moments if each is not None), default=None)


class Haystacks(Generic[R]):
    """Cache of all texts of rows, normalized, so that typing a word renders the columns only once.

    Texts may depend on other records, so the owner clears the cache.
    """

    def __init__(self, columns: tuple[Column[R], ...]) -> None:
        self._columns = tuple(column for column in columns if column.kind == "text" and not column.repeats)
        self._texts: dict[str, tuple[R, str]] = {}

    def of(self, record: R, render: RenderContext) -> str:
        """Return the texts of a row, one per line."""
        key = record.key
        kept = self._texts.get(key)
        if kept is not None and kept[0] is record:
            return kept[1]
        text = self.made(record, render)
        self._texts[key] = record, text
        return text

    def made(self, record: R, render: RenderContext) -> str:
        """Return the texts of a row without caching them."""
        # The columns read most fields, several of them more than once.
        record = record.materialized()
        lines: list[str] = []
        for column in self._columns:
            lines += texts(column, record, render)
        return fold("\n".join(lines))

    def drop(self, key: str) -> None:
        """Remove a row."""
        self._texts.pop(key, None)

    def forget(self) -> None:
        """Clear the cache."""
        self._texts.clear()


class Word(Term[R]):
    """A word without a field: it matches if any text of the row contains it."""

    def __init__(self, columns: tuple[Column[R], ...], word: str, turned: bool = False) -> None:
        super().__init__((), turned)
        self._hays = Haystacks(columns)
        words = spellings(fold(word))
        self._word, self._number = words[0], words[-1]
        self._globs = [glob(f"*{each}*") for each in words] if "*" in word else None

    def holds(self, record: R, render: RenderContext) -> bool:
        """Return whether a row contains the word."""
        return self.holds_in(self._hays.made(record, render))

    def holds_if_known(self, record: R, render: RenderContext) -> bool | None:
        """Return whether a row contains the word, among the texts that are known."""
        return self.holds(record, render)

    def holds_in(self, hay: str) -> bool:
        """Return whether a row with these texts contains the word."""
        if self._globs:
            found = any(fits(line) for line in hay.split("\n") for fits in self._globs)
        else:
            found = self._word in hay or self._number in hay
        return found is not self.turned


def make(column: Column[R], operator: str, value: str) -> Field[R]:
    """Return the comparison of a column with a typed value. Raise NotAValue."""
    if column.kind == "text":
        return _text(column, operator, value)
    if not value:
        return Missing(column)
    if column.kind == "flag":
        return _flag(column, operator, value)
    if column.kind == "number":
        return _number(column, operator, value)
    length = span(value)
    if column.kind == "age":
        if length is None:
            raise NotAValue(f'{column.id} takes a length such as 30s, 2m or 1h, not "{value}"')
        return _length(column, operator, length)
    at = moment(value)
    if at is not None:
        return NumberRange(
            column,
            _after(operator),
            lambda render: _edges(at.ms(render), operator),
            ticks=at.today,
            again=lambda render: at.ms(render, again=True),
        )
    # `25:00` would be a length of minutes, but is a mistyped time of day here.
    if length is None or ":" in value:
        raise NotAValue(f'{column.id} takes a date, a time or a length such as 2h, not "{value}"')
    low, high = length.ms, length.ms + length.unit
    return NumberRange(column, operator, lambda _render: (low, high), ticks=True, ago=True)


def _length(column: Column[R], operator: str, length: Span) -> Field[R]:
    """Return the comparison of a shown duration: `>1:30` begins where the cell no longer shows 1:30."""
    low, high = length.ms, length.ms + length.unit
    if operator in {">", "<="}:
        low = high = low + min(length.unit, shown_unit(low))
    return NumberRange(column, _after(operator), lambda _render: (low, high), ticks=True)


def _after(operator: str) -> str:
    """Convert `>` and `<=` with a whole day or minute to comparisons with its end."""
    return {">": ">=", "<=": "<"}.get(operator, operator)


def _edges(edges: tuple[float, float], operator: str) -> tuple[float, float]:
    low, high = edges
    return (high, high) if operator in {">", "<="} else (low, high)


def _text(column: Column[R], operator: str, value: str) -> Field[R]:
    if operator not in ":=":
        raise NotAValue(f'{column.id} is text: use {column.id}:word, not "{operator}"')
    if not value:
        return Text(column, None)
    wanted = spellings(fold(value))
    if "*" in wanted[0]:
        globs = [glob(each) for each in wanted]
        return Text(column, lambda text: any(fits(text) for fits in globs))
    if operator == "=":
        return Text(column, lambda text: text in wanted)
    if column.closed:
        return Text(column, lambda text: text.startswith(wanted))
    return Text(column, lambda text: any(each in text for each in wanted))


def _flag(column: Column[R], operator: str, value: str) -> Field[R]:
    word = value.lower()
    if operator not in ":=" or word not in _YES | _NO:
        raise NotAValue(f"{column.id} is yes or no: {column.id}:yes")
    return Flag(column, word in _YES)


def _number(column: Column[R], operator: str, value: str) -> Field[R]:
    try:
        number = float(value.removesuffix("%"))
    except ValueError:
        raise NotAValue(f'{column.id} takes a number, not "{value}"') from None
    if number != number or abs(number) == float("inf"):
        raise NotAValue(f'{column.id} takes a number, not "{value}"')
    return NumberRange(column, operator, lambda _render: (number, number))
