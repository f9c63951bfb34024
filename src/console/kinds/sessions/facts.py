"""Facts about sessions: state and user (contract 2.4)."""

from __future__ import annotations

from collections.abc import Sequence

from console.records.people import Session
from console.views import wording
from console.views.index import Index
from console.views.render_context import RenderContext

_OF_USER: Index[Session] = Index("sessions", lambda session: [session.user])


def sessions_of(user_id: str | None, render: RenderContext) -> Sequence[Session]:
    """Return the known sessions of a user."""
    return _OF_USER.any_of(render, user_id)


def state(session: Session, render: RenderContext) -> str:
    """Return `ended`, `expired` or `active`; -1 means no end (contract 2.4)."""
    end = wording.at(session.to)
    if end is not None and end <= render.now_ms and end > 0:
        return "ended"
    expires = wording.at(session.expires)
    return "expired" if expires is not None and expires <= render.now_ms else "active"
