"""Tuning of garbage collection and thread switching, so that they do not block the screen.

By default, the collector repeatedly scans all objects: with ten thousand calls for 20 to 150 ms, during which no thread
runs; nearly all of the slowest keys waited for one. Most objects here are long-lived, so they are frozen; the others
are collected often, in small steps.
"""

from __future__ import annotations

import gc
import sys
import time

YOUNG = 2_000
"""New objects per collection. At six thousand events a second, a collection takes 0.4 ms; with ten times as many
objects it took 6, sometimes 10, and all collections together nearly as long."""
LOOKS = 10
"""Collections of new objects per collection of survivors, which takes 5 ms; with 20 of 20,000 objects it was 42."""
OLD_LOOKS = 30
"""Collections of these per full collection, which takes 20 ms."""
SETTLED_SECONDS = 60.0
"""Shortest interval of freezing: reference cycles among frozen objects are never collected."""
TURN_SECONDS = 0.001
"""Longest time a thread may run while another waits; the default is five times as long, for every key."""

TYPED_SECONDS = 0.3
"""Time after a key in which the user may wait for its frame, or for the frame of the next key."""
WAY_SECONDS = 0.02
"""Pause of the engine between two batches of events in this time."""

_settled = -SETTLED_SECONDS
_typed = -TYPED_SECONDS


def begin() -> None:
    """Disable collection before any import: imported objects are long-lived, and scanning them takes a seventh of the
    time until the first frame, and a twentieth of that until the first rows. `prepare` enables it."""
    gc.disable()
    sys.setswitchinterval(TURN_SECONDS)


def prepare() -> None:
    """Enable collection. Call it when all imports are done."""
    gc.enable()
    gc.set_threshold(YOUNG, LOOKS, OLD_LOOKS)
    gc.freeze()


def settle() -> None:
    """Freeze loaded objects after a full collection. Call it after loading long-lived data.

    Frozen objects are still freed when their reference count becomes zero, as for records; only cycles are not.
    """
    global _settled
    now = time.monotonic()
    if gc.isenabled() and now - _settled >= SETTLED_SECONDS:
        _settled = now
        gc.collect()
        gc.freeze()


def typed() -> None:
    """Note a key press, which pauses other work."""
    global _typed
    _typed = time.monotonic()


def way() -> float:
    """Return the seconds for which the engine should pause now; 0 without recent keys."""
    return WAY_SECONDS if time.monotonic() - _typed < TYPED_SECONDS else 0.0
