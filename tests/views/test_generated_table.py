"""Tables generated from a record's declaration."""

from __future__ import annotations

from typing import Any

from console.base.text import as_label
from console.records.access import Permissions
from console.records.contacts import Contact, StaticContact
from console.records.domains import Domain
from console.records.meetings import Meeting
from console.records.people import Session, User
from console.records.record import Record
from console.views.generated_table import generated_table, name_of, value_text
from console.views.table import Table
from tests.kinds.reading import said as words_of
from tests.kinds.wild import NOW, render_context


def table(record: type[Record], *shown: str) -> Table[Any]:
    return generated_table("things", "Things", "thing", record, shown, lambda each: int(each.key[1:]))


def test_every_field_is_a_column_and_the_important_ones_are_first() -> None:
    made = table(User, "username", "domain")
    assert [column.id for column in made.columns[:2]] == ["username", "domain"]
    assert {column.id for column in made.columns} >= set(User.declared_fields)
    assert [column.priority for column in made.columns[:3]] == [0, 1, 9]


def test_rows_are_in_the_order_of_the_service_until_sorted() -> None:
    made = table(User, "username")
    assert made.order == "place"
    assert made.column("place").value(User(id="u7"), render_context()) == 7


def test_timestamps_read_as_times_and_secrets_as_their_last_characters() -> None:
    made = table(Session, "user")
    session = Session.model_validate({"id": "s1", "token": "0123456789abcdef", "from": NOW})
    assert made.column("token").cell(session, render_context()).text == "…cdef"
    assert ":" in made.column("from_").cell(session, render_context()).text
    lines = "\n".join(words_of(made.detail(session, render_context())[0].lines))
    assert "0123456789ab" not in lines
    assert "0:00 ago" in lines


def test_any_value_is_written_on_one_line() -> None:
    assert value_text(("a", "b")) == "a, b"
    assert value_text(tuple("abcdefg")) == "a, b, c, d and 3 more"
    assert value_text({"k": True}) == "k: yes"
    assert value_text({"login": {}, "chat": None}) == "login, chat"
    assert value_text({"password": "0123456789abcdef"}) == "password: …cdef"
    assert as_label("last_login") == "Last login"
    assert as_label("from_") == "From"
    assert [as_label(name) for name in ("redirect_uri", "sip_domain", "pin")] == ["Redirect URI", "SIP domain", "PIN"]
    assert [as_label(name) for name in ("svc_uris", "c2c", "urls")] == ["Svc URIs", "C2C", "URLs"]


def test_a_length_of_time_is_shown_as_one() -> None:
    meeting = Meeting(id="m1", valid_time_before_start=600_000)
    meetings = table(Meeting)
    assert meetings.column("valid_time_before_start").cell(meeting, render_context()).text == "10:00"
    lines = words_of(meetings.detail(meeting, render_context())[0].lines)
    assert next(line for line in lines if "before start" in line).endswith(" 10:00")


def test_values_inside_a_record_are_shown_as_they_are_read() -> None:
    found = Permissions.model_validate({"recording": None, "voicemail": {"enabled": "true"}})
    assert table(Permissions).column("voicemail").cell(found, render_context()).text == "yes"


def test_a_record_is_titled_by_its_name_before_its_key() -> None:
    assert name_of(User(id="u1", username="ana")) == "ana"
    assert name_of(User(id="u1")) == "u1"


def test_a_long_label_is_separated_from_its_value_and_values_are_aligned() -> None:
    made = table(Domain, "domain")
    domain = Domain(id="d1", domain="shop.example", anonymous_expiration=43200)
    lines = words_of(made.detail(domain, render_context())[0].lines)
    starts = {line.index(value) for value in ("43200", "shop.example") for line in lines if value in line}
    assert len(starts) == 1
    assert all("Anonymous expiration " in line for line in lines if "43200" in line)


def test_numbers_and_addresses_are_shown_in_any_format_of_the_answer() -> None:
    made = table(StaticContact, "name", "phones")
    contact = StaticContact.model_validate(
        {"id": "c1", "phones": [{"type": "home", "value": "+34 1"}, "+34 2"], "emails": []}
    )
    assert made.column("phones").cell(contact, render_context()).text == "+34 1, +34 2"
    assert made.column("emails").value(contact, render_context()) is None
    sourced = Contact.model_validate(
        {"id": "c2", "phones": [{"address": "+34 3"}], "emails": [{"value": "a@b.example"}]}
    )
    assert table(Contact).column("phones").value(sourced, render_context()) == "+34 3"
    assert table(Contact).column("emails").value(sourced, render_context()) == "a@b.example"


def test_a_person_without_an_id_is_shown_by_the_user_name() -> None:
    made = table(Meeting, "name", "user")
    meeting = Meeting.model_validate({"id": "m1", "user": {"username": "ana"}})
    assert made.column("user").cell(meeting, render_context()).text == "ana"
    assert "unreadable" not in str(made.detail(meeting, render_context()))


def test_a_reference_to_a_user_reads_as_a_person_with_or_without_a_declaration() -> None:
    ana = {"id": "u1", "username": "ana", "domain": "a.example", "role": "user", "alias": "Ana Ruiz"}
    meeting = Meeting.model_validate(
        {"id": "m1", "user": ana, "users": [ana, {**ana, "alias": None, "pin": "0123456789"}]}
    )
    lines = [" ".join(line.split()) for line in words_of(table(Meeting).detail(meeting, render_context())[0].lines)]
    assert "User Ana Ruiz, ana@a.example, user, u1" in lines
    first = lines.index("Users 2 entries") + 1
    assert lines[first] == "Ana Ruiz, ana@a.example, user, u1"
    assert lines[first + 1].startswith("ana@a.example, user, pin: ")
    assert "01234567" not in lines[first + 1]
