"""When a person is notified of the episodes of one profile: at once, again until seen, and many at once as one.

A pure function of episodes, times and what was seen; nothing here sends notices.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from console.base.frozen import replace
from console.base.text import clean
from console.kinds.episodes.facts import muted, need_attention, over
from console.notices.claims import Claim
from console.notices.notice import RANKS, Notice, Severity, notice_of, notice_of_several, severity_of
from console.records.moments import at

if TYPE_CHECKING:
    from console.live.delta import Delta
    from console.records.episodes import Episode

MANY = 3
"""Most notices at once; more become one."""
GATHER_SECONDS = 2.0
"""After a notice, further ones of its severity are gathered for this time, longer while there are many."""
LONGEST_GATHER_SECONDS = 32.0
_CALM = 4
"""Renewals of an episode are notified at once again after so many times the time for which they were gathered."""
LONGEST_REPEAT_SECONDS = 640.0
HEARD_SECONDS = 5.0
"""A notice is not repeated this soon by an episode of another rule about the same."""
_SHORTEST = 40
"""Characters in which values of different lists are compared."""
READING_SECONDS = 1.0
"""A key this soon after a notice was shown does not mean that a person has read it."""
SETTLING_SECONDS = 1.5
"""Episodes that begin this soon after the rules of their list were first evaluated were there before the console: what
they say may depend on other lists, which arrive a little later. Requested notices are sent all the same."""


@dataclass
class _EpisodeEntry:
    """An episode, and the notices that a person got of it."""

    episode: Episode
    severity: Severity
    applies: bool
    """Whether it goes on, and is not muted."""
    renewed_at: float
    """When a person had to hear of it last, in ms since the epoch."""
    sent: int = 0
    """How many notices of it a person got."""
    shown_at: float | None = None
    """When its last notice was visible."""
    seen: bool = False
    """Whether a person has seen it, or it was there before the console."""
    notified_at: float | None = None
    """When a person was last notified of it."""
    pause: float = GATHER_SECONDS
    """How long further renewals are gathered then."""

    @classmethod
    def of(cls, episode: Episode, renewed_at: float) -> _EpisodeEntry:
        """Return the entry of an episode that was not known."""
        return cls(episode, severity_of(episode), _applies(episode), renewed_at)

    def update(self, episode: Episode, renewed_at: float) -> None:
        """Take the episode as it is now."""
        self.episode, self.severity, self.applies = episode, severity_of(episode), _applies(episode)
        self.renewed_at = renewed_at

    def note_notified(self, now: float) -> None:
        """Note that a person is notified of it. Further renewals are gathered, the longer the faster they come."""
        since = math.inf if self.notified_at is None else now - self.notified_at
        fast = since < _CALM * self.pause
        self.pause = min(2 * self.pause, LONGEST_GATHER_SECONDS) if fast else GATHER_SECONDS
        self.sent, self.notified_at = 1, now

    def is_due(self, now: float) -> bool:
        """Return whether a person has to be notified of it now."""
        if self.sent or self.seen or not self.applies:
            return False
        return self.notified_at is None or now >= self.notified_at + self.pause

    def waited(self, now: float, seconds: float) -> bool:
        """Return whether the last notice of it is so long ago."""
        return self.notified_at is None or now - self.notified_at >= seconds


def _applies(episode: Episode) -> bool:
    return not (over(episode) or muted(episode))


@dataclass
class _Gathering:
    """Collects notices of one severity."""

    until: float = 0.0
    seconds: float = GATHER_SECONDS


@dataclass
class _Heard:
    """The last notice about a subject."""

    episode: str
    at: float
    severity: Severity


class Schedule:
    """The notices of one profile. Seconds are on any clock that only goes forward."""

    def __init__(self, profile: str, repeat: float) -> None:
        """Start without episodes; `repeat` is the first interval in seconds, 0 for no repetition."""
        self._profile = profile
        self._repeat = repeat
        self._known_at: dict[str, float] = {}
        """Since when lists are known: episodes of their first rows were there before the console."""
        self._entries: dict[str, _EpisodeEntry] = {}
        self._before: dict[str, None] = {}
        """Ids of the episodes that were there before the console, not notified yet."""
        self._before_at = 0.0
        self._gathering: dict[Severity, _Gathering] = {
            value: _Gathering() for value in ("critical", "warning", "notice")
        }
        self._heard: dict[tuple[str, str], _Heard] = {}
        """Notices of the last seconds by episodes that have a subject."""
        self._remind_at: float | None = None
        self._interval = repeat

    # -- what happens ------------------------------------------------------------------------------------------------

    def take(self, delta: Delta[Episode], known: Collection[str], now: float) -> None:
        """Apply changes of the list of episodes; `known` are the lists whose rules were evaluated once."""
        for kind in known:
            self._known_at.setdefault(kind, now)
        gone = frozenset(self._entries.keys() - delta.upserts.keys()) if delta.whole else delta.removes
        for key in gone:
            self._entries.pop(key, None)
            self._before.pop(key, None)
        for episode in delta.upserts.values():
            self._take(episode, now)

    def _take(self, episode: Episode, now: float) -> None:
        entry, renewed_at = self._entries.get(episode.id), _renewed_at(episode)
        if entry is None:
            entry = self._entries[episode.id] = _EpisodeEntry.of(episode, renewed_at)
            settling = now - self._known_at.get(episode.list or "", now) < SETTLING_SECONDS
            if entry.applies and settling and not episode.once:
                entry.sent, entry.seen = 1, True
                self._before[episode.id] = None
                self._before_at = now
        elif renewed_at > entry.renewed_at:
            entry.sent, entry.seen, entry.shown_at = 0, False, None
            if RANKS[severity_of(episode)] > RANKS[entry.severity]:
                # Worse is not gathered with what came before.
                entry.notified_at = None
        entry.update(episode, renewed_at)
        seen_at = at(episode.seen_at)
        entry.seen |= seen_at is not None and seen_at >= renewed_at

    def was_shown(self, notice: Notice, now: float) -> None:
        """Note that a notice is visible."""
        for episode in notice.episodes:
            entry = self._entries.get(episode)
            if entry is not None and entry.shown_at is None:
                entry.shown_at = now

    def key_pressed(self, now: float) -> list[str]:
        """Note that a person pressed a key. Return the episodes that are seen by this: those that were visible."""
        return self._see(lambda entry: entry.shown_at is not None and now - entry.shown_at >= READING_SECONDS)

    def looked_at(self, kind: str, keys: Collection[str]) -> list[str]:
        """Note that a person has the focus on these records. Return the episodes that are seen by this."""

        records = frozenset(keys)

        def about(entry: _EpisodeEntry) -> bool:
            episode = entry.episode
            return episode.list == kind and not records.isdisjoint((episode.about, *episode.keys))

        return self._see(about)

    def seen(self, episodes: Collection[str]) -> list[str]:
        """Note that a person has seen these episodes. Return those that were not seen before."""
        return self._see(lambda entry: entry.episode.id in episodes)

    def _see(self, which: Callable[[_EpisodeEntry], bool]) -> list[str]:
        matching_entries = [entry for entry in self._unseen_entries().values() if which(entry)]
        for entry in matching_entries:
            entry.seen = True
        return [entry.episode.id for entry in matching_entries]

    # -- what is due ---------------------------------------------------------------------------------------------------

    @property
    def unseen(self) -> list[Severity]:
        """The severities of the episodes of which a person was notified, and which are not seen."""
        return [entry.severity for entry in self._unseen_entries().values()]

    def _unseen_entries(self) -> dict[str, _EpisodeEntry]:
        return {key: entry for key, entry in self._entries.items() if entry.sent and entry.applies and not entry.seen}

    def is_unseen(self, notice: Notice) -> bool:
        """Return whether a person has not seen all episodes of a notice that still apply."""
        return not self._unseen_entries().keys().isdisjoint(notice.episodes)

    def claims_of(self, episodes: Collection[str]) -> dict[str, Claim]:
        """Return the claims of a console to notify of episodes, by their ids."""
        entries = {episode: self._entries[episode] for episode in episodes if episode in self._entries}
        return {
            key: Claim(
                entry.episode.rule or "", entry.episode.about or "", int(entry.renewed_at), RANKS[entry.severity]
            )
            for key, entry in entries.items()
        }

    def due(self, now: float) -> list[Notice]:
        """Return the notices for this moment, each episode once."""
        notices = [*self._summary(now)]
        # Before the new notices of this moment, which are not repeated at once.
        again = [*self._reminder(now)]
        due = [entry for entry in self._entries.values() if not (entry.sent or entry.seen) and entry.is_due(now)]
        if due:
            notices += self._new(due, now)
        return [*notices, *again]

    def _summary(self, now: float) -> Iterator[Notice]:
        if not self._before or now - self._before_at < SETTLING_SECONDS:
            return
        before, self._before = self._before, {}
        if (notice := self._summary_of(before)) is not None:
            yield notice

    def _summary_of(self, before: Iterable[str]) -> Notice | None:
        """Return a notice about the episodes with these ids that still apply; None if there are none."""
        entries = [entry for key in before if (entry := self._entries.get(key)) is not None and entry.applies]
        if not entries:
            return None
        episodes = [entry.episode for entry in entries]
        return notice_of_several(episodes, self._profile, need_attention(len(episodes)), silent=True)

    def as_now(self, notice: Notice) -> Notice | None:
        """Return a notice without the episodes that have ended or are muted; None if there are no others."""
        now = self._summary_of(notice.episodes)
        return notice if now is not None and now.count == len(notice.episodes) else now

    def _new(self, due: list[_EpisodeEntry], now: float) -> Iterator[Notice]:
        for severity, gathering in self._gathering.items():
            entries: list[_EpisodeEntry] = []
            for entry in due:
                if entry.severity != severity:
                    continue
                if self._was_heard(entry.episode, now):
                    entry.sent = 1
                    yield replace(notice_of(entry.episode, self._profile), silent=True)
                else:
                    entries.append(entry)
            if not entries or now < gathering.until:
                continue
            many = len(entries) > MANY
            gathering.seconds = min(gathering.seconds * 2, LONGEST_GATHER_SECONDS) if many else GATHER_SECONDS
            gathering.until = now + gathering.seconds
            for entry in entries:
                entry.note_notified(now)
                self._note_heard(entry.episode, now)
            if many:
                yield self._together([entry.episode for entry in entries], 0)
            else:
                yield from (notice_of(entry.episode, self._profile) for entry in entries)
            if severity != "notice" and self._repeat:
                self._interval = self._repeat
                soon = now + self._repeat
                self._remind_at = soon if self._remind_at is None else min(soon, self._remind_at)

    def _note_heard(self, episode: Episode, now: float) -> None:
        self._heard = {about: heard for about, heard in self._heard.items() if now - heard.at < HEARD_SECONDS}
        if episode.subject:
            self._heard[_subject(episode)] = _Heard(episode.id, now, severity_of(episode))

    def _was_heard(self, episode: Episode, now: float) -> bool:
        """Return whether another episode about the same was notified just now, as serious as this; once for each."""
        heard = self._heard.get(_subject(episode)) if self._heard and episode.subject else None
        if heard is None or heard.episode == episode.id or now - heard.at >= HEARD_SECONDS:
            return False
        if RANKS[heard.severity] < RANKS[severity_of(episode)]:
            return False
        del self._heard[_subject(episode)]
        return True

    def _reminder(self, now: float) -> Iterator[Notice]:
        """Yield one notice about everything notified and not seen, at growing intervals."""
        if self._remind_at is None or now < self._remind_at:
            return
        unseen = [entry for entry in self._unseen_entries().values() if entry.severity != "notice"]
        if not unseen:
            self._remind_at = None
            return
        waited = [entry for entry in unseen if entry.waited(now, self._repeat / 2)]
        # An episode notified a moment ago is repeated as soon as one of now.
        self._interval = min(self._interval * 2, LONGEST_REPEAT_SECONDS) if len(waited) == len(unseen) else self._repeat
        self._remind_at = now + self._interval
        if not waited:
            return
        again = max(entry.sent for entry in waited)
        for entry in waited:
            entry.sent += 1
        yield self._together([entry.episode for entry in waited], again)

    def _together(self, episodes: Sequence[Episode], again: int) -> Notice:
        """Return a notice about episodes."""
        if len(episodes) == 1:
            return notice_of(episodes[0], self._profile, again)
        title = f"{len(episodes)} {'still ' if again else ''}new"
        return notice_of_several(episodes, self._profile, title, again=again)

    def unseen_of(self, notice: Notice) -> Notice | None:
        """Return a notice without the episodes that were seen, or have ended; None if there are no others."""
        unseen = self._unseen_entries()
        entries = [unseen[key] for key in notice.episodes if key in unseen]
        if len(entries) == len(notice.episodes):
            return notice
        return self._together([entry.episode for entry in entries], notice.again) if entries else None


def _subject(episode: Episode) -> tuple[str, str]:
    """Return what an episode is about, equal for all rules with the subject: lists cut long texts differently."""
    return episode.subject or "", clean(episode.about or "", _SHORTEST)


def _renewed_at(episode: Episode) -> float:
    """Return when a person had to hear of an episode last, in ms since the epoch."""
    return at(episode.renewed_at) or at(episode.began_at) or 0.0
