"""Display of the states of the connection."""

from __future__ import annotations

from console.live.delta import Freshness
from console.views.cell import Tone
from console.views.states import StateLook, States

STATES = States(
    {
        Freshness.OFFLINE.value: StateLook("×", Tone.BAD, rank=0),
        Freshness.REFUSED.value: StateLook("×", Tone.BAD, rank=0),
        Freshness.STALE.value: StateLook("▲", Tone.WARN, rank=1),
        Freshness.LOADING.value: StateLook("…", Tone.QUIET, rank=2),
        Freshness.POLLING.value: StateLook("○", Tone.NOTICE, rank=3),
        Freshness.LIVE.value: StateLook("●", Tone.GOOD, rank=4),
    }
)
