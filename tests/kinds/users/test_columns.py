"""The details of users."""

from __future__ import annotations

from console.kinds.users.columns import TABLE, compared, permissions_in_force
from console.records.access import Permissions
from console.records.people import User
from console.records.provisioning import ProvisionedAttributes, ProvisionedUser
from console.views.filter import parse
from tests.kinds.reading import said
from tests.kinds.wild import render_context

ANA = User(id="ana", username="ana", domain="desk.example", email="ana@desk.example", alias="Ana Ruiz")
PROVISIONED = ProvisionedUser(
    username="ana",
    email="ana@desk.example",
    first_name="Ana Ruiz",
    enabled=True,
    attributes=ProvisionedAttributes(domain="desk.example"),
)


def test_only_the_fields_in_which_the_services_differ_are_listed_and_never_cut() -> None:
    same = said(compared(ANA, PROVISIONED, render_context()))
    assert same == ["Enabled      yes", "Verified     unknown", "All other fields are the same in both."]
    long = "ana.maria.ruiz.salazar@north.desk.example"
    lines = said(compared(ANA.model_copy(update={"email": long}), PROVISIONED, render_context()))
    assert lines[2].split() == ["core", "provisioning"]
    assert lines[3:] == [f"Email        {long} ≠ ana@desk.example", "They differ in 1 of 6 fields."]


def test_a_field_that_one_service_lacks_differs() -> None:
    other = PROVISIONED.model_copy(update={"email": None})
    assert said(compared(ANA, other, render_context()))[3].split() == ["Email", "ana@desk.example", "≠", "–"]


def test_a_permission_that_cannot_be_read_is_not_given_to_nobody() -> None:
    odd = Permissions.model_validate({"recording": {"recordingType": {"odd": True}}, "voicemail": 7})
    assert said(permissions_in_force(odd, None, True, "desk.example", render_context())) == [
        "Recording    –",
        "Voicemail    –",
    ]
    none = said(permissions_in_force(Permissions(), None, True, "desk.example", render_context()))
    assert all(line.endswith("given to nobody") for line in none)


def test_a_permission_is_not_of_the_domain_if_the_users_own_one_cannot_be_read() -> None:
    given = Permissions.model_validate({"recording": {"recordingType": "all"}, "voicemail": {"enabled": True}})
    own = Permissions.model_validate({"recording": 7})
    recording, voicemail = said(permissions_in_force(given, own, True, "desk.example", render_context()))
    assert "of the domain" not in recording
    assert voicemail.endswith("of the domain desk.example")


def test_a_user_whose_last_login_cannot_be_read_is_not_called_never_logged_in() -> None:
    never = parse(TABLE.views["Never logged in"].filter, TABLE)
    odd = User.model_validate({"id": "ana", "lastLogin": {"odd": True}, "email": 7})
    assert [never.matches(user, render_context()) for user in (ANA, odd)] == [True, False]
    assert never.matches_if_known(odd, render_context()) is None
    assert not parse('email:""', TABLE).matches(odd, render_context())
