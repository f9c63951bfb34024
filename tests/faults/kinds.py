"""The kinds of faults: a sentence each, and the fault in the proxy, the clock or the service of a story."""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Any, Protocol

from console.live.delta import Freshness
from tests.faults.clock import UnsteadyClock
from tests.faults.proxy import Head, Message, Proxy, answering, closing, frame
from tests.faults.wire import Line

LIVE = frozenset({Freshness.LIVE})
LIVE_OR_POLLING = frozenset({Freshness.LIVE, Freshness.POLLING})
FOREIGN = "http://127.0.0.1:9/elsewhere"


class Struck(Protocol):
    """The objects that a fault may change."""

    proxy: Proxy
    clock: UnsteadyClock
    lot: random.Random


Strike = Callable[[Struck], Awaitable[None] | None]


@dataclass(frozen=True)
class FaultKind:
    """One kind of fault."""

    name: str
    sentence: str
    strike: Strike
    ends: frozenset[Freshness] = LIVE
    """Freshness that a list may show once it is correct again."""
    least: float = 1.5
    """Minimum duration in seconds; 0 for an instantaneous fault."""


KINDS: list[FaultKind] = []


def kind(strike: Strike | None = None, **more: Any) -> Any:
    """Declare a function as a kind of fault. Its docstring is the description."""

    def add(found: Any) -> Any:
        KINDS.append(FaultKind(found.__name__.replace("_", " "), str(found.__doc__), found, **more))
        return found

    return add(strike) if strike is not None else add


def _named(name: str, sentence: str, strike: Strike, **more: Any) -> None:
    KINDS.append(FaultKind(name, sentence, strike, **more))


# -- lines -----------------------------------------------------------------------------------------------------------


def _both(line: Line) -> Strike:
    return lambda story: story.proxy.lines(line, replace(line))


for _name, _line, _sentence in (
    ("latency", Line(latency=0.15), "Everything is 150 ms late."),
    ("jitter", Line(jitter=0.4), "Everything is up to 400 ms late, each piece otherwise."),
    ("bandwidth", Line(bandwidth=20_000), "No more than 20 kB pass in a second."),
    ("black hole", Line(hole=True), "Nothing arrives in either direction, and nobody is told."),
    ("slices", Line(slice=7), "Everything travels in slices of one to seven bytes."),
    ("limit", Line(limit=900), "Each connection is reset after 900 bytes."),
    ("corrupt", Line(corrupt=True), "One byte of each piece is another one."),
):
    _named(_name, _sentence, _both(_line))


@kind
def half_open_upwards(story: Struck) -> None:
    """What the console sends does not arrive; what the service sends does."""
    story.proxy.lines(Line(hole=True), Line())


@kind
def half_open_downwards(story: Struck) -> None:
    """What the service sends does not arrive; what the console sends does."""
    story.proxy.lines(Line(), Line(hole=True))


@kind
def slow_close(story: Struck) -> None:
    """The service hangs up, and the end of the connection arrives a second later."""
    story.proxy.lines(Line(), Line(slow_close=1.0))
    story.proxy.messages = lambda _message: [closing(1001)]


# -- connections -----------------------------------------------------------------------------------------------------


@kind(least=0.0)
def reset(story: Struck) -> None:
    """All connections are reset."""
    story.proxy.reset()


@kind
def turned_away(story: Struck) -> None:
    """All connections are reset, and so is every new one."""
    story.proxy.turned_away = lambda: True
    story.proxy.reset()


@kind
async def down(story: Struck) -> None:
    """All connections are reset, and no new ones are taken."""
    await story.proxy.refuse()
    story.proxy.reset()


@kind(least=0.0)
def forgotten(story: Struck) -> None:
    """A router has forgotten all connections: nothing arrives over them any more, new ones are fine."""
    story.proxy.forget()


@kind
def now_and_then(story: Struck) -> None:
    """Every second connection is reset when it is made."""
    story.proxy.turned_away = lambda: story.lot.random() < 0.5
    story.proxy.reset()


# -- the event channel -------------------------------------------------------------------------------------------------


def _is_event(message: Message) -> bool:
    return message["type"] == "event"


def _messages(bend: Callable[[Struck, Message], list[Message | bytes]]) -> Strike:
    def strike(story: Struck) -> None:
        story.proxy.messages = lambda message: bend(story, message)

    return strike


def _events(bend: Callable[[Struck, Message], list[Message | bytes]]) -> Strike:
    return _messages(lambda story, message: bend(story, message) if _is_event(message) else [message])


def _beats(bend: Callable[[Struck, Message], list[Message | bytes]]) -> Strike:
    return _messages(lambda story, each: bend(story, each) if each["type"] == "heartbeat" else [each])


_named(
    "dropped events",
    "Every second event is lost.",
    _events(lambda story, message: [message] if story.lot.random() < 0.5 else []),
)
_named("all events dropped", "Heartbeats come, events are lost.", _events(lambda _story, _message: []))
_named("doubled events", "Every event comes twice.", _events(lambda _story, message: [message, message]))
_named("no heartbeats", "Events come, heartbeats are lost.", _beats(lambda _story, _message: []))
_named(
    "offsets too high",
    "Events claim to be a thousand later than they are.",
    _events(lambda _story, message: [{**message, "offset": message["offset"] + 1000}]),
)
_named(
    "offsets too low",
    "Events claim to be old ones.",
    _events(lambda _story, message: [{**message, "offset": 1}]),
)
_named(
    "chain of another subscriber",
    "Events name a predecessor that was never sent.",
    _events(lambda _story, message: [{**message, "after": message["after"] - 1}]),
)
_named(
    "heartbeats ahead",
    "Heartbeats claim that much more was sent.",
    _beats(lambda _story, message: [{**message, "offset": message["offset"] + 500, "after": message["after"] + 500}]),
)
_named(
    "heartbeats of another epoch",
    "Heartbeats speak of another life of the service.",
    _beats(lambda _story, message: [{**message, "epoch": "another"}]),
)
_named(
    "unreadable events",
    "Events are cut in the middle of their JSON.",
    _events(lambda _story, message: [frame(json.dumps(message)[:-9])]),
)
_named(
    "events of another shape",
    "Events have lists and words where numbers were.",
    _events(lambda _story, message: [{**message, "offset": ["x"], "kind": "?"}]),
)


@kind
def reordered_events(story: Struck) -> None:
    """Events arrive in pairs, the later one first."""
    held: list[Message | bytes] = []

    def bend(message: Message) -> list[Message | bytes]:
        if not _is_event(message):
            return [message]
        held.insert(0, message)
        if len(held) < 2:
            return []
        out, held[:] = list(held), []
        return out

    story.proxy.messages = bend


@kind
def resets_out_of_the_blue(story: Struck) -> None:
    """The service requests a new listing again and again."""

    def bend(message: Message) -> list[Message | bytes]:
        if not _is_event(message):
            return [message]
        return [message, {"type": "reset", "epoch": "one", "offset": message["offset"], "reason": "so"}]

    story.proxy.messages = bend


@kind
def accept_then_close(story: Struck) -> None:
    """The event channel is opened and closed at once, again and again."""
    story.proxy.say = lambda: closing(1000)
    story.proxy.reset()


@kind
def garbage_on_the_channel(story: Struck) -> None:
    """The data on the opened channel are not WebSocket frames."""
    story.proxy.say = lambda: b"\xff" * 64
    story.proxy.reset()


for _code, _ends in ((4001, LIVE), (4002, LIVE), (1011, LIVE), (1013, LIVE), (4501, LIVE), (4500, LIVE_OR_POLLING)):
    _named(
        f"closed with {_code}",
        f"The service closes the event channel with code {_code}.",
        _messages(lambda _story, _message, code=_code: [closing(code, "so")]),
        ends=_ends,
    )


# -- answers -----------------------------------------------------------------------------------------------------------


def _lists(answer: bytes) -> Strike:
    """Give this answer to list requests, and reset the connections so that consoles list again."""

    def strike(story: Struck) -> None:
        story.proxy.answer = lambda asked: None if asked.channel or asked.first.startswith("POST") else answer
        story.proxy.reset()

    return strike


def _handshakes(answer: bytes) -> Strike:
    def strike(story: Struck) -> None:
        story.proxy.answer = lambda asked: answer if asked.channel else None
        story.proxy.reset()

    return strike


_NO_HEADERS: dict[str, str] = {}
for _status, _headers in (
    (401, _NO_HEADERS),
    (403, _NO_HEADERS),
    (408, _NO_HEADERS),
    (410, _NO_HEADERS),
    (429, _NO_HEADERS),
    (429, {"Retry-After": "2"}),
    (500, _NO_HEADERS),
    (502, _NO_HEADERS),
    (503, {"Retry-After": "1"}),
    (504, _NO_HEADERS),
):
    _told = f"{_status} with Retry-After" if _headers else f"{_status}"
    _named(f"lists answered {_told}", f"Lists are answered {_told}.", _lists(answering(_status, headers=_headers)))
    _named(
        f"channel answered {_told}",
        f"The event channel is answered {_told}.",
        _handshakes(answering(_status, headers=_headers)),
        ends=LIVE_OR_POLLING,
    )

_deep = b"[" * 100_000
for _name, _body, _more in (
    ("no JSON", b"<html>welcome</html>", _NO_HEADERS),
    ("another shape", b'{"error":"maintenance"}', _NO_HEADERS),
    ("an empty list without a point", b"[]", _NO_HEADERS),
    ("depth", _deep, _NO_HEADERS),
    ("half of it", b'[{"id":"c1"', {"content-length": "4000"}),
    ("two encodings", gzip.compress(gzip.compress(b"[]")), {"content-encoding": "gzip, gzip"}),
    ("another encoding", gzip.compress(b"[]")[:-4], {"content-encoding": "gzip"}),
):
    _named(
        f"lists answered with {_name}", f"Lists are answered 200 with {_name}.", _lists(answering(200, _body, _more))
    )
_named(
    "lists sent elsewhere",
    "Lists are redirected to another origin.",
    _lists(answering(307, b"", {"location": FOREIGN})),
)


def _points(bend: Callable[[Struck, int], int | None]) -> Strike:
    def strike(story: Struck) -> None:
        def bent(_asked: Head, came: Head) -> Head:
            offset = came.headers.get("event-offset")
            if offset is None:
                return came
            other = bend(story, int(offset))
            rest = {name: value for name, value in came.headers.items() if name != "event-offset"}
            return replace(came, headers=rest if other is None else {**rest, "event-offset": str(other)})

        story.proxy.bend = bent
        story.proxy.reset()

    return strike


_named("points missing", "Lists do not say which events they hold.", _points(lambda _story, _offset: None))
_named("points behind", "Lists hold more than they say.", _points(lambda _story, offset: max(0, offset - 20)))
_named("points ahead", "Lists claim to hold events that they do not.", _points(lambda _story, offset: offset + 100_000))


@kind
def epochs_change_while_paging(story: Struck) -> None:
    """Each page of a list has another epoch."""

    def bent(asked: Head, came: Head) -> Head:
        if "event-epoch" not in came.headers:
            return came
        return replace(came, headers={**came.headers, "event-epoch": f"{story.lot.random()}"})

    story.proxy.bend = bent
    story.proxy.reset()


# -- the machine -------------------------------------------------------------------------------------------------------


@kind(least=0.0)
def wall_clock_ahead(story: Struck) -> None:
    """The wall clock jumps an hour ahead."""
    story.clock.jump(3_600_000)


@kind(least=0.0)
def wall_clock_back(story: Struck) -> None:
    """The wall clock jumps a day back."""
    story.clock.jump(-86_400_000)


@kind(least=0.0)
def asleep(story: Struck) -> None:
    """The machine sleeps for ten minutes, and its connections are forgotten meanwhile."""
    story.clock.jump(600_000)
    story.proxy.forget()
