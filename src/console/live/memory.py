"""Return free memory to the system.

During the first list of ten thousand calls, their bytes exist twice, and in fragments; during thousands of changes a
second, messages are always in transit. All of that is freed, but glibc keeps the gaps between live objects: three
megabytes after the first list, a fifth of the calls' memory, and two to four in an hour.
"""

from __future__ import annotations

import ctypes


def give_back() -> None:
    """Return free memory. Takes 0.2 to 0.4 ms without blocking other threads; no effect without glibc."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
