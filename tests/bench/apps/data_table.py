"""The straightforward implementation, as a baseline: the same calls in a `DataTable`, fed by the same events.

Events are collected in a dictionary; ten times a second, the cells that changed are written into the table.

    python -m tests.bench.apps.data_table CORE_URL EVENTS_URL
"""

from __future__ import annotations

import json
import sys
import time
import urllib.request
from typing import Any, ClassVar

import websockets
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import DataTable

COLUMNS = ("state", "caller", "calle", "target", "age", "queueposition", "users", "attempts")


def place(call: dict[str, Any]) -> tuple[bool, int]:
    """Return the sort key of a call: the longest first, then those that ended last, as in the console."""
    return "to" in call, int(call.get("from", 0))


def cells(call: dict[str, Any]) -> tuple[str, ...]:
    """Return the cells of a call."""
    seconds = int(time.time() - call.get("from", 0) / 1000)
    return (
        str(call.get("state", "")),
        str(call.get("caller", "")),
        str(call.get("calle", "")),
        str(call.get("target", "")),
        f"{seconds // 60}:{seconds % 60:02}",
        str(call.get("queueposition", "")),
        ", ".join(call.get("users", ())),
        str(len(call.get("attempts", ()))),
    )


class Calls(DataTable[str]):
    """A table whose `home` key moves to the first row."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("home", "scroll_top", show=False)]


class Table(App[None]):
    """An app with the live calls."""

    CSS = "DataTable:focus > .datatable--cursor { background: #010203; color: #fefefe; }"

    def __init__(self, core: str, events: str) -> None:
        super().__init__()
        self.core, self.events = core, events
        self.table = Calls(cursor_type="row")
        self.pending: dict[str, dict[str, Any] | None] = {}
        self.shown: dict[str, tuple[str, ...]] = {}

    def compose(self) -> ComposeResult:
        yield self.table

    def on_mount(self) -> None:
        for name in COLUMNS:
            self.table.add_column(name, key=name, width=16)
        with urllib.request.urlopen(f"{self.core}/calls") as answer:
            calls: list[dict[str, Any]] = json.load(answer)
        calls.sort(key=place)
        for call in calls:
            self.shown[call["id"]] = cells(call)
            self.table.add_row(*self.shown[call["id"]], key=call["id"])
        self.table.focus()
        self.run_worker(self.follow())
        self.set_interval(0.1, self.write)

    async def follow(self) -> None:
        """Collect events until the next write."""
        async with websockets.connect(self.events, compression=None, max_queue=1024) as channel:
            await channel.send(json.dumps({"type": "subscribe", "topics": ["calls"]}))
            async for message in channel:
                event = json.loads(message)
                if event.get("topic") == "calls":
                    self.pending[event["key"]] = event.get("body")

    def write(self) -> None:
        """Write the collected changes into the table."""
        pending, self.pending = self.pending, {}
        for key, call in pending.items():
            if call is None:
                if self.shown.pop(key, None):
                    self.table.remove_row(key)
                continue
            new, old = cells(call), self.shown.get(key)
            self.shown[key] = new
            if old is None:
                self.table.add_row(*new, key=key)
                continue
            for column, was, now in zip(COLUMNS, old, new, strict=True):
                if was != now:
                    self.table.update_cell(key, column, now)


if __name__ == "__main__":
    Table(sys.argv[1], sys.argv[2]).run()
