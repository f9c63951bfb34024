"""Display of the states of conferences, invites and transfers."""

from __future__ import annotations

from console.kinds.calls.states import STATES as CALLS
from console.records import state_words
from console.views.cell import Tone
from console.views.states import ONGOING, OVER, RINGING, UNANSWERED, StateLook, States

STATES = States(
    {
        **CALLS.looks,
        "open": ONGOING,
        "started": ONGOING,
        "running": ONGOING,
        "created": RINGING,
        "closed": OVER,
    }
)

INVITES = States(
    {
        **CALLS.looks,
        **dict.fromkeys(state_words.UNANSWERED_INVITE, UNANSWERED),
        "accepted": StateLook("●", Tone.GOOD, over=True, rank=3),
        "pending": RINGING,
        "sent": RINGING,
        "inviting": RINGING,
        "left": OVER,
    }
)
