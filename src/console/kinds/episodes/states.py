"""Display of the states and severities of episodes."""

from __future__ import annotations

from console.views.cell import Tone
from console.views.states import StateLook, States

STATES = States(
    {
        "active": StateLook("●", Tone.WARN, rank=0),
        "muted": StateLook("║", Tone.QUIET, rank=1),
        "ended": StateLook("√", Tone.QUIET, over=True, rank=2),
    }
)
SEVERITIES = States(
    {
        "critical": StateLook("×", Tone.BAD, rank=0),
        "warning": StateLook("▲", Tone.WARN, rank=1),
        "notice": StateLook("·", Tone.NOTICE, rank=2),
    }
)
