"""Lists of records that this console makes of data it has."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from console.live.delta import Delta, Freshness, Health
from console.records.record import Record
from console.ui.screens.list_pane import ListPane
from console.views.view import Repaint


class LocalPane(ListPane):
    """A list of such records: it is always up to date."""

    _drawn: object = None

    @property
    def health(self) -> Health:
        """The freshness of the list: always live, since the data are local."""
        return Health(Freshness.LIVE, 0.0)

    def find(self, key: str) -> Record | None:
        """Return a record as shown."""
        return self.view.record(key)

    def differs(self, state: object) -> bool:
        """Return whether the data are others than at the last call."""
        before, self._drawn = self._drawn, state
        return state is not before and state != before

    def replace_records(self, records: Mapping[str, Record]) -> Repaint:
        """Show these records instead of those before."""
        return self.view.apply(Delta[Any](0, True, records))
