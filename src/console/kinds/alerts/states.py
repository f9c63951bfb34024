"""How the states of alerts are shown."""

from __future__ import annotations

from console.records import state_words
from console.views.cell import Tone
from console.views.states import Look, States

STATES = States(
    {
        **dict.fromkeys(state_words.ACTIVE_ALERT, Look("▲", Tone.BAD, rank=0)),
        "accepted": Look("√", Tone.GOOD, over=True, rank=2),
        "expired": Look("×", Tone.WARN, over=True, rank=1),
        "canceled": Look("○", Tone.QUIET, over=True, rank=3),
        "cancelled": Look("○", Tone.QUIET, over=True, rank=3),
    }
)
