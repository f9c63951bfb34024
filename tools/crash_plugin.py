"""A plugin of pytest that tells failed tests from crashes in a file with a planted bug.

The variable PLANTED_FILE names the file. The run ends with the first failed test that is no crash in it. If all
failures are crashes, the exit code is CRASHED.
"""

from __future__ import annotations

import os
import traceback
from pathlib import Path
from typing import Any

import pytest

VARIABLE = "PLANTED_FILE"
CRASHED = 20
_CRASHES = (AttributeError, ImportError, NameError, TypeError)


def is_crash(error: BaseException, file: Path) -> bool:
    """Return whether an error, or the one that caused it, is of a type that wrong code raises, and raised in a file."""
    frames = list(traceback.walk_tb(error.__traceback__))
    if isinstance(error, _CRASHES) and frames and Path(frames[-1][0].f_code.co_filename) == file:
        return True
    return error.__cause__ is not None and is_crash(error.__cause__, file)


def pytest_exception_interact(
    node: pytest.Item | pytest.Collector, call: pytest.CallInfo[Any], report: pytest.CollectReport | pytest.TestReport
) -> None:
    """Stop after a failure that is no crash."""
    del report
    if call.excinfo is not None and not is_crash(call.excinfo.value, Path(os.environ.get(VARIABLE, ""))):
        node.session.shouldfail = "a test has failed"


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Set the exit code if every failure was a crash."""
    if session.testsfailed and not session.shouldfail:
        session.exitstatus = CRASHED
