"""Display of activities."""

from __future__ import annotations

from console.records import state_words
from console.views.cell import Tone
from console.views.states import StateLook, States

STATES = States(
    {
        **dict.fromkeys(state_words.AVAILABLE, StateLook("●", Tone.GOOD, rank=1)),
        **dict.fromkeys(state_words.BUSY, StateLook("■", Tone.NOTICE, rank=2)),
        **dict.fromkeys(state_words.DO_NOT_DISTURB, StateLook("▬", Tone.BAD, rank=2)),
        **dict.fromkeys(state_words.AWAY, StateLook("◊", Tone.WARN, rank=3)),
        **dict.fromkeys(state_words.OFFLINE, StateLook("○", Tone.QUIET, over=True, rank=6)),
    }
)
