"""Actions on alerts: the requests sent, refusals, undo."""

from __future__ import annotations

import pytest

from console.api.operations.support import (
    AcceptAlert,
    CancelAlert,
    SendAlert,
)
from console.commands.action import ChoiceAsk, TextAsk
from console.commands.guards import applicable, blocked, command
from console.kinds.actions import by_id
from console.kinds.consequences import consequence
from console.records.notifications import Notification
from console.records.support import Alert
from console.views import wording
from tests.kinds.action_world import (
    FIRE,
    NOW,
    OTHERS,
    TAKEN,
    asks_of,
    plan,
    requests,
    situation,
)


def test_accepting_several_alerts_takes_only_the_active_ones() -> None:
    fitting, skipped = applicable(by_id("alerts.accept"), situation(), (FIRE, TAKEN, OTHERS))
    assert skipped.startswith("1 skipped: ")
    decided = command(by_id("alerts.accept"), situation(), fitting, {})
    assert requests(list(decided.steps)) == [AcceptAlert(alert_id="a-1"), AcceptAlert(alert_id="a-2")]
    assert decided.steps[0].words == "accepted Line down"


def test_an_accepted_alert_shows_by_whom() -> None:
    assert blocked(by_id("alerts.accept"), situation(), (TAKEN,)) == "Already accepted by Ana."
    expired = Alert(alert_id="a-9", state="expired")
    assert blocked(by_id("alerts.accept"), situation(), (expired,)) == "Already expired."
    assert blocked(by_id("alerts.accept"), situation(), (TAKEN, expired)) == "None of these alerts is active."


def test_an_ended_alert_shows_by_whom_and_when() -> None:
    taken = TAKEN.model_copy(update={"resolved_at": NOW - 5000})
    at = situation()
    when = wording.clock(NOW - 5000, at.render)
    assert blocked(by_id("alerts.accept"), at, (taken,)) == f"Already accepted by Ana at {when}."
    canceled = taken.model_copy(update={"accepted_by": None, "state": "canceled", "from_": "u-bob"})
    assert blocked(by_id("alerts.accept"), at, (canceled,)) == f"Already cancelled by Bob at {when}."


def test_an_alert_is_previewed_before_it_is_sent() -> None:
    _, asks_id = asks_of(by_id("alerts.send"), situation(), ())
    assert callable(asks_id)
    ask = asks_id({"template": "help"})
    assert isinstance(ask, TextAsk)
    assert ask.preview is not None
    assert ask.check is not None
    title, payload, course, receivers = ("".join(cell.text for cell in line) for line in ask.preview(""))
    assert (title, payload) == ("Help", "Come")
    assert course.startswith("Alerts now, then 3 more times, every 1m; expires at ")
    assert receivers == "It goes to all receivers of the template; the service does not say who."
    assert ask.check("a-1") == "Alert a-1 already exists."


def test_an_alert_without_a_state_is_classified_by_its_other_fields() -> None:
    assert blocked(by_id("alerts.accept"), situation(), (Alert(alert_id="n"),)) is None
    assert blocked(by_id("alerts.accept"), situation(), (Alert(alert_id="n", resolved_at=1_790_000_000_000),))


@pytest.mark.parametrize("sender", ["u-eva", "svc-user:u-eva", "eva", "eva@desk.example", "EVA"])
def test_the_sender_can_cancel_an_alert(sender: str) -> None:
    mine = FIRE.model_copy(update={"from_": sender})
    assert blocked(by_id("alerts.cancel"), situation(), (mine,)) is None
    assert requests(plan("alerts.cancel", situation(), (mine,))) == [CancelAlert(id="a-1")]


def test_others_cannot_cancel_an_alert_and_the_reason_names_the_sender() -> None:
    reason = blocked(by_id("alerts.cancel"), situation(), (OTHERS,))
    assert reason == "Only the sender can cancel an alert: Bob sent Queue full."
    assert applicable(by_id("alerts.cancel"), situation(), (FIRE, OTHERS)) == ([FIRE], f"1 skipped: {reason}")


def test_an_alert_is_sent_with_a_digit_and_enter() -> None:
    template, asks_id = asks_of(by_id("alerts.send"), situation(), ())
    assert isinstance(template, ChoiceAsk)
    assert callable(asks_id)
    alert_id = asks_id({"template": "help"})
    assert isinstance(alert_id, TextAsk)
    assert template.digits
    assert [(each.value, each.title, each.note) for each in template.choices] == [("help", "Help", "Come")]
    assert alert_id.initial.startswith("a-")
    other = asks_id({"template": "help"})
    assert isinstance(other, TextAsk)
    assert other.initial != alert_id.initial, "each alert has its own id"
    (step,) = plan("alerts.send", situation(), template="help", alert_id=alert_id.initial)
    assert step.request == SendAlert(template_id="help", alert_id=alert_id.initial)
    assert step.key == alert_id.initial


@pytest.mark.parametrize(
    ("template", "alert_id", "reason"),
    [("gone", "a-new", "no template gone"), ("help", "a-1", "Alert a-1 already"), ("help", " ", "id is missing")],
)
def test_an_alert_that_cannot_be_sent_is_refused(template: str, alert_id: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        plan("alerts.send", situation(), template=template, alert_id=alert_id)


def test_without_templates_no_alert_can_be_sent() -> None:
    assert blocked(by_id("alerts.send"), situation(templates=()), ()) == "There are no alert templates to send."


def test_a_confirmation_shows_sender_and_age_of_each_alert() -> None:
    at = situation()
    mine = FIRE.model_copy(update={"created_at": NOW - 252_000, "from_": "u-eva"})
    theirs = OTHERS.model_copy(update={"created_at": NOW - 5_000})
    at = at.with_records("alerts", (mine, theirs))
    both = consequence(at, plan("alerts.accept", at, (mine, theirs)))
    assert both.warning == "You accept these 2 alerts; nobody else is alerted any more. This cannot be undone."
    assert both.facts == {"a-1": "sent by you 4:12 ago", "a-2": "sent by Bob 0:05 ago"}
    nobody = (mine.model_copy(update={"from_": None}), theirs.model_copy(update={"from_": None, "created_at": None}))
    unknown = consequence(at.with_records("alerts", nobody), plan("alerts.accept", at, nobody))
    assert unknown.facts == {"a-1": "sent 4:12 ago"}


def test_a_confirmation_shows_sender_and_age_of_each_offer() -> None:
    offers = [
        Notification(id=f"n-{n}", kind="alert", title="Trunk down", from_user=sender, created_at=NOW - n * 60_000)
        for n, sender in ((1, "u-eva"), (2, "u-bob"))
    ]
    at = situation().with_records("notifications", offers)
    both = consequence(at, plan("notifications.accept", at, offers))
    assert both.warning == "You accept these 2 offers; nobody else can accept them. This cannot be undone."
    assert both.facts == {"n-1": "sent by you 1:00 ago", "n-2": "sent by Bob 2:00 ago"}
    one = consequence(at, plan("notifications.reject", at, offers[:1]))
    assert one.warning == "You reject this offer; others can still accept it. This cannot be undone."
