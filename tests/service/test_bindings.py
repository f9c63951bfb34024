"""Operations bound to functions: a parameter name that matches nothing fails at import."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from console.api.operations.people import ClearParticipants, LeaveGroups
from console.service.auth.relation_checks import is_self, owns
from console.service.domain import groups
from console.service.domain.groups import GROUPS
from console.service.handlers import load_handlers
from console.service.handlers.handler import bind

load_handlers()

OWNER = owns(GROUPS, "owner", "group_id")


def _needs_more(group_id: str, name: str) -> None: ...


def _takes_nothing(caller: object) -> None: ...


def _takes_another(request: LeaveGroups) -> None: ...


@pytest.mark.parametrize(
    ("function", "inputs", "said"),
    [
        pytest.param(_needs_more, {}, "groups.clear has no input for the parameter name", id="parameter"),
        pytest.param(groups.clear, {"user": "group_id"}, "groups.clear has no parameter or input user"),
        pytest.param(groups.clear, {"group_id": "id"}, "groups.clear has no parameter or input id"),
        pytest.param(_takes_nothing, {}, "groups.clear leaves out its input group_id", id="input"),
        pytest.param(_takes_another, {}, "groups.clear has no input for the parameter request", id="request"),
    ],
)
def test_a_handler_with_an_invalid_parameter_is_refused_with_the_operation(
    function: Callable[..., Any], inputs: dict[str, Any], said: str
) -> None:
    with pytest.raises(ValueError, match=said):
        bind(ClearParticipants, function, related=OWNER, **inputs)


def test_an_operation_has_only_one_handler() -> None:
    with pytest.raises(ValueError, match=r"groups\.clear has two handlers"):
        bind(ClearParticipants, groups.clear, related=OWNER)


def test_a_relation_required_by_the_access_must_be_implemented() -> None:
    with pytest.raises(ValueError, match=f"{LeaveGroups.operation.name} is for"):
        bind(LeaveGroups, groups.leave_all, leaver="target_user_id")
    with pytest.raises(ValueError, match=f"{LeaveGroups.operation.name} has two handlers"):
        bind(LeaveGroups, groups.leave_all, leaver="target_user_id", related=is_self("target_user_id"))
