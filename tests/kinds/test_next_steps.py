"""What follows a change is an action on one record, or the form of an operation."""

from __future__ import annotations

from typing import Any

import pytest

from console.api.catalogue import find
from console.api.request import Request
from console.kinds.actions import by_id
from console.kinds.catalogue import KINDS, RESOURCES
from console.kinds.next_steps import NextStep

STEPS = [
    (request, step) for kind in KINDS for request, steps in kind.load_effects("NEXT_STEPS").items() for step in steps
]


def test_new_users_groups_skills_and_templates_have_next_steps() -> None:
    assert {request.operation.name for request, _ in STEPS} >= {
        "users.create",
        "credentials.create",
        "groups.create",
        "skills.create",
        "templates.create",
    }


@pytest.mark.parametrize(("request_type", "step"), STEPS, ids=[step.action for _, step in STEPS])
def test_a_next_step_is_about_the_record_of_the_change(request_type: type[Request[Any]], step: NextStep) -> None:
    if step.draft is None:
        assert by_id(step.action).needs in {"one", "many"}
        return
    sent = request_type.model_construct(domain="desk.example")
    fields = {input_.field for input_ in find(step.action).inputs()}
    assert step.draft(sent, "maria").keys() <= fields
    assert "maria" in step.draft(sent, "maria").values()
    assert step.action.rpartition(".")[0] in RESOURCES
