"""Episodes and mutes in a file, so that a new session continues with them."""

from __future__ import annotations

import json
import logging
import os
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, cast
from urllib.parse import quote

from console.frozen import Frozen
from console.paths import Places, make_private
from console.records.episodes import Episode
from console.rules.mutes import LONGEST_REASON, Mute
from console.text import clean
from console.views import words

log = logging.getLogger("console.rules")
LARGEST = 4 * 1024 * 1024
"""Most bytes of the file that are read."""
ENDED_SAVED = 200
"""Number of ended episodes in the file, the newest."""
_SCOPES = ("episode", "rule", "record")


class Kept(Frozen):
    """What a file contains."""

    episodes: tuple[Episode, ...] = ()
    mutes: tuple[Mute, ...] = ()


def file_of(places: Places, profile: str) -> Path:
    """Return the file of a profile."""
    return places.state / f"episodes-{quote(profile, safe='')[:100]}.json"


def load_episodes(file: Path) -> Kept:
    """Read a file. One that is missing, unreadable or invalid is empty."""
    try:
        with file.open("rb") as found:
            data: Any = json.loads(found.read(LARGEST))
    except FileNotFoundError:
        return Kept()
    except (OSError, ValueError, RecursionError) as error:
        log.warning("%s cannot be read, and is written anew: %s", file, error)
        return Kept()
    whole: Mapping[str, Any] = cast("dict[str, Any]", data) if isinstance(data, dict) else {}
    episodes = (Episode.model_validate(each) for each in _objects(whole.get("episodes")))
    return Kept(
        tuple(each for each in episodes if each.identified and each.rule),
        tuple(mute for each in _objects(whole.get("mutes")) if (mute := _mute(each)) is not None),
    )


def _objects(value: object) -> list[dict[str, Any]]:
    entries = cast("list[Any]", value) if isinstance(value, list) else []
    return [cast("dict[str, Any]", each) for each in entries if isinstance(each, dict)]


def _mute(data: Mapping[str, Any]) -> Mute | None:
    scope, name, until = data.get("scope"), data.get("name"), words.number(data.get("until"))
    if scope not in _SCOPES or not isinstance(name, str) or until is None:
        return None
    reason, by = (str(clean(str(data.get(key) or ""), LONGEST_REASON)) for key in ("reason", "by"))
    return Mute(scope, name, until, reason, by)


def save_episodes(file: Path, episodes: Iterable[Episode], mutes: Iterable[Mute]) -> bool:
    """Replace the file atomically, readable by its owner only. Return whether it was written; never raise OSError."""
    found = sorted(episodes, key=lambda each: each.ended_at or float("inf"))
    over = [each for each in found if each.ended_at is not None]
    data = {
        "episodes": [each.wire() for each in found[max(0, len(over) - ENDED_SAVED) :]],
        "mutes": [
            {"scope": each.scope, "name": each.name, "until": each.until, "reason": each.reason, "by": each.by}
            for each in mutes
        ],
    }
    try:
        make_private(file.parent)
        descriptor, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
        with os.fdopen(descriptor, "w", encoding="utf-8") as new:
            json.dump(data, new, separators=(",", ":"))
        os.replace(name, file)
    except OSError as error:
        log.warning("%s cannot be written: %s", file, error)
        return False
    return True
