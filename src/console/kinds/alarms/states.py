"""Display of alarm urgencies."""

from __future__ import annotations

from console.views.cell import Tone
from console.views.states import StateLook, States

STATES = States(
    {
        "critical": StateLook("▲", Tone.BAD, rank=0),
        "high": StateLook("▲", Tone.BAD, rank=1),
        "error": StateLook("▲", Tone.BAD, rank=1),
        "major": StateLook("▲", Tone.BAD, rank=1),
        "warning": StateLook("∆", Tone.WARN, rank=2),
        "warn": StateLook("∆", Tone.WARN, rank=2),
        "medium": StateLook("∆", Tone.WARN, rank=2),
        "minor": StateLook("▼", Tone.NOTICE, rank=3),
        "low": StateLook("▼", Tone.NOTICE, rank=3),
        "info": StateLook("▼", Tone.QUIET, rank=4),
    }
)
