"""Registration of a kind: feed, tables, actions."""

from __future__ import annotations

from enum import StrEnum
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from console.base.frozen import Frozen
from console.kinds.resource import Resource
from console.live.feeds import Feed
from console.views.thresholds import Threshold

if TYPE_CHECKING:
    from collections.abc import Mapping

    from console.commands.action import Action
    from console.kinds.derived_kind import DerivedKind
    from console.views.table import Table


class Scope(StrEnum):
    """Part of the records in a list."""

    ALL = "all"
    OWN = "own"
    """Those in which the caller takes part, or which the caller owns or receives."""
    FOLLOWED = "followed"
    """The records that the caller follows: the presence list has no others."""
    LISTED = "listed"
    """The records that the service lists: it does not say whether others exist."""
    DOMAIN = "domain"
    """The records of the caller's domain."""
    PART = "part"
    """An unknown part, if the service counts more than it lists; otherwise all."""


class Screen(Frozen):
    """The screen of a kind, with the list of the kind and the lists of the kinds that are shown on it."""

    digit: str
    """The key that opens it. Screens are in the order of their digits, with 0 last."""
    title: str
    short: str
    """The title for narrow terminals."""


class Kind(Frozen):
    """The registration of one kind, as `KIND` of its folder. Imports everything not needed at the start on demand.

    Screens, palette, `console list`, filters, key map and generated pages are derived from it.
    """

    name: str
    """The name of its list, its topic and its `console list`."""
    feed: Feed | None = None
    """How its list is kept up to date, None if it is not followed."""
    derived: tuple[str, ...] = ()
    """The kinds from which its `derived.py` computes its list, if no service lists it."""
    watched: bool = False
    """Whether a layer above the kinds computes its list."""
    thresholds: tuple[Threshold, ...] = ()
    """Thresholds of its numbers."""
    resources: tuple[Resource, ...] = ()
    """Its lists in the administration."""
    screen: Screen | None = None
    """Its own screen, if it has one."""
    shown_on: str = ""
    """The kind on whose screen its list is shown."""
    acts_like: str = ""
    """The kind whose actions work in its list too."""
    scope: Scope = Scope.ALL
    """The part of its records that callers other than admins see."""
    scope_of_admins: Scope = Scope.ALL
    """The part of its records that admins see."""

    @property
    def folder(self) -> str:
        """The name of its folder."""
        return module_name(self.name)

    def load_table(self) -> Table[Any] | None:
        """Import and return its table, or None."""
        module = self._module("columns")
        return module.TABLE if module is not None else None

    def load_actions(self) -> tuple[Action[Any], ...]:
        """Import and return its actions, which the first frame does not need."""
        module = self._module("actions")
        return module.ACTIONS if module is not None else ()

    def load_effects(self, name: str) -> Mapping[Any, Any]:
        """Import and return `INVERSES`, `NEXT_STEPS` or another table of its `actions.py`, by request."""
        return getattr(self._module("actions"), name, {})

    def load_derived(self) -> type[DerivedKind[Any]]:
        """Import and return the class of its computed list."""
        return self._module("derived").LIST

    def _module(self, part: str) -> Any:
        return _module(f"console.kinds.{self.folder}.{part}")


def module_name(name: str) -> str:
    """Return the module name of a kind or a screen."""
    return name.replace("-", "_").replace(".", "_")


@cache
def _module(name: str) -> Any:
    """Import a module, or return None if it does not exist."""
    return import_module(name) if find_spec(name) is not None else None
