"""Return free memory to the system.

During the first list of ten thousand calls, their bytes exist twice, and in fragments; during thousands of changes a
second, messages are always in transit. All of that is freed, but glibc keeps the gaps between live objects: a quarter
of the calls' memory after the first list, and two to four megabytes in an hour.
"""

from __future__ import annotations

import ctypes

LARGE = 128 * 1024
"""Bytes from which a block is mapped on its own, and unmapped when it is freed. glibc begins with this, but raises it
to the largest block that was ever freed."""
_MMAP_THRESHOLD = -3
_ARENA_MAX = -8


def keep_together() -> None:
    """Keep large blocks, such as the body of a list, apart from small ones, and these in one heap for all threads,
    which otherwise leave gaps in one each. No effect without glibc."""
    set_option = getattr(ctypes.CDLL(None), "mallopt", None)
    if set_option is not None:
        set_option(_MMAP_THRESHOLD, LARGE)
        set_option(_ARENA_MAX, 1)


def give_back() -> None:
    """Return free memory. Takes 0.2 to 0.4 ms without blocking other threads; no effect without glibc."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
