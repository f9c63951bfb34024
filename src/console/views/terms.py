"""What a filter is made of: one test each, on a word or on a column."""

from __future__ import annotations

import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from console.records.record import Record
from console.views.render_context import RenderContext
from console.views.spans import moment, span
from console.views.table import Column

R = TypeVar("R", bound=Record)

Edges = Callable[[RenderContext], tuple[float, float]]
_SOON_MS = 60_000
"""How late a time of today may learn that the day has changed."""
_YES = frozenset({"yes", "true", "1", "on", "y"})
_NO = frozenset({"no", "false", "0", "off", "n"})


class NotAValue(ValueError):
    """A value that a field cannot be compared with, said in a sentence."""


def fold(text: str) -> str:
    """Bring text into the form that is compared: without case, without accents."""
    folded = text.casefold()
    if folded.isascii():
        return folded
    return "".join(c for c in unicodedata.normalize("NFD", folded) if not unicodedata.combining(c))


def glob(pattern: str) -> Callable[[str], bool]:
    """Return a test on folded text: `*` stands for anything, the whole must fit. Takes linear time."""
    first, *middle, last = pattern.split("*")

    def fits(text: str) -> bool:
        if len(text) < len(first) + len(last) or not text.startswith(first) or not text.endswith(last):
            return False
        at, end = len(first), len(text) - len(last)
        for part in middle:
            found = text.find(part, at, end)
            if found < 0:
                return False
            at = found + len(part)
        return True

    return fits


def texts(column: Column[R], record: R, render: RenderContext) -> tuple[str, ...]:
    """Return every text by which a column's value can be found."""
    value = column.value(record, render)
    also = column.also(record, render) if column.also else ()
    return also if value is None else (str(value), *also)


class Field(ABC, Generic[R]):
    """One comparison of a column with a value."""

    ticks = False

    @abstractmethod
    def holds(self, record: R, render: RenderContext) -> bool:
        """Say whether it is so."""

    def recheck(self, record: R, render: RenderContext) -> float | None:
        """Return the moment, ms since the epoch, before which the answer stays."""
        del record, render
        return None


@dataclass(frozen=True)
class Text(Field[R]):
    """A text that contains, is, or fits something."""

    column: Column[R]
    fits: Callable[[str], bool] | None
    """None: it is empty."""

    def holds(self, record: R, render: RenderContext) -> bool:
        """Say whether any text of the column fits."""
        found = texts(self.column, record, render)
        return any(self.fits(fold(each)) for each in found) if self.fits else not any(found)


@dataclass(frozen=True)
class Flag(Field[R]):
    """A yes or no; what is not known is no."""

    column: Column[R]
    wanted: bool

    def holds(self, record: R, render: RenderContext) -> bool:
        """Say whether the flag stands so."""
        return bool(self.column.value(record, render)) is self.wanted


@dataclass(frozen=True)
class Number(Field[R]):
    """A number between edges, the upper one excluded when the value is a whole unit; None is never."""

    column: Column[R]
    operator: str
    edges: Edges
    ticks: bool = False
    """Whether time moves the value over the edges."""
    ago: bool = False
    """Whether the value is a moment and the edges are lengths back from now."""

    def holds(self, record: R, render: RenderContext) -> bool:
        """Say whether the value stands so to the edges."""
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
                return low <= value < high if high > low else value == low

    def recheck(self, record: R, render: RenderContext) -> float | None:
        """Return when the nearest edge can be reached, whichever way the value runs; of times of today, soon."""
        if self.column.kind == "time" and not self.ago:
            return render.now_ms + _SOON_MS
        value = self._value(record, render)
        if value is None:
            return None
        return render.now_ms + max(1.0, min(abs(value - edge) for edge in self.edges(render)))

    def _value(self, record: R, render: RenderContext) -> float | None:
        value = self.column.value(record, render)
        if value is None or isinstance(value, str):
            return None
        return render.now_ms - value if self.ago else value


@dataclass(frozen=True)
class Missing(Field[R]):
    """That there is no value."""

    column: Column[R]

    def holds(self, record: R, render: RenderContext) -> bool:
        """Say whether there is none."""
        return self.column.value(record, render) is None


class Term(Generic[R]):
    """Comparisons of which one must hold, or none if turned round."""

    def __init__(self, tests: tuple[Field[R], ...], turned: bool = False) -> None:
        self.tests = tests
        self.turned = turned
        self.ticks = any(test.ticks for test in tests)

    def holds(self, record: R, render: RenderContext) -> bool:
        """Say whether the term holds."""
        return any(test.holds(record, render) for test in self.tests) is not self.turned

    def recheck(self, record: R, render: RenderContext) -> float | None:
        """Return the first moment at which one of the comparisons may turn out differently."""
        moments = (test.recheck(record, render) for test in self.tests if test.ticks)
        return min((each for each in moments if each is not None), default=None)


class Haystacks(Generic[R]):
    """All texts of rows, folded and kept, so that typing a word costs the columns' values only once.

    What rows are called may depend on other records: whoever keeps this says when to forget.
    """

    def __init__(self, columns: tuple[Column[R], ...]) -> None:
        self._columns = tuple(column for column in columns if column.kind == "text")
        self._kept: dict[str, tuple[R, str]] = {}

    def of(self, record: R, render: RenderContext) -> str:
        """Return the texts of a row, a line each."""
        kept = self._kept.get(record.key)
        if kept is not None and kept[0] is record:
            return kept[1]
        text = self.made(record, render)
        self._kept[record.key] = record, text
        return text

    def made(self, record: R, render: RenderContext) -> str:
        """Return the texts of a row without keeping them."""
        return fold("\n".join(text for column in self._columns for text in texts(column, record, render)))

    def drop(self, key: str) -> None:
        """Forget a row that is gone."""
        self._kept.pop(key, None)

    def forget(self) -> None:
        """Forget what rows were called."""
        self._kept.clear()


class Word(Term[R]):
    """A word that stands alone: it holds if any text of the row has it."""

    def __init__(self, columns: tuple[Column[R], ...], word: str, turned: bool = False) -> None:
        super().__init__((), turned)
        self._hays = Haystacks(columns)
        self._word = fold(word)
        self._fits = glob(f"*{self._word}*") if "*" in word else None

    def holds(self, record: R, render: RenderContext) -> bool:
        """Say whether the row has the word."""
        return self.holds_in(self._hays.made(record, render))

    def holds_in(self, hay: str) -> bool:
        """Say whether a row of these texts has the word."""
        fits = self._fits
        found = any(fits(line) for line in hay.split("\n")) if fits else self._word in hay
        return found is not self.turned


def make(column: Column[R], operator: str, value: str) -> Field[R]:
    """Return the comparison of a column with a value as typed. Raises NotAValue."""
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
        low, high = length.ms, length.ms + length.unit
        return Number(column, operator, lambda _render: (low, high), ticks=True)
    at = moment(value)
    if at is not None:
        return Number(column, _after(operator), lambda render: _edges(at.ms(render), operator), ticks=at.today)
    if length is None:
        raise NotAValue(f'{column.id} takes a date, a time or a length such as 2h, not "{value}"')
    low, high = length.ms, length.ms + length.unit
    return Number(column, operator, lambda _render: (low, high), ticks=True, ago=True)


def _after(operator: str) -> str:
    """Turn `>` and `<=` of a whole day or minute into comparisons with its end."""
    return {">": ">=", "<=": "<"}.get(operator, operator)


def _edges(edges: tuple[float, float], operator: str) -> tuple[float, float]:
    low, high = edges
    return (high, high) if operator in {">", "<="} else (low, high)


def _text(column: Column[R], operator: str, value: str) -> Field[R]:
    if operator not in ":=":
        raise NotAValue(f'{column.id} is text: use {column.id}:word, not "{operator}"')
    if not value:
        return Text(column, None)
    wanted = fold(value)
    if "*" in wanted:
        return Text(column, glob(wanted))
    if operator == "=":
        return Text(column, lambda text: text == wanted)
    if column.closed:
        return Text(column, lambda text: text.startswith(wanted))
    return Text(column, lambda text: wanted in text)


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
    return Number(column, operator, lambda _render: (number, number))
