"""The words that services use for a state, grouped by meaning.

The contract leaves most states open (contract 2.6, 2.11, 3). A word is compared in its plain form, so that `On-Call`
and `oncall` mean the same. A word that stands in none of these groups means nothing to the console.
"""

from __future__ import annotations

from functools import lru_cache

LONGEST = 40
"""Characters of a word that are compared."""

CONNECTED = frozenset({"connected", "answered", "established", "talking", "active"})
"""States of a call in which people talk."""
RINGING = frozenset({"ringing", "calling", "early", "trying", "new"})
"""States of a call that rings."""
WAITING = frozenset({"queued", "waiting"})
"""States of a call whose caller waits for somebody to answer."""
HELD = frozenset({"parked", "held", "onhold"})
"""States of a call that was answered and is on hold."""
SERVER_ERROR = frozenset({"servererror"})
"""States of a call that ended through a fault of the service."""
FAILED = SERVER_ERROR | {"error", "failed", "rejected", "declined", "unavailable"}
"""States of a call that could not be made."""
UNANSWERED = frozenset({"busy", "noanswer", "missed", "abandoned", "timeout", "cancelled", "canceled"})
"""States of a call that nobody answered."""
ENDED = frozenset({"ended", "finished", "completed", "hangup", "terminated", "transferred", "voicemail"})
"""States of a call that has ended otherwise."""
CALL_OVER = FAILED | UNANSWERED | ENDED
"""States of a call that has ended in any way."""
ACTIVE_ALERT = frozenset({"active"})
"""States of an alert that nobody has accepted yet."""

AVAILABLE = frozenset({"available", "online", "free"})
"""Activities of somebody who can be asked."""
BUSY = frozenset({"busy", "oncall", "onthephone", "incall", "meeting", "inameeting"})
"""Activities of somebody who is at work on something else."""
DO_NOT_DISTURB = frozenset({"dnd", "donotdisturb"})
"""Activities of somebody who asks not to be disturbed; they count as busy."""
AWAY = frozenset({"away", "brb", "berightback", "idle", "break", "lunch", "pause"})
"""Activities of somebody who is away."""
OFFLINE = frozenset({"offline", "unavailable"})
"""Activities of somebody who cannot be reached."""


_SPOKEN = {
    "servererror": "server error",
    "noanswer": "no answer",
    "onhold": "on hold",
    "canceled": "cancelled",
    "oncall": "on call",
    "onthephone": "on the phone",
    "incall": "in a call",
    "inameeting": "in a meeting",
    "dnd": "do not disturb",
    "donotdisturb": "do not disturb",
    "brb": "be right back",
    "berightback": "be right back",
}
"""How a word is written on the screen, by its plain form; other words are written as they come."""


def spoken(word: str) -> str:
    """Return how a state is written on the screen: `server error` for `servererror`."""
    return _SPOKEN.get(plain(word), word)


def plain(word: str) -> str:
    """Return the form in which a word is compared: `Do-not-disturb` is `donotdisturb`."""
    # Cut before it is kept: a word from outside may be of any length.
    return _plain(word[:LONGEST])


@lru_cache(maxsize=1024)
def _plain(word: str) -> str:
    return word.casefold().translate({45: None, 95: None, 32: None})
