"""Display of the states of own changes."""

from __future__ import annotations

from console.views.cell import Tone
from console.views.states import StateLook, States

STATES = States(
    {
        "held": StateLook("○", Tone.NOTICE, rank=0),
        "pending": StateLook("…", Tone.NOTICE, rank=1),
        "unknown": StateLook("?", Tone.WARN, over=True, rank=2),
        "refused": StateLook("×", Tone.BAD, over=True, rank=3),
        "notsent": StateLook("○", Tone.QUIET, over=True, rank=4),
        "done": StateLook("√", Tone.GOOD, over=True, rank=5),
        "takenback": StateLook("←", Tone.QUIET, over=True, rank=6),
    }
)
