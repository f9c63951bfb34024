"""Null and the empty value in a form, distinguished from an unchanged field."""

from __future__ import annotations

import json
from typing import Any

import pytest

from console.api.annotations import Effect, InputPlace, Variant
from console.api.catalogue import catalogue, find
from console.api.outgoing import outgoing
from console.api.request import Request
from console.commands.action import FormAsk
from console.commands.inputs import build
from console.ui.widgets.field_kinds import FieldKind
from console.ui.widgets.form_fields import Blank, FormField, fields_of, fields_of_entry
from console.ui.widgets.form_reading import Typed, read_entry, read_form, value_of

CHANGES = [each for each in catalogue().values() if each.operation.effect is Effect.CHANGE]
GIVEN: dict[str, Any] = {
    "source": "local",
    "phones": [{"value": "+34986000111"}],
    "data": [{"name": "password", "value": "a"}],
}


def form_of(request: type[Request[Any]], **initial: Any) -> tuple[FormAsk, tuple[FormField, ...]]:
    ask = FormAsk("form", "Form", request, initial)
    return ask, fields_of(ask)


def filled(field: FormField) -> Any:
    """Return a sample value for a required field."""
    match field.kind:
        case FieldKind.CHOICE:
            return field.offered[0][0]
        case FieldKind.NUMBER | FieldKind.DURATION:
            return "60000"
        case FieldKind.ENTRIES:
            return GIVEN.get(field.name, [{"id": "a", "name": "a", "value": "a"}])
        case FieldKind.LINES:
            return "a"
        case _:
            return str(GIVEN.get(field.name, "x" * 20))


def sent(request: type[Request[Any]], fields: tuple[FormField, ...], ask: FormAsk, typed: Typed) -> Any:
    """Fill in the other required fields and return the request; fail if the form refuses it."""
    needed = {each.name: filled(each) for each in fields if each.required}
    wholes = {each.path[0] for each in fields if typed.get(each.name) in (Blank.WHOLE_NULL, Blank.WHOLE_EMPTY)}
    for each in request.inputs():
        parts = [field for field in fields if field.path[0] == each.field]
        if each.required and each.field not in wholes and not any(part.required for part in parts):
            needed |= {part.name: filled(part) for part in parts if part.kind is FieldKind.TEXT}
    reading = read_form(ask, fields, {**needed, **typed})
    assert not reading.faults, f"{request.operation.name} {dict(typed)}: {reading.faults}"
    return build(request, reading.changed)


def at_wire(request: Request[Any], field: FormField, *, whole: bool) -> tuple[bool, Any]:
    """Return whether a field is in the body, and its value."""
    declared = next(each for each in type(request).inputs() if each.field == field.path[0])
    body = outgoing(request).body
    content: Any = json.loads(body or b"{}")
    if declared.place is InputPlace.WHOLE_BODY:
        return (True, content) if body is not None else (False, None)
    for step in (declared.travels, *(() if whole else field.path[1:])):
        if step not in (content or {}):
            return False, None
        content = content[step]
    return True, content


def bodies(request: type[Request[Any]]) -> list[str]:
    return [each.field for each in request.inputs() if each.place in {InputPlace.BODY, InputPlace.WHOLE_BODY}]


def test_every_input_can_be_sent_as_null_empty_or_not_at_all() -> None:
    tried = 0
    for request_type in CHANGES:
        ask, fields = form_of(request_type)
        needed = {each.field for each in request_type.inputs() if each.required_in(Variant.LATER)}
        for field in fields:
            if field.path[0] not in bodies(request_type):
                continue
            said = f"{request_type.operation.name} {field.name}"
            if field.path[0] not in needed:
                assert at_wire(sent(request_type, fields, ask, {}), field, whole=False)[0] is False, said
            for blank in field.blanks:
                request = sent(request_type, fields, ask, {field.name: blank})
                whole = blank in {Blank.WHOLE_NULL, Blank.WHOLE_EMPTY}
                expected = value_of(field, blank)
                assert at_wire(request, field, whole=whole) == (True, expected), f"{said} {blank}"
                tried += 1
    assert tried > 300


def test_every_nullable_input_can_be_set_to_null_in_a_form() -> None:
    for request_type in CHANGES:
        _, fields = form_of(request_type)
        for each in request_type.inputs():
            parts = [field for field in fields if field.path[0] == each.field]
            blanks = {blank for part in parts for blank in part.blanks}
            if parts and each.nullable:
                assert blanks & {Blank.NULL, Blank.WHOLE_NULL}, f"{request_type.operation.name} {each.field}"


def test_the_password_of_a_meeting_is_removed_by_null_and_cannot_be_empty() -> None:
    ask, fields = form_of(find("meetings.update"))
    password = next(each for each in fields if each.name == "password")
    assert password.blanks == (Blank.NULL,)
    reading = read_form(FormAsk("f", "F", ask.request, {}, {"id": "m"}), fields, {"password": Blank.NULL})
    assert (reading.changed, reading.faults) == ({"password": None}, {})


def test_an_anonymous_login_omits_the_token_or_sends_it_empty() -> None:
    ask, fields = form_of(find("sessions.start"))
    left_out, empty = (read_form(ask, fields, typed) for typed in ({}, {"token": Blank.EMPTY}))
    assert (left_out.changed, left_out.faults) == ({}, {})
    assert (empty.changed, empty.faults) == ({"token": ""}, {})


def test_a_part_of_an_input_that_is_null_as_a_whole_cannot_be_filled_in() -> None:
    ask, fields = form_of(find("sessions.start"))
    typed = {"token": "t", "context.src": Blank.WHOLE_NULL, "context.language": "es"}
    assert read_form(ask, fields, typed).faults == {"context.language": "cannot be sent with (Context: none)"}
    del typed["context.language"]
    assert read_form(ask, fields, typed).changed == {"token": "t", "context": None}


def test_deleted_text_is_empty_and_a_deleted_number_null() -> None:
    initial: dict[str, Any] = {"name": "Night", "valid_until": 1000, "participants": ({"email": "a@b"},)}
    ask, fields = form_of(find("meetings.update"), **initial)
    by_name = {each.name: each for each in fields}
    reading = read_form(ask, fields, {"valid_until": "", "participants": [], "id": "m"})
    assert reading.changed == {"valid_until": None, "participants": (), "id": "m"}
    assert by_name["name"].read("") == ""


def test_a_required_input_that_is_null_or_empty_is_reported() -> None:
    ask, fields = form_of(find("alerts.list"))
    assert all(Blank.NULL not in each.blanks for each in fields), "a query has no null"
    ask, fields = form_of(find("templates.create"), number_of_retries=3)
    assert read_form(ask, fields, {"number_of_retries": ""}).faults["number_of_retries"] == "is required"


def test_a_member_of_an_entry_can_be_null_and_is_sent_so() -> None:
    request = find("meetings.create")
    ask, fields = form_of(request)
    participants = next(each for each in fields if each.name == "participants")
    assert participants.entries is not None
    entry = {"email": "a@b", "locale": "es-ES"}
    inner = fields_of_entry(participants.entries, entry, secret=False)
    reading = read_entry(participants.entries, entry, inner, {"locale": Blank.NULL}, None)
    assert reading.changed == {"email": "a@b", "locale": None}
    made = build(request, read_form(ask, fields, {"participants": [dict(reading.changed)]}).changed)
    assert json.loads(outgoing(made).body or b"")["participants"] == [{"email": "a@b", "locale": None}]


@pytest.mark.parametrize(
    ("initial", "draft", "begins"),
    [("u1", None, Blank.NULL), (None, "", Blank.EMPTY), ("u1", "u2", None), ("u1", "u1", None)],
)
def test_a_draft_that_was_null_or_empty_is_restored_so(initial: Any, draft: Any, begins: Blank | None) -> None:
    ask = FormAsk("f", "F", find("user-contacts.update"), {"associated_user_id": initial}, {"id": "c"})
    fields = fields_of(FormAsk("f", "F", ask.request, ask.initial, ask.fixed, draft={"associated_user_id": draft}))
    assert next(each for each in fields if each.name == "associated_user_id").begins is begins


def test_a_word_that_only_the_deployment_knows_is_offered_and_not_refused() -> None:
    ask, fields = form_of(find("users.create"), username="ana", domain="d", role="supervisor")
    role = next(each for each in fields if each.name == "role")
    assert [words for words, _ in role.offered] == ["user", "admin", "anonymous", "supervisor"]
    assert not read_form(ask, fields, {"username": "eva", "role": "supervisor"}).faults
