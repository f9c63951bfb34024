"""What states look like: a symbol, a tone, and whether something in that state is over.

The contract leaves most states open, so a state nobody has heard of is shown as it came, with a neutral symbol.
"""

from __future__ import annotations

from console.frozen import Frozen
from console.records import state_words
from console.signs import drawn
from console.text import clean
from console.views.cell import Cell, Tone
from console.views.render_context import RenderContext


class Look(Frozen):
    """How a state is shown."""

    symbol: str
    """One of `console.signs`."""
    tone: Tone = Tone.PLAIN
    over: bool = False
    rank: int = 5
    """Where it stands when states are listed: what needs somebody first."""


_UNKNOWN = Look("·", Tone.PLAIN, rank=8)
_NONE = Look("·", Tone.QUIET, rank=9)
_FAILED = Look("×", Tone.BAD, over=True, rank=6)
_UNANSWERED = Look("○", Tone.NOTICE, over=True, rank=6)
_OVER = Look("√", Tone.QUIET, over=True, rank=7)
_ONGOING = Look("●", Tone.GOOD, rank=3)
_RINGING = Look("◊", Tone.NOTICE, rank=2)
_QUEUED = Look("≡", Tone.WARN, rank=1)
_HELD = Look("║", Tone.NOTICE, rank=3)

_CALL = {
    **dict.fromkeys(state_words.CONNECTED, _ONGOING),
    **dict.fromkeys(state_words.RINGING, _RINGING),
    **dict.fromkeys(state_words.WAITING, _QUEUED),
    **dict.fromkeys(state_words.HELD, _HELD),
    "transferring": Look("→", Tone.NOTICE, rank=3),
    **dict.fromkeys(state_words.FAILED, _FAILED),
    **dict.fromkeys(state_words.UNANSWERED, _UNANSWERED),
    **dict.fromkeys(state_words.ENDED, _OVER),
}

_CONFERENCE = {
    **_CALL,
    "open": _ONGOING,
    "started": _ONGOING,
    "running": _ONGOING,
    "created": _RINGING,
    "closed": _OVER,
}

_INVITE = {
    **_CALL,
    "accepted": Look("●", Tone.GOOD, over=True, rank=3),
    "pending": _RINGING,
    "sent": _RINGING,
    "inviting": _RINGING,
    "expired": _UNANSWERED,
    "left": _OVER,
}

_ALERT = {
    **dict.fromkeys(state_words.ACTIVE_ALERT, Look("▲", Tone.BAD, rank=0)),
    "accepted": Look("√", Tone.GOOD, over=True, rank=2),
    "expired": Look("×", Tone.WARN, over=True, rank=1),
    "canceled": Look("○", Tone.QUIET, over=True, rank=3),
    "cancelled": Look("○", Tone.QUIET, over=True, rank=3),
}

_ACTIVITY = {
    **dict.fromkeys(state_words.AVAILABLE, Look("●", Tone.GOOD, rank=1)),
    **dict.fromkeys(state_words.BUSY, Look("■", Tone.NOTICE, rank=2)),
    **dict.fromkeys(state_words.DO_NOT_DISTURB, Look("▬", Tone.BAD, rank=2)),
    **dict.fromkeys(state_words.AWAY, Look("◊", Tone.WARN, rank=3)),
    **dict.fromkeys(state_words.OFFLINE, Look("○", Tone.QUIET, over=True, rank=6)),
}

_URGENCY = {
    "critical": Look("▲", Tone.BAD, rank=0),
    "high": Look("▲", Tone.BAD, rank=1),
    "error": Look("▲", Tone.BAD, rank=1),
    "major": Look("▲", Tone.BAD, rank=1),
    "warning": Look("∆", Tone.WARN, rank=2),
    "warn": Look("∆", Tone.WARN, rank=2),
    "medium": Look("∆", Tone.WARN, rank=2),
    "minor": Look("▼", Tone.NOTICE, rank=3),
    "low": Look("▼", Tone.NOTICE, rank=3),
    "info": Look("▼", Tone.QUIET, rank=4),
}

_CHANGE = {
    "held": Look("○", Tone.NOTICE, rank=0),
    "pending": Look("…", Tone.NOTICE, rank=1),
    "unknown": Look("?", Tone.WARN, over=True, rank=2),
    "refused": Look("×", Tone.BAD, over=True, rank=3),
    "notsent": Look("○", Tone.QUIET, over=True, rank=4),
    "done": Look("√", Tone.GOOD, over=True, rank=5),
    "takenback": Look("←", Tone.QUIET, over=True, rank=6),
}

_DELIVERY = {
    "dead": Look("×", Tone.BAD, rank=0),
    "unsent": Look("○", Tone.WARN, rank=1),
    "pending": Look("…", Tone.NOTICE, rank=2),
    "sent": Look("√", Tone.GOOD, over=True, rank=3),
}

_OFFER = {
    "alert": Look("▲", Tone.BAD, rank=0),
    "chat": Look("◊", Tone.WARN, rank=1),
}

_KINDS = {
    "notifications": _OFFER,
    "deliveries": _DELIVERY,
    "changes": _CHANGE,
    "calls": _CALL,
    "conferences": _CONFERENCE,
    "invites": _INVITE,
    "transfers": _INVITE,
    "alerts": _ALERT,
    "presence": _ACTIVITY,
    "alarms": _URGENCY,
}


def look(kind: str, state: str | None) -> Look:
    """Return how a state of a kind is shown; kinds are `calls`, `conferences`, `invites`, `alerts`, `presence`, …"""
    if not state:
        return _NONE
    looks = _KINDS[kind]
    return looks.get(state) or looks.get(state_words.plain(state), _UNKNOWN)


def symbol(seen: Look, render: RenderContext) -> str:
    """Return the symbol that the terminal can show."""
    return drawn(seen.symbol, render.symbols)


def cell(kind: str, state: str | None, render: RenderContext) -> Cell:
    """Return symbol and word in the state's tone."""
    seen = look(kind, state)
    return Cell(clean(f"{symbol(seen, render)} {state_words.spoken(state or 'unknown')}"), seen.tone)


def activity(online: bool | None, doing: str | None) -> str | None:
    """Return the one word for presence: being offline outweighs any activity; None when nothing is known."""
    if online is False:
        return "offline"
    return doing or ("online" if online else None)
