"""What keeps the interpreter from holding up the screen: its collector, and threads that do not give way.

Left alone, the collector looks through everything that is alive again and again: with ten thousand calls that is
20 to 150 ms during which no thread runs, and of the slowest keys nearly all met one. Most of what lives here is known
to stay, so it is hidden from the collector; the rest it looks through often, and little at a time.
"""

from __future__ import annotations

import gc
import sys
import time

YOUNG = 2_000
"""Objects that come to be between two looks of the collector. While six thousand events come in every second a look
takes 0.4 ms; it took 6, now and then 10, with ten times as many, and all looks together took nearly as long."""
LOOKS = 10
"""Looks after which those are looked through again that were left: 5 ms. At 20 looks of 20,000 each it was 42."""
OLD_LOOKS = 30
"""How many of these go by before everything else is looked through as well, which takes 20 ms."""
SETTLED_SECONDS = 60.0
"""How often at most what is loaded is put aside: circles put aside with it are never found, should they break up."""
TURN_SECONDS = 0.001
"""How long a thread that computes may go on while another one waits; five times that by default, for every key."""

TYPED_SECONDS = 0.3
"""How long after a key the person may still wait for its frame, or for that of the next one."""
WAY_SECONDS = 0.02
"""How long the engine rests between two helpings of events meanwhile."""

_settled = -SETTLED_SECONDS
_typed = -TYPED_SECONDS


def begin() -> None:
    """Call it before anything is imported: what comes in now stays, and looking through it takes a seventh of the time
    until the first frame. `prepare` ends it."""
    gc.disable()


def prepare() -> None:
    """Call it once everything that the first screen needs is imported."""
    gc.enable()
    gc.set_threshold(YOUNG, LOOKS, OLD_LOOKS)
    gc.freeze()
    sys.setswitchinterval(TURN_SECONDS)


def settle() -> None:
    """Call it when much has been loaded that will stay: the collector looks through it a last time.

    What is put aside is still freed when nobody refers to it any more, as records are; only circles are not.
    """
    global _settled
    now = time.monotonic()
    if now - _settled >= SETTLED_SECONDS:
        _settled = now
        gc.collect()
        gc.freeze()


def typed() -> None:
    """Call it for every key: whatever else there is to do has time."""
    global _typed
    _typed = time.monotonic()


def way() -> float:
    """Return for how many seconds the engine should leave the interpreter to the screen now; 0 while nobody types."""
    return WAY_SECONDS if time.monotonic() - _typed < TYPED_SECONDS else 0.0
