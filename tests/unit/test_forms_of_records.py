"""Forms whose inputs are records: each field of the record on its own line."""

from __future__ import annotations

from console.api.operations.people import UpdateGroup
from console.api.operations.sessions import ResumeSession
from console.commands.action import FormAsk
from console.records.people import UserContext
from console.ui.widgets.form_fields import FieldKind, fields_of
from console.ui.widgets.form_reading import read_form


def test_a_small_record_is_filled_in_field_by_field() -> None:
    ask = FormAsk("form", "Resume", ResumeSession, only=("token", "context"))
    fields = {field.name: field for field in fields_of(ask)}
    assert fields["context.device_id"].title == "Context device id"
    assert fields["context.device_id"].path == ("context", "deviceId")
    reading = read_form(ask, tuple(fields.values()), {"token": "t" * 40, "context.device_id": "d7"})
    assert not reading.faults
    assert reading.changed == {"token": "t" * 40, "context": UserContext(device_id="d7")}
    assert reading.told == {"token": "t" * 40, "context.device_id": "d7"}


def test_untouched_parts_of_a_record_are_sent_unchanged() -> None:
    ask = FormAsk(
        "form", "Edit", UpdateGroup, {"ringing_strategy": {"type": "simultaneous", "seconds": 20}}, {"group_id": "g1"}
    )
    fields = fields_of(ask)
    strategy = next(field for field in fields if field.path == ("ringing_strategy",) or field.path[-1] == "type")
    reading = read_form(ask, fields, {strategy.name: "linear"})
    assert not reading.faults
    sent = UpdateGroup(group_id="g1", **reading.changed)
    assert sent.ringing_strategy is not None
    assert sent.ringing_strategy.wire() == {"type": "linear", "seconds": 20}


def test_an_error_within_a_record_is_shown_at_its_field() -> None:
    ask = FormAsk("form", "Resume", ResumeSession, only=("token", "context"))
    fields = fields_of(ask)
    assert all(field.kind is FieldKind.TEXT for field in fields)
    reading = read_form(ask, fields, {"context.src": "x"})
    assert "token" in reading.faults
