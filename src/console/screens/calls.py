"""The active calls."""

from __future__ import annotations

from console.screens.list_screen import ListScreen
from console.screens.quality import QualityScreen
from console.screens.specs import spec_of
from console.widgets.theme import app_of


class CallsScreen(ListScreen):
    """The calls of the service, live."""

    spec = spec_of("calls")

    def do_quality(self) -> None:
        """Open the quality of the call's streams."""
        record = self._at_cursor()
        if record is not None:
            app_of(self).push_screen(QualityScreen(self.context, record.key))
