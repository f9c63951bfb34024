"""Alerts, templates and pending notifications (contract 4.7)."""

from __future__ import annotations

from typing import Any

from console.api.operations.support import (
    AcceptAlert,
    AttachReceivers,
    CancelAlert,
    CreateTemplate,
    DeleteTemplate,
    DetachReceivers,
    ListAlerts,
    ListTemplates,
    ResolveNotification,
    SendAlert,
    UpdateTemplate,
)
from console.records.support import Alert
from console.service.caller import Caller
from console.service.domain import alerts, notifications, templates
from console.service.domain.alerts import ALERTS
from console.service.domain.people import need_user
from console.service.domain.templates import TEMPLATES, receivers_of
from tests.contract.case import Bad, CaseSetup, case

UNKNOWN = "none"


def _sent(setup: CaseSetup, sender: str = "eva") -> str:
    """Send `help` to ana and bob."""
    templates.update(setup.platform, "shift-handover", {"title": "Help"})
    with setup.platform.read() as tx:
        caller = Caller(need_user(tx, sender))
    alerts.send(setup.platform, caller, "shift-handover", "help")
    return "help"


def _alert(setup: CaseSetup, key: str = "help") -> Alert:
    with setup.platform.read() as tx:
        return ALERTS.need(tx, key)


@case(
    ListAlerts,
    asks=lambda _: ListAlerts(accepted_since=10**9, expired_since=10**9, canceled_since=10**9),
    bad=(Bad({"acceptedSince": "-1"}), Bad({"expiredSince": "lately"}), Bad({"canceledSince": "1.5"})),
)
def list_alerts(setup: CaseSetup, answer: Any) -> None:
    lists = {"active": answer.active, "accepted": answer.accepted, "expired": answer.expired}
    assert {state: len(found) for state, found in lists.items()} == {"active": 2, "accepted": 2, "expired": 1}
    assert len(answer.canceled) == 1
    assert all(each.state == state for state, found in lists.items() for each in found)


@case(
    SendAlert,
    by="pat",
    asks=lambda _: SendAlert(template_id="shift-handover", alert_id="help"),
    not_for=("guest",),
    bad=(
        Bad({"templateId": ""}),
        Bad({"alertId": None}),
        Bad({"templateId": UNKNOWN}, 404),
        Bad({"alertId": "alert-1"}, 409),
    ),
)
def send_alert(setup: CaseSetup, answer: Any) -> None:
    assert (_alert(setup).from_, _alert(setup).state) == ("pat", "active")
    with setup.platform.read() as tx:
        assert alerts.receivers_of(tx, "help") == receivers_of(tx, "shift-handover")
        assert (waits := notifications.pending(tx, "help", "ana")) is not None
        assert waits.kind == "alert"


@case(
    AcceptAlert,
    by="ana",
    asks=lambda setup: AcceptAlert(alert_id=_sent(setup)),
    not_for=("eva", "pat", "guest"),
    bad=(Bad({"alertId": ""}), Bad({"alertId": None}), Bad({"alertId": UNKNOWN}, 404)),
)
def accept_alert(setup: CaseSetup, answer: Any) -> None:
    assert (_alert(setup).state, _alert(setup).accepted_by) == ("accepted", "ana")
    assert _alert(setup).resolved_at == setup.clock.now_ms()


@case(
    CancelAlert,
    by="pat",
    asks=lambda setup: CancelAlert(id=_sent(setup, "pat")),
    not_for=("eva", "ana", "guest"),
    bad=(Bad({"id": UNKNOWN}, 404),),
)
def cancel_alert(setup: CaseSetup, answer: Any) -> None:
    assert _alert(setup).state == "canceled"


@case(ListTemplates, by="pat", asks=lambda _: ListTemplates(), not_for=("guest",))
def list_templates(setup: CaseSetup, answer: Any) -> None:
    assert {each.template_id for each in answer} >= {"queue-overflow", "shift-handover"}


@case(
    CreateTemplate,
    asks=lambda _: CreateTemplate(
        template_id="fire",
        title="Fire",
        payload="",
        number_of_retries=2,
        time_in_ms_between_retries=5,
        time_to_expire=7,
    ),
    not_for=("ana", "guest"),
    bad=(
        Bad({"templateId": ""}),
        Bad({"title": None}),
        Bad({"payload": None}),
        Bad({"numberOfRetries": -1}),
        Bad({"timeInMsBetweenRetries": "soon"}),
        Bad({"timeToExpire": 1.5}),
        Bad({"templateId": "shift-handover"}, 409),
    ),
)
def create_template(setup: CaseSetup, answer: Any) -> None:
    with setup.platform.read() as tx:
        stored = TEMPLATES.need(tx, "fire")
        assert receivers_of(tx, "fire") == ()
    assert (stored.number_of_retries, stored.time_in_ms_between_retries, stored.time_to_expire) == (2, 5, 7)


@case(
    UpdateTemplate,
    asks=lambda _: UpdateTemplate(id="shift-handover", title="Handover", number_of_retries=1),
    not_for=("ana", "guest"),
    bad=(Bad({"id": UNKNOWN}, 404), Bad({"title": ""}), Bad({"numberOfRetries": -1}), Bad({"payload": 4})),
)
def update_template(setup: CaseSetup, answer: Any) -> None:
    with setup.platform.read() as tx:
        stored = TEMPLATES.need(tx, "shift-handover")
        assert receivers_of(tx, "shift-handover") == ("ana", "bob", "carla")
    assert (stored.title, stored.number_of_retries, stored.time_to_expire) == ("Handover", 1, 3_600_000)


@case(
    DeleteTemplate,
    asks=lambda _: DeleteTemplate(id="shift-handover"),
    not_for=("ana", "guest"),
    bad=(Bad({"id": UNKNOWN}, 404),),
)
def delete_template(setup: CaseSetup, answer: Any) -> None:
    assert answer.message == "Deleted"
    with setup.platform.read() as tx:
        assert TEMPLATES.get(tx, "shift-handover") is None


@case(
    AttachReceivers,
    asks=lambda _: AttachReceivers(id="shift-handover", user_ids=("pat", "ana")),
    not_for=("ana", "guest"),
    bad=(
        Bad({"id": UNKNOWN}, 404),
        Bad({"userIds": []}),
        Bad({"userIds": "pat"}),
        Bad({"userIds": ["pat", "nobody"]}, 404),
    ),
)
def attach_receivers(setup: CaseSetup, answer: Any) -> None:
    with setup.platform.read() as tx:
        assert receivers_of(tx, "shift-handover") == ("ana", "bob", "carla", "pat")


@case(
    DetachReceivers,
    asks=lambda _: DetachReceivers(id="shift-handover"),
    not_for=("ana", "guest"),
    bad=(Bad({"id": UNKNOWN}, 404),),
)
def detach_receivers(setup: CaseSetup, answer: Any) -> None:
    with setup.platform.read() as tx:
        assert receivers_of(tx, "shift-handover") == ()


@case(
    ResolveNotification,
    by="ana",
    asks=lambda setup: ResolveNotification(id=_sent(setup), action="accept"),
    bad=(Bad({"id": UNKNOWN}, 404), Bad({"action": "sing"}), Bad({"action": 3})),
)
def resolve(setup: CaseSetup, answer: Any) -> None:
    assert answer.message == "OK"
    assert _alert(setup).accepted_by == "ana"
    with setup.platform.read() as tx:
        assert notifications.pending(tx, "help", "bob") is None
