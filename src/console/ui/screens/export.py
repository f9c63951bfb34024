"""Export to the terminal's clipboard, or to a CSV or JSON file."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from console.base.text import clean
from console.config.paths import make_private
from console.records.record import Record
from console.ui.screens.list_pane import ListPane
from console.ui.screens.updating import FullScreen
from console.ui.widgets.theme import app_of
from console.ui.widgets.top_line import USUAL, badge
from console.views.export import to_csv, to_json
from console.views.wording import amount, plural

_MOST = 100_000


def copy_text(screen: FullScreen, text: str) -> None:
    """Send text to the terminal's clipboard (OSC 52). Whether the terminal accepts it is unknown."""
    safe = clean(text, _MOST)
    app_of(screen).copy_to_clipboard(safe)
    screen.say(f"Sent to the terminal's clipboard: {clean(safe, 80)}")


def copy_row(screen: FullScreen, pane: ListPane, record: Record) -> None:
    """Send a row as shown to the terminal's clipboard."""
    render = screen.context.render_context()
    copy_text(screen, "\t".join(column.cell(record, render).text for column in pane.view.columns))


def export_csv(screen: FullScreen, pane: ListPane) -> None:
    """Write the shown rows to a CSV file, with their order and columns."""
    _write(screen, pane, "csv", to_csv(pane.view.shown(), pane.view.columns, pane.view.render_context))


def export_json(screen: FullScreen, pane: ListPane) -> None:
    """Write the shown rows to a JSON file, with their order and columns."""
    _write(screen, pane, "json", to_json(pane.view.shown(), pane.view.columns, pane.view.render_context))


def _write(screen: FullScreen, pane: ListPane, ending: str, text: str) -> None:
    moment = datetime.fromtimestamp(screen.context.clock.now_ms() / 1000, screen.context.zone)
    try:
        path = write_new(screen.context.places.downloads, f"{pane.kind}-{moment:%Y%m%d-%H%M%S}", ending, text)
    except OSError as error:
        screen.say(f"Cannot write the file: {error.strerror or error}")
        return
    app_of(screen).copy_to_clipboard(clean(path, 4096))
    parts = [
        f"{plural(pane.view.matched, 'row')} in {path.name}",
        *_doubts(pane),
        f"path sent to the clipboard: {path}",
    ]
    screen.say("; ".join(parts))


def _doubts(pane: ListPane) -> Iterator[str]:
    """Yield why the rows may not be all there are now, as the head of the list shows it."""
    health, view = pane.health, pane.view
    if health.state not in USUAL:
        yield f"not current: {''.join(part.text for part in badge(health, long=False))}"
    if health.cut:
        yield clean(health.cut, 60)
    elif health.more:
        yield "not all rows were loaded"
    if view.paused and view.behind:
        yield f"paused, {amount(view.behind)} behind"


def write_new(folder: Path, stem: str, ending: str, text: str) -> Path:
    """Write a new file that only its owner can read, without replacing an existing one. Raise OSError."""
    make_private(folder)
    for attempt in range(100):
        path = folder / (f"{stem}.{ending}" if not attempt else f"{stem}-{attempt}.{ending}")
        try:
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
        except FileExistsError:
            continue
        with os.fdopen(descriptor, "w", encoding="utf-8", errors="replace", newline="") as file:
            file.write(text)
        return path
    raise FileExistsError(f"a hundred files named {folder / stem} exist already")
