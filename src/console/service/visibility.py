"""Who sees which row: one rule per kind, which lists ask as SQL and the event stream asks of single events.

A rule reads extracted columns only, never the body, so that both forms give the same answer:

    AnyOf(Admins(), Same("owner", by_id), Among("participants", by_id))
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Mapping
from typing import Any, cast

import sqlalchemy as sa

from console.service.caller import Caller

Columns = sa.ColumnCollection[str, sa.ColumnElement[Any]] | Any
Scope = Mapping[str, Any]
"""The values of a row's columns that its kind's rule reads."""


ADDRESSEES = "addressees"
"""The name in the scope of a notice under which the addresses stand that it is for."""


class Rule(ABC):
    """Whether a caller may see a row."""

    columns: frozenset[str] = frozenset()
    """The columns the rule reads; they travel with every event."""

    @abstractmethod
    def clause(self, caller: Caller, columns: Columns) -> sa.ColumnElement[bool]:
        """Return the rule as a condition on the table's columns."""

    @abstractmethod
    def holds(self, caller: Caller, scope: Scope) -> bool:
        """Return whether the caller may see a row with these column values."""

    @abstractmethod
    def visibility(self, caller: Caller) -> Hashable:
        """Return what of the caller decides: callers of equal visibility see the same rows.

        So what was read or encoded for one of them serves all.
        """


class _ByRole(Rule):
    """A rule that looks at the caller alone."""

    def clause(self, caller: Caller, columns: Columns) -> sa.ColumnElement[bool]:
        """Return the answer as a constant."""
        return sa.true() if self.holds(caller, {}) else sa.false()

    def visibility(self, caller: Caller) -> Hashable:
        """Return the answer itself: True sees every row, False none."""
        return self.holds(caller, {})


class Named(_ByRole):
    """Users and admins, not anonymous guests."""

    def holds(self, caller: Caller, scope: Scope) -> bool:
        """Return whether the caller has an account."""
        return not caller.is_nobody and not caller.is_guest


class Admins(_ByRole):
    """Admins."""

    def holds(self, caller: Caller, scope: Scope) -> bool:
        """Return whether the caller is an admin."""
        return caller.is_admin


class Same(Rule):
    """Those for whom a column holds their own id, address or domain."""

    def __init__(self, column: str, of: Callable[[Caller], str]) -> None:
        self.column = column
        self.of = of
        self.columns = frozenset({column})

    def clause(self, caller: Caller, columns: Columns) -> sa.ColumnElement[bool]:
        """Return the equality; an empty value of the caller matches nothing."""
        own = self.of(caller)
        return columns[self.column] == own if own else sa.false()

    def holds(self, caller: Caller, scope: Scope) -> bool:
        """Return whether the row's value is the caller's."""
        own = self.of(caller)
        return bool(own) and scope.get(self.column) == own

    def visibility(self, caller: Caller) -> Hashable:
        """Return the value that is looked for."""
        return self.of(caller)


class Among(Rule):
    """Those whose own id or address is in a column that holds a JSON array (declare it as `sa.JSON`)."""

    def __init__(self, column: str, of: Callable[[Caller], str]) -> None:
        self.column = column
        self.of = of
        self.columns = frozenset({column})

    def clause(self, caller: Caller, columns: Columns) -> sa.ColumnElement[bool]:
        """Return the membership test; an empty value of the caller matches nothing."""
        own = self.of(caller)
        return has(columns[self.column], own) if own else sa.false()

    def holds(self, caller: Caller, scope: Scope) -> bool:
        """Return whether the caller is in the row's array."""
        own = self.of(caller)
        return bool(own) and own in cast("list[str]", scope.get(self.column) or [])

    def visibility(self, caller: Caller) -> Hashable:
        """Return the value that is looked for."""
        return self.of(caller)


class AnyOf(Rule):
    """Those whom at least one of several rules lets see."""

    def __init__(self, *rules: Rule) -> None:
        self.rules = rules
        self.columns = frozenset[str]().union(*(rule.columns for rule in rules))

    def clause(self, caller: Caller, columns: Columns) -> sa.ColumnElement[bool]:
        """Return the alternatives joined by OR."""
        return sa.or_(sa.false(), *(rule.clause(caller, columns) for rule in self.rules))

    def holds(self, caller: Caller, scope: Scope) -> bool:
        """Return whether any rule holds."""
        return any(rule.holds(caller, scope) for rule in self.rules)

    def visibility(self, caller: Caller) -> Hashable:
        """Return True where one rule alone lets everything be seen, else what each of them looks at."""
        visibilities = tuple(rule.visibility(caller) for rule in self.rules)
        return True if any(each is True for each in visibilities) else visibilities


class AllOf(Rule):
    """Those whom every one of several rules lets see."""

    def __init__(self, *rules: Rule) -> None:
        self.rules = rules
        self.columns = frozenset[str]().union(*(rule.columns for rule in rules))

    def clause(self, caller: Caller, columns: Columns) -> sa.ColumnElement[bool]:
        """Return the conditions joined by AND."""
        return sa.and_(sa.true(), *(rule.clause(caller, columns) for rule in self.rules))

    def holds(self, caller: Caller, scope: Scope) -> bool:
        """Return whether all rules hold."""
        return all(rule.holds(caller, scope) for rule in self.rules)

    def visibility(self, caller: Caller) -> Hashable:
        """Return False where one rule alone lets nothing be seen, else what each of them looks at."""
        visibilities = tuple(rule.visibility(caller) for rule in self.rules)
        return False if any(each is False for each in visibilities) else visibilities


def by_id(caller: Caller) -> str:
    """Name the caller by user id."""
    return caller.id


def by_address(caller: Caller) -> str:
    """Name the caller by address."""
    return caller.address if caller.id else ""


def by_domain(caller: Caller) -> str:
    """Name the caller by domain."""
    return caller.domain


def has(column: sa.ColumnElement[Any], value: str) -> sa.ColumnElement[bool]:
    """Return the condition that a JSON array column holds a value."""
    each = sa.func.json_each(column).table_valued("value", name="each")
    return sa.literal(value).in_(sa.select(each.c.value))
