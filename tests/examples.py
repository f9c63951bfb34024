"""How many examples a property is tried with: always the same few in `make test`, many new ones in `make fuzz`."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

LONG = int(os.environ.get("FUZZ_COUNT", 0))
EXAMPLES = LONG or 30
"""Examples of a usual property; cheaper ones take a multiple, expensive ones a part."""


def load_profile() -> None:
    """Set the defaults of hypothesis. A failing example is printed as a call, with a decorator that repeats it."""
    settings.register_profile(
        "console",
        max_examples=EXAMPLES,
        derandomize=not LONG,
        print_blob=True,
        deadline=None,
        suppress_health_check=(HealthCheck.too_slow,),
    )
    settings.load_profile("console")
