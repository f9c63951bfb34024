"""Rules with the tables of their lists: filter, groups, measured values and words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, TypeVar

from console.base.frozen import Frozen
from console.base.text import clean
from console.config.settings import nearest
from console.kinds.catalogue import KINDS
from console.records.record import Record
from console.rules.condition import Condition
from console.rules.rule import RECORD, Rule
from console.views import wording
from console.views.filter import Filter, FilterFault, fields, parse
from console.views.quoting import quoted
from console.views.render_context import RenderContext
from console.views.spans import typed_span
from console.views.table import Column, Table

T = TypeVar("T")
_HOLE = re.compile(r"\{([^{}]*)\}")
_LONGEST_WORDS = 160
"""Maximum length of the words of an episode, in characters."""
AGE = "age"
"""The column of ages, if a condition names no other."""


class RuleFault(ValueError):
    """A rule that does not fit its list. The message follows the key."""

    def __init__(self, key: str, message: str) -> None:
        super().__init__(f"{key}: {message}")
        self.key = key
        self.message = message


class Compiled(Frozen):
    """A rule that can be evaluated."""

    rule: Rule
    table: Table[Any]
    filter: Filter[Any]
    group: Column[Any] | None
    """The column of the common value; None for single rows and the whole list."""
    ages: Column[Any] | None
    """The column with the age of a row."""
    sums: Mapping[str, Column[Any]]
    """The columns of sums, by name."""

    def about(self, record: Record, render: RenderContext) -> str:
        """Return what the episode of a row is about: its key, a value that it shares, or nothing."""
        if self.group is not None:
            value = self.group.value(record, render)
            return record.key if value is None else str(value)
        return record.key if self.rule.each == RECORD else ""

    def since(self, record: Record, render: RenderContext) -> float | None:
        """Return when the age of a row began, in ms since the epoch."""
        if self.ages is None:
            return None
        if self.ages.sort is not None:
            place = self.ages.sort(record, render)
            return -place if isinstance(place, int | float) else None
        age = wording.number(self.ages.value(record, render))
        return None if age is None else render.now_ms - age

    def numbers(self, record: Record, render: RenderContext) -> dict[str, float]:
        """Return the numbers of a row for sums."""
        sums = {name: wording.number(column.value(record, render)) for name, column in self.sums.items()}
        return {name: number for name, number in sums.items() if number is not None}

    def words(self, about: str, count: int, first: Record | None, render: RenderContext) -> str:
        """Return the line for people; `first` is the row that has waited longest."""
        several = count > 1 or first is None
        text = about if self.rule.each not in ("", RECORD) else ""

        def name() -> str:
            return (text or self.table.title) if several else str(self.table.name(first, render))

        def value(match: re.Match[str]) -> str:
            match match[1]:
                case "name":
                    return name()
                case "about" if text or "about" not in fields(self.table):
                    return text or name()
                case "count":
                    return str(count)
                case column:
                    return "" if first is None else str(fields(self.table)[column].cell(first, render).text)

        # A last part that is not known, such as the subject of a new chat, is left out with its comma.
        said = _HOLE.sub(value, self.rule.words).removesuffix(f", {wording.dash(render)}")
        return str(clean(" ".join(said.split()), _LONGEST_WORDS))

    def filter_of(self, about: str, limit_ms: float | None) -> str:
        """Return the filter that shows the rows of an episode; `limit_ms` is the age from which they count."""
        parts = [self.rule.filter]
        if self.group is not None:
            parts.append(f"{self.group.id}={quoted(about)}")
        if limit_ms is not None and self.ages is not None and limit_ms > 0:
            parts.append(f"{self.ages.id}>={typed_span(limit_ms).replace(' ', '')}")
        return " ".join(part for part in parts if part)


def compiled(rule: Rule) -> Compiled:
    """Prepare a rule. Raise RuleFault with the first error."""
    prepared = _prepared(rule)
    if isinstance(prepared, Compiled):
        return prepared
    raise prepared[0]


def _prepared(rule: Rule) -> Compiled | list[RuleFault]:
    """Prepare a rule, or return all its errors."""
    table = next((kind.load_table() for kind in KINDS if kind.name == rule.list), None)
    if table is None:
        return [RuleFault("list", f"{rule.list!r} has no table")]
    known = fields(table)
    conditions = [("condition", rule.condition), *([("critical", rule.critical)] if rule.critical else [])]
    faults: list[RuleFault] = []

    def valid(step: Callable[[], T]) -> T | None:
        try:
            return step()
        except RuleFault as fault:
            faults.append(fault)
            return None

    wanted = valid(partial(_filter, rule, table))
    group = valid(partial(_group, rule, known))
    valid(partial(_check_words, rule.words, known))
    sums = {
        condition.column: valid(partial(_sum, key, condition, known))
        for key, condition in conditions
        if condition.measure == "sum"
    }
    ages = valid(partial(_ages, conditions, known))
    if wanted is None or faults:
        return faults
    return Compiled(
        rule, table, wanted, group, ages, {name: column for name, column in sums.items() if column is not None}
    )


def _filter(rule: Rule, table: Table[Any]) -> Filter[Any]:
    try:
        return parse(rule.filter, table)
    except FilterFault as fault:
        raise RuleFault("filter", str(fault)) from None


def _group(rule: Rule, known: Mapping[str, Column[Any]]) -> Column[Any] | None:
    """Return the column of the common value, if there is one."""
    if rule.each in ("", RECORD):
        return None
    group = known.get(rule.each.lower())
    if group is None:
        raise RuleFault("each", f"{rule.each!r} is not a column{nearest(rule.each, [RECORD, *known])}")
    if group.ticks:
        raise RuleFault("each", f"{rule.each!r} changes with time")
    return group


def _sum(key: str, condition: Condition, known: Mapping[str, Column[Any]]) -> Column[Any]:
    column = known.get(condition.column.lower())
    if column is None:
        numbers = [name for name, column in known.items() if column.kind == "number"]
        raise RuleFault(key, f"{condition.column!r} is not a column{nearest(condition.column, numbers)}")
    if column.kind != "number":
        raise RuleFault(key, f"{condition.column!r} is not a number")
    return column


def _ages(conditions: list[tuple[str, Condition]], known: Mapping[str, Column[Any]]) -> Column[Any] | None:
    """Return the column of ages: the named one, otherwise `age`, if there is one."""
    named = {
        condition.column: key for key, condition in conditions if condition.measure == "longest" and condition.column
    }
    if len(named) > 1:
        raise RuleFault("critical", "must be about the same column as condition")
    for name, key in named.items():
        column = known.get(name.lower())
        if column is None or column.kind != "age":
            ages = [name for name, column in known.items() if column.kind == "age"]
            raise RuleFault(key, f"{name!r} is not a column of ages{nearest(name, ages)}")
        return column
    column = known.get(AGE)
    if column is None or column.kind != "age":
        for key, condition in conditions:
            if condition.measure in {"longest", "rate"}:
                raise RuleFault(key, f"{condition.measure} needs a list with ages")
        return None
    return column


def _check_words(text: str, known: Mapping[str, Column[Any]]) -> None:
    for hole in _HOLE.findall(text):
        if hole in ("name", "about", "count"):
            continue
        if hole not in known:
            raise RuleFault("words", f"{{{hole}}} is not known{nearest(hole, ['name', 'about', 'count', *known])}")
        if known[hole].ticks:
            raise RuleFault("words", f"{{{hole}}} changes with time; the age is shown beside the words")


def faults_of(rules: tuple[Rule, ...]) -> Iterator[tuple[Rule, RuleFault]]:
    """Yield the rules that do not fit their lists, with all their errors."""
    for rule in rules:
        prepared = _prepared(rule)
        if not isinstance(prepared, Compiled):
            yield from ((rule, fault) for fault in prepared)
