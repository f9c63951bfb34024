"""The details of users."""

from __future__ import annotations

from console.kinds.users.columns import compared, permissions_in_force
from console.records.access import Permissions
from console.records.people import User
from console.records.provisioning import ProvisionedAttributes, ProvisionedUser
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
