"""Concerns about offers to the caller."""

from __future__ import annotations

from collections.abc import Iterator

from console.kinds.alerts.facts import active_filter
from console.kinds.attention import Concern, alike
from console.kinds.notifications.facts import ALERT, offers, what
from console.text import clean
from console.views import words
from console.views.cell import Tone
from console.views.render_context import RenderContext


def concerns(render: RenderContext) -> Iterator[Concern]:
    """Yield offers to the caller. Equal alerts are answered together, of equal chats the oldest."""
    for about, equal in alike(offers(render), lambda each: f"{each.kind} {what(each)}"):
        oldest, is_alert = equal[0], equal[0].kind == ALERT
        person = words.person(oldest.from_user, render) if oldest.from_user else ""
        yield Concern(
            tone=Tone.BAD if is_alert else Tone.WARN,
            word="offered",
            what=clean(f"to you: {'alert ' if is_alert else ''}{what(oldest)}", 80),
            since_ms=words.at(oldest.created_at),
            note=clean(person if len(equal) == 1 or is_alert else "the oldest", 40),
            kind="notifications",
            key="" if len(equal) > 1 else (oldest.subject or "") if is_alert else oldest.id,
            filter="" if len(equal) == 1 or not is_alert else active_filter(oldest.title or oldest.subject or ""),
            opens="alerts" if is_alert else "",
            keys=tuple(each.id for each in (equal if is_alert else equal[:1])),
            many=len(equal),
            first=True,
            about=about,
        )
