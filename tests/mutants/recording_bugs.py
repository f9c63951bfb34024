"""Bugs of recordings and reports."""

from __future__ import annotations

from tests.mutants.bug import Bug, bug

BUGS: tuple[Bug, ...] = (
    bug(
        "two users of one service share a recording",
        "recording/identities.py",
        "{self.service.key}-{_digest(self.account)[:12]}",
        "{self.service.key}-{_digest(self.service.key)[:12]}",
        "recording/test_identities.py -k nothing_is_shared",
    ),
    bug(
        "a service with another epoch is the one that was at its address before",
        "recording/identities.py",
        "if service.address == address and not service.epochs), None)",
        "if service.address == address), None)",
        "recording/test_identities.py -k nothing_is_shared",
    ),
    bug(
        "time in which the machine slept is recorded as known",
        "recording/writing.py",
        "broken = self._clock.breaks.after(breaks)",
        "broken = self._clock.breaks.after(self._clock.breaks.look())",
        "recording/test_unobserved.py",
    ),
    bug(
        "charts show the evening beside the morning after a sleep",
        "live/history.py",
        "self._epoch = max(self._epoch, self._clock.now_ms() / 1000 - self._clock.monotonic())",
        "self._epoch = min(self._epoch, self._clock.now_ms() / 1000 - self._clock.monotonic())",
        "recording/test_unobserved.py -k charts",
    ),
    bug(
        "a stopped console notices nothing",
        "base/clock.py",
        "passed > self._stopped_seconds:",
        "passed > 60 * self._stopped_seconds:",
        "recording/test_unobserved.py -k stopped_process",
    ),
    bug(
        "changes that are too many are lost without a gap",
        "recording/writing.py",
        "                self._overflowed = True\n",
        "                queue.popleft()\n",
        "recording/test_recorder.py -k more_changes",
    ),
    bug(
        "the process that writes a recording gets the password of the console",
        "recording/writer_process.py",
        "for name, value in os.environ.items() if name in _ENVIRONMENT}",
        "for name, value in os.environ.items()}",
        "recording/test_writer_process.py -k ends_with_the_recorder",
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
        "            written_entry = entry if self._pseudonyms is None else self._pseudonyms.entry(entry)\n",
        "            written_entry = entry\n",
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
        "            counts.in_time += passage.waited_ms < self._breach\n",
        "            counts.in_time += 1\n",
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
        "report/report.py",
        "    return round(median(known)) if known else None\n",
        "    return round(sum(known) / len(known)) if known else None\n",
        "report/test_figures.py -k alerts",
    ),
    bug(
        "each alarm of a call counts as another bad call",
        "report/calls.py",
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
