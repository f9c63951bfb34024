"""Compare snapshots with the accepted ones, and keep the differences for the report."""

from __future__ import annotations

import importlib
import pickle
import re
from typing import Any

from syrupy.assertion import SnapshotAssertion
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode
from syrupy.location import PyTestLocation

_report: Any = importlib.import_module("pytest_textual_snapshot")

_NEEDLESS = re.compile(
    r' clip-path="url\(#terminal-line-\d+\)"|<clipPath id="terminal-line-\d+">.*?</clipPath>\s*', re.DOTALL
)
_CRISP = ' shape-rendering="crispEdges"'


def slim(svg: str) -> str:
    """Return a picture without the parts that differ from run to run. Idempotent."""
    if _CRISP in svg:
        svg = svg.replace(_CRISP, "").replace("<style>", "<style>rect { shape-rendering: crispEdges }", 1)
    return _NEEDLESS.sub("", re.sub(r"\bterminal-\d+-", "terminal-", svg)).replace("&#160;", "\u00a0")


class SlimPictures(SingleFileSnapshotExtension):
    """One file per picture, named after the test, its parameters and the picture's name in the test."""

    _file_extension = "svg"
    _write_mode = WriteMode.TEXT

    @classmethod
    def get_snapshot_name(cls, *, test_location: PyTestLocation, index: int | str = 0) -> str:
        """Write parameters and the picture's name within the same brackets."""
        return super().get_snapshot_name(test_location=test_location, index=index).replace("][", "-")


class Accepted:
    """The accepted pictures of one test."""

    def __init__(self, snapshot: SnapshotAssertion) -> None:
        self._snapshot = snapshot.use_extension(SlimPictures)
        self._test = snapshot.test_location.item
        self._differing: list[str] = []

    def hold(self) -> None:
        """Fail if a compared picture differs from the accepted one, and name those that do."""
        assert not self._differing, f"{self._differing} not as accepted: see the report"

    def compare(self, svg: str, *parts: str) -> None:
        """Compare a picture with the accepted one of that name. The name is optional in a test with one picture."""
        picture, name = slim(svg), "-".join(parts)
        same = self._snapshot(name=name) == picture
        result = self._snapshot.executions[self._snapshot.num_executions - 1]
        if not same:
            self._differing.append(result.snapshot_name)
        path, line, _ = self._test.reportinfo()
        size = _report.Console(legacy_windows=False, force_terminal=True).size
        app = _report.PseudoApp(_report.PseudoConsole(legacy_windows=False, size=size))
        # The report of `snap_compare`, which takes one picture per test and opens the application itself.
        row = (
            *(same, str(result.final_data), picture, app, path, line, result.snapshot_name, "", ""),
            result.final_data is not None,
        )
        file = _report.node_to_report_path(self._test)
        file.with_name(f"{file.name}_{name}").write_bytes(pickle.dumps(row))
