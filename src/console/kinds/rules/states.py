"""Display of the states of rules."""

from __future__ import annotations

from console.views.cell import Tone
from console.views.states import StateLook, States

STATES = States(
    {
        "invalid": StateLook("×", Tone.BAD, rank=0),
        "on": StateLook("●", Tone.GOOD, rank=1),
        "off": StateLook("○", Tone.QUIET, rank=2),
    }
)
