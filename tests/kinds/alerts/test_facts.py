"""Which alerts are active."""

from __future__ import annotations

from typing import Any

import pytest

from console.kinds.alerts import facts as alerts
from console.records.support import Alert
from tests.kinds.sample_records import NOW, render_context_of


def test_alerts_accepted_by_nobody_are_oldest_first() -> None:
    sent = {"a": NOW - 5_000, "b": NOW - 9_000, "c": None}
    known = [Alert(alert_id=key, state="active", created_at=at) for key, at in sent.items()]
    known.append(Alert(alert_id="d", state="accepted", created_at=1))
    found = alerts.active(render_context_of(alerts=known))
    assert [each.alert_id for each in found] == ["b", "a", "c"]
    assert alerts.oldest(found) == NOW - 9_000


def test_an_alert_without_a_state_is_active_until_somebody_ended_it() -> None:
    known = [
        Alert(alert_id="a", created_at=NOW),
        Alert(alert_id="b", accepted_by="ana"),
        Alert(alert_id="c", resolved_at=NOW),
    ]
    found = alerts.active(render_context_of(alerts=known))
    assert [each.alert_id for each in found] == ["a"]


@pytest.mark.parametrize(
    ("fields", "taken"),
    [
        ({"state": "accepted"}, 30_000),
        ({"accepted_by": "sip:ana@example.org"}, 30_000),
        ({"state": "expired"}, None),
        ({"state": "canceled"}, None),
        ({"state": "cancelled"}, None),
        ({"state": "superseded"}, None),
        ({}, None),
    ],
    ids=str,
)
def test_only_an_accepted_alert_has_a_time_to_accept(fields: dict[str, Any], taken: float | None) -> None:
    assert alerts.time_to_accept(Alert(alert_id="a", created_at=NOW, resolved_at=NOW + 30_000, **fields)) == taken
