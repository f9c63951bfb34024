"""Episodes of rules: their beginning, severity, renewal, end and resumption."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from console.config.rule_settings import SEVERITIES
from console.kinds.episodes.facts import unseen
from console.records.episodes import Episode
from console.records.moments import at
from console.rules.matching import RuleVerdict
from console.rules.rule import Rule

ENDED_KEPT = 1_000
"""Number of ended episodes in the list."""
MOST_AT_ONCE = 500
"""Number of current episodes of one rule: one about each row of a long list would have more."""
LONGEST_HOLD_MS = 5 * 60_000.0
"""After this time without its cause, an episode begins anew, however often the rule went on and off."""
OWN_MS = 60_000.0
"""An episode that begins this soon after the person's own action on its record is seen already."""
_CALM = 4
"""A rule that stays off for so many times its hold is calm again."""

Identity = tuple[str, str]
"""The rule and what the episode is about."""


@dataclass
class _Track:
    """State of a rule for a group of rows."""

    hold_ms: float
    applies_since: float | None = None
    """When the condition became true, in ms since the epoch."""
    episode: str = ""
    """The id of the current or last episode."""
    active: bool = False
    ended_at: float = 0.0
    reported: str = ""
    """The highest severity that was reported, as long as it is not forgotten."""
    eased_at: float | None = None
    """Since when it is less severe than that."""


class EpisodeTexts(NamedTuple):
    """Texts of an episode about its rows."""

    words: str
    filter: str


class EpisodeBook:
    """All episodes by id. Changed by one thread; times in ms since the epoch."""

    def __init__(self, episodes: Iterable[Episode] = ()) -> None:
        """Continue with the episodes of an earlier session; those that were active end if their rules do not apply."""
        self.episodes: dict[str, Episode] = {}
        self.changed: set[str] = set()
        """Ids of the episodes that were changed or removed since this was last cleared."""
        self.switched: dict[str, set[str]] = {}
        """Subjects of the episodes that began or ended since this was last cleared, by rule."""
        self._tracks: dict[Identity, _Track] = {}
        self._ended: dict[str, None] = {}
        """Ended ones, in the order of their ends."""
        self._active: Counter[str] = Counter()
        """Number of current episodes by rule."""
        self._number = 0
        self._own: dict[str, tuple[float, str]] = {}
        """Records on which a person acted: until when what follows is expected, and who it was."""
        for episode in sorted(
            episodes, key=lambda episode: (episode.ended_at is None, episode.ended_at or episode.began_at or 0)
        ):
            self._restore(episode)

    def _restore(self, episode: Episode) -> None:
        identity = (episode.rule or "", episode.about or "")
        if self.active(*identity):
            return
        self.episodes[episode.id] = episode
        self.changed.add(episode.id)
        over = episode.ended_at is not None
        text = episode.worst or ""
        self._tracks[identity] = _Track(0.0, None, episode.id, not over, episode.ended_at or 0.0, text)
        if over:
            self._ended[episode.id] = None
        else:
            self._active[identity[0]] += 1

    def active(self, rule: str, about: str) -> bool:
        """Return whether an episode goes on."""
        track = self._tracks.get((rule, about))
        return track is not None and track.active

    def current(self) -> list[Episode]:
        """Return the episodes that go on."""
        return [self.episodes[track.episode] for track in self._tracks.values() if track.active]

    def seen(self, rule: str, about: str) -> bool:
        """Return whether a person has seen the episode that goes on."""
        track = self._tracks.get((rule, about))
        return track is not None and track.active and not unseen(self.episodes[track.episode])

    def holds_until(self, rule: str, about: str) -> float:
        """Return until when an episode goes on or would be resumed, in ms since the epoch; 0 without one."""
        track = self._tracks.get((rule, about))
        if track is None or not track.episode:
            return 0.0
        return math.inf if track.active else track.ended_at + track.hold_ms

    def current_keys(self, rule: str, about: str) -> tuple[str, ...]:
        """Return the keys of the records of an episode that goes on; none if it does not."""
        track = self._tracks.get((rule, about))
        return self.episodes[track.episode].keys if track is not None and track.active else ()

    def is_critical(self, rule: str, about: str) -> bool:
        """Return whether an episode goes on, and is critical."""
        track = self._tracks.get((rule, about))
        return track is not None and track.active and self.episodes[track.episode].severity == "critical"

    def has_room(self, rule: str) -> bool:
        """Return whether another episode of a rule can begin."""
        return self._active[rule] < MOST_AT_ONCE

    def active_of(self, rule: str) -> list[str]:
        """Return what the current episodes of a rule are about."""
        return [about for (name, about), track in self._tracks.items() if name == rule and track.active]

    def note(self, rule: Rule, about: str, verdict: RuleVerdict, texts: EpisodeTexts, now_ms: float) -> float | None:
        """Apply a verdict that holds. Return when to apply it again although nothing changed; otherwise None."""
        identity = (rule.name, about)
        track = self._tracks.get(identity)
        if track is None:
            track = self._tracks[identity] = _Track(rule.hold_ms)
        # Not later than now, also when a clock is set back.
        track.applies_since = now_ms if track.applies_since is None else min(track.applies_since, now_ms)
        begins = track.applies_since + rule.condition.lasting_ms
        if not track.active and now_ms < begins:
            return begins
        if track.active or self._resumes(rule, track, now_ms):
            self._continue(rule, track, verdict, texts, now_ms)
        elif self.has_room(rule.name):
            self._begin(rule, about, track, verdict, texts, now_ms)
        return None

    def _resumes(self, rule: Rule, track: _Track, now_ms: float) -> bool:
        """Return whether the last episode goes on. The more often a rule goes on and off, the longer it is held."""
        if not track.episode:
            return False
        hold, off = max(track.hold_ms, rule.hold_ms), now_ms - track.ended_at
        calm = off > _CALM * hold
        track.hold_ms = rule.hold_ms if calm else min(2 * hold, max(LONGEST_HOLD_MS, rule.hold_ms))
        if off > hold or not hold or track.episode not in self.episodes:
            return False
        track.active = True
        self._count(rule.name, self.episodes[track.episode].about or "", 1)
        self._ended.pop(track.episode, None)
        return True

    def _count(self, rule: str, about: str, by: int) -> None:
        self._active[rule] += by
        self.switched.setdefault(rule, set()).add(about)

    def _begin(
        self, rule: Rule, about: str, track: _Track, verdict: RuleVerdict, texts: EpisodeTexts, now_ms: float
    ) -> None:
        self._number += 1
        self._count(rule.name, about, 1)
        track.episode, track.active = f"{int(now_ms):x}-{self._number:x}", True
        severity = _severity(rule, verdict)
        track.reported, track.eased_at = severity, None
        until, who = self._own.get(about, (0.0, ""))
        expected = now_ms < until
        row = Episode.row_of(
            id=track.episode,
            rule=rule.name,
            state="active",
            severity=severity,
            worst=severity,
            title=rule.title,
            words=texts.words,
            list=rule.list,
            filter=texts.filter,
            about=about or None,
            keys=verdict.keys,
            count=verdict.count,
            most=verdict.count,
            since_at=verdict.since,
            began_at=now_ms,
            renewed_at=now_ms,
            seen_at=now_ms if expected else None,
            seen_by=(who or None) if expected else None,
            mine=rule.mine,
            place=rule.place,
            subject=rule.subject or None,
            once=True if rule.once else None,
        )
        self._put(Episode.model_validate_json(row))

    def set_back(self, now_ms: float) -> None:
        """Take no moment before a clock was set back for one that is still to come."""
        self._own = {key: (min(until, now_ms + OWN_MS), who) for key, (until, who) in self._own.items()}
        for track in self._tracks.values():
            track.ended_at = min(track.ended_at, now_ms)
            track.eased_at = None if track.eased_at is None else min(track.eased_at, now_ms)
        for episode in self.current():
            if max(at(episode.renewed_at) or 0, at(episode.seen_at) or 0) > now_ms:
                # Otherwise it would count as seen or unseen until then, whatever happens.
                seen_ms = None if episode.seen_at is None else now_ms - unseen(episode)
                self.update(episode.id, {"renewed_at": now_ms, "seen_at": seen_ms})

    def expect(self, records: Iterable[str], now_ms: float, who: str) -> None:
        """Note that a person acts on these records, and knows what follows."""
        self._own = {key: expected for key, expected in self._own.items() if expected[0] > now_ms}
        self._own |= dict.fromkeys(records, (now_ms + OWN_MS, who))

    @staticmethod
    def _worsens(rule: Rule, track: _Track, severity: str, now_ms: float) -> bool:
        """Return whether the severity renews the episode: higher than reported, or long enough after it eased."""
        if _rank(severity) > _rank(track.reported):
            track.eased_at = now_ms if track.eased_at is None else track.eased_at
            return False
        forgotten = track.eased_at is not None and now_ms - track.eased_at > max(track.hold_ms, rule.hold_ms)
        track.eased_at = None
        worse = _rank(severity) < _rank(track.reported) or forgotten
        track.reported = severity
        return worse

    def _continue(self, rule: Rule, track: _Track, verdict: RuleVerdict, texts: EpisodeTexts, now_ms: float) -> None:
        known, severity = self.episodes[track.episode], _severity(rule, verdict)
        worst = min(severity, known.worst or severity, key=_rank)
        has_new_key = rule.renews and not set(verdict.keys) <= set(known.keys)
        changes: dict[str, object] = {
            "severity": severity,
            "worst": worst,
            "keys": verdict.keys,
            "count": verdict.count,
            "most": max(known.most or 0, verdict.count),
            "since_at": verdict.since,
            "ended_at": None,
            "cause": None,
            "title": rule.title,
            "words": texts.words,
            "filter": texts.filter,
            "mine": rule.mine,
            "place": rule.place,
        }
        if known.state == "ended":
            changes |= {"state": "active", "muted_until": None, "muted_by": None, "reason": None}
        if self._worsens(rule, track, severity, now_ms) or has_new_key:
            changes["renewed_at"] = now_ms
        if any(getattr(known, name) != value for name, value in changes.items()):
            self._put(known.model_copy(update=changes))

    def end(self, rule: str, about: str, now_ms: float, cause: str = "") -> None:
        """Note that a rule does not apply: the current episode ends, if there is one."""
        track = self._tracks.get((rule, about))
        if track is None:
            return
        track.applies_since = None
        if not track.active:
            if not track.episode:
                del self._tracks[(rule, about)]
            return
        track.active, track.ended_at = False, now_ms
        track.eased_at = now_ms if track.eased_at is None else track.eased_at
        self._count(rule, about, -1)
        known = self.episodes[track.episode]
        self._put(
            known.model_copy(update={"state": "ended", "ended_at": now_ms, "cause": cause or "no longer applies"})
        )
        self._ended[track.episode] = None
        while len(self._ended) > ENDED_KEPT:
            oldest = next(iter(self._ended))
            self._forget(oldest)

    def _forget(self, identifier: str) -> None:
        del self._ended[identifier]
        known = self.episodes.pop(identifier)
        self.changed.add(identifier)
        identity = (known.rule or "", known.about or "")
        track = self._tracks.get(identity)
        if track is not None and track.episode == identifier:
            del self._tracks[identity]

    def update(self, identifier: str, changes: Mapping[str, object]) -> None:
        """Change fields of an episode, if it is known."""
        known = self.episodes.get(identifier)
        if known is not None and any(getattr(known, name) != value for name, value in changes.items()):
            self._put(known.model_copy(update=dict(changes)))

    def _put(self, episode: Episode) -> None:
        self.episodes[episode.id] = episode
        self.changed.add(episode.id)


def _severity(rule: Rule, verdict: RuleVerdict) -> str:
    return "critical" if verdict.critical else rule.severity


def _rank(severity: str) -> int:
    return SEVERITIES.index(severity) if severity in SEVERITIES else len(SEVERITIES)
