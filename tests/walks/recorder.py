"""Records the files of the console in which a piece of data is, from one end to the other.

A file is a station of a walk if one of its functions holds the data: in a variable, an argument or its result, by
itself or in a small collection. What an object stores does not count for its methods. Modules of the layers below
`records` in pyproject.toml, such as `text` and `clock`, are no stations: they know no data.
"""

from __future__ import annotations

import inspect
import sys
import threading
import tomllib
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any, cast

import console
from console.records.record import Record
from console.records.structured import Structured

SOURCE = f"{Path(console.__file__).parent}/"
FEW = 16
"""Larger collections hold what a list shows, of which the data is only a part."""
DEPTH = 4

Walk = dict[str, list[str]]
"""The stations, in the order in which they first got the data, with their functions in the same order."""


def modules_below_records() -> tuple[str, ...]:
    """Return the beginnings of the paths of all modules in the layers below `records`."""
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))
    layers: list[str] = project["tool"]["importlinter"]["contracts"][0]["layers"]
    names = " : ".join(layers[layers.index("console.records") + 1 :]).split(" : ")
    paths = (name.removeprefix("console.").replace(".", "/") for name in names)
    return tuple(end for path in paths for end in (f"{path}/", f"{path}.py"))


class Recorder:
    """Records walks in the threads of this process."""

    def __init__(self, threads: Callable[[str], bool]) -> None:
        """Record in the threads whose names are accepted: this one, and those that start later."""
        self._threads = threads
        self._excluded = modules_below_records()
        self._data: tuple[str, ...] = ()
        self._beneath: frozenset[str] = frozenset()
        self._calls = 0
        self._open: dict[FrameType, int] = {}
        self._stations: dict[tuple[str, str], int] = {}

    def start(self) -> None:
        """Prepare the threads."""
        threading.setprofile(self._start_thread)
        self._start_thread()

    def begin(self, *data: str, beneath: frozenset[str] = frozenset()) -> None:
        """Begin a walk of data that contains one of these texts.

        If `beneath` names functions, only what they call counts: others draw what happened meanwhile.
        """
        self._stations, self._beneath = {}, beneath
        self._data = data

    def end(self) -> Walk:
        """Return the walk since `begin`."""
        self._data = ()
        walk: Walk = {}
        for (file, function), _ in sorted(self._stations.items(), key=lambda entry: entry[1]):
            walk.setdefault(file, []).append(function)
        return walk

    def _start_thread(self, *_: object) -> None:
        sys.setprofile(self._profile if self._threads(threading.current_thread().name) else None)

    def _profile(self, frame: FrameType, event: str, result: object) -> None:
        code = frame.f_code
        if not self._data or event not in {"call", "return"} or not code.co_filename.startswith(SOURCE):
            return
        file = code.co_filename[len(SOURCE) :]
        if file.startswith(self._excluded):
            return
        # Reading a value may call functions, which are not those of the walk.
        sys.setprofile(None)
        try:
            self._look(frame, event, result, file)
        finally:
            sys.setprofile(self._profile)

    def _look(self, frame: FrameType, event: str, result: object, file: str) -> None:
        if event == "call":
            self._calls += 1
            self._open[frame] = self._calls
        at = self._open.pop(frame, self._calls) if event == "return" else self._calls
        # In Python 3.11, comprehensions are functions.
        function = frame.f_code.co_qualname.partition(".<locals>")[0]
        variables = dict(frame.f_locals)
        variables.pop("self", None)
        holds = self._holds(result) or any(map(self._holds, variables.values()))
        counts = not self._beneath or not self._beneath.isdisjoint(_callers(frame))
        if holds and counts and function != "<module>":
            self._stations[file, function] = min(at, self._stations.get((file, function), at))

    def _holds(self, value: Any, depth: int = DEPTH) -> bool:
        if isinstance(value, str):
            return any(text in value for text in self._data)
        if isinstance(value, bytes):
            return any(text.encode() in value for text in self._data)
        if not depth or inspect.isclass(value):
            return False
        if isinstance(value, Record):
            return self._holds(value.key)
        return any(self._holds(part, depth - 1) for part in _parts(value))


def _parts(value: Any) -> Iterator[Any]:
    if isinstance(value, list | tuple | set | frozenset):
        parts = cast("list[Any]", value)
        yield from parts if len(parts) <= FEW else ()
    elif isinstance(value, dict):
        pairs = cast("dict[Any, Any]", value)
        yield from (*pairs.keys(), *pairs.values()) if len(pairs) <= FEW else ()
    elif isinstance(value, Structured):
        yield from (getattr(value, name) for name in value.declared_fields)
    else:
        names: tuple[str, ...] = getattr(value, "__struct_fields__", ())
        yield from (getattr(value, name, None) for name in names)


def _callers(frame: FrameType | None) -> Iterator[str]:
    while frame is not None:
        yield frame.f_code.co_qualname
        frame = frame.f_back


@contextmanager
def recorded(recorder: Recorder) -> Generator[Recorder]:
    """Record in this thread and in those that start within the block."""
    recorder.start()
    try:
        yield recorder
    finally:
        threading.setprofile(cast("Any", None))
        sys.setprofile(None)
