"""Known values of inputs: what the caller can see, never a limit for what is created."""

from __future__ import annotations

from console.api.operations.domains import CreateDomain
from console.api.operations.people import CreateUser, UpdateUser
from console.base.frozen import replace
from console.kinds.known_values import known_values, own_values
from tests.kinds.action_world import situation


def test_a_new_user_can_get_each_visible_domain_and_each_time_zone() -> None:
    known = known_values(CreateUser, situation())
    assert known["domain"] == ("desk.example",)
    assert {"Europe/Madrid", "UTC"} <= {*known["current_timezone"]}
    assert "username" not in known


def test_a_new_domain_is_none_of_the_known_ones_but_its_parent_is() -> None:
    known = known_values(CreateDomain, situation())
    assert known == {"parent": ("desk.example",)}


def test_a_new_user_starts_with_the_domain_of_the_caller_and_the_usual_role() -> None:
    here = situation()
    here = replace(here, render=replace(here.render, domain="desk.example"))
    assert own_values(CreateUser, here) == {"domain": "desk.example", "role": "user"}
    assert own_values(UpdateUser, here) == {}
    assert own_values(CreateDomain, here) == {}
