"""Counts calls of Python functions and executed lines, by thread and function.

Only functions of the console are counted. Those of libraries depend on the versions of Python and Textual, and asyncio
calls some as often as its loop turns, which depends on the machine. Comprehensions are functions only before Python
3.12, and annotations only from 3.14 on. A comprehension that walks over all rows is no call: its turns are lines.
"""

from __future__ import annotations

import sys
import threading
from collections import Counter, defaultdict
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import console

SOURCE = str(Path(console.__file__).parent)
SCREEN, ENGINE, OTHER = "screen", "engine", "other"
_ROLES = {"MainThread": SCREEN, "console-engine": ENGINE}
_OF_SOME_VERSIONS = frozenset({"<listcomp>", "<dictcomp>", "<setcomp>", "__annotate__"})

Counts = defaultdict[CodeType, int]


class Work:
    """The work of the threads with one role."""

    def __init__(self, calls: Counter[str], lines: Counter[str]) -> None:
        """Calls, and executed lines, by function."""
        self.calls, self.lines = calls, lines

    def since(self, before: Work) -> Work:
        """Return what was done after an earlier moment."""
        return Work(self.calls - before.calls, self.lines - before.lines)


class CallCounter:
    """Counts the work of this thread while a figure is measured, and of threads that start later."""

    def __init__(self) -> None:
        self._threads: list[tuple[str, Counts, Counts]] = []
        self._before = self._all()
        self._trace: Any = None
        self._counting = False

    def start(self) -> None:
        """Count from now on."""
        threading.settrace(self._trace_thread)
        self._trace_thread()
        self._trace = sys.gettrace()

    def begin(self) -> None:
        """Begin a figure. All threads must be at rest."""
        self._before = self._all()
        self._counting = True
        sys.settrace(self._trace)

    def end(self) -> dict[str, Work]:
        """Return the work since `begin`, by role. All threads must be at rest."""
        # Counting makes everything slower. Other threads keep their trace, which counts nothing.
        self._counting = False
        sys.settrace(None)
        return {role: work.since(self._before[role]) for role, work in self._all().items()}

    def _trace_thread(self, *_: object) -> None:
        calls: Counts = defaultdict(int)
        lines: Counts = defaultdict(int)
        self._threads.append((_ROLES.get(threading.current_thread().name, OTHER), calls, lines))

        def count_line(frame: FrameType, event: str, _argument: Any) -> Any:
            if event == "line" and self._counting:
                lines[frame.f_code] += 1
            return count_line

        def count_call(frame: FrameType, _event: str, _argument: Any) -> Any:
            code = frame.f_code
            if not self._counting or not code.co_filename.startswith(SOURCE):
                return None
            calls[code] += 1
            return count_line

        sys.settrace(count_call)

    def _all(self) -> dict[str, Work]:
        work = {role: Work(Counter(), Counter()) for role in (SCREEN, ENGINE, OTHER)}
        for role, calls, lines in self._threads:
            for code, number in list(calls.items()):
                if code.co_name not in _OF_SOME_VERSIONS:
                    work[role].calls[_name(code)] += number
            for code, number in list(lines.items()):
                work[role].lines[_name(code)] += number
        return work


def _name(code: CodeType) -> str:
    return f"{code.co_filename[len(SOURCE) + 1 :]}:{code.co_qualname}"
