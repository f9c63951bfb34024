"""What the screens of a profile share."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast
from zoneinfo import ZoneInfo

import pytest

from console.base.clock import SystemClock
from console.config.address_forms import AddressForms
from console.config.paths import places
from console.config.schema import Config, Profile
from console.records.people import CurrentUser, User
from console.records.record import Record
from console.records.support import Presence
from console.ui.screens.app_context import AppContext


def context(
    me: Record | None, *addresses: str, forms: AddressForms | None = None, profile: str = "busy"
) -> tuple[AppContext, dict[str, Any]]:
    known: dict[str, Any] = {"presence": {each: Presence(address=each) for each in addresses}, "users": {}}

    def records(kind: str) -> dict[str, Record]:
        return known[kind]

    backend = SimpleNamespace(me=me, records=records)
    made = AppContext(
        backend=cast(Any, backend),
        config=Config(),
        profile_name=profile,
        profile=Profile(core="https://voice.example", addresses=forms),
        clock=SystemClock(),
        zone=ZoneInfo("UTC"),
        places=places({"CONSOLE_HOME": "/nowhere"}),
    )
    return made, known


ME = CurrentUser(user=User(id="17", username="ana"))


def test_the_form_of_addresses_is_learnt_once_a_presence_is_known() -> None:
    seen, known = context(ME)
    assert seen.render_context().addresses.user.of("17") == "svc-user:17"
    known["presence"] = {"wac-user:17": Presence(address="wac-user:17")}
    assert seen.render_context().addresses.user.of("17") == "wac-user:17"


@pytest.mark.parametrize("address", ["svc-user:17", "wac-user:17"])
def test_a_configured_form_of_addresses_is_not_learnt(address: str) -> None:
    seen, _ = context(ME, address, forms=AddressForms(user="sip:{id}@voice.example"))
    assert seen.addresses.user.of("17") == "sip:17@voice.example"


def test_a_caller_without_an_id_is_nobody() -> None:
    seen, _ = context(CurrentUser.model_validate({"user": {"username": "ana"}}))
    assert seen.user_id == ""


@pytest.mark.parametrize(("profile", "title"), [("busy", "busy"), ("environment", "voice.example")])
def test_a_profile_from_the_environment_is_called_by_its_host(profile: str, title: str) -> None:
    seen, _ = context(ME, profile=profile)
    assert seen.profile_title == title
