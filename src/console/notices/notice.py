"""Notices: clean text, the same for every way."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Literal

from console.base.frozen import Frozen
from console.base.text import SafeText, clean, join
from console.views.wording import plural

if TYPE_CHECKING:
    from console.records.episodes import Episode

Severity = Literal["critical", "warning", "notice"]
RANKS: dict[str, int] = {"critical": 2, "warning": 1, "notice": 0}
SIGNS: dict[str, str] = {"critical": "×", "warning": "▲", "notice": "•"}
"""Told apart by form, for themes without colours."""
NAMED = 3
"""Titles that a notice about several episodes names."""
_KEYS = 100
_TITLE, _WORDS, _ID = 60, 160, 120
"""Widths in cells."""


class Notice(Frozen):
    """A message about one episode, or about several at once. All texts are clean."""

    severity: Severity
    title: SafeText
    words: SafeText
    count: int
    """Number of records of one episode, or number of episodes."""
    profile: SafeText
    list: SafeText = clean("")
    """The kind of its records; empty for several episodes."""
    keys: tuple[SafeText, ...] = ()
    """The keys of its records, at most a hundred."""
    began_ms: int | None = None
    again: int = 0
    """How many notices of it were sent before."""
    episodes: tuple[str, ...] = ()
    """Ids of its episodes, not clean: for comparing only."""
    silent: bool = False
    """Whether it is only shown on the screen: it was there before the console."""
    test: bool = False

    @property
    def text(self) -> SafeText:
        """Title and words."""
        parts = [safe_text for safe_text in (self.title, self.words) if safe_text]
        return clean(": ".join(parts), _WORDS + _TITLE)

    @property
    def line(self) -> SafeText:
        """One line of text: profile, title and words."""
        return clean(f"{self.profile}: {self.text}", _WORDS + _TITLE)

    def to_object(self) -> dict[str, Any]:
        """Return the JSON value for programs. Times in ms since the epoch."""
        found = {
            "profile": self.profile,
            "severity": self.severity,
            "title": self.title,
            "words": self.words,
            "count": self.count,
            "list": self.list or None,
            "keys": list(self.keys),
            "began_at": self.began_ms,
            "again": self.again,
        }
        return found | ({"test": True} if self.test else {})


def profile_of(name: str) -> SafeText:
    """Return the name of a profile as notices have it."""
    return clean(name, 40)


def severity_of(episode: Episode) -> Severity:
    """Return the severity of the rule, at least a warning if the episode waits for the caller in person."""
    match episode.severity:
        case "critical" | "warning" as found:
            return found
        case _:
            return "warning" if episode.mine else "notice"


def notice_of(episode: Episode, profile: str, again: int = 0) -> Notice:
    """Return the notice about one episode."""
    began = episode.began_at
    return Notice(
        severity=severity_of(episode),
        title=clean(episode.title or episode.rule or "", _TITLE),
        words=_words_of(episode),
        count=max(1, episode.count or 1),
        profile=profile_of(profile),
        list=clean(episode.list or "", 40),
        keys=tuple(clean(key, _ID) for key in episode.keys[:_KEYS]),
        began_ms=int(began) if isinstance(began, int | float) else None,
        again=again,
        episodes=(episode.id,),
    )


def _words_of(episode: Episode) -> SafeText:
    """Return the words, with the queue of a single call, or whatever else the rule combines rows by."""
    words, about = clean(episode.words or "", _WORDS), clean(episode.about or "", _TITLE)
    if not about or episode.about in episode.keys or about in words:
        return words
    return clean(join(": ", [about, words]), _WORDS)


def notice_of_several(
    episodes: Sequence[Episode], profile: str, title: str, *, again: int = 0, silent: bool = False
) -> Notice:
    """Return one notice about several episodes: their number, and the titles of the most serious ones."""
    worst = sorted(episodes, key=lambda episode: -RANKS[severity_of(episode)])
    began = [episode.began_at for episode in episodes if isinstance(episode.began_at, int | float)]
    return Notice(
        severity=severity_of(worst[0]),
        title=clean(title, _TITLE),
        words=_named(worst),
        count=len(episodes),
        profile=profile_of(profile),
        began_ms=int(min(began)) if began else None,
        again=again,
        episodes=tuple(episode.id for episode in episodes),
        silent=silent,
    )


def _named(episodes: Iterable[Episode]) -> SafeText:
    counts: dict[str, int] = {}
    for episode in episodes:
        title = clean(episode.title or episode.rule or "", _TITLE)
        counts[title] = counts.get(title, 0) + 1
    safe_texts = [clean(f"{title} ×{many}" if many > 1 else title) for title, many in list(counts.items())[:NAMED]]
    more = len(counts) - NAMED
    return clean(join(", ", [*safe_texts, clean(f"{plural(more, 'other')}")] if more > 0 else safe_texts), _WORDS)
