"""A rule: what of a list needs attention, from when on, and how it is told."""

from __future__ import annotations

from console.frozen import Frozen
from console.rule_settings import Severity
from console.rules.condition import Condition

RECORD = "record"
"""The value of `each` for one episode per row."""


class Rule(Frozen):
    """A rule whose settings are complete. Filter, column names and words are checked by `compiled`."""

    name: str
    place: int
    """Its position among all."""
    list: str
    filter: str
    condition: Condition
    condition_text: str
    critical: Condition | None
    critical_text: str
    each: str
    unless: str
    severity: Severity
    title: str
    words: str
    hold_ms: float
    mine: bool
    renews: bool
    enabled: bool
    origin: str
    """`shipped`, or the file that defines it or changes it."""
