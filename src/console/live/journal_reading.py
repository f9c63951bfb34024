"""Verify the journal, and read its changes and unresolved intents."""

from __future__ import annotations

import itertools
import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from console.base.frozen import Frozen
from console.config.paths import open_regular
from console.live.journal import FIRST, end_of, entry_of, mark_of, put_aside, with_hash

_BEGINNING = re.compile(rb'^\{"number":\d+,"what":"(intent|result)","command":"([^"\\]*)"')
"""Start of the lines that open and close a change."""
_HASH_LENGTH = len(b',"hash":""}\n') + len(FIRST)


class Flaw(Frozen):
    """The first line that does not match the previous one."""

    file: Path
    line: int
    reason: str


class JournalVerdict(Frozen):
    """Result of a verification."""

    lines: int
    """Number of unaltered lines, up to the flaw."""
    files: int
    flaw: Flaw | None


def verify(path: Path) -> JournalVerdict:
    """Verify every line of a journal, including renamed files, and its end.

    A person with write access can create a whole new journal: store its last hash elsewhere to detect that.
    """
    mark = mark_of(path)
    previous, number, at, files = FIRST, 0, 0, [*put_aside(path), *([path] if os.path.lexists(path) else [])]
    file = path
    for file in files:
        at = 0
        with open_regular(file) as lines:
            for at, raw in enumerate(lines, start=1):
                reason = _reason(raw, number + 1, previous)
                if reason is None:
                    number += 1
                    previous = raw[-67:-3].decode()
                    if mark is not None and number == mark[0] and previous != mark[1]:
                        reason = "the line was replaced"
                if reason is not None:
                    return JournalVerdict(number, len(files), Flaw(file, at, reason))
    last = mark[0] if mark is not None else 0
    if number and mark is None:
        return JournalVerdict(
            number, len(files), Flaw(file, at + 1, f"{end_of(path).name}, which marks the end, is missing")
        )
    if last > number:
        reason = f"the end is missing: {last - number} lines, up to number {last}"
        return JournalVerdict(number, len(files), Flaw(file, at + 1, reason))
    return JournalVerdict(number, len(files), None)


def _reason(raw: bytes, number: int, previous: str) -> str | None:
    """Return why a line cannot be the one with this number, or None."""
    entry = entry_of(raw)
    if entry is None:
        return "it cannot be read"
    if with_hash(raw[:-_HASH_LENGTH] + b"}") != raw:
        return "it was altered"
    if entry.get("previous") != previous or entry["number"] != number:
        return "lines before it are missing or out of order"
    return None


class JournalChange(Frozen):
    """A change in the journal."""

    intent: Mapping[str, Any]
    outcomes: tuple[Mapping[str, Any], ...] = ()
    """The outcomes of its steps, as far as written."""
    stage: str = ""
    """The result of the whole command; empty if it was never written, and so is unknown."""


def changes(path: Path, unread: Counter[Path]) -> Iterator[JournalChange]:
    """Yield all changes in the order of their decisions. Unreadable lines are skipped, and counted by file."""

    def read(file: Path, raw: bytes) -> Mapping[str, Any]:
        entry = entry_of(raw)
        unread[file] += entry is None
        return entry or {}

    return joined(read(file, raw) for file in (*put_aside(path), path) for raw in _lines(file))


def joined(entries: Iterable[Mapping[str, Any]]) -> Iterator[JournalChange]:
    """Yield the changes that entries of a journal tell of, in the order of their decisions."""
    journal_changes: dict[str, JournalChange] = {}
    for entry in entries:
        name = str(entry.get("command"))
        match entry.get("what"):
            case "intent":
                journal_changes[name] = JournalChange(entry)
            case "outcome" if name in journal_changes:
                before = journal_changes[name]
                journal_changes[name] = JournalChange(before.intent, (*before.outcomes, entry), before.stage)
            case "result" if name in journal_changes:
                before = journal_changes[name]
                journal_changes[name] = JournalChange(before.intent, before.outcomes, str(entry.get("stage")))
            case _:
                continue
    return iter(journal_changes.values())


def unresolved(path: Path, running: Callable[[str], bool] = lambda _console: False) -> tuple[Mapping[str, Any], ...]:
    """Return the intents without an outcome: the console ended in between.

    Intents of a console that is `running` may still get one.
    """
    waiting: dict[bytes, bytes] = {}
    for raw in itertools.chain.from_iterable(map(_lines, (*put_aside(path)[-1:], path))):
        begins = _BEGINNING.match(raw)
        if begins is None:
            continue
        what, command = begins.groups()
        if what == b"intent":
            waiting[command] = raw
        else:
            waiting.pop(command, None)
    read = (entry_of(raw) for raw in waiting.values())
    return tuple(entry for entry in read if entry is not None and not running(str(entry.get("console"))))


def _lines(file: Path) -> Iterator[bytes]:
    try:
        with open_regular(file) as lines:
            yield from lines
    except FileNotFoundError:
        # A link to a missing file has lost its changes; a journal that is not there has none yet.
        if os.path.lexists(file):
            raise
