"""Conditions of rules: `any`, `none`, `count > 5`, `sum(queue) > 20`, `longest > 2m`, `rate > 10/min`, `for 30s`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal

from console.base.frozen import Frozen
from console.config.settings import nearest
from console.kinds.catalogue import THRESHOLDS
from console.views.spans import span
from console.views.thresholds import Threshold

Measure = Literal["count", "sum", "longest", "rate"]
MEASURES = ("any", "none", "count", "sum", "longest", "rate")
_WINDOWS = {"s": 1_000, "min": 60_000, "h": 3_600_000}
_SHAPE = re.compile(r"([A-Za-z]+)\s*(?:\(\s*([\w.-]*)\s*\))?\s*(>=|<=|>|<|=)?\s*(.*?)")
_LIMIT = re.compile(r"([a-z_-]+\.[a-z_-]+)\.(warn|bad)(?:\s*([+-])\s*(.+))?")


class ConditionFault(ValueError):
    """An invalid condition. The message follows the condition's key: `must be …`."""


class Limit(Frozen):
    """The value of a comparison: a number or a duration in ms, or a level of a threshold and a difference to it."""

    value: float = 0.0
    threshold: str = ""
    level: str = ""

    def of(self, thresholds: Mapping[str, Threshold]) -> float:
        """Return the value, with the levels that are configured."""
        if not self.threshold:
            return self.value
        threshold = thresholds.get(self.threshold) or THRESHOLDS[self.threshold]
        return (threshold.warn if self.level == "warn" else threshold.bad) + self.value


class Condition(Frozen):
    """A parsed condition: a measure of the rows of a rule that is compared with a limit."""

    measure: Measure
    operator: str
    limit: Limit
    column: str = ""
    """The column of a sum; the column of ages of `longest`, if not `age`."""
    window_ms: float = 0.0
    """The time that `rate` looks back."""
    lasting_ms: float = 0.0
    """How long it must be true."""

    @property
    def of_nothing(self) -> bool:
        """Whether it can be true without any row."""
        return self.operator in {"<", "<="} or (self.operator == "=" and self.limit == Limit())


def parse_condition(text: str) -> Condition:
    """Parse a condition. Raise ConditionFault with a sentence that follows its key."""
    head, lasting_ms = _without_duration(" ".join(text.split()))
    match = _SHAPE.fullmatch(head)
    if match is None:
        raise ConditionFault(f'"{head}" is not a condition such as any, count > 5 or longest > 2m')
    name, column, operator, value = match[1].lower(), match[2], match[3] or "", match[4]
    if name not in MEASURES:
        raise ConditionFault(f'"{match[1]}" is not a measure{nearest(name, MEASURES)}')
    if name in {"any", "none"}:
        if column is not None or operator or value:
            raise ConditionFault(f'"{name}" takes nothing but a duration: {name} for 30s')
        return Condition("count", ">" if name == "any" else "=", Limit(), lasting_ms=lasting_ms)
    if not operator or not value:
        raise ConditionFault(f'"{name}" needs a comparison, such as {_EXAMPLES[name]}')
    if column is not None and name not in {"sum", "longest"}:
        raise ConditionFault(f'"{name}" takes no column')
    match name:
        case "sum":
            if not column:
                raise ConditionFault("sum needs a column: sum(queue) > 20")
            return Condition("sum", operator, _limit(value, in_ms=False), column, lasting_ms=lasting_ms)
        case "longest":
            if operator not in {">", ">="}:
                raise ConditionFault(f'longest takes > or >=, not "{operator}"')
            return Condition("longest", operator, _limit(value, in_ms=True), column or "", lasting_ms=lasting_ms)
        case "rate":
            number, _, per = value.partition("/")
            if operator not in {">", ">="}:
                raise ConditionFault(f'rate takes > or >=, not "{operator}"')
            limit = _limit(number.strip(), in_ms=False)
            return Condition("rate", operator, limit, window_ms=_window(per.strip()), lasting_ms=lasting_ms)
        case _:
            return Condition("count", operator, _limit(value, in_ms=False), lasting_ms=lasting_ms)


_EXAMPLES = {"count": "count > 5", "sum": "sum(queue) > 20", "longest": "longest > 2m", "rate": "rate > 10/min"}


def _without_duration(text: str) -> tuple[str, float]:
    """Split `any for 30s` into the comparison and the duration in ms."""
    head, separator, value = text.rpartition(" for ")
    if not separator:
        return text, 0.0
    return head.strip(), duration(value)


def duration(text: str) -> float:
    """Return a duration in ms. Raise ConditionFault."""
    length = span(text)
    if length is None:
        raise ConditionFault(f'"{text}" is not a length such as 30s, 2m or 1h')
    return length.ms


def _limit(text: str, *, in_ms: bool) -> Limit:
    named = _LIMIT.fullmatch(text.lower())
    if named is not None:
        return _named_limit(named, in_ms=in_ms)
    if in_ms:
        length = span(text)
        if length is None:
            raise ConditionFault(f'"{text}" is not a length such as 2m, or a threshold such as calls.wait.warn')
        return Limit(length.ms)
    return Limit(_number(text))


def _named_limit(match: re.Match[str], *, in_ms: bool) -> Limit:
    name, level, sign, by = match.groups()
    threshold = THRESHOLDS.get(name)
    if threshold is None:
        raise ConditionFault(f'there is no threshold "{name}"{nearest(name, THRESHOLDS)}')
    if (threshold.unit > 1) is not in_ms:
        raise ConditionFault(f"{name} is {'a number' if in_ms else 'an age'}")
    difference = 0.0 if by is None else duration(by) if in_ms else _number(by)
    return Limit(-difference if sign == "-" else difference, name, level)


def _number(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = float("nan")
    if not abs(number) < 1e15:
        raise ConditionFault(f'"{text}" is not a number, or a threshold such as skills.online.warn')
    return number


def _window(text: str) -> float:
    named = _WINDOWS.get(text)
    if named is not None:
        return named
    length = span(text) if text[:1].isdigit() else None
    if length is None or length.ms <= 0:
        raise ConditionFault(f'"{text}" is not a time such as min, h or 5m: rate > 10/min')
    return length.ms
