"""Inputs with lists of objects, filled in entry by entry."""

from __future__ import annotations

import time
from typing import Any

import pytest

from console.api.annotations import Variant
from console.api.catalogue import catalogue
from console.api.operations.contacts import CreateStaticContact, UpdateStaticContact
from console.api.operations.domains import UpdateDomain
from console.api.operations.meetings import CreateMeeting
from console.api.operations.people import CreateGroups
from console.api.operations.traffic import UpdateConference
from console.base.text import clean
from console.commands.action import FormAsk, UserNames
from console.records.contacts import ContactEntry
from console.ui.widgets.field_kinds import FieldKind
from console.ui.widgets.form_entries import Entries, changes, line_of
from console.ui.widgets.form_fields import FormField, fields_of, fields_of_entry
from console.ui.widgets.form_reading import read_entry, read_form


def field_of(request: type[Any], name: str, **initial: Any) -> FormField:
    """Return one field of an operation's form."""
    return next(each for each in fields_of(FormAsk("form", "Form", request, initial)) if each.name == name)


def entries_of(request: type[Any], name: str) -> Entries:
    found = field_of(request, name).entries
    assert found is not None
    return found


def test_every_input_of_declared_fields_is_filled_in_without_json() -> None:
    written = {
        field.name
        for request in catalogue().values()
        for variant in Variant
        for field in fields_of(FormAsk("form", "Form", request), variant)
        if field.kind is FieldKind.JSON
    }
    assert written == {"attempts", "emails", "unnormalized_phones"}  # lists of objects whose fields it does not show


def test_a_record_in_a_list_has_its_own_fields_limits_and_lists() -> None:
    services = fields_of_entry(entries_of(UpdateDomain, "services"), {}, secret=False)
    assert [(each.name, each.kind, each.required) for each in services] == [
        ("name", FieldKind.TEXT, True),
        ("values", FieldKind.LINES, False),
    ]
    invites = entries_of(UpdateConference, "conference_log.invites")
    inner = {each.name: each for each in fields_of_entry(invites, {}, secret=False)}
    assert inner["candidates"].kind is FieldKind.ENTRIES
    assert inner["mediatypes.audio"].kind is FieldKind.CHOICE


def test_an_incomplete_entry_is_refused() -> None:
    entries = entries_of(CreateGroups, "groups")
    fields = fields_of_entry(entries, {}, secret=False)
    assert set(read_entry(entries, {}, fields, {"groupId": "night"}, None).faults) == {"name"}
    reading = read_entry(entries, {}, fields, {"name": "Night", "groupId": "night"}, None)
    assert reading.changed == {"groupId": "night", "name": "Night"}
    assert read_entry(entries_of(CreateMeeting, "participants"), {}, (), {}, None).faults


def test_other_fields_of_an_entry_are_kept() -> None:
    entries = entries_of(UpdateStaticContact, "phones")
    entry = {"type": "home", "value": "+34 1", "primary": True, "verified": "yes"}
    fields = fields_of_entry(entries, entry, secret=False)
    reading = read_entry(entries, entry, fields, {"value": "+34 2"}, None)
    assert reading.changed == {**entry, "value": "+34 2"}


def test_names_in_entries_become_user_ids_as_well() -> None:
    entries = entries_of(CreateMeeting, "participants")
    fields = fields_of_entry(entries, {}, secret=False)
    names = UserNames({"Ana Belmonte": "ana"}.__getitem__, clean)
    reading = read_entry(entries, {}, fields, {"userId": "Ana Belmonte"}, names)
    assert reading.changed == {"userId": "ana"}


def test_a_required_list_can_be_empty() -> None:
    ask = FormAsk("form", "New", CreateStaticContact)
    phones = [{"value": "+34986000111", "primary": True}]
    reading = read_form(ask, fields_of(ask), {"id": "gate", "name": "Gate", "phones": phones})
    assert reading.faults == {}
    assert reading.changed["emails"] == ()
    assert reading.changed["phones"] == (ContactEntry(value="+34986000111", primary=True),)


def test_an_error_names_its_entry() -> None:
    ask = FormAsk("form", "New", CreateGroups)
    reading = read_form(ask, fields_of(ask), {"groups": [{"groupId": "a", "name": "A"}, {"groupId": "b"}]})
    assert reading.faults == {"groups": "entry 2, name: string should have at least 1 character"}


def test_members_of_an_object_are_entries_with_names() -> None:
    services = field_of(UpdateDomain, "services", services={"login": ("basic",), "presence": ()})
    assert services.entries is not None
    assert services.entries.apart(services.initial) == [
        {"name": "login", "values": ["basic"]},
        {"name": "presence", "values": []},
    ]
    assert services.read([{"name": "login", "values": ["ims"]}]) == {"login": ["ims"]}
    with pytest.raises(ValueError, match="login is there twice"):
        services.read([{"name": "login"}, {"name": "login"}])


def test_plain_texts_in_lists_of_entries_stay_plain() -> None:
    entries = Entries(ContactEntry, bare="value")
    assert entries.opened("+34 1") == {"value": "+34 1"}
    assert entries.closed({"value": "+34 2"}, ["+34 1"]) == "+34 2"
    assert entries.closed({"value": "+34 2", "primary": True}, ["+34 1"]) == {"value": "+34 2", "primary": True}
    assert entries.closed({"value": "+34 2"}, [{"value": "+34 1"}]) == {"value": "+34 2"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("home,+34 1\nwork,+34 2\n", [{"type": "home", "value": "+34 1"}, {"type": "work", "value": "+34 2"}]),
        ("value;type\r\n+34 1;home\r\n\r\n", [{"type": "home", "value": "+34 1"}]),
        ('"a ""b"", c",x', [{"type": 'a "b", c', "value": "x"}]),
        ("home,+34 1\rwork,+34 2\r", [{"type": "home", "value": "+34 1"}, {"type": "work", "value": "+34 2"}]),
        ("", []),
    ],
)
def test_lines_of_csv_become_entries(text: str, expected: list[dict[str, str]]) -> None:
    assert Entries(ContactEntry).pasted(text) == expected


@pytest.mark.parametrize(
    "text", ["home," + "1" * 131_073, 'home,+34 1\n"' + "a,b\n" * 50_000], ids=["a long value", "an open quote"]
)
def test_csv_with_a_value_that_is_too_long_is_refused_in_words(text: str) -> None:
    with pytest.raises(ValueError, match=r"^A value exceeds 131 072 characters\.$"):
        Entries(ContactEntry).pasted(text)


def test_only_the_name_of_a_secret_entry_is_shown() -> None:
    assert "s3cret" not in line_of({"name": "key", "value": "s3cret"}, secret=True)
    assert "s3cret" not in line_of({"name": "password", "value": "s3cret"})
    assert "s3cret" not in line_of({"value": "s3cret", "name": "key"}, secret=True)
    assert line_of({"type": "home", "value": "+34 1", "primary": True, "note": ""}) == "home  +34 1  primary"


def test_changes_are_pairs_of_old_and_new_values() -> None:
    assert list(changes(["a", "b", "c"], ["a", "x", "c", "d"])) == [("b", "x"), (None, "d")]
    assert list(changes(["a", "b"], ["b"])) == [("a", None)]


def test_long_lists_of_changes_are_computed_without_comparing_all_pairs() -> None:
    before = [f"entry {number}" for number in range(10_000)]
    after = [*before[:100], "new", *before[101:], "last", "last"]
    started = time.process_time()
    assert list(changes(before, after)) == [("entry 100", None), (None, "new"), (None, "last"), (None, "last")]
    assert list(changes(before, [*reversed(before)])) == []
    assert time.process_time() - started < 1.0
