"""Actions on alert templates: the requests sent, refusals, undo."""

from __future__ import annotations

import pytest

from console.api.operations.support import (
    AttachReceivers,
    CreateTemplate,
    DeleteTemplate,
    DetachReceivers,
    UpdateTemplate,
)
from console.commands.action import ChoiceAsk
from console.commands.guards import blocked
from console.kinds.actions import by_id
from console.kinds.consequences import consequence
from console.records.support import AlertTemplate
from tests.kinds.action_world import (
    BOB,
    EVA,
    HELP,
    NIGHT,
    SALES,
    SKILLS,
    asks_of,
    plan,
    requests,
    situation,
)


def test_creating_a_template_can_be_undone() -> None:
    (step,) = plan("templates.create", situation(), template={"template_id": "t", "title": "T", "payload": ""})
    assert step.request == CreateTemplate(
        template_id="t",
        title="T",
        payload="",
        number_of_retries=3,
        time_in_ms_between_retries=60_000,
        time_to_expire=300_000,
    )
    assert step.inverse == (DeleteTemplate(id="t"),)


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"template_id": "help", "title": "T", "payload": ""}, "Template help already"),
        ({"template_id": "t", "payload": ""}, "^Title: needs a value"),
        ({"template_id": "t", "title": "T", "payload": "", "number_of_retries": -1}, "^Retries: "),
    ],
)
def test_an_invalid_template_is_refused(values: dict[str, object], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        plan("templates.create", situation(), template=values)


def test_a_template_is_edited_and_undone() -> None:
    (step,) = plan("templates.edit", situation(), (HELP,), template={"title": "Now", "payload": "Come"})
    assert step.request == UpdateTemplate(id="help", title="Now")
    assert step.inverse == (UpdateTemplate(id="help", title="Help"),)
    endless = AlertTemplate(template_id="e", title="E")
    (step,) = plan("templates.edit", situation(), (endless,), template={"time_to_expire": 5})
    assert step.inverse == ()


def test_deleting_and_detaching_name_what_is_lost() -> None:
    delete, detach = (plan(each, situation(), (HELP,)) for each in ("templates.delete", "templates.detach"))
    assert requests(delete) == [DeleteTemplate(id="help")]
    assert requests(detach) == [DetachReceivers(id="help")]
    assert "receivers is lost" in consequence(situation(), delete).warning
    assert "cannot say who they were" in consequence(situation(), detach).warning


def test_receivers_from_users_groups_and_skills_are_added_once_each() -> None:
    (ask,) = asks_of(by_id("templates.attach"), situation(), (HELP,))
    assert isinstance(ask, ChoiceAsk)
    assert ask.many
    titles = [each.title for each in ask.choices]
    assert {"@Sales", "@Night", "#billing", "Ana"} <= set(titles)
    picked = ("group:night", "skill:billing", "user:u-ana")
    assert set(picked) <= {each.value for each in ask.choices}
    (step,) = plan("templates.attach", situation(), (HELP,), receivers=picked)
    expected = tuple(dict.fromkeys((*NIGHT.participants, *SKILLS[0].agents, "u-ana")))
    assert step.request == AttachReceivers(id="help", user_ids=expected)
    assert step.words == "added 4 people to the receivers of Help"


@pytest.mark.parametrize(
    ("picked", "reason"),
    [
        ((), "is missing"),
        (("group:empty",), "Nobody"),
        (("group:gone",), "gone no longer exists"),
        (("x",), "no longer exists"),
    ],
)
def test_invalid_receivers_are_refused(picked: tuple[str, ...], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        plan("templates.attach", situation(), (HELP,), receivers=picked)


def test_only_admins_can_change_templates() -> None:
    assert blocked(by_id("templates.edit"), situation(BOB), (HELP,)) == "Only admins can do this."
    assert SALES.owner is not None
    assert SALES.owner.id == EVA.id
