"""State names of services, grouped by meaning.

The contract leaves most states open (contract 2.6, 2.11, 3). Names are normalized for comparison: `On-Call` equals
`oncall`. The console gives no meaning to a name outside these groups.
"""

from __future__ import annotations

import re
from collections.abc import Callable

LONGEST = 40
"""Most characters of a name that are compared."""
_MOST_NAMES = 1_024
"""Most names whose normalized form is kept."""

CONNECTED = frozenset({"connected", "answered", "established", "talking", "active", "inprogress", "bridged"})
"""States of an answered call."""
RINGING = frozenset({"ringing", "calling", "early", "trying", "new", "alerting", "dialing", "initiated"})
"""States of a ringing call."""
WAITING = frozenset({"queued", "waiting"})
"""States of a call whose caller waits for an answer."""
HELD = frozenset({"parked", "held", "onhold"})
"""States of an answered call that is on hold."""
SERVER_ERROR = frozenset({"servererror"})
"""States of a call that failed because of the service."""
_WEB_FAILURES = {
    "badrequest": "bad request",
    "deniedmediaaccess": "media access denied",
    "networkerror": "network error",
    "notallowed": "not allowed",
    "notfound": "not found",
    "webrtcerror": "WebRTC error",
    "webrtcunsupported": "WebRTC unsupported",
}
"""End words of platforms for calls from browsers that could not be made, with their texts."""
FAILED = SERVER_ERROR | {"error", "failed", "rejected", "declined", "unavailable", *_WEB_FAILURES}
"""States of a call that could not be made."""
UNANSWERED = frozenset(
    {
        *("busy", "noanswer", "missed", "abandoned", "timeout", "timedout", "cancelled", "canceled"),
        *("noattended", "leavesqueue"),
    }
)
"""States of a call that was not answered."""
ABANDONED = frozenset({"abandoned", "leavesqueue"})
"""States of a call whose caller gave up waiting."""
CANCELLED_CALL = frozenset({"cancelled", "canceled"})
"""States of a call that its caller ended before an answer."""
ENDED = frozenset(
    {
        *("ended", "finished", "completed", "hangup", "terminated", "disconnected", "transferred", "voicemail"),
        *("normal", "closebrowser", "cleanup"),
    }
)
"""Other states of an ended call."""
CALL_OVER = FAILED | UNANSWERED | ENDED
"""All states of an ended call."""
CALL = CONNECTED | RINGING | WAITING | HELD | CALL_OVER | {"transferring"}
"""All states of a call whose meaning is known: a call in another one may wait for an answer."""
_BY_TIMEOUT = dict.fromkeys(
    (f"{verb}{by}timeout" for verb in ("declined", "rejected", "canceled", "cancelled") for by in ("", "by")),
    "not answered in time",
)
_BY_CREATOR = dict.fromkeys(
    (f"{verb}{by}creator" for verb in ("declined", "rejected", "canceled", "cancelled") for by in ("", "by")),
    "withdrawn",
)
UNANSWERED_INVITE = UNANSWERED | {"expired", *_BY_TIMEOUT, *_BY_CREATOR}
"""States of an invite that was not answered."""
CANCELLED_ALERT = frozenset({"canceled", "cancelled"})
"""States of an alert that its sender took back."""
ACTIVE_ALERT = frozenset({"active"})
"""States of an alert that is not accepted yet."""
POSSIBLY_ACTIVE_ALERT = ACTIVE_ALERT | {""}
"""The same and no state, which leaves it to the other fields of the alert."""
ALERT = POSSIBLY_ACTIVE_ALERT | CANCELLED_ALERT | {"accepted", "expired"}
"""All states of an alert whose meaning is known: an alert in another one may be active."""

AVAILABLE = frozenset({"available", "online", "free"})
"""Activities of a person who is available."""
BUSY = frozenset({"busy", "oncall", "onthephone", "incall", "inacall", "meeting", "inameeting", "presenting"})
"""Activities of a person who is busy."""
DO_NOT_DISTURB = frozenset({"dnd", "donotdisturb"})
"""Activities of a person who does not want to be disturbed; they count as busy."""
AWAY = frozenset({"away", "brb", "berightback", "idle", "break", "lunch", "pause", "outofoffice"})
"""Activities of a person who is away."""
OFFLINE = frozenset({"offline", "unavailable"})
"""Activities of a person who is not reachable."""


_DISPLAY_WORDS = {
    "servererror": "server error",
    "noanswer": "no answer",
    "noattended": "not attended",
    "leavesqueue": "left queue",
    "closebrowser": "browser closed",
    "cleanup": "cleaned up",
    **_WEB_FAILURES,
    **_BY_TIMEOUT,
    **_BY_CREATOR,
    "timedout": "timeout",
    "onhold": "on hold",
    "canceled": "cancelled",
    "oncall": "on a call",
    "onthephone": "on the phone",
    "incall": "in a call",
    "inacall": "in a call",
    "inprogress": "in progress",
    "outofoffice": "out of office",
    "inameeting": "in a meeting",
    "dnd": "do not disturb",
    "donotdisturb": "do not disturb",
    "brb": "be right back",
    "berightback": "be right back",
}
"""Texts for the screen, by normalized name; other names are shown unchanged."""


def display_word(word: str) -> str:
    """Return the text of a state for the screen: `server error` for `servererror`, `queued` for `STATE_QUEUED`."""
    shown = _DISPLAY_WORDS.get(normalized(word))
    if shown is not None:
        return shown
    match = _ENUM.match(word)
    return word[match.end() :].replace("_", " ").lower() if match else word


def role(word: str | None) -> str:
    """Return the role of the contract that a word means, in any spelling: `ROLE_ADMIN` is `admin`; others as sent."""
    found = normalized(word or "")
    return found if found in ROLES else word or ""


ROLES = frozenset({"user", "admin", "anonymous"})
"""Roles of the contract."""


_ENUM = re.compile(r"(?:[A-Z][A-Z0-9]*_)*(?:STATE|STATUS|ROLE)_(?=[A-Z])")
"""The prefix of the values of an enumeration in protobuf and Java: `CALL_STATE_QUEUED`, `ROLE_ADMIN`."""


class _Normalized(dict[str, str]):
    """The normalized form of each name. A known one takes no call: there are eight names in an event."""

    def __missing__(self, word: str) -> str:
        name = word[:LONGEST]
        match = _ENUM.match(name)
        name = name[match.end() :] if match else name
        name = name.casefold().translate({45: None, 95: None, 32: None})
        # A name from outside may have any length, and there may be any number of them.
        if len(word) <= LONGEST:
            if len(self) >= _MOST_NAMES:
                self.clear()
            self[word] = name
        return name


normalized: Callable[[str], str] = _Normalized().__getitem__
"""Return a name in the form for comparison: `Do-not-disturb` and `STATUS_DO_NOT_DISTURB` are `donotdisturb`."""
