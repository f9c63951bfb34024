"""How the kinds of offers are shown."""

from __future__ import annotations

from console.views.cell import Tone
from console.views.states import Look, States

STATES = States(
    {
        "alert": Look("▲", Tone.BAD, rank=0),
        "chat": Look("◊", Tone.WARN, rank=1),
    }
)
