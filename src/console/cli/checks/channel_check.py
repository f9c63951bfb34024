"""Listen to an event channel while it is examined."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field

from console.api.events import Hint, Reset, Subscribed
from console.base.text import clean
from console.cli.checks.findings import EVENTS, Finding, State
from console.client.client import Client
from console.client.dialect import Message
from console.client.endpoint import HINTS_DIALECT, OWN_DIALECT
from console.kinds.catalogue import FEEDS

CHANNEL_SECONDS = 5.0
"""Time to open the event channel, and to confirm the subscription in our own protocol."""
HEARD_SECONDS = 3.0
"""How long a channel of another protocol is listened to."""


@dataclass
class Heard:
    """Messages of an event channel."""

    opened: bool = False
    confirmed: bool = False
    messages: int = 0
    frames: int = 0
    skipped: int = 0
    silences: int = 0
    """Comments of a stream, which only show that it lives."""
    unknown: str = ""
    lists: set[str] = field(default_factory=set[str])

    def take(self, messages: Iterable[Message]) -> None:
        """Note what arrived."""
        for message in messages:
            if isinstance(message, Hint):
                self.frames += message.frames
                self.skipped += message.skipped
                self.silences += not message.frames
                self.unknown = self.unknown or message.unknown
                self.lists.update(message.lists)
            else:
                self.messages += 1
                self.confirmed = self.confirmed or isinstance(message, Subscribed | Reset)

    @property
    def understood(self) -> bool:
        """Whether anything was said that the console can use."""
        return bool(self.messages or self.lists)

    def finding(self, dialect: str, url: str) -> Finding:
        """Return the result for a channel that did not fail."""
        if not self.opened:
            return Finding(EVENTS, State.UNREACHABLE, f"{url} did not open within {CHANNEL_SECONDS:g} s")
        if dialect == OWN_DIALECT:
            if self.confirmed:
                return Finding(EVENTS, State.WORKS)
            text = f"opened, but not understood: no subscription confirmed within {CHANNEL_SECONDS:g} s"
            return Finding(EVENTS, State.FAILED, text)
        if self.understood and not self.frames:
            return Finding(EVENTS, State.WORKS, f"opened; dialect {dialect} read {self.messages} messages")
        if not self.frames:
            silence = "nothing arrived" if dialect == HINTS_DIALECT else f"dialect {dialect} read nothing"
            silence = "only comments arrived" if self.silences else silence
            return Finding(EVENTS, State.UNPROVEN, f"{url} opened; {silence} within {HEARD_SECONDS:g} s")
        text = f"{self.frames - self.skipped} of {self.frames} frames understood within {HEARD_SECONDS:g} s"
        if not self.understood:
            came = f"{self.frames} {'frame' if self.frames == 1 else 'frames'} arrived within {HEARD_SECONDS:g} s"
            first = f": {clean(self.unknown, 80)}" if self.unknown else ""
            advice = "" if not self.skipped else "No text was found in a frame: `resource` says where it is."
            reason = f"{url} opened; {came}, and no hint was understood yet{first}"
            return Finding(EVENTS, State.UNPROVEN, reason, advice=advice)
        return Finding(EVENTS, State.WORKS, f"opened; {text}; lists: {', '.join(sorted(self.lists))}")


async def listen(client: Client, heard: Heard) -> None:
    """Read the channel until our protocol has confirmed the subscription, or another one was heard for a while."""
    own = client.endpoint.channel.is_own
    with suppress(TimeoutError):
        async with asyncio.timeout(CHANNEL_SECONDS) as limit, client.stream(tuple(FEEDS)) as stream:
            heard.opened = True
            if not own:
                limit.reschedule(asyncio.get_running_loop().time() + HEARD_SECONDS)
            async for messages in stream:
                heard.take(messages)
                if own and heard.confirmed:
                    return
