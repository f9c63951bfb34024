"""Sample calls, and a small app that shows one widget."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from textual.app import App, ComposeResult
from textual.widget import Widget

from console.kinds.calls.columns import TABLE as CALLS
from console.records.traffic import Call
from console.ui.widgets.theme import load_themes, register
from console.views.render_context import RenderContext
from console.views.view import Repaint, View

NOW = 1_790_000_000_000
THEMES = load_themes(Path(__file__).parents[3] / "themes")
STATES = ("connected", "ringing", "queued", "connected", "rejected", "servererror")


def call(number: int, **other: Any) -> Call:
    """Return a call. Calls with higher numbers started later."""
    state = STATES[number % len(STATES)]
    began = NOW - 3_600_000 + number * 20_000
    fields: dict[str, Any] = {
        "id": f"c-{number:04}",
        "state": state,
        "caller": f"+34 986 000 {number:03}",
        "callee": f"user{number}@desk.example",
        "date": began,
        "from": began,
    }
    if state in {"rejected", "servererror"}:
        fields["to"] = began + 3000
    return Call.model_validate({**fields, **other})


@dataclass(frozen=True)
class Calls:
    """The differences that a collection reports for calls."""

    upserts: dict[str, Call] = field(default_factory=dict[str, Call])
    removes: frozenset[str] = frozenset()
    whole: bool = False


def calls(numbers: Iterable[int]) -> Calls:
    """Return the calls with these numbers."""
    return Calls({each.key: each for each in map(call, numbers)})


def calls_view(count: int) -> View[Call]:
    """Return a view of `count` calls, the oldest first."""
    view = View(CALLS, RenderContext(NOW, ZoneInfo("Europe/Madrid")))
    view.set_sort("age")
    change: Repaint = view.apply(calls(range(count)))
    assert change.moved or not count
    return view


class Harness(App[Any]):
    """Show one widget in one of the console's themes and collect its messages."""

    ENABLE_COMMAND_PALETTE = False

    def __init__(self, *shown: Widget, theme: str = "dark") -> None:
        super().__init__()
        register(self, THEMES)
        self.theme = theme
        self._shown = shown
        self.said: list[Any] = []

    def compose(self) -> ComposeResult:
        yield from self._shown
