"""What keeps the interpreter from holding up the screen: its collector, and threads that do not give way.

Left alone, the collector looks through everything that is alive again and again: with ten thousand calls that is
20 to 150 ms during which no thread runs, and of the slowest keys nearly all met one. Most of what lives here is known
to stay, so it is taken out of the collector's sight; what it still looks through takes about a millisecond.
"""

from __future__ import annotations

import gc
import sys
import time

YOUNG = 20_000
"""Objects that come to be between two looks of the collector: a look takes 1 to 2 ms."""
SETTLED_SECONDS = 60.0
"""How often at most what is loaded is put aside: circles put aside with it are never found, should they break up."""
TURN_SECONDS = 0.001
"""How long a thread that computes may go on while another one waits; five times that by default, for every key."""

_settled = -SETTLED_SECONDS


def begin() -> None:
    """Call it before anything is imported: what comes in now stays, and looking through it takes a seventh of the time
    until the first frame. `prepare` ends it."""
    gc.disable()


def prepare() -> None:
    """Call it once everything that the first screen needs is imported."""
    gc.enable()
    gc.set_threshold(YOUNG, 20, 20)
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
