"""The dialect `hints`: another protocol, whose frames only say which lists have changed.

Nothing is believed but that a list is worth asking again. A frame that cannot be read is skipped and counted.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, cast

from console.api.errors import ApiError, LoginNeeded
from console.api.events import Hint, Point
from console.base.patterns import BadPattern, compiled
from console.client.dialect import ChannelSettings, SseFrame, Target

LARGEST_FRAME = 256 * 1024
"""Bytes of a frame that is read; larger ones are skipped."""
MOST_TEXTS = 1_000
"""Texts of one frame that are looked up."""
_SAMPLE = 200
"""Characters of a frame that may be shown."""
TOKEN = "{token}"
_LOGIN_ENDED = frozenset({1008, 3000, 4401, 4501})
"""Close codes of an ended login: a policy of the server (RFC 6455), `Unauthorized` in the registry, the same in the
range for applications, and ours."""


class Hints:
    """Looks up a text of each frame among the lists of the profile."""

    def __init__(self, settings: ChannelSettings, /) -> None:
        """Raise BadPattern for an invalid `resource`; the configuration is checked before."""
        self._settings = settings
        self._texts = texts_in(settings.resource)
        self._token = ""

    def open(self, target: Target, /) -> Target:
        """Connect to the URL itself."""
        self._token = target.token
        return target

    def greet(self, _topics: tuple[str, ...], _resume: Point | None, /) -> tuple[str, ...]:
        """Send the frames of the profile."""
        return tuple(_with_token(value, self._token) for value in self._settings.say)

    def read(self, frames: Sequence[bytes], /) -> Sequence[Hint]:
        """Return one hint for all frames."""
        lists: dict[str, None] = {}
        skipped = 0
        unknown = ""
        for frame in frames:
            try:
                texts = list(islice(self._texts(frame), MOST_TEXTS)) if len(frame) <= LARGEST_FRAME else []
            except (ValueError, RecursionError):
                texts = []
            skipped += not texts
            named = [value for text in texts for value in self._named(text)]
            lists.update(dict.fromkeys(named))
            unknown = unknown or ("" if named else self._beginning(frame))
        return [Hint(tuple(lists), len(frames), skipped, unknown)]

    def reply(self) -> tuple[str, ...]:
        """Send nothing more."""
        return ()

    def closed(self, code: int, reason: str, /) -> ApiError | None:
        """Return LoginNeeded for the codes of an ended login."""
        if code not in _LOGIN_ENDED:
            return None
        text = f"the event channel was closed ({code}{': ' + reason if reason else ''})"
        return LoginNeeded(text)

    def _beginning(self, frame: bytes) -> str:
        """Return what can be said of a frame: it may repeat the credential."""
        text = frame[:LARGEST_FRAME].decode(errors="replace")
        return (text.replace(self._token, "…") if self._token else text)[:_SAMPLE].strip()

    def _named(self, text: str) -> tuple[str, ...]:
        """Return the lists of this text, or of the longest one that it begins with."""
        lists = self._settings.lists
        names = lists.get(text)
        if names is None:
            beginning = max((prefix for prefix in lists if text.startswith(prefix)), key=len, default=None)
            names = () if beginning is None else lists[beginning]
        return names


def texts_in(resource: str) -> Callable[[bytes], Iterator[str]]:
    """Return a function that yields the texts of a frame to look up; it raises ValueError for a frame without any.

    `resource` is a dotted path, a regular expression if it has a group, or empty for the event's name and the whole
    frame. Raise BadPattern for an invalid expression.
    """
    if not resource:
        return _whole
    if "(" in resource:
        pattern = compiled(resource)
        if not pattern.groups:
            raise BadPattern("needs a group around the text to look up")

        def matched(frame: bytes) -> Iterator[str]:
            yield from (match[1] for match in pattern.finditer(frame.decode()) if match[1])

        return matched
    steps = resource.split(".")
    return lambda frame: _at(json.loads(frame.decode()), steps)


def _whole(frame: bytes) -> Iterator[str]:
    if isinstance(frame, SseFrame) and frame.event:
        yield frame.event
    yield frame.decode().strip()


def _at(value: Any, steps: Sequence[str]) -> Iterator[str]:
    """Yield the texts at a path. A list on the way stands for each of its entries."""
    if isinstance(value, list):
        for item in cast("list[Any]", value):
            yield from _at(item, steps)
    elif steps:
        if isinstance(value, Mapping) and steps[0] in value:
            yield from _at(cast("Mapping[str, Any]", value)[steps[0]], steps[1:])
    elif isinstance(value, str | int) and not isinstance(value, bool):
        yield str(value)


def _with_token(text: str, token: str) -> str:
    """Return a text with the credential; within JSON, it is part of a string."""
    return text.replace(TOKEN, json.dumps(token)[1:-1] if text[:1] in {"{", "["} else token)
