"""What a kind of record brings to the console: its lists, and what can be done with its records."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any

from console.commands.action import Action
from console.frozen import Frozen
from console.views.table import Table


class Kind(Frozen):
    """The registration of one kind, as `KIND` in `kind.py` of its folder. Facts and columns of other kinds can be
    imported without it.

    Screens, the palette, `console list`, filters, the key map and the generated pages follow from it.
    """

    name: str
    """Its folder. `ACTIONS` of the module `actions` there is what can be done with its records."""
    tables: tuple[Table[Any], ...]
    """Its lists. The name of a table is that of its feed, its topic and its `console list`."""

    def load_actions(self) -> tuple[Action[Any], ...]:
        """Import and return what can be done with records of this kind: the first frame needs none of it."""
        module = f"console.kinds.{self.name}.actions"
        return import_module(module).ACTIONS if find_spec(module) is not None else ()
