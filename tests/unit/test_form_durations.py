"""Durations in forms: typed and shown as `1m 30s`, sent in the unit of the operation."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from console.api.operations.domains import CreateCredential
from console.api.operations.meetings import UpdateMeeting
from console.api.operations.support import UpdateTemplate
from console.commands.action import FormAsk
from console.ui.widgets.form_fields import FormField, fields_of
from console.ui.widgets.form_reading import read_form
from console.views.spans import span, typed_span

EDIT = FormAsk(
    "form", "Edit", UpdateTemplate, {"time_in_ms_between_retries": 60_000, "time_to_expire": 90_500}, {"id": "t1"}
)


def titled(fields: tuple[FormField, ...]) -> dict[str, FormField]:
    return {field.title: field for field in fields}


def test_a_duration_is_shown_as_it_would_be_typed() -> None:
    fields = titled(fields_of(EDIT))
    assert "Message" in fields
    assert fields["Repeat every"].shown == "1m"
    assert fields["Expires after last retry"].shown == "1m 30s 500ms"
    meeting = FormAsk("form", "Edit", UpdateMeeting, {"valid_time_before_start": 600_000}, {"id": "m1"})
    assert titled(fields_of(meeting))["Valid time before start"].shown == "10m"


@pytest.mark.parametrize(
    ("typed", "ms"), [("45s", 45_000), ("45", 45_000), ("2m", 120_000), ("1m 30s", 90_000), ("1h", 3_600_000), ("0", 0)]
)
def test_a_typed_duration_is_sent_in_milliseconds(typed: str, ms: int) -> None:
    reading = read_form(EDIT, fields_of(EDIT), {"time_in_ms_between_retries": typed})
    assert not reading.faults
    assert reading.changed == {"time_in_ms_between_retries": ms}


def test_the_same_duration_in_another_format_is_no_change() -> None:
    assert read_form(EDIT, fields_of(EDIT), {"time_in_ms_between_retries": "60s"}).changed == {}


@pytest.mark.parametrize("typed", ["soon", "-5s", "5 x", "s"])
def test_an_invalid_duration_is_refused_with_an_example(typed: str) -> None:
    faults = read_form(EDIT, fields_of(EDIT), {"time_in_ms_between_retries": typed}).faults
    assert faults == {"time_in_ms_between_retries": "must be a duration such as 45s or 1m 30s"}


def test_durations_in_seconds_accept_no_fractions() -> None:
    ask = FormAsk("form", "New", CreateCredential, only=("lease",))
    (field,) = fields_of(ask)
    assert field.title == "Valid for"
    assert field.read("1h") == 3_600
    with pytest.raises(ValueError, match="multiple of 1s"):
        field.read("500ms")


@given(st.integers(0, 10**11))
def test_every_duration_can_be_formatted_and_parsed_again(ms: int) -> None:
    found = span(typed_span(ms))
    assert found is not None
    assert found.ms == ms
