"""How alerts show what was done with them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from console.api.operations.support import AcceptAlert
from console.commands.lookup import bare
from console.records.people import User
from console.records.record import Record
from console.records.support import Alert

if TYPE_CHECKING:
    from console.views.render_context import RenderContext


def accepted_by_caller(render: RenderContext, alert: Record) -> bool:
    """Return whether the caller has accepted an alert; the service may name the id, an address or the user name."""
    if not isinstance(alert, Alert) or not alert.accepted_by:
        return False
    meant = bare(render, alert.accepted_by)
    me = render.find("users", render.me)
    username = (me.username or "").casefold() if isinstance(me, User) else ""
    return meant == render.me or meant.casefold().partition("@")[0] == username != ""


SHOWN: Mapping[type[Any], Callable[[RenderContext, Record], bool]] = {AcceptAlert: accepted_by_caller}
