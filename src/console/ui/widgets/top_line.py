"""The top line of every screen: user, freshness, alerts, time."""

from __future__ import annotations

import math
from datetime import datetime
from functools import cache
from math import inf
from operator import attrgetter
from typing import NamedTuple
from zoneinfo import ZoneInfo

from textual import events
from textual.message import Message

from console.base.frozen import Frozen
from console.base.signs import drawn
from console.base.text import SafeText, clean
from console.live.delta import CURRENT, Freshness, Health
from console.ui.widgets.styled_line import Piece, StyledLine, piece, width_of
from console.ui.widgets.tones import Badge
from console.views.cell import Tone
from console.views.wording import age_words, amount, seconds_words


class Paused(Frozen):
    """The pause of a list."""

    seconds: int
    """Seconds since it was paused."""
    behind: int
    """Number of records added, changed or removed since."""


class TopFacts(Frozen):
    """The content of the top line."""

    profile: SafeText
    who: SafeText
    domain: SafeText
    role: SafeText
    presence: Piece
    """The caller's own presence: symbol and text."""
    read_only: bool
    health: Health
    paused: Paused | None
    alerts: int
    """The number of open alerts that are known."""
    own_alerts: bool
    """Whether only the caller's own alerts are visible."""
    oldest_alert_ms: int | None
    longest_wait_ms: int | None
    own_waits: bool
    """Whether only the calls that the caller may see are considered."""
    wait_tone: Tone
    """Tone of the longest wait, by the thresholds."""
    now_ms: int
    zone: ZoneInfo
    symbols: str
    colour: Tone | None = None
    """Tone of the profile's name, if there are several profiles."""
    recorded: bool | None = None
    """Whether the lists are recorded; False if they should be, but cannot."""
    past_speed: int | None = None
    """How fast the past is played, 0 for not at all; None for the present."""
    file: SafeText | None = None
    """The recording that is shown without a service."""
    alerts_exact: bool = True
    """Whether there are no open alerts besides the known ones."""
    oldest_alert_exact: bool = True
    """Whether no open alert may be older."""
    waits_exact: bool = True
    """Whether no caller can wait longer."""


_BADGES = {
    Freshness.LOADING: piece("loading", Tone.NOTICE),
    Freshness.LIVE: piece("LIVE", Tone.GOOD),
    Freshness.POLLING: piece("POLLING", Tone.NOTICE),
    Freshness.PAST: piece("PAST", Tone.WARN),
    Freshness.STALE: piece("STALE", Tone.WARN),
    Freshness.OFFLINE: piece("OFFLINE", Tone.BAD),
    Freshness.REFUSED: piece("REFUSED", Tone.BAD),
}
USUAL = CURRENT
"""Normal states of a list."""


def badge(health: Health, long: bool = True) -> tuple[Piece, ...]:
    """Return the freshness as text: state, age, and time of the next attempt."""
    return _BADGES[health.state], piece(_age(health) + (_retry(health) if long else ""), Tone.QUIET)


def _age(health: Health) -> str:
    return "" if health.age is None else f" {seconds_words(health.age)}"


def _retry(health: Health) -> str:
    if health.retry_in is None or health.state not in {Freshness.OFFLINE, Freshness.STALE}:
        return ""
    return f" retry in {math.ceil(health.retry_in)}s" if health.retry_in > 0 else " retrying"


_SPACE, _GAP = piece("  "), piece("   ")
_ALERT, _ALERTS = piece(" alert", Tone.BAD), piece(" alerts", Tone.BAD)


class _Part(NamedTuple):
    """Part of the top line. The least important is dropped first; parts with infinite importance never are."""

    pieces: tuple[Piece, ...]
    importance: float = inf
    right: bool = False
    leads: str = ""
    """Target of a click on it: `open` for the open alerts, or `wait`."""


class TopLine(StyledLine):
    """Profile, user with presence, read-only mode, freshness, open alerts, longest wait and time.

    Whole parts are dropped, the least important first, because a cut number or time would be wrong.
    """

    DEFAULT_CSS = """
    TopLine { background: $panel; }
    """

    class Chosen(Message):
        """The open alerts or the longest wait was clicked."""

        def __init__(self, leads: str) -> None:
            super().__init__()
            self.leads = leads

    def __init__(self) -> None:
        super().__init__()
        self._parts: list[_Part] = []

    def show(self, facts: TopFacts) -> None:
        """Show these facts."""
        if not self.differs(facts):
            return
        self._parts = placed(facts, max(20, self.size.width - 2))
        self.update([line_piece for part in self._parts for line_piece in part.pieces])

    def on_click(self, event: events.Click) -> None:
        """Report the clicked part, if it leads anywhere."""
        right = 1
        for part in self._parts:
            left, right = right, right + width_of(part.pieces)
            if left <= event.x < right and part.leads:
                self.post_message(self.Chosen(part.leads))


def placed(facts: TopFacts, width: int) -> list[_Part]:
    """Return the parts that fit into this width from left to right, with the space between both sides."""
    parts = _top_parts(facts)
    room = width - width_of([line_piece for part in parts for line_piece in part.pieces])
    if room < 0:
        for part in sorted(parts, key=attrgetter("importance")):
            if part.importance == inf or room >= 0:
                break
            room += width_of(part.pieces)
            parts.remove(part)
    space = [_Part((piece(" " * room),))] if room > 0 else []
    return [*[part for part in parts if not part.right], *space, *[part for part in parts if part.right]]


def _top_parts(facts: TopFacts) -> list[_Part]:
    """Return the parts of the top line from left to right; those on the right start with a separator."""
    arrow = (piece(drawn(" › ", facts.symbols), Tone.QUIET),) if facts.who else ()
    if facts.colour is not None:
        # Never dropped: it tells which deployment this is.
        parts = [_Part((piece(clean(f" {facts.profile} "), Badge(facts.colour)), piece(" ")))]
    else:
        parts = [_Part((piece(facts.profile, Tone.STRONG), *arrow), 7)]
    if facts.who:
        parts.append(_Part((piece(facts.who),), 9))
        parts += [_Part((piece(f"@{facts.domain}", Tone.QUIET),), 1)] if facts.domain else []
        parts.append(_Part((_SPACE, facts.presence)))
        parts += [_Part((piece(f"  {facts.role}", Tone.QUIET),), 2)] if facts.role else []
    parts += [_Part((piece("  READ-ONLY", Tone.WARN),))] if facts.read_only else []
    if facts.paused is not None:
        behind = f", {amount(facts.paused.behind)} behind" if facts.paused.behind else ""
        since = piece(f" {seconds_words(facts.paused.seconds)}{behind}", Tone.QUIET)
        parts.append(_Part((_GAP, piece("PAUSED", Tone.WARN), since), right=True))
    if facts.past_speed is not None:
        parts += _past_parts(facts, facts.past_speed)
    if (facts.paused is None and facts.past_speed is None) or facts.health.state not in USUAL:
        parts.append(_Part((_GAP, *badge(facts.health, long=False)), right=True))
        retry = _retry(facts.health)
        parts += [_Part((piece(retry, Tone.QUIET),), 8, True)] if retry else []
    parts += () if facts.recorded is None else _recording_parts(facts.recorded, facts.symbols)
    if facts.alerts:
        yours, mark = "your " if facts.own_alerts else "", drawn("▲", facts.symbols)
        least = "" if facts.alerts_exact else f"{drawn('≥', facts.symbols)} "
        bound = "" if facts.oldest_alert_exact else f"{drawn('≥', facts.symbols)} "
        oldest = "" if facts.oldest_alert_ms is None else f" {age_words(facts.oldest_alert_ms, bound)}"
        alerts = f"{mark} {yours}{least}{amount(facts.alerts)}"
        parts.append(_Part((_GAP, piece(alerts, Tone.BAD)), right=True, leads="open"))
        parts.append(_Part((_ALERT if facts.alerts == 1 else _ALERTS,), 4, True, "open"))
        parts += [_Part((piece(oldest, Tone.BAD),), 11, True, "open")] if oldest else []
    if facts.longest_wait_ms is not None:
        yours, tone = "your " if facts.own_waits else "", facts.wait_tone
        least = "" if facts.waits_exact else f"{drawn('≥', facts.symbols)} "
        duration = piece(f"wait {age_words(facts.longest_wait_ms, least)}", tone)
        parts.append(_Part((_GAP, piece(yours, tone)), 10, True, "wait"))
        parts += [_Part((piece("longest ", tone),), 5, True, "wait"), _Part((duration,), 10, True, "wait")]
    if facts.past_speed is not None:
        return parts
    moment = datetime.fromtimestamp(facts.now_ms / 1000, facts.zone)
    city = facts.zone.key.rpartition("/")[2].replace("_", " ")
    return [*parts, _Part((_GAP, piece(f"{moment:%H:%M:%S}")), 6, True), _Part((piece(f" {city}"),), 3, True)]


@cache
def _recording_parts(recorded: bool, symbols: str) -> tuple[_Part, ...]:
    """Return the sign of a running recording. On a narrow line its word is dropped first, its symbol last."""
    if not recorded:
        return (_Part((_SPACE, piece("NOT RECORDED", Tone.WARN)), 12, True),)
    return _Part((piece(drawn(" ●", symbols), Tone.QUIET),), 12, True), _Part((piece(" rec", Tone.QUIET),), 0, True)


def _past_parts(facts: TopFacts, speed: int) -> list[_Part]:
    """Return the moment that is shown, which is never dropped, and the file."""
    moment = datetime.fromtimestamp(facts.now_ms / 1000, facts.zone)
    playing = f" {speed}x" if speed else ""
    tone, when = Badge(Tone.WARN), f"{moment:%a %H:%M:%S}{playing} "
    if facts.file is None:
        return [_Part((_GAP, piece(f" PAST {when}", tone)), right=True)]
    name = _Part((piece(clean(f"{facts.file} "), tone),), 12, True)
    return [
        _Part((_GAP, piece(" RECORDING ", tone)), right=True),
        name,
        _Part((piece(when, tone),), right=True),
    ]
