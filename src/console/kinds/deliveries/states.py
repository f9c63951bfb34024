"""How the states of deliveries are shown."""

from __future__ import annotations

from console.views.cell import Tone
from console.views.states import Look, States

STATES = States(
    {
        "dead": Look("×", Tone.BAD, rank=0),
        "unsent": Look("○", Tone.WARN, rank=1),
        "pending": Look("…", Tone.NOTICE, rank=2),
        "sent": Look("√", Tone.GOOD, over=True, rank=3),
    }
)
