"""Symbols of what became of a record between two moments."""

from __future__ import annotations

from console.views.cell import Tone
from console.views.states import StateLook, States

STATES = States(
    {
        "came": StateLook("●", Tone.GOOD, rank=1),
        "went": StateLook("○", Tone.WARN, rank=2),
        "changed": StateLook("≠", Tone.NOTICE, rank=3),
    }
)
