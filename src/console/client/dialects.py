"""Our own dialect, and the classes of others by their names. Only the named one is imported."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib.metadata import EntryPoint, entry_points
from typing import Any, cast

from console.api.errors import ApiError
from console.api.events import DAMAGED, Control, Damaged, Event, Point, Subscribe
from console.client.dialect import ChannelSettings, Dialect, Message, Target
from console.client.endpoint import HINTS_DIALECT, OWN_DIALECT
from console.client.hints import Hints
from console.config.settings import nearest
from console.records.raw import UNREADABLE, NotJson, decoder, encode, message_reader

_control = message_reader(Control)
_event = decoder(Event)


class OwnDialect:
    """The protocol of `docs/events.md`, with offsets that prove completeness."""

    def __init__(self, _settings: ChannelSettings, /) -> None:
        """Need no settings."""

    def open(self, target: Target) -> Target:
        """Connect to the URL itself."""
        return target

    def greet(self, topics: tuple[str, ...], resume: Point | None) -> tuple[str, ...]:
        """Subscribe."""
        return (encode(Subscribe(topics=topics, resume=resume)).decode(),)

    def read(self, frames: Sequence[bytes]) -> Sequence[Message]:
        """Parse the messages. Unknown ones are skipped: a lost event appears as a gap in the offsets."""
        if _is_utf8(b"\n".join(frames)):
            # Mostly all of them are events.
            with suppress(*UNREADABLE):
                return [*map(_event, frames)]
        came = [read_message(text) for text in frames]
        return [message for message in came if message is not None]

    def reply(self) -> tuple[str, ...]:
        """Send nothing: the service needs no answers."""
        return ()

    def closed(self, _code: int, _reason: str, /) -> ApiError | None:
        """Leave the codes to the client: the service defines them."""
        return None


def read_message(text: bytes) -> Event | Control | Damaged | None:
    """Parse a message of the service; return None for an unknown one."""
    if not _is_utf8(text):
        return DAMAGED
    try:
        return _event(text)
    except UNREADABLE:
        return _read_control(text)


def _read_control(text: bytes) -> Control | Damaged | None:
    try:
        return _control(text)
    except NotJson:
        return DAMAGED
    except ValueError:
        return None


def _is_utf8(text: bytes) -> bool:
    """Return whether a text is valid UTF-8. The body of an event is parsed later, and unknown fields never."""
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return True


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
    loaded: list[Any] = []
    faults: list[str] = []

    def load() -> None:
        try:
            loaded.append(point.load())
        except BaseException as error:  # The code of others may raise anything, even SystemExit.
            faults.append(words_of(error))

    thread = threading.Thread(target=load, name="console-dialect-import", daemon=True)
    thread.start()
    thread.join(IMPORT_SECONDS)
    if not (loaded or faults):
        faults.append(f"its import takes more than {IMPORT_SECONDS:g} s")
    if faults:
        raise DialectFault(f"dialect {point.name!r} cannot be imported: {faults[0]}")
    return loaded[0]


def words_of(error: BaseException) -> str:
    """Return type and message of an exception in the code of others, on one line."""
    try:
        text = str(error)
    except BaseException:  # Its __str__ is the code of others, too.
        text = ""
    return " ".join(f"{type(error).__name__}: {text}"[:_LONGEST_WORDS].split()).removesuffix(":")
