"""A rule: which rows of a list need attention, from when on, and how they are reported."""

from __future__ import annotations

from console.base.frozen import Frozen
from console.config.rule_settings import Severity
from console.rules.condition import Condition

ONCE = "once"
"""The origin of a rule that a person asked for with a key."""
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
    subject: str
    severity: Severity
    title: str
    words: str
    hold_ms: float
    mine: bool
    renews: bool
    enabled: bool
    origin: str
    """`shipped`, or the file that defines it or changes it; `once` if it is removed after its notice."""
    key: str = ""
    """The only row that it is about; empty for all rows of the list."""

    @property
    def once(self) -> bool:
        """Whether it is removed after its notice."""
        return self.origin == ONCE
