"""Visibility of rows: one rule per kind, as SQL for lists and as a check of single events.

A rule reads extracted columns only, never the body, so that both forms agree:

  AnyOf(Admins(), Same("owner", by_id), Among("participants", by_id))
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Hashable, Mapping
from typing import Any, cast

import sqlalchemy as sa

from console.service.auth.caller import Caller
from console.service.store.json_sql import VALUE, Items

Columns = sa.ColumnCollection[str, sa.ColumnElement[Any]] | Any
Scope = Mapping[str, Any]
"""Values of the columns that the rule of a row's kind reads."""


ADDRESSEES = "addressees"
"""Name of the addresses of a notice in its scope."""


class VisibilityRule(ABC):
    """Decides whether a caller may see a row."""

    columns: frozenset[str] = frozenset()
    """The columns that the rule reads; events contain their values."""

    @abstractmethod
    def clause(self, caller: Caller, columns: Columns) -> sa.ColumnElement[bool]:
        """Return the rule as a condition on the table's columns."""

    @abstractmethod
    def holds(self, caller: Caller, scope: Scope) -> bool:
        """Return whether the caller may see a row with these column values."""

    @abstractmethod
    def visibility(self, caller: Caller) -> Hashable:
        """Return the part of the caller on which the rule depends. Callers of equal visibility see the same rows.

        Data read or encoded for one of them is shared.
        """


class _ByRole(VisibilityRule):
    """A rule that depends on the caller alone."""

    def clause(self, caller: Caller, columns: Columns) -> sa.ColumnElement[bool]:
        """Return the result as a constant."""
        return sa.true() if self.holds(caller, {}) else sa.false()

    def visibility(self, caller: Caller) -> Hashable:
        """Return the result itself: True sees every row, False none."""
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


class _ByColumn(VisibilityRule):
    """A rule that compares a value of the caller with a column."""

    def __init__(self, column: str, of: Callable[[Caller], str]) -> None:
        self.column = column
        self.of = of
        self.columns = frozenset({column})

    def visibility(self, caller: Caller) -> Hashable:
        """Return the caller's value."""
        return self.of(caller)


class Same(_ByColumn):
    """Callers whose own id, address or domain equals a column."""

    def clause(self, caller: Caller, columns: Columns) -> sa.ColumnElement[bool]:
        """Return the equality; an empty value of the caller matches nothing."""
        own = self.of(caller)
        return columns[self.column] == own if own else sa.false()

    def holds(self, caller: Caller, scope: Scope) -> bool:
        """Return whether the row's value is the caller's."""
        own = self.of(caller)
        return bool(own) and scope.get(self.column) == own


class Among(_ByColumn):
    """Callers whose own id or address is in a column with a JSON array (declare it as `sa.JSON`)."""

    def clause(self, caller: Caller, columns: Columns) -> sa.ColumnElement[bool]:
        """Return the membership test; an empty value of the caller matches nothing."""
        own = self.of(caller)
        return has(columns[self.column], own) if own else sa.false()

    def holds(self, caller: Caller, scope: Scope) -> bool:
        """Return whether the caller is in the row's array."""
        own = self.of(caller)
        return bool(own) and own in cast("list[str]", scope.get(self.column) or [])


class _ByRules(VisibilityRule):
    """A rule made of others."""

    def __init__(self, *rules: VisibilityRule) -> None:
        self.rules = rules
        self.columns = frozenset[str]().union(*(rule.columns for rule in rules))


class AnyOf(_ByRules):
    """Callers for whom at least one of several rules holds."""

    def clause(self, caller: Caller, columns: Columns) -> sa.ColumnElement[bool]:
        """Return the alternatives joined by OR."""
        return sa.or_(sa.false(), *(rule.clause(caller, columns) for rule in self.rules))

    def holds(self, caller: Caller, scope: Scope) -> bool:
        """Return whether any rule holds."""
        return any(rule.holds(caller, scope) for rule in self.rules)

    def visibility(self, caller: Caller) -> Hashable:
        """Return True if one rule holds for all rows, otherwise the visibilities of all rules."""
        visibilities = tuple(rule.visibility(caller) for rule in self.rules)
        return True if any(each is True for each in visibilities) else visibilities


class AllOf(_ByRules):
    """Callers for whom all of several rules hold."""

    def clause(self, caller: Caller, columns: Columns) -> sa.ColumnElement[bool]:
        """Return the conditions joined by AND."""
        return sa.and_(sa.true(), *(rule.clause(caller, columns) for rule in self.rules))

    def holds(self, caller: Caller, scope: Scope) -> bool:
        """Return whether all rules hold."""
        return all(rule.holds(caller, scope) for rule in self.rules)

    def visibility(self, caller: Caller) -> Hashable:
        """Return False if one rule holds for no rows, otherwise the visibilities of all rules."""
        visibilities = tuple(rule.visibility(caller) for rule in self.rules)
        return False if any(each is False for each in visibilities) else visibilities


def by_id(caller: Caller) -> str:
    """Return the caller's id."""
    return caller.id


def by_address(caller: Caller) -> str:
    """Return the caller's address."""
    return caller.address if caller.id else ""


def by_domain(caller: Caller) -> str:
    """Return the caller's domain."""
    return caller.domain


def has(column: sa.ColumnElement[Any], value: str) -> sa.ColumnElement[bool]:
    """Return the condition that a JSON array column holds a value."""
    each = Items(column).table_valued(VALUE, name="each")
    return sa.literal(value).in_(sa.select(each.c.value))


def has_all(column: sa.ColumnElement[Any], values: Collection[str]) -> list[sa.ColumnElement[bool]]:
    """Return the condition that a JSON array column holds all values; no condition without any.

    It is one condition for any number of values: SQLite limits the depth of expressions.
    """
    wanted = {*values}
    each = Items(column).table_valued(VALUE, name="each")
    count = sa.select(sa.func.count(each.c.value.distinct())).where(each.c.value.in_(wanted)).scalar_subquery()
    return [count == len(wanted)] if wanted else []
