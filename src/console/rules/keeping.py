"""Episodes, mutes and rules that are told once in a file, so that a new session continues with them."""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any

from console.base.frozen import Frozen
from console.base.text import clean
from console.config.paths import Places, objects_in, read_state, write_private
from console.records.episodes import Episode
from console.records.raw import array_of
from console.rules.editing import NAME
from console.rules.mutes import LONGEST_REASON, Mute
from console.rules.once import FREE, MOST, free_rule
from console.rules.rule import Rule
from console.views import wording

log = logging.getLogger("console.rules")
LARGEST = 4 * 1024 * 1024
"""Most bytes of the file that are read."""
ENDED_SAVED = 200
"""Number of ended episodes in the file, the newest."""
_SCOPES = ("episode", "rule", "record")


CURRENT_MS = 30_000
"""Age up to which a file is current: a console that follows the service confirms it every few seconds."""


class Kept(Frozen):
    """Contents of a file."""

    episodes: tuple[Episode, ...] = ()
    mutes: tuple[Mute, ...] = ()
    once: tuple[Rule, ...] = ()
    """The rules that are forgotten once they were told."""
    evaluated_at: float | None = None
    """When the rules were last evaluated on current rows, in ms since the epoch; None if that is not known."""


def episodes_file(places: Places, key: str) -> Path:
    """Return the file of an identity (`recording.identities.Identity.key`)."""
    return places.state / f"episodes-{key}.json"


def load_episodes(file: Path) -> Kept:
    """Read a file. One that is missing or damaged is empty."""
    contents: Mapping[str, Any] = read_state(file, LARGEST, dict)
    evaluated_at = None
    if contents:
        with suppress(OSError):
            evaluated_at = file.stat().st_mtime * 1000
    episodes = (Episode.model_validate(object_) for object_ in objects_in(contents.get("episodes")))
    return Kept(
        tuple(episode for episode in episodes if episode.identified and episode.rule),
        tuple(mute for object_ in objects_in(contents.get("mutes")) if (mute := _mute(object_)) is not None),
        tuple(
            islice((rule for object_ in objects_in(contents.get("once")) if (rule := _once(object_)) is not None), MOST)
        ),
        evaluated_at,
    )


def note_evaluated(file: Path, at_ms: float) -> None:
    """Note in the file's time of modification when its rules were last evaluated; never raise OSError."""
    with suppress(OSError):
        os.utime(file, (at_ms / 1000, at_ms / 1000))


def _mute(data: Mapping[str, Any]) -> Mute | None:
    scope, name, until = data.get("scope"), data.get("name"), wording.number(data.get("until"))
    if scope not in _SCOPES or not isinstance(name, str) or until is None:
        return None
    reason, by = (str(clean(str(data.get(key) or ""), LONGEST_REASON)) for key in ("reason", "by"))
    return Mute(scope, name, until, reason, by)


def _once(data: Mapping[str, Any]) -> Rule | None:
    name, listed, key = (data.get(value) for value in ("name", "list", "key"))
    if not (isinstance(name, str) and isinstance(listed, str) and isinstance(key, str)):
        return None
    return free_rule(name, listed, key) if NAME.fullmatch(name) and listed in FREE and key else None


def save_episodes(file: Path, episodes: Iterable[Episode], mutes: Iterable[Mute], once: Iterable[Rule] = ()) -> bool:
    """Replace the file atomically, readable by its owner only. Return whether it was written; never raise OSError."""
    all_episodes = sorted(episodes, key=lambda episode: episode.ended_at or float("inf"))
    over = [episode for episode in all_episodes if episode.ended_at is not None]
    rows = [episode.encoded() for episode in all_episodes[max(0, len(over) - ENDED_SAVED) :]]
    others = {
        "mutes": [
            {"scope": mute.scope, "name": mute.name, "until": mute.until, "reason": mute.reason, "by": mute.by}
            for mute in mutes
        ],
        "once": [{"name": rule.name, "list": rule.list, "key": rule.key} for rule in once],
    }
    try:
        write_private(file, f'{{"episodes":{array_of(rows).decode()},{json.dumps(others, separators=(",", ":"))[1:]}')
    except OSError as error:
        log.warning("%s cannot be written: %s", file, error)
        return False
    return True
