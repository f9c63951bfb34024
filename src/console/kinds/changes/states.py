"""How the states of own changes are shown."""

from __future__ import annotations

from console.views.cell import Tone
from console.views.states import Look, States

STATES = States(
    {
        "held": Look("○", Tone.NOTICE, rank=0),
        "pending": Look("…", Tone.NOTICE, rank=1),
        "unknown": Look("?", Tone.WARN, over=True, rank=2),
        "refused": Look("×", Tone.BAD, over=True, rank=3),
        "notsent": Look("○", Tone.QUIET, over=True, rank=4),
        "done": Look("√", Tone.GOOD, over=True, rank=5),
        "takenback": Look("←", Tone.QUIET, over=True, rank=6),
    }
)
