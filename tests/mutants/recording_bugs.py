"""Bugs of recordings and reports."""

from __future__ import annotations

from tests.mutants.bug import Bug, bug

BUGS: tuple[Bug, ...] = (
    bug(
        "changes that are too many are lost without a gap",
        "recording/writing.py",
        "                self._overflowed = True\n",
        "                queue.popleft()\n",
        "recording/test_recorder.py -k more_changes",
    ),
    bug(
        "a list of the past has no age",
        "recording/observed.py",
        "        age = max(0.0, at_ms / 1000 - proven) if proven else 0.0\n",
        "        age = 0.0\n",
        "recording/test_recorder.py -k freshness",
    ),
    bug(
        "the first of two moments counts as the earlier one",
        "recording/comparing.py",
        "    first, last = sorted(moments)\n",
        "    first, last = moments\n",
        "recording/test_comparing.py -k earlier",
    ),
    bug(
        "own changes are sent to others with their names",
        "recording/cutting.py",
        "            shown = entry if self._pseudonyms is None else self._pseudonyms.entry(entry)\n",
        "            shown = entry\n",
        "recording/test_cutting.py -k personal",
    ),
    bug(
        "a part of a recording replaces an existing file",
        "recording/cutting.py",
        "    if out.is_file() and not force:\n        raise FileExistsError(out)\n",
        "    force = force or out.is_file()\n",
        "recording/test_cutting.py -k private",
    ),
    bug(
        "each answered call counts as answered in time",
        "report/calls.py",
        "            tally.in_time += passage.waited_ms < self._breach\n",
        "            tally.in_time += 1\n",
        "report/test_figures.py -k service_level",
    ),
    bug(
        "a change during an outage counts when the outage ends",
        "report/times.py",
        "self.parts[place][0] < at_ms\n",
        "self.parts[place][0] <= at_ms\n",
        "report/test_figures.py -k not_current",
    ),
    bug(
        "the report has the average in place of the median",
        "report/attention.py",
        "    return round(median(known)) if known else None\n",
        "    return round(sum(known) / len(known)) if known else None\n",
        "report/test_figures.py -k alerts",
    ),
    bug(
        "each alarm of a call counts as another bad call",
        "report/quality.py",
        "100 * self.calls / self.talked",
        "100 * self.alarms / self.talked",
        "report/test_figures.py -k quality",
    ),
    bug(
        "the command of a moment shows the second before",
        "report/moments.py",
        "-(-moment.at_ms // 1000)",
        "moment.at_ms // 1000",
        "report/test_formats.py -k within_a_second",
    ),
)
