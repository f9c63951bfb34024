"""Alerts, templates and pending notifications (contract 4.7)."""

from __future__ import annotations

from console.api.operations import support as ops
from console.records.support import Alert
from console.service.domain import alerts, notifications, templates
from console.service.domain.alerts import ALERTS
from console.service.domain.templates import TEMPLATES, receivers_of
from tests.contract.case import CaseSetup, Steps, case

UNKNOWN = "none"


def _sent(setup: CaseSetup, sender: str = "eva") -> str:
    """Send `help` to ana and bob."""
    templates.update(setup.platform, "shift-handover", {"title": "Help"})
    caller = setup.caller(sender)
    alerts.send(setup.platform, caller, "shift-handover", "help")
    return "help"


def _alert(setup: CaseSetup, key: str = "help") -> Alert:
    return setup.need(ALERTS, key)


@case(ops.ListAlerts, bad={400: {"acceptedSince": ["-1"], "canceledSince": ["1.5"]}})
def list_alerts(setup: CaseSetup) -> Steps:
    answer = yield ops.ListAlerts(accepted_since=10**9, expired_since=10**9, canceled_since=10**9)
    lists = {"active": answer.active, "accepted": answer.accepted, "expired": answer.expired}
    assert {state: len(found) for state, found in lists.items()} == {"active": 2, "accepted": 2, "expired": 1}
    assert len(answer.canceled) == 1
    assert all(each.state == state for state, found in lists.items() for each in found)


@case(ops.SendAlert, by="pat", bad={404: {"templateId": [UNKNOWN]}, 409: {"alertId": ["alert-1"]}})
def send_alert(setup: CaseSetup) -> Steps:
    yield ops.SendAlert(template_id="shift-handover", alert_id="help")
    assert (_alert(setup).from_, _alert(setup).state) == ("pat", "active")
    with setup.platform.read() as tx:
        assert alerts.receivers_of(tx, "help") == receivers_of(tx, "shift-handover")
        assert (waits := notifications.pending(tx, "help", "ana")) is not None
        assert waits.kind == "alert"


@case(ops.AcceptAlert, by="ana", not_for=("eva", "pat"), bad={404: {"alertId": [UNKNOWN]}})
def accept_alert(setup: CaseSetup) -> Steps:
    yield ops.AcceptAlert(alert_id=_sent(setup))
    assert (_alert(setup).state, _alert(setup).accepted_by) == ("accepted", "ana")
    assert _alert(setup).resolved_at == setup.clock.now_ms()


@case(ops.CancelAlert, by="pat", not_for=("eva", "ana"))
def cancel_alert(setup: CaseSetup) -> Steps:
    yield ops.CancelAlert(id=_sent(setup, "pat"))
    assert _alert(setup).state == "canceled"


@case(ops.ListTemplates, by="pat")
def list_templates(setup: CaseSetup) -> Steps:
    answer = yield ops.ListTemplates()
    assert {each.template_id for each in answer} >= {"queue-overflow", "shift-handover"}


@case(
    ops.CreateTemplate,
    bad={400: {"numberOfRetries": [-1], "timeToExpire": [1.5]}, 409: {"templateId": ["shift-handover"]}},
)
def create_template(setup: CaseSetup) -> Steps:
    yield ops.CreateTemplate(
        template_id="fire",
        title="Fire",
        payload="",
        number_of_retries=2,
        time_in_ms_between_retries=5,
        time_to_expire=7,
    )
    with setup.platform.read() as tx:
        stored = TEMPLATES.need(tx, "fire")
        assert receivers_of(tx, "fire") == ()
    assert (stored.number_of_retries, stored.time_in_ms_between_retries, stored.time_to_expire) == (2, 5, 7)


@case(ops.UpdateTemplate, bad={400: {"title": [""], "numberOfRetries": [-1]}})
def update_template(setup: CaseSetup) -> Steps:
    yield ops.UpdateTemplate(id="shift-handover", title="Handover", number_of_retries=1)
    with setup.platform.read() as tx:
        stored = TEMPLATES.need(tx, "shift-handover")
        assert receivers_of(tx, "shift-handover") == ("ana", "bob", "carla")
    assert (stored.title, stored.number_of_retries, stored.time_to_expire) == ("Handover", 1, 3_600_000)


@case(ops.DeleteTemplate)
def delete_template(setup: CaseSetup) -> Steps:
    answer = yield ops.DeleteTemplate(id="shift-handover")
    assert answer.message == "Deleted"
    with setup.platform.read() as tx:
        assert TEMPLATES.get(tx, "shift-handover") is None


@case(ops.AttachReceivers, bad={400: {"userIds": [[]]}, 404: {"userIds": [["pat", "nobody"]]}})
def attach_receivers(setup: CaseSetup) -> Steps:
    yield ops.AttachReceivers(id="shift-handover", user_ids=("pat", "ana"))
    with setup.platform.read() as tx:
        assert receivers_of(tx, "shift-handover") == ("ana", "bob", "carla", "pat")


@case(ops.DetachReceivers)
def detach_receivers(setup: CaseSetup) -> Steps:
    yield ops.DetachReceivers(id="shift-handover")
    with setup.platform.read() as tx:
        assert receivers_of(tx, "shift-handover") == ()


@case(ops.ResolveNotification, by="ana", bad={400: {"action": ["sing"]}})
def resolve(setup: CaseSetup) -> Steps:
    answer = yield ops.ResolveNotification(id=_sent(setup), action="accept")
    assert answer.message == "OK"
    assert _alert(setup).accepted_by == "ana"
    with setup.platform.read() as tx:
        assert notifications.pending(tx, "help", "bob") is None
