"""The environment of programs that tests start: the same everywhere, apart from what is to differ on purpose.

`make test-elsewhere` runs tests as on other machines. Without it, no variable of the machine reaches the programs, so
that a test means the same wherever it runs.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

VARIABLE = "TESTS_PASS_ON"
"""Names the variables, with commas between, that programs take from the environment of the tests."""


def surroundings(usual: Mapping[str, str]) -> dict[str, str]:
    """Return these variables, with those that `TESTS_PASS_ON` names as they are set, or not set, for the tests."""
    passed_on = os.environ.get(VARIABLE, "").split(",")
    kept = {name: value for name, value in usual.items() if name not in passed_on}
    return kept | {name: os.environ[name] for name in passed_on if name in os.environ}
