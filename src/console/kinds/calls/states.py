"""How the states of calls, and of attempts to reach somebody, are shown."""

from __future__ import annotations

from console.records import state_words
from console.views.cell import Tone
from console.views.states import FAILED, ONGOING, OVER, RINGING, UNANSWERED, Look, States

STATES = States(
    {
        **dict.fromkeys(state_words.CONNECTED, ONGOING),
        **dict.fromkeys(state_words.RINGING, RINGING),
        **dict.fromkeys(state_words.WAITING, Look("≡", Tone.WARN, rank=1)),
        **dict.fromkeys(state_words.HELD, Look("║", Tone.NOTICE, rank=3)),
        "transferring": Look("→", Tone.NOTICE, rank=3),
        **dict.fromkeys(state_words.FAILED, FAILED),
        **dict.fromkeys(state_words.UNANSWERED, UNANSWERED),
        **dict.fromkeys(state_words.ENDED, OVER),
    }
)
