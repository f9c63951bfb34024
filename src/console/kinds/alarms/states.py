"""How the urgencies of alarms are shown."""

from __future__ import annotations

from console.views.cell import Tone
from console.views.states import Look, States

STATES = States(
    {
        "critical": Look("▲", Tone.BAD, rank=0),
        "high": Look("▲", Tone.BAD, rank=1),
        "error": Look("▲", Tone.BAD, rank=1),
        "major": Look("▲", Tone.BAD, rank=1),
        "warning": Look("∆", Tone.WARN, rank=2),
        "warn": Look("∆", Tone.WARN, rank=2),
        "medium": Look("∆", Tone.WARN, rank=2),
        "minor": Look("▼", Tone.NOTICE, rank=3),
        "low": Look("▼", Tone.NOTICE, rank=3),
        "info": Look("▼", Tone.QUIET, rank=4),
    }
)
