"""How alerts show what was done with them, and the effects of changes as shown in dialogs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from console.api.operations.support import AcceptAlert, CancelAlert
from console.base.text import SafeText, clean
from console.commands.action import Situation
from console.commands.lookup import bare, is_me, person
from console.kinds.consequences import NO_UNDO, Consequence, Consequences
from console.records.people import User
from console.records.record import Record
from console.records.support import Alert
from console.views import wording

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


def _accept(situation: Situation, requests: Sequence[AcceptAlert]) -> Consequence:
    warning = f"You accept {_these(requests)}; nobody else is alerted any more. {NO_UNDO}"
    return Consequence(warning, facts=_facts(situation, [request.alert_id for request in requests]))


def _cancel(situation: Situation, requests: Sequence[CancelAlert]) -> Consequence:
    ends = "The alert ends" if len(requests) == 1 else f"These {len(requests)} alerts end"
    warning = f"{ends} for everybody who received {'it' if len(requests) == 1 else 'them'}. {NO_UNDO}"
    return Consequence(warning, facts=_facts(situation, [request.id for request in requests]))


def _these(requests: Sequence[object]) -> str:
    return "this alert" if len(requests) == 1 else f"these {len(requests)} alerts"


def _facts(situation: Situation, keys: Sequence[str]) -> dict[str, SafeText]:
    """Return sender and age of alerts, as far as they are known."""
    facts: dict[str, SafeText] = {}
    for key in keys:
        alert = situation.render.find("alerts", key)
        if isinstance(alert, Alert):
            sent = wording.at(alert.created_at)
            by = age = ""
            if alert.from_:
                by = f"by {'you' if is_me(situation, alert.from_) else person(situation.render, alert.from_)}"
            if sent is not None:
                age = f"{wording.age(situation.render.now_ms - sent, situation.render)} ago"
            if by or age:
                facts[key] = clean(" ".join(filter(None, ("sent", by, age))), 80)
    return facts


CONSEQUENCES: Consequences = {AcceptAlert: _accept, CancelAlert: _cancel}
SHOWN: Mapping[type[Any], Callable[[RenderContext, Record], bool]] = {AcceptAlert: accepted_by_caller}
