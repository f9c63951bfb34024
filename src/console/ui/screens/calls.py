"""The active calls, and the queues in which they wait."""

from __future__ import annotations

from typing import cast

from console.kinds.view_keys import ViewKey
from console.records.queues import Queue
from console.ui.screens import queues
from console.ui.screens.list_screen import ListScreen
from console.ui.screens.quality import QualityScreen
from console.ui.screens.specs import spec_of
from console.ui.widgets.theme import app_of


class CallsScreen(ListScreen):
    """The calls of the service, live."""

    spec = spec_of("calls")

    def view_keys(self) -> list[ViewKey]:
        """Leave out the keys of calls in the list of queues."""
        return [view_key for view_key in super().view_keys() if view_key.where != "calls" or self.pane.kind == "calls"]

    def do_quality(self) -> None:
        """Open the quality of the call's streams."""
        record = self._at_cursor()
        if record is not None:
            app_of(self).push_screen(QualityScreen(self.context, record.key))

    def do_free(self) -> None:
        """Show the agents who serve the queue."""
        record = self._at_cursor()
        if record is not None:
            queues.show_agents(self, cast("Queue", record))
