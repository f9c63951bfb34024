"""The filter language: `caller:+34* state:!connected age>2m queue>0 "two words" state:queued,ringing`.

Terms are separated by spaces, and all must match. A term is a word, which matches in any text of a row, or a field with
an operator and values: `:` contains (for columns with fixed values: starts with), `=` equals, `!=`, and `>` `>=` `<`
`<=` for numbers, ages and times. Commas mean or, `*` matches anything, `!` before a term or value negates it, quotes
protect spaces and commas, also beside `*` (`caller:"+34 6"*`), `field:""` means empty. Case and accents are ignored.
"""

from __future__ import annotations

import difflib
import re
from typing import Generic, TypeVar

from console.base.frozen import Frozen
from console.records.addresses import GENERAL_SCHEMES, has_own_scheme
from console.records.record import Record
from console.views.render_context import RenderContext
from console.views.table import Column, Table
from console.views.terms import Field, Haystacks, NotAValue, Term, Word, make

R = TypeVar("R", bound=Record)

_FIELD = re.compile(r"([^\W\d][\w.-]*)(:|!=|>=|<=|=|>|<)")


class FilterFault(ValueError):
    """An invalid filter. `position` counts characters from 0; the message from 1."""

    def __init__(self, message: str, position: int) -> None:
        super().__init__(f"{message} (at {position + 1})")
        self.message = message
        self.position = position


class Filter(Frozen, Generic[R]):
    """A parsed filter."""

    text: str
    terms: tuple[Term[R], ...]
    ticks: bool
    """Whether its matches change with time."""

    @property
    def empty(self) -> bool:
        """Whether it matches everything."""
        return not self.terms

    def matches(self, record: R, render: RenderContext) -> bool:
        """Return whether a record matches."""
        return all(term.holds(record, render) for term in self.terms)

    def matches_if_known(self, record: R, render: RenderContext) -> bool | None:
        """Return whether a record matches; None if that depends on what is not known."""
        is_known = True
        for term in self.terms:
            holds = term.holds_if_known(record, render)
            if holds is False:
                return False
            is_known = is_known and holds is not None
        return True if is_known else None

    def evaluate(self, record: R, render: RenderContext, hays: Haystacks[R] | None = None) -> tuple[bool, float | None]:
        """Return whether a record matches, and when to check again, in ms since the epoch; None means never."""
        ticking: list[Term[R]] = []
        for term in self.terms:
            if term.ticks:
                ticking.append(term)
            elif hays is not None and isinstance(term, Word):
                if not term.holds_in(hays.of(record, render)):
                    return False, None
            elif not term.holds(record, render):
                return False, None
        if not ticking:
            return True, None
        moments = (term.recheck(record, render) for term in ticking)
        again = min((moment for moment in moments if moment is not None), default=None)
        return all(term.holds(record, render) for term in ticking), again


def fields(table: Table[R]) -> dict[str, Column[R]]:
    """Return the columns of a table by all their names in filters."""
    named = {alias.lower(): column for column in table.columns for alias in column.aliases}
    return named | {column.id.lower(): column for column in table.columns}


def parse(text: str, table: Table[R]) -> Filter[R]:
    """Parse a filter for a table. Raise FilterFault."""
    return _FilterParser(text, table).read()


class _FilterParser(Generic[R]):
    def __init__(self, text: str, table: Table[R]) -> None:
        self._text = text
        self._table = table
        self._fields = fields(table)
        self._at = 0

    def read(self) -> Filter[R]:
        terms: list[Term[R]] = []
        while self._skip_blanks():
            term = self._term()
            if term is not None:
                terms.append(term)
        return Filter(self._text, tuple(terms), any(term.ticks for term in terms))

    def _skip_blanks(self) -> bool:
        while self._at < len(self._text) and self._text[self._at].isspace():
            self._at += 1
        return self._at < len(self._text)

    def _term(self) -> Term[R] | None:
        start, turned = self._at, False
        while self._peek() == "!":
            self._at += 1
            turned = not turned
        if not self._peek() or self._peek().isspace():
            raise FilterFault('"!" needs a term to negate', start)
        match = _FIELD.match(self._text, self._at)
        if match and not self._is_address(match):
            return self._field(match, turned)
        word = self._word(stop="")
        return Word(self._table.columns, word, turned) if word else None

    def _is_address(self, match: re.Match[str]) -> bool:
        # A pasted address is a word.
        name = match[1].lower()
        is_scheme = name in GENERAL_SCHEMES or has_own_scheme(f"{name}:")
        return is_scheme and name not in self._fields and match[2] == ":"

    def _field(self, match: re.Match[str], turned: bool) -> Term[R]:
        name, operator = match[1].lower(), match[2]
        column = self._fields.get(name)
        if column is None:
            raise FilterFault(self._unknown(match[1]), self._at)
        self._at = match.end()
        if operator == "!=":
            operator, turned = "=", not turned
        if operator in ":=" and self._peek() == "!":
            self._at += 1
            turned = not turned
        values = self._values()
        if not values:
            raise FilterFault(f'{match[1]}{match[2]} needs a value; {match[1]}:"" finds empty values', self._at)
        if operator not in ":=" and len(values) > 1:
            raise FilterFault(f'"{operator}" takes one value', values[1][0])
        tests: list[Field[R]] = []
        for position, value in values:
            try:
                tests.append(make(column, operator, value))
            except NotAValue as fault:
                raise FilterFault(str(fault), position) from None
        return Term(tuple(tests), turned)

    def _values(self) -> list[tuple[int, str]]:
        values: list[tuple[int, str]] = []
        while True:
            start = self._at
            quoted = self._peek() == '"'
            value = self._word(stop=",")
            if value or quoted:
                values.append((start, value))
            if self._peek() != ",":
                return values
            self._at += 1

    def _word(self, stop: str) -> str:
        """Read up to a space or a character of `stop`, which quotes protect anywhere in a word, as in a shell.

        An unclosed quote extends to the end, as while typing.
        """
        start, is_quoted = self._at, False
        while (sign := self._peek()) and (is_quoted or not (sign.isspace() or sign in stop)):
            is_quoted ^= sign == '"'
            self._at += 1
        return self._text[start : self._at].replace('"', "")

    def _peek(self) -> str:
        return self._text[self._at] if self._at < len(self._text) else ""

    def _unknown(self, name: str) -> str:
        near = difflib.get_close_matches(name.lower(), list(self._fields), n=1, cutoff=0.5)
        hint = f"Did you mean {near[0]}?" if near else f"Fields: {', '.join(c.id for c in self._table.columns)}."
        return f'No field "{name}". {hint}'
