"""Sample records of agents, presence and calls."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from zoneinfo import ZoneInfo

from console.records.support import Agent, Presence
from console.records.traffic import Call
from console.views.render_context import RenderContext
from console.views.thresholds import Threshold

NOW = 1_790_000_000_000


def agent(
    name: str = "ana", *, online: bool | None = True, activity: str | None = "available", chats: int = 0
) -> Agent:
    held = [{"chatId": f"{name}-{number}", "timestamp": NOW - 1000 * (number + 1)} for number in range(chats)]
    row = {"id": name, "online": online, "activity": activity, "channels": {"chat": held}}
    return Agent.model_validate(row)


def render_context_of(thresholds: Mapping[str, Threshold] | None = None, **kinds: list[Any]) -> RenderContext:
    known = {kind: {each.key: each for each in records} for kind, records in kinds.items()}
    return RenderContext(
        now_ms=NOW, zone=ZoneInfo("UTC"), lookup=lambda kind: known.get(kind, {}), thresholds=dict(thresholds or {})
    )


def presence(name: str, online: bool | None, activity: str | None = None) -> Presence:
    return Presence(address=f"svc-user:{name}", online=online, activity=activity)


def call(key: str, state: str | None, seconds: float | None = 10, **more: Any) -> Call:
    since = None if seconds is None else NOW - seconds * 1000
    return Call(id=key, state=state, date=since, **more)
