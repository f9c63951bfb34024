"""`console rules test --since`: plays the recorded changes through a rule."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from console.base.frozen import replace
from console.base.zone import zone_of
from console.cli.connection import SelectedProfile
from console.cli.exits import Exit, Failure
from console.cli.output import escaped, one_line, talk
from console.cli.past.profile_recording import damage, moment, opened, render_at
from console.cli.past.recordings import clock
from console.live.backend_api import ListsApi
from console.live.delta import Delta, Health
from console.live.rest import NoRest
from console.recording.recording import ListRecording
from console.records.episodes import Episode
from console.records.record import Record
from console.rules.rule import Rule
from console.rules.watch import Watch
from console.views import wording

BEAT_MS = 100
"""Shortest time between two evaluations, as in a running console."""
TICK_MS = 1_000
"""Longest time: durations end without a change."""


def played_since(chosen: SelectedProfile, rules: list[Rule], since: str, *, json: bool) -> int:
    """Print when each episode of the last rule would have begun and ended. The others may prevent it.

    Return the exit code. Raise Failure.
    """
    rule, first = rules[-1], moment(since, "--since", chosen)
    with opened(chosen) as recording:
        span = recording.span
        if span is None or span[1] <= first:
            raise Failure(Exit.FAILED, "nothing was recorded since then; see `console recordings list`")
        if rule.list not in recording.kinds:
            raise Failure(Exit.FAILED, f"the {rule.list} were not loaded, so they are not in the recording")
        if span[0] > first:
            talk(f"recorded since {clock(span[0], zone_of(chosen.profile.time_zone))}")
        matching_episodes = [
            episode
            for episode in _played(recording, chosen, rules, max(first, span[0]), span[1])
            if episode.rule == rule.name
        ]
        for value in damage(recording):
            talk(value)
    zone = zone_of(chosen.profile.time_zone)
    for episode in matching_episodes:
        print(one_line(episode.wire()) if json else escaped(_line(episode, zone, span[1])))
    if not matching_episodes:
        talk(f"{rule.name} would not have begun")
        return Exit.CONDITION
    return Exit.OK


def _played(
    recording: ListRecording, chosen: SelectedProfile, rules: list[Rule], first_ms: int, last_ms: int
) -> list[Episode]:
    """Evaluate rules at all moments at which something changed; return the episodes in the order of their beginning."""
    lists = RecordedLists(recording, first_ms)
    render = render_at(recording, first_ms, chosen)

    def now() -> Any:
        return replace(render, now_ms=lists.at_ms, lookup=lists.records)

    watch = Watch([replace(rule, enabled=True) for rule in rules], lists, now, rest=NoRest)
    episodes: dict[str, Episode] = {}
    version = 0
    for lists.at_ms in _moments(recording, {rule.list for rule in rules}, first_ms, last_ms):
        watch.update()
        if watch.collection.version != version:
            version = watch.collection.version
            episodes |= watch.collection.copy()
    return sorted(episodes.values(), key=lambda episode: episode.began_at or 0)


def _moments(recording: ListRecording, kinds: set[str], first_ms: int, last_ms: int) -> Iterator[int]:
    """Yield the moments of an evaluation: soon after each change, and every second, within the recorded times."""
    changed = sorted({_beat(change.at_ms) for kind in kinds for change in recording.changes(kind, first_ms, last_ms)})
    for start, end in recording.spans:
        at, end = max(start, first_ms), min(end, last_ms)
        ticks = range(_beat(at), end + 1, TICK_MS)
        yield from sorted({at, end, *ticks, *(value for value in changed if at <= value <= end)}) if at < end else ()


def _beat(at_ms: int) -> int:
    return -(-at_ms // BEAT_MS) * BEAT_MS


def _line(episode: Episode, zone: Any, last_ms: int) -> str:
    began, ended = wording.at(episode.began_at), wording.at(episode.ended_at)
    until = f"to {clock(round(ended), zone)}" if ended is not None else "still on"
    lasted = wording.span_words((last_ms if ended is None else ended) - (began or 0))
    many = f" (×{episode.count})" if (episode.count or 0) > 1 else ""
    return f"{clock(round(began or 0), zone)} {until}  {lasted}  {episode.severity}  {episode.words}{many}"


class RecordedLists(ListsApi):
    """All lists at a moment, which can be moved. For one reader; not safe for threads."""

    def __init__(self, recording: ListRecording, at_ms: int) -> None:
        self.recording = recording
        self.at_ms = at_ms
        self._told: dict[str, tuple[int, Mapping[str, Record]]] = {}
        """Version and rows that were last returned as changes, by kind."""

    @property
    def link(self) -> Health:
        """The connection as it was."""
        return self.recording.link(self.at_ms)

    def records(self, kind: str) -> Mapping[str, Record]:
        """Return the records of a kind, the same object if nothing changed."""
        return self.recording.rows(kind, self.at_ms)

    def health(self, kind: str) -> Health:
        """Return the freshness of a kind as it was."""
        return self.recording.health(kind, self.at_ms)

    def delta(self, kind: str, since: int) -> Delta[Any]:
        """Return the changes since the last call; everything for another version than its."""
        version, before = self._told.get(kind, (0, {}))
        rows = self.records(kind)
        if since == version and version and rows is before:
            return Delta(version, whole=False, health=self.health(kind))
        self._told[kind] = version + 1, rows
        if since != version or not version:
            return Delta(version + 1, whole=True, upserts=rows, health=self.health(kind))
        upserts = {key: record for key, record in rows.items() if before.get(key) is not record}
        removes = frozenset(before.keys() - rows.keys())
        return Delta(version + 1, whole=False, upserts=upserts, removes=removes, health=self.health(kind))
