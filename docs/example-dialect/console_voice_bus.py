"""The protocol of the voice bus, an event channel of another product, for the operator console.

JSON texts on a WebSocket. The client logs in with its first text; the bus then sends

    {"op": "call", "call": {"id": "c-7", "state": "queued"}}    a call began or changed
    {"op": "gone", "id": "c-7"}                                 a call is over
    {"op": "changed", "what": "agents"}                         something else changed, without saying how
    {"op": "ping", "n": 3}                                      to be answered with the same number
    {"op": "denied", "why": "expired"}                          the login is no longer valid
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from console.api.errors import ApiError, LoginNeeded
from console.client.dialect import ChannelSettings, Hint, Message, Point, Target, row

LISTS = {"agents": ("agents", "presence"), "teams": ("groups",)}
"""Lists of the console by the bus's word for what changed."""
NOT_LOGGED_IN = 4403
"""Close code of the bus."""


class VoiceBus:
    """One connection to the bus."""

    def __init__(self, _settings: ChannelSettings, /) -> None:
        """Start a connection. The bus has no settings beyond its address."""
        self._token = ""
        self._answers: list[str] = []

    def open(self, target: Target, /) -> Target:
        """Offer the bus's subprotocol, and keep the credential for the first text."""
        self._token = target.token
        return Target(target.url, target.headers, subprotocols=("voice-bus.v1",))

    def greet(self, _topics: tuple[str, ...], _resume: Point | None, /) -> Iterable[str]:
        """Log in. The bus cannot resume, and has no topics to choose from."""
        return [json.dumps({"op": "login", "token": self._token})]

    def read(self, frames: Sequence[bytes], /) -> Iterable[Message]:
        """Return rows and hints. A frame that is not JSON raises ValueError, and so closes the channel."""
        for frame in frames:
            said: dict[str, Any] = json.loads(frame)
            match said["op"]:
                case "call":
                    yield row("calls", said["call"]["id"], json.dumps(said["call"]).encode())
                case "gone":
                    yield row("calls", said["id"], None)
                case "changed":
                    yield Hint(LISTS.get(said["what"], ()))
                case "ping":
                    self._answers.append(json.dumps({"op": "pong", "n": said["n"]}))
                case "denied":
                    raise LoginNeeded(said["why"])
                case _:
                    # An operation of a later version of the bus.
                    pass

    def reply(self) -> Iterable[str]:
        """Answer the pings."""
        answers, self._answers = self._answers, []
        return answers

    def closed(self, code: int, reason: str, /) -> ApiError | None:
        """Log in again after the bus's own code; other codes have their usual meaning."""
        return LoginNeeded(reason) if code == NOT_LOGGED_IN else None
