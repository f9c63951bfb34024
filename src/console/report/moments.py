"""The commands that print a list as it was at a moment of the report."""

from __future__ import annotations

from typing import NamedTuple

from console.base.text import SafeText
from console.kinds.tables import TABLES
from console.report.parts import ReportMoment, clock
from console.report.report import Report
from console.views.past import clock_text
from console.views.quoting import quoted, shell_command
from console.views.render_context import RenderContext

MOST = 300
"""Most moments of a report."""
_LONGEST_KEY = 200


class MomentCommand(NamedTuple):
    """A moment, and the command that shows it."""

    at: SafeText
    command: SafeText


class Moments:
    """The moments of a report, numbered from 1 in the order in which they are asked for."""

    def __init__(self, report: Report, render: RenderContext) -> None:
        self._report = report
        self._render = render
        self._numbers: dict[SafeText, int] = {}
        self.commands: list[MomentCommand] = []

    def number(self, moment: ReportMoment | None) -> int | None:
        """Return the number of a moment; None for none, if there are too many, or if it has no command."""
        if moment is None or not moment.kind or moment.kind not in self._report.lists:
            return None
        command = command_of(moment, self._report, self._render)
        if command is None:
            return None
        known = self._numbers.get(command)
        if known is None and len(self.commands) < MOST:
            self.commands.append(MomentCommand(clock(moment.at_ms, self._report, self._render), command))
            known = self._numbers[command] = len(self.commands)
        return known


def _key_column(kind: str) -> str:
    """Return the column that has the keys of a list: its ids, or what its rows are called."""
    table = TABLES[kind]
    return "id" if any(column.id == "id" for column in table.columns) else table.one


def command_of(moment: ReportMoment, report: Report, render: RenderContext) -> SafeText | None:
    """Return the command for a moment, of the whole list if the key is too long; None if the profile is.

    Nothing in it is run by a shell, whatever the key and the profile contain.
    """
    # Rounded up, because nothing may be known of the beginning of the second.
    at = clock_text(-(-moment.at_ms // 1000) * 1000, render.zone)
    arguments = ["console", "list", moment.kind, "--at", at]
    if report.profile:
        arguments += [f"--profile={report.profile}"] if report.profile[0] == "-" else ["--profile", report.profile]
    if moment.key and len(moment.key) <= _LONGEST_KEY and moment.key.isprintable() and moment.kind in TABLES:
        filtered = shell_command([*arguments, "--filter", f"{_key_column(moment.kind)}={quoted(moment.key)}"])
        if filtered is not None:
            return filtered
    return shell_command(arguments)
