"""The line at the top of every screen: who works here, how fresh it is, what needs attention, and the time."""

from __future__ import annotations

import math
from datetime import datetime
from math import inf
from typing import NamedTuple
from zoneinfo import ZoneInfo

from console.frozen import Frozen
from console.live.delta import Freshness, Health
from console.signs import drawn
from console.text import SafeText
from console.views.cell import Tone
from console.views.words import amount, seconds_words, span_words
from console.widgets.styled_line import Piece, StyledLine, piece, width_of


class Paused(Frozen):
    """A list that stands still."""

    seconds: int
    """Seconds since it was paused."""
    behind: int
    """How many records came, changed or went since."""


class TopFacts(Frozen):
    """What the top line says."""

    profile: SafeText
    who: SafeText
    domain: SafeText
    role: SafeText
    presence: Piece
    """The caller's own presence: symbol and word."""
    read_only: bool
    health: Health
    paused: Paused | None
    alerts: int
    own_alerts: bool
    """Whether they are the caller's own, and others are not shown."""
    oldest_alert_ms: int | None
    longest_wait_ms: int | None
    own_waits: bool
    """Whether it is only among calls that the caller is shown."""
    wait_tone: Tone
    """How serious the longest wait is, by the thresholds."""
    now_ms: int
    zone: ZoneInfo
    symbols: str


_BADGES = {
    Freshness.LOADING: ("loading", Tone.NOTICE),
    Freshness.LIVE: ("LIVE", Tone.GOOD),
    Freshness.POLLING: ("POLLING", Tone.NOTICE),
    Freshness.STALE: ("STALE", Tone.WARN),
    Freshness.OFFLINE: ("OFFLINE", Tone.BAD),
    Freshness.REFUSED: ("REFUSED", Tone.BAD),
}
USUAL = frozenset({Freshness.LIVE, Freshness.POLLING})
"""States of a list that is as fresh as it should be."""


def badge(health: Health, long: bool = True) -> tuple[Piece, ...]:
    """Write how fresh something is: the word, its age, and when it is tried again."""
    word, tone = _BADGES[health.state]
    return piece(word, tone), piece(_age(health) + (_retry(health) if long else ""), Tone.QUIET)


def _age(health: Health) -> str:
    return "" if health.age is None else f" {seconds_words(health.age)}"


def _retry(health: Health) -> str:
    if health.retry_in is None or health.state not in {Freshness.OFFLINE, Freshness.STALE}:
        return ""
    return f" retry in {math.ceil(health.retry_in)}s" if health.retry_in > 0 else " retrying"


class _Part(NamedTuple):
    """Part of the top line. The least important is left out first; one without importance never is."""

    pieces: tuple[Piece, ...]
    importance: float = inf
    right: bool = False


class TopLine(StyledLine):
    """Profile, who works here and their presence, read-only, freshness, open alerts, the longest wait and the time.

    Parts are left out as a whole, the least important first: half a number or half a clock is a wrong one.
    """

    DEFAULT_CSS = """
    TopLine { background: $panel; }
    """

    def show(self, facts: TopFacts) -> None:
        """Say these facts."""
        if not self.differs(facts):
            return
        self.update(parts_within(facts, max(20, self.size.width - 2)))


def parts_within(facts: TopFacts, width: int) -> list[Piece]:
    """Return what the top line says in so many cells."""
    parts = _top_parts(facts)
    for part in sorted(parts, key=lambda each: each.importance):
        if part.importance == inf or sum(width_of(each.pieces) for each in parts) <= width:
            break
        parts.remove(part)
    left = [each for part in parts if not part.right for each in part.pieces]
    right = [each for part in parts if part.right for each in part.pieces]
    room = width - width_of(left) - width_of(right)
    return [*left, *([piece(" " * room)] if room > 0 else []), *right]


def _top_parts(facts: TopFacts) -> list[_Part]:
    """Return the parts of the top line from left to right; those on the right begin with what sets them off."""
    gap = piece("   ")
    arrow = (piece(drawn(" › ", facts.symbols), Tone.QUIET),) if facts.who else ()
    parts = [_Part((piece(facts.profile, Tone.STRONG), *arrow), 7)]
    if facts.who:
        parts.append(_Part((piece(facts.who),), 9))
        parts += [_Part((piece(f"@{facts.domain}", Tone.QUIET),), 1)] if facts.domain else []
        parts.append(_Part((piece("  "), facts.presence)))
        parts += [_Part((piece(f"  {facts.role}", Tone.QUIET),), 2)] if facts.role else []
    parts += [_Part((piece("  READ-ONLY", Tone.WARN),))] if facts.read_only else []
    if facts.paused is not None:
        behind = f", {amount(facts.paused.behind)} behind" if facts.paused.behind else ""
        since = piece(f" {seconds_words(facts.paused.seconds)}{behind}", Tone.QUIET)
        parts.append(_Part((gap, piece("PAUSED", Tone.WARN), since), right=True))
    if facts.paused is None or facts.health.state not in USUAL:
        parts.append(_Part((gap, *badge(facts.health, long=False)), right=True))
        retry = _retry(facts.health)
        parts += [_Part((piece(retry, Tone.QUIET),), 8, True)] if retry else []
    if facts.alerts:
        yours, mark = "your " if facts.own_alerts else "", drawn("▲", facts.symbols)
        oldest = "" if facts.oldest_alert_ms is None else f" {span_words(facts.oldest_alert_ms)}"
        parts.append(_Part((gap, piece(f"{mark} {yours}{amount(facts.alerts)}", Tone.BAD)), right=True))
        parts.append(_Part((piece(" alert" if facts.alerts == 1 else " alerts", Tone.BAD),), 4, True))
        parts += [_Part((piece(oldest, Tone.BAD),), 11, True)] if oldest else []
    if facts.longest_wait_ms is not None:
        yours, tone = "your " if facts.own_waits else "", facts.wait_tone
        words = piece(f"wait {span_words(facts.longest_wait_ms)}", tone)
        parts.append(_Part((gap, piece(yours, tone)), 10, True))
        parts += [_Part((piece("longest ", tone),), 5, True), _Part((words,), 10, True)]
    moment = datetime.fromtimestamp(facts.now_ms / 1000, facts.zone)
    city = facts.zone.key.rpartition("/")[2].replace("_", " ")
    return [*parts, _Part((gap, piece(f"{moment:%H:%M:%S}")), 6, True), _Part((piece(f" {city}"),), 3, True)]
