"""Display of alert states."""

from __future__ import annotations

from console.records import state_words
from console.views.cell import Tone
from console.views.states import StateLook, States

STATES = States(
    {
        **dict.fromkeys(state_words.ACTIVE_ALERT, StateLook("▲", Tone.BAD, rank=0)),
        "accepted": StateLook("√", Tone.GOOD, over=True, rank=2),
        "expired": StateLook("×", Tone.WARN, over=True, rank=1),
        **dict.fromkeys(state_words.CANCELLED_ALERT, StateLook("○", Tone.QUIET, over=True, rank=3)),
    }
)
