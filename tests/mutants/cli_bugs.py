"""Bugs of the command line."""

from __future__ import annotations

from tests.mutants.bug import Bug, bug

BUGS: tuple[Bug, ...] = (
    bug(
        "callers who wait for an unknown time wait for 0 s in metrics",
        "cli/checks/figures.py",
        "    elif many == 0:\n",
        "    else:\n",
        "cli/test_metrics.py -k without_a_time",
    ),
    bug(
        "in the report, what went on at the end of the recording goes on until now",
        "report/report.py",
        "known.last(latest.gone.get(key, last), first) if ended is None else ended",
        "last if ended is None else ended",
        "report/test_figures.py -k lasts_until",
    ),
    bug(
        "the report does not tell the two hours apart when clocks are set back",
        "report/parts.py",
        'clock_text(value, render.zone, "minutes") for',
        'f"{datetime.fromtimestamp(value / 1000, render.zone):%Y-%m-%d %H:%M}" for',
        "report/test_formats.py -k twice",
    ),
    bug(
        "failed calls count for as long as they are listed",
        "kinds/calls/facts.py",
        "(call.to or 0) < since and (ended_at(call) or 0) >= since]",
        "(call.to or 0) < 0]",
        "cli/test_status.py -k long_ago",
    ),
    bug(
        "figures count only the caller's own chats",
        "cli/checks/figures.py",
        "len(table.combined(render))",
        "len(self._backend.records(kind))",
        "cli/test_metrics.py -k other_agents",
    ),
    bug(
        "a past list that was not known meets the expectation of no rows",
        "cli/lists/list.py",
        "_expected(matched, name, expect, holds) if complete else Exit.FAILED",
        "_expected(matched, name, expect, holds) if complete or not matched else Exit.FAILED",
        "cli/test_recordings.py -k expectation",
    ),
    bug(
        "a worker that was killed is not replaced",
        "cli/service/workers.py",
        "if now >= self._next_start:",
        "if not self._next_start:",
        "service/test_workers.py -k replaced",
    ),
    bug(
        "calls in unknown states count as active",
        "cli/checks/status.py",
        'return sum(known), render.extent("calls") is Extent.WHOLE and all(known)',
        'return len(known), render.extent("calls") is Extent.WHOLE',
        "cli/test_unknown_lists.py",
    ),
    bug(
        "a demo runs files of the current folder",
        "cli/service/demo.py",
        'sys.executable, "-P", "-m"',
        'sys.executable, "-m"',
        "terminal/test_demo.py -k current_folder",
    ),
    bug(
        "other programs inherit the password",
        "cli/profiles/credentials.py",
        '{"CONSOLE_PASSWORD", "CONSOLE_SMTP_PASSWORD"',
        '{"CONSOLE_SMTP_PASSWORD"',
        "cli/test_canaries.py -k no_command",
    ),
    bug(
        "console call prints whatever was sent",
        "cli/lists/call.py",
        "    await client.read(request, fetched)\n",
        "",
        "cli/test_portals.py -k no_invalid_answer",
    ),
    bug(
        "a missing permission exits like any other failure",
        "cli/error_reports.py",
        "errors.LoginNeeded | errors.Forbidden | errors.ReadOnly",
        "errors.LoginNeeded | errors.ReadOnly",
        "cli/test_exit_codes.py -k permission",
    ),
    bug(
        "a wide change is sent without a question",
        "cli/lists/call.py",
        "if yes or guarded < Guard.WIDE",
        "if yes or guarded <= Guard.WIDE",
        "cli/test_confirmation.py",
    ),
    bug(
        "a change without any outcome counts as resolved",
        "cli/past/journal.py",
        'change.stage in {"", "unknown"}',
        'change.stage == "unknown"',
        "cli/test_journal.py",
    ),
)
