"""Display of delivery states."""

from __future__ import annotations

from console.views.cell import Tone
from console.views.states import StateLook, States

STATES = States(
    {
        "dead": StateLook("×", Tone.BAD, rank=0),
        "unsent": StateLook("○", Tone.WARN, rank=1),
        "pending": StateLook("…", Tone.NOTICE, rank=2),
        "sent": StateLook("√", Tone.GOOD, over=True, rank=3),
    }
)
