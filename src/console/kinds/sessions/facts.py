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
    """Return `ended`, `expired`, `active`, or `unknown` if a time cannot be read; -1 means no end (contract 2.4)."""
    end = wording.at(session.to)
    if end is not None and end <= render.now_ms and end > 0:
        return "ended"
    expires = wording.at(session.expires)
    if expires is not None and expires <= render.now_ms:
        return "expired"
    return "unknown" if session.unread("to", "expires") else "active"


def may_be_active(session: Session, render: RenderContext) -> bool:
    """Return whether a session is active, as far as its times can be read."""
    return state(session, render) in {"active", "unknown"}
