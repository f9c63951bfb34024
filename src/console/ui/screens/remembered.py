"""Texts that a person typed before, offered again: status notes. Kept for each account in the state folder."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from console.config.paths import Places, read_state, write_private

if TYPE_CHECKING:
    from console.commands.action import TextAsk

log = logging.getLogger("console.ui.screens")
MOST = 8
"""Most texts of one name."""
LONGEST = 200
"""Longest text that is kept, in characters."""
_LARGEST = 64 * 1024
"""Most bytes of the file that are read."""


def texts_file(places: Places, key: str) -> Path:
    """Return the file of an identity (`recording.identities.Identity.key`)."""
    return places.state / f"texts-{key}.json"


def used_before(file: Path | None, ask: TextAsk) -> tuple[str, ...]:
    """Return the kept answers of a prompt, the last used first, without its initial text."""
    return tuple(value for value in _texts(file).get(ask.remembered, ()) if value != ask.initial)


def remember(file: Path | None, name: str, text: str) -> None:
    """Keep a text as the last used one. A file that cannot be written is logged."""
    text = text.strip()
    if file is None or not _keeps(text):
        return
    known = _texts(file)
    known[name] = (text, *(value for value in known.get(name, ()) if value != text))[:MOST]
    try:
        write_private(file, json.dumps(known, ensure_ascii=False))
    except OSError as error:
        log.warning("%s cannot be written: %s", file, error)


def _keeps(text: object) -> bool:
    return isinstance(text, str) and 0 < len(text) <= LONGEST and text.isprintable()


def _texts(file: Path | None) -> dict[str, tuple[str, ...]]:
    """Read all texts by name. A file that is missing or damaged has none."""
    named: dict[str, Any] = {} if file is None else read_state(file, _LARGEST, dict)
    lists = {name: cast("list[Any]", item) for name, item in named.items() if isinstance(item, list)}
    return {name: tuple(text for text in texts if _keeps(text))[:MOST] for name, texts in lists.items()}
