"""The text of alerts and their details."""

from __future__ import annotations

from console.kinds.alerts.columns import TABLE as ALERTS
from console.kinds.alerts.columns import clocks
from console.records.support import (
    Alert,
    AlertTemplate,
)
from tests.kinds.reading import ANA, M, S, known, part, said
from tests.kinds.wild import NOW, render_context


def test_the_times_of_an_alert_come_from_the_service_or_its_template() -> None:
    template = AlertTemplate(
        template_id="t1", title="Fire", number_of_retries=2, time_in_ms_between_retries=M, time_to_expire=5 * M
    )
    seen = render_context(known(templates=[template]))
    alert = Alert(alert_id="a1", title="Fire", state="active", created_at=NOW - 90 * S)
    guessed = clocks(alert, seen)
    assert guessed is not None
    assert (guessed.retries_left, guessed.exact) == (1, False)
    assert guessed.next_retry_at == NOW + 30 * S
    assert guessed.expires_at == NOW - 90 * S + 7 * M
    told = clocks(Alert.model_validate({**alert.wire(), "expiresAt": NOW + 9 * S, "retriesLeft": 0}), seen)
    assert told is not None
    assert (told.expires_at, told.retries_left, told.exact) == (NOW + 9 * S, 0, True)
    assert clocks(alert.model_copy(update={"state": "accepted"}), seen) is None
    assert clocks(alert, render_context()) is None
    assert "estimated from the template of the same title" in part(alert, "alerts", "ladder", seen)
    assert ALERTS.column("left").cell(alert, seen).text == "5:30"


def test_an_opened_alert_shows_the_others_of_its_title_and_who_accepted_them_how_soon() -> None:
    alert = Alert(alert_id="a1", title="Fire", state="active", created_at=NOW - 90 * S)
    accepted = Alert(
        alert_id="a2",
        title="Fire",
        state="accepted",
        created_at=NOW - 40 * M,
        accepted_by="svc-user:ana",
        resolved_at=NOW - 30 * M,
    )
    another = Alert(alert_id="a3", title="Flood", state="active", created_at=NOW)
    seen = render_context(known(alerts=[alert, accepted, another], users=[ANA]))
    (section,) = ALERTS.related(alert, seen)
    assert section.title == "Other alerts of this title 1"
    assert [line.split() for line in said(section.lines)] == [["40:00", "√", "accepted", "by", "Ana", "after", "10:00"]]
    assert ALERTS.related(another, seen) == ()


def test_the_past_retries_of_an_alert_have_one_line_and_the_next_ones_one_each() -> None:
    template = AlertTemplate(
        template_id="t1", title="Fire", number_of_retries=5, time_in_ms_between_retries=M, time_to_expire=M
    )
    seen = render_context(known(templates=[template]))

    def steps(age: float) -> list[str]:
        alert = Alert(alert_id="a1", title="Fire", state="active", created_at=NOW - age)
        marks = {"√", "○"}
        return [line[2:12].strip() for line in part(alert, "alerts", "ladder", seen) if line[0] in marks]

    assert steps(90 * S) == ["sent", "retry 1", "retry 2", "retry 3", "retry 4", "retry 5", "expires"]
    assert steps(190 * S) == ["sent", "3 retries", "retry 4", "retry 5", "expires"]
