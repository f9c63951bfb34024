"""Counts calls of Python functions, by thread and function.

Only functions of the console are counted. Those of libraries depend on the versions of Python and Textual, and asyncio
calls some as often as its loop turns, which depends on the machine. Comprehensions are functions only before Python
3.12, and annotations only from 3.14 on.
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

Calls = dict[str, Counter[str]]
"""Number of calls by thread and function."""


class CallCounter:
    """Counts the calls in this thread while a figure is measured, and in threads that start later."""

    def __init__(self) -> None:
        self._threads: list[tuple[str, defaultdict[CodeType, int]]] = []
        self._before: Calls = {}
        self._profile: Any = None

    def start(self) -> None:
        """Count from now on."""
        threading.setprofile(self._profile_thread)
        self._profile_thread()
        self._profile = sys.getprofile()

    def begin(self) -> None:
        """Begin a figure. All threads must be at rest."""
        self._before = self._all()
        sys.setprofile(self._profile)

    def end(self) -> Calls:
        """Return the calls since `begin`. All threads must be at rest."""
        # Counting makes everything slower.
        sys.setprofile(None)
        return {role: calls - self._before.get(role, Counter()) for role, calls in self._all().items()}

    def _profile_thread(self, *_: object) -> None:
        calls: defaultdict[CodeType, int] = defaultdict(int)
        self._threads.append((_ROLES.get(threading.current_thread().name, OTHER), calls))

        def count(frame: FrameType, event: str, _argument: Any) -> None:
            if event == "call":
                calls[frame.f_code] += 1

        sys.setprofile(count)

    def _all(self) -> Calls:
        found: Calls = {SCREEN: Counter(), ENGINE: Counter(), OTHER: Counter()}
        for role, calls in self._threads:
            for code, number in list(calls.items()):
                if code.co_filename.startswith(SOURCE) and code.co_name not in _OF_SOME_VERSIONS:
                    found[role][f"{code.co_filename[len(SOURCE) + 1 :]}:{code.co_qualname}"] += number
        return found
