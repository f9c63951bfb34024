"""The environment of programs that tests start: always the same, except for intended differences.

`make test-elsewhere` runs tests under the conditions of other machines. Otherwise no variable of the machine reaches
the programs, so that a test means the same everywhere.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from console.config.notice_settings import NoticeSettings, Ways
from tests.run_guards import RUN

SILENT = NoticeSettings(ways=Ways((), (), ()))
"""Notices in no way: in most tests, no line about an episode may appear."""
VARIABLE = "TESTS_PASS_ON"
"""Names the variables, separated by commas, that programs take from the environment of the tests."""


def surroundings(usual: Mapping[str, str]) -> dict[str, str]:
    """Return these variables, with those named by `TESTS_PASS_ON` set or unset as in the environment of the tests."""
    passed_on = [RUN, *os.environ.get(VARIABLE, "").split(",")]
    kept = {name: value for name, value in usual.items() if name not in passed_on}
    return kept | {name: os.environ[name] for name in passed_on if name in os.environ}
