"""Find the class of a dialect by its name. Only the named one is imported."""

from __future__ import annotations

import threading
from collections.abc import Callable
from importlib.metadata import EntryPoint, entry_points
from typing import Any, cast

from console.client.dialect import ChannelSettings, Dialect
from console.client.endpoint import HINTS_DIALECT, OWN_DIALECT
from console.client.hints import Hints
from console.client.own_dialect import OwnDialect
from console.config.settings import nearest

GROUP = "console.dialects"
"""The entry point group of installed dialects."""
METHODS = ("open", "greet", "read", "reply", "closed")
IMPORT_SECONDS = 10.0
"""Longest import of a dialect."""
_LONGEST_WORDS = 300

MakeDialect = Callable[[ChannelSettings], Dialect]

BUILT_IN: dict[str, MakeDialect] = {OWN_DIALECT: OwnDialect, HINTS_DIALECT: Hints}
"""Dialects of the console itself, which are trusted to return."""


class DialectFault(ValueError):
    """A dialect cannot be used; the message is a sentence without the key of the configuration."""


def find_dialect(name: str) -> MakeDialect:
    """Return the class of a dialect. Raise DialectFault if it is not installed, not importable, or no dialect."""
    return BUILT_IN.get(name) or _installed(name)


def _installed(name: str) -> MakeDialect:
    points = entry_points(group=GROUP)
    matching_points = [point for point in points if point.name == name]
    if not matching_points:
        known = sorted({*BUILT_IN, *(point.name for point in points)})
        raise DialectFault(f"no dialect {name!r} is installed{nearest(name, known)}")
    imported = _imported(matching_points[0])
    lacking = [method for method in METHODS if not callable(getattr(imported, method, None))]
    if not isinstance(imported, type):
        raise DialectFault(
            f"dialect {name!r} is not a class, but {type(imported).__name__} ({matching_points[0].value})"
        )
    if lacking:
        raise DialectFault(f"dialect {name!r} has no method {', '.join(lacking)} ({matching_points[0].value})")
    return cast(MakeDialect, imported)


def _imported(point: EntryPoint) -> Any:
    """Import in another thread: the code of others may raise anything, or never end."""
    found: list[Any] = []
    faults: list[str] = []

    def load() -> None:
        try:
            found.append(point.load())
        except BaseException as error:  # The code of others may raise anything, even SystemExit.
            faults.append(words_of(error))

    thread = threading.Thread(target=load, name="console-dialect-import", daemon=True)
    thread.start()
    thread.join(IMPORT_SECONDS)
    if not (found or faults):
        faults.append(f"its import takes more than {IMPORT_SECONDS:g} s")
    if faults:
        raise DialectFault(f"dialect {point.name!r} cannot be imported: {faults[0]}")
    return found[0]


def words_of(error: BaseException) -> str:
    """Return type and message of an exception in the code of others, on one line."""
    try:
        text = str(error)
    except BaseException:  # Its __str__ is the code of others, too.
        text = ""
    return " ".join(f"{type(error).__name__}: {text}"[:_LONGEST_WORDS].split()).removesuffix(":")
