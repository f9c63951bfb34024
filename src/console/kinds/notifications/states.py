"""Display of the kinds of offers."""

from __future__ import annotations

from console.views.cell import Tone
from console.views.states import StateLook, States

STATES = States(
    {
        "alert": StateLook("▲", Tone.BAD, rank=0),
        "chat": StateLook("◊", Tone.WARN, rank=1),
    }
)
