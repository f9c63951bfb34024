"""The fields of forms: their order, and those of inputs that are records, each on its own line."""

from __future__ import annotations

from typing import Any

from console.api.catalogue import catalogue
from console.api.operations.people import CreateUser, UpdateGroup
from console.api.operations.presence import ListPresences
from console.api.operations.sessions import ResumeSession
from console.api.request import Request
from console.commands.action import FormAsk
from console.records.people import UserContext
from console.ui.widgets.field_kinds import FieldKind
from console.ui.widgets.form_fields import FormField, fields_of
from console.ui.widgets.form_reading import read_form


def test_required_fields_come_first() -> None:
    fields = fields_of(FormAsk("form", "Create user", CreateUser))
    assert [field.name for field in fields][:4] == ["username", "domain", "role", "email"]
    assert [field.required for field in fields] == [True] * 3 + [False] * 7


def test_no_form_offers_an_input_that_the_contract_calls_deprecated_or_ignored() -> None:
    declared = {
        (request, input_.field)
        for request in catalogue().values()
        for input_ in request.inputs()
        if input_.deprecated or "eprecated" in input_.about or "gnored" in input_.about
    }
    assert declared == {(CreateUser, "id"), (ListPresences, "without_avatar")}
    offered = {(request, field.path[0]) for request in catalogue().values() for field in form_of(request)}
    assert not declared & offered


def form_of(request: type[Request[Any]]) -> tuple[FormField, ...]:
    return fields_of(FormAsk("form", "", request))


def test_a_small_record_is_filled_in_field_by_field() -> None:
    ask = FormAsk("form", "Resume", ResumeSession, only=("token", "context"))
    fields = {field.name: field for field in fields_of(ask)}
    assert fields["context.device_id"].title == "Context device id"
    assert fields["context.device_id"].path == ("context", "deviceId")
    reading = read_form(ask, tuple(fields.values()), {"token": "t" * 40, "context.device_id": "d7"})
    assert not reading.faults
    assert reading.changed == {"token": "t" * 40, "context": UserContext(device_id="d7")}
    assert reading.as_typed == {"token": "t" * 40, "context.device_id": "d7"}


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
