"""Forms that change a record open with its current values, whichever operation reads them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, get_args, get_origin

import pytest

from console.api.catalogue import catalogue
from console.api.errors import NotFound
from console.api.listed import record_type
from console.api.operations.permissions import GetUserPermissions
from console.api.request import Request
from console.commands.action import FormAsk, ReadAsk
from console.kinds.catalogue import RESOURCES
from console.kinds.operating import FORM, PRESENT, change
from console.kinds.resource import Resource
from console.kinds.resources import acts_on_row, operations_of
from console.records.access import Permissions, RecordingPermission, VoicemailPermission
from console.records.fields import resolved_fields
from console.records.record import Record
from tests.kinds.action_world import ANA, BOB, asks_of, situation

NOT_HELD = {
    "datapipes.update": {"session"},
    "meetings.update": {"send_invites"},
    "provisioning-users.update": {"credentials"},
}
"""Inputs of changes that no answer of the service contains."""


def changes() -> Iterator[tuple[Resource, type[Request[Any]]]]:
    for wanted in RESOURCES.values():
        for request in operations_of(wanted):
            if request.operation.name.endswith((".update", ".set")) and acts_on_row(wanted, request):
                yield wanted, request


def sample(annotation: Any) -> Any:
    """Return a value of a type, on the wire."""
    origin, inside = get_origin(annotation), [each for each in get_args(annotation) if each is not type(None)]
    if isinstance(annotation, type) and issubclass(annotation, Record):
        return {field.wire: sample(field.annotation) for field in resolved_fields(annotation).values()}
    if origin in {tuple, list}:
        return [sample(inside[0])]
    if origin is dict:
        return {"x": sample(inside[1])}
    if annotation in {bool, int, float}:
        return 1
    return sample(inside[0]) if origin is not None and isinstance(inside[0], type) | bool(get_args(inside[0])) else "x"


def form_of(wanted: Resource, request: type[Request[Any]]) -> FormAsk:
    """Return the form of a change to a row whose every field is set, after everything that it reads."""
    listed = next(catalogue()[name] for name in wanted.lists if name in catalogue())
    row = record_type(listed).model_validate(sample(record_type(listed)))
    answers: dict[str, Any] = {}
    for asked in asks_of(change(request.operation.name, wanted), situation(), (row,)):
        ask = asked(answers) if callable(asked) else asked
        if isinstance(ask, ReadAsk):
            model: Any = type(ask.request).answer_type()
            answers[ask.name] = model.model_validate(sample(model))
        elif isinstance(ask, FormAsk):
            return ask
    raise AssertionError(request.operation.name)


def test_every_form_for_a_change_shows_all_current_values() -> None:
    read_apart: set[str] = set()
    for wanted, request in changes():
        name, form = request.operation.name, form_of(wanted, request)
        shown = {each.field for each in request.inputs() if each.field not in form.fixed and not each.secret}
        assert shown - form.initial.keys() == NOT_HELD.get(name, set()), name
        if not name.startswith(f"{wanted.name}."):
            read_apart.add(name)
    assert read_apart == {"user-permissions.update", "domain-permissions.update"}


KEYS = ("u-ana", "u-bob")
PERMISSIONS = change("user-permissions.update", RESOURCES["users"])


def test_values_that_cannot_be_read_are_blank_and_the_form_says_why() -> None:
    read, form = asks_of(PERMISSIONS, situation(), (ANA,))
    assert isinstance(read, ReadAsk)
    assert callable(form)
    ask = form({PRESENT: NotFound("no permissions of their own", status=404, operation="user-permissions.get")})
    assert isinstance(ask, FormAsk)
    assert ask.initial == {}
    assert ask.note == "Cannot read the current values: no permissions of their own. Blank fields stay unchanged."


def test_values_of_many_records_are_blank_and_the_form_says_so() -> None:
    (ask,) = asks_of(PERMISSIONS, situation(), [ANA.model_copy(update={"id": f"u{number}"}) for number in range(21)])
    assert isinstance(ask, FormAsk)
    assert ask.title == "Update user permissions: 21 users"
    assert (ask.initial, ask.each) == ({}, ())
    assert "more than 20 records are not read" in ask.note


def test_values_of_several_records_are_read_shown_and_compared() -> None:
    *reads, form = asks_of(PERMISSIONS, situation(), (ANA, BOB))
    assert callable(form)
    assert all(isinstance(ask, ReadAsk) for ask in reads)
    assert [ask.request for ask in reads if isinstance(ask, ReadAsk)] == [GetUserPermissions(id=key) for key in KEYS]
    before = Permissions(voicemail=VoicemailPermission(enabled=False))
    answers = {ask.name: now for ask, now in zip(reads, (before, NotFound("none")), strict=True) if not callable(ask)}
    asked = form(answers)
    assert isinstance(asked, FormAsk)
    assert asked.title == "Update user permissions: 2 users"
    assert (asked.initial, [dict(now) for _, now in asked.each]) == ({}, [{"voicemail": before.voicemail}, {}])
    assert asked.note == "Cannot read the current values of 1 of 2: none. Blank fields stay unchanged."
    mine = VoicemailPermission(enabled=True)
    steps = PERMISSIONS.plan(situation(), (ANA, BOB), {FORM: {"voicemail": mine}, **answers})
    assert [step.basis and step.basis.before for step in steps] == [{"voicemail": before.voicemail}, None]
    assert [step.basis and step.basis.read for step in steps] == [GetUserPermissions(id=KEYS[0]), None]


def test_a_blank_field_of_an_object_stays_as_each_of_several_records_has_it() -> None:
    present = [
        Permissions(recording=RecordingPermission(recording_type="all", recording_profile=profile))
        for profile in ("always", "never")
    ]
    reads = [ask for ask in asks_of(PERMISSIONS, situation(), (ANA, BOB)) if isinstance(ask, ReadAsk)]
    answers = {ask.name: now for ask, now in zip(reads, present, strict=True)}
    typed = {"recording": RecordingPermission(recording_type="mine")}
    steps = PERMISSIONS.plan(situation(), (ANA, BOB), {FORM: typed, **answers})
    sent = [step.request.model_dump(exclude_unset=True)["recording"] for step in steps]
    assert sent == [{"recording_type": "mine", "recording_profile": profile} for profile in ("always", "never")]


@pytest.mark.parametrize("known", [True, False], ids=["read", "not read"])
def test_a_change_of_values_that_were_read_can_be_undone(known: bool) -> None:
    before = Permissions(
        recording=RecordingPermission(recording_type="all"), voicemail=VoicemailPermission(enabled=False)
    )
    present: Mapping[str, Any] = {PRESENT: before if known else NotFound("none")}
    (step,) = PERMISSIONS.plan(situation(), (ANA,), {FORM: {"voicemail": VoicemailPermission(enabled=True)}, **present})
    assert [each.model_dump(exclude_unset=True) for each in step.inverse] == (
        [{"id": "u-ana", "voicemail": {"enabled": False}}] if known else []
    )
