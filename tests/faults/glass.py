"""The output of a console to the terminal, while its records contain hostile texts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from rich.style import Style
from textual.pilot import Pilot

from console.records.fields import resolved_fields
from console.records.record import Record
from console.ui.app import ConsoleApp
from console.ui.screens.list_screen import ListScreen
from console.ui.textual_compat.testing import painted
from tests.idle.backend import IdleBackend
from tests.terminal.tap import tokens


class Glass:
    """A console over an idle backend that shows one record of one kind at a time."""

    def __init__(self, app: ConsoleApp, backend: IdleBackend, pilot: Pilot[Any]) -> None:
        self.app = app
        self.backend = backend
        self.pilot = pilot

    async def show(self, kind: str, one: Record) -> bytes:
        """Show a record in its list and detail; return the output to the terminal."""
        self.backend.change(kind, one, removes=set(self.backend.records(kind)))
        screen = self.app.screen
        assert isinstance(screen, ListScreen)
        screen.beat(True)
        screen.pane.live_table.move_to(one.key)
        await self.pilot.pause()
        assert one.key in screen.pane.view.keys
        return self.written()

    def written(self, width: int | None = None) -> bytes:
        """Return the screen as terminal output, or only its left `width` cells."""
        screen = self.app.screen
        parts = (strip.crop(0, width).render(self.app.console) for strip in painted(screen))
        return "\n".join(parts).encode("utf-8", "surrogateescape")

    def skeleton(self) -> list[bytes]:
        """Return the control sequences of the list, in order.

        Those of the detail depend on where its lines wrap, which depends on the texts.
        """
        screen = self.app.screen
        assert isinstance(screen, ListScreen)
        return list(tokens(self.written(screen.pane.region.right)))

    def harm(self) -> str:
        """Return what on the screen is more than text, or an empty string."""
        screen = self.app.screen
        for strip in painted(screen):
            if strip.cell_length != screen.size.width:
                return f"a row of {strip.cell_length} cells: {strip.text!r}"
            for segment in strip:
                style = segment.style or Style()
                if segment.control or style.link or "@click" in style.meta:
                    return f"{segment!r}"
        return ""


def with_text(kind: type[Record], one: Record | None, text: str) -> Record:
    """Return a record with a text in every text field except its key and its state."""
    spared = {_wire(kind, kind.key_field), "state"}
    key = one.key if one is not None else "only"

    def filled(value: Any, name: str = "") -> Any:
        if isinstance(value, str):
            return value if name in spared or value == key else text
        if isinstance(value, list | tuple):
            return [filled(each) for each in cast("list[Any]", value)]
        if isinstance(value, Mapping):
            return {each: filled(inner, each) for each, inner in cast("Mapping[str, Any]", value).items()}
        return value

    known = one.wire() if one is not None else {_wire(kind, kind.key_field): key}
    able = {field.wire: text for field in resolved_fields(kind).values() if field.annotation in _TEXTS}
    return kind.model_validate(filled({**able, **known}))


_TEXTS = (str, str | None)


def _wire(kind: type[Record], name: str) -> str:
    return resolved_fields(kind)[name].wire


def fields_of(value: Any) -> int:
    """Return the number of texts in a record's wire form."""
    if isinstance(value, str):
        return 1
    if isinstance(value, list | tuple):
        return sum(map(fields_of, cast("list[Any]", value)))
    return sum(map(fields_of, cast("Mapping[str, Any]", value).values())) if isinstance(value, Mapping) else 0
