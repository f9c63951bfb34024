"""Display of the states of calls and attempts."""

from __future__ import annotations

from console.records import state_words
from console.views.cell import Tone
from console.views.states import FAILED, ONGOING, OVER, RINGING, UNANSWERED, StateLook, States

STATES = States(
    {
        **dict.fromkeys(state_words.CONNECTED, ONGOING),
        **dict.fromkeys(state_words.RINGING, RINGING),
        **dict.fromkeys(state_words.WAITING, StateLook("≡", Tone.WARN, rank=1)),
        **dict.fromkeys(state_words.HELD, StateLook("║", Tone.NOTICE, rank=3)),
        "transferring": StateLook("→", Tone.NOTICE, rank=3),
        **dict.fromkeys(state_words.FAILED, FAILED),
        **dict.fromkeys(state_words.UNANSWERED, UNANSWERED),
        **dict.fromkeys(state_words.ENDED, OVER),
    }
)
