"""Actions on alerts: send, accept, cancel. Their effects as shown in dialogs and lists."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from console.api.operations.support import AcceptAlert, CancelAlert, SendAlert
from console.base.collation import collated
from console.base.text import SafeText, clean
from console.commands.action import Action, Answers, Asks, Choice, ChoiceAsk, Situation, TextAsk
from console.commands.inputs import build, text
from console.commands.lookup import bare, is_me, lookup, person
from console.kinds.alerts.facts import is_active, is_cancelled
from console.kinds.consequences import NO_UNDO, Consequence, Consequences, sender_and_age
from console.kinds.scope import only_if_known
from console.live.command import Step
from console.records import state_words
from console.records.people import User
from console.records.record import Record
from console.records.support import Alert, AlertTemplate
from console.views import wording
from console.views.cell import Cell, Line, Tone
from console.views.render_context import RenderContext

if TYPE_CHECKING:
    from console.views.render_context import RenderContext


def name(alert: Alert) -> SafeText:
    """Return the name of an alert."""
    return clean(alert.title or alert.alert_id, 64)


def new_alert_id() -> str:
    """Return a new id for an alert, short enough to read out."""
    return f"a-{secrets.token_hex(3)}"


def _why_ended(situation: Situation, records: Sequence[Alert]) -> str | None:
    ended = [alert for alert in records if not is_active(alert)]
    if not ended:
        return None
    if len(ended) == len(records) > 1:
        return "None of these alerts is active."
    alert, render = ended[0], situation.render
    resolved = wording.at(alert.resolved_at)
    when = "" if resolved is None else f" at {wording.clock(resolved, render)}"
    if alert.accepted_by:
        return f"Already accepted by {person(render, alert.accepted_by)}{when}."
    if is_cancelled(alert) and alert.from_:
        return f"Already cancelled by {person(render, alert.from_)}{when}."
    return f"Already {clean(state_words.display_word(alert.state or 'resolved'), 16)}{when}."


def _accept(situation: Situation, records: Sequence[Alert], _answers: Answers) -> list[Step]:
    shown_by = partial(accepted_by_caller, situation.render)
    return [
        Step(AcceptAlert(alert_id=alert.alert_id), alert.key, f"accepted {name(alert)}", shown_by=shown_by)
        for alert in records
    ]


def _may_cancel(situation: Situation, records: Sequence[Alert]) -> str | None:
    refused = _why_ended(situation, records)
    if refused:
        return refused
    others = [alert for alert in records if not is_me(situation, alert.from_)]
    if not others:
        return None
    sender = person(situation.render, others[0].from_) if others[0].from_ else "somebody else"
    return f"Only the sender can cancel an alert: {sender} sent {name(others[0])}."


def _cancel(_situation: Situation, records: Sequence[Alert], _answers: Answers) -> list[Step]:
    return [Step(CancelAlert(id=alert.alert_id), alert.key, f"cancelled {name(alert)}") for alert in records]


def _templates(situation: Situation) -> list[AlertTemplate]:
    return sorted(
        lookup(situation.render, "templates", AlertTemplate),
        key=lambda alert_template: (
            collated(alert_template.title or alert_template.template_id),
            alert_template.template_id,
        ),
    )


def _has_templates(situation: Situation, _records: Sequence[Alert]) -> str | None:
    refusal = "There are no alert templates to send."
    return None if _templates(situation) else only_if_known(refusal, "templates", "alert templates", situation.render)


def _course(template: AlertTemplate, render: RenderContext) -> str:
    """Return the number and interval of notifications, and the expiry."""
    retries, every = int(template.number_of_retries or 0), template.time_in_ms_between_retries or 0
    again = f"now, then {wording.plural(retries, 'more time')}, every {wording.duration(every)}" if retries else "once"
    if template.time_to_expire is None:
        return f"Alerts {again}; open until somebody accepts."
    ends = render.now_ms + retries * every + template.time_to_expire
    return f"Alerts {again}; expires at {wording.clock(ends, render)} if nobody accepts."


def _ask_template(situation: Situation, _records: Sequence[Alert]) -> Asks:
    choices = tuple(
        Choice(
            template.template_id, clean(template.title or template.template_id, 64), clean(template.payload or "", 120)
        )
        for template in _templates(situation)
    )

    def ask_id(answers: Answers) -> TextAsk:
        record = situation.render.find("templates", str(answers["template"]))
        lines: tuple[Line, ...] = ()
        if isinstance(record, AlertTemplate):
            lines = (
                (Cell(clean(record.title or record.template_id, 64), Tone.STRONG),),
                (Cell(clean(record.payload or "", 400)),),
                (Cell(clean(_course(record, situation.render)), Tone.QUIET),),
                (Cell(clean("It goes to all receivers of the template; the service does not say who."), Tone.QUIET),),
            )

        def check(typed: str) -> str | None:
            known_already = situation.render.find("alerts", typed.strip()) is not None
            return f"Alert {clean(typed.strip(), 40)} already exists." if known_already else None

        title = "Send alert with this id"
        return TextAsk("alert_id", title, new_alert_id(), check=check, preview=lambda _typed: lines, verb="Send")

    return (ChoiceAsk("template", "Send alert", choices, digits=True), ask_id)


def _send(situation: Situation, _records: Sequence[Alert], answers: Answers) -> list[Step]:
    template_id = text(answers, "template", "The template")
    alert_id = text(answers, "alert_id", "The alert's id")
    record = situation.render.find("templates", template_id)
    if not isinstance(record, AlertTemplate):
        raise ValueError(f"There is no template {clean(template_id, 40)}.")
    if situation.render.find("alerts", alert_id) is not None:
        raise ValueError(f"Alert {clean(alert_id, 40)} already exists.")
    title = clean(record.title or record.template_id, 64)
    request = build(SendAlert, {"template_id": template_id, "alert_id": alert_id})
    return [Step(request, alert_id, f"sent {title} as {clean(alert_id, 40)}")]


def accepted_by_caller(render: RenderContext, alert: Record) -> bool:
    """Return whether the caller has accepted an alert; the service may name the id, an address or the user name."""
    if not isinstance(alert, Alert) or not alert.accepted_by:
        return False
    meant = bare(render, alert.accepted_by)
    me = render.find("users", render.me)
    username = (me.username or "").casefold() if isinstance(me, User) else ""
    return meant == render.me or meant.casefold().partition("@")[0] == username != ""


def _effect_of_accepting(situation: Situation, requests: Sequence[AcceptAlert]) -> Consequence:
    warning = f"You accept {_these(requests)}; nobody else is alerted any more. {NO_UNDO}"
    return Consequence(warning, facts=_facts(situation, [request.alert_id for request in requests]))


def _effect_of_canceling(situation: Situation, requests: Sequence[CancelAlert]) -> Consequence:
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
        if isinstance(alert, Alert) and (fact := sender_and_age(situation, alert.from_, alert.created_at)):
            facts[key] = fact
    return facts


CONSEQUENCES: Consequences = {AcceptAlert: _effect_of_accepting, CancelAlert: _effect_of_canceling}
SHOWN: Mapping[type[Any], Callable[[RenderContext, Record], bool]] = {AcceptAlert: accepted_by_caller}


ACTIONS: tuple[Action[Any], ...] = (
    Action[Alert](
        id="alerts.accept",
        title="accept",
        key="a",
        verb="accept",
        kind="alerts",
        plan=_accept,
        why_not=_why_ended,
        needs="many",
        takes=True,
        footer=2,
        about="Accepts the alert for you and ends it for everybody. The first acceptance counts.",
        sends=(AcceptAlert,),
    ),
    Action[Alert](
        id="alerts.cancel",
        title="cancel alert",
        short="cancel",
        key="x",
        verb="cancel",
        kind="alerts",
        plan=_cancel,
        why_not=_may_cancel,
        needs="many",
        footer=3,
        about="Cancels an alert that you sent.",
        sends=(CancelAlert,),
    ),
    Action[Alert](
        id="alerts.send",
        title="send alert",
        key="exclamation_mark",
        kind="everywhere",
        plan=_send,
        why_not=_has_templates,
        asks=_ask_template,
        needs="none",
        footer=6,
        about="Sends an alert to the receivers of a template.",
        sends=(SendAlert,),
        subject="alerts",
    ),
)
