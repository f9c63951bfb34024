"""What a kind of record brings to the console: how it is listed, its tables, and what can be done with its records."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from console.frozen import Frozen
from console.kinds.resource import Resource
from console.live.feeds import Feed
from console.views.thresholds import Threshold

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from console.commands.action import Action
    from console.kinds.attention import Concern
    from console.views.table import Table


class Screen(Frozen):
    """The screen of a kind: it has the list of the kind, and those of the kinds that are shown on it."""

    digit: str
    """The key that opens it; screens stand in this order."""
    title: str
    short: str
    """A title for where the other does not fit."""


class Kind(Frozen):
    """The registration of one kind, as `KIND` of its folder. It holds what is needed at the start, and imports the
    rest when that is asked for.

    Screens, the palette, `console list`, filters, the key map and the generated pages follow from it.
    """

    name: str
    """That of its list, its topic and its `console list`."""
    feed: Feed | None = None
    """How its list is kept up to date, if it is."""
    thresholds: tuple[Threshold, ...] = ()
    """From which values on its numbers deserve a look: what a night shift would want to be told."""
    resources: tuple[Resource, ...] = ()
    """What an administrator browses of it."""
    screen: Screen | None = None
    """Its own screen, if it has one."""
    shown_on: str = ""
    """The kind on whose screen its list stands besides."""
    acts_like: str = ""
    """The kind whose actions work in its list too."""
    attention: tuple[str, ...] = ()
    """The kinds that `concerns` of its `attention.py` look at, if something may be wrong with it."""

    @property
    def folder(self) -> str:
        """The name of its folder."""
        return module_name(self.name)

    def load_table(self) -> Table[Any] | None:
        """Import and return its table, if it has one."""
        module = self._module("columns")
        return module.TABLE if module is not None else None

    def load_actions(self) -> tuple[Action[Any], ...]:
        """Import and return what can be done with records of this kind: the first frame needs none of it."""
        module = self._module("actions")
        return module.ACTIONS if module is not None else ()

    def load_effects(self, name: str) -> Mapping[Any, Any]:
        """Import and return `INVERSES`, `INVERSES_READ` or `CONSEQUENCES` of its `effects.py`, by request."""
        return getattr(self._module("effects"), name, {})

    def load_concerns(self) -> Callable[..., Iterable[Concern]]:
        """Import and return what says which of its records need attention."""
        return self._module("attention").concerns

    def _module(self, part: str) -> Any:
        return _module(f"console.kinds.{self.folder}.{part}")


def module_name(name: str) -> str:
    """Return what a module is called that is named after a kind or a screen."""
    return name.replace("-", "_").replace(".", "_")


@cache
def _module(name: str) -> Any:
    """Import a module, or return None where there is none."""
    return import_module(name) if find_spec(name) is not None else None
