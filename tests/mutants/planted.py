"""The bugs to plant, each of which some fast test must detect.

`tools/plant.py` applies them to a copy of the source, one at a time, and runs the tests that each names.
"""

from __future__ import annotations

from tests.mutants import (
    base_bugs,
    cli_bugs,
    kinds_bugs,
    live_bugs,
    notice_bugs,
    recording_bugs,
    screen_bugs,
    service_bugs,
)
from tests.mutants.bug import Bug

BUGS: tuple[Bug, ...] = (
    *base_bugs.BUGS,
    *service_bugs.BUGS,
    *live_bugs.BUGS,
    *kinds_bugs.BUGS,
    *screen_bugs.BUGS,
    *notice_bugs.BUGS,
    *recording_bugs.BUGS,
    *cli_bugs.BUGS,
)
