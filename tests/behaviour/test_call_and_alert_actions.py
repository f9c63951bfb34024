"""Every action on calls, alerts and templates: key, dialogs, database, undo."""

from __future__ import annotations

import pytest

from console.service.domain import quality
from console.service.domain.alerts import ALERTS
from console.service.domain.calls import CALLS
from console.service.domain.groups import GROUPS
from console.service.domain.templates import TEMPLATES, receivers_of
from tests.behaviour.driver import Seat
from tests.behaviour.pressing import presses
from tests.behaviour.service_base import Base, fresh

pytestmark = pytest.mark.asyncio(loop_scope="module")


# -- calls -----------------------------------------------------------------------------------------------------------


@presses("calls.edit", undone=True)
async def test_a_call_is_edited_after_the_difference_was_shown(eva: Seat, base: Base) -> None:
    call = base.call("+34600111222")
    await eva.look_at("calls", call)
    await eva.open_dialog("e")
    await eva.press("ctrl+u")
    await eva.type("+34999")
    await eva.press("enter")
    await eva.sees("+34600111222 → +34999")
    await eva.confirm("enter")
    await eva.sees("This changes only the record of the call")
    await eva.confirm("ctrl+y", does="calls.edit")
    assert base.stored(CALLS, call)["caller"] == "+34999"
    await eva.undo()
    assert base.stored(CALLS, call)["caller"] == "+34600111222"


@presses("calls.statistics", undone=True)
async def test_statistics_are_switched_for_several_calls_and_undone(eva: Seat, base: Base) -> None:
    number = f"+3477{fresh('x').removeprefix('x-t'):0>7}"
    calls = [base.call(number), base.call(number)]
    for call in calls:
        quality.enable_statistics(base.service.platform, base.caller("eva"), call, enable=False, user=None)
    await eva.look_at("calls", filter_text=number)
    await eva.until(lambda: set(eva.shown) == set(calls))
    await eva.press("asterisk", "S")
    await eva.dialog()
    await eva.sees("1  Collect statistics")
    await eva.confirm("1", does="calls.statistics")
    for call in calls:
        assert base.stored(CALLS, call)["data"]["statistics"]["enabled"] is True
    await eva.undo()
    for call in calls:
        assert base.stored(CALLS, call)["data"]["statistics"]["enabled"] is False


# -- alerts ----------------------------------------------------------------------------------------------------------


@presses("alerts.accept")
async def test_an_accepted_alert_is_shown_as_accepted(eva: Seat, base: Base) -> None:
    title = fresh("Fire")
    alert = base.alert(title=title)
    await eva.look_at("alerts", alert)
    await eva.press("a")
    await eva.done("alerts.accept")
    assert base.stored(ALERTS, alert)["acceptedBy"] == "eva"
    await eva.sees(f"√ Accepted {title}")
    await eva.until(lambda: eva.cursor == alert)


@presses("alerts.accept")
async def test_undo_after_an_action_without_inverse_names_the_earlier_change_first(eva: Seat, base: Base) -> None:
    group, alert = base.group(["ana"], name=fresh("Nights").replace("-", "")), base.alert(title=fresh("Fire"))
    await eva.look_at("groups", group.group_id)
    await eva.open_dialog("plus")
    await eva.type("Bob")
    await eva.confirm("enter", does="groups.add")
    (added,) = [each for each in base.stored(GROUPS, group.group_id)["participants"] if each != "ana"]
    await eva.look_at("alerts", alert)
    await eva.press("a")
    await eva.done("alerts.accept")
    tickets = len(eva.backend.commands.tickets())
    await eva.press("u")
    await eva.sees(f"Accepting cannot be undone. u again: remove Bob Whitaker from {group.name}")
    assert len(eva.backend.commands.tickets()) == tickets
    assert base.stored(GROUPS, group.group_id)["participants"] == ["ana", added]
    await eva.press_again("u")
    await eva.done("undo.groups.add")
    assert base.stored(GROUPS, group.group_id)["participants"] == ["ana"]


@presses("alerts.cancel")
async def test_an_own_alert_is_cancelled_only_after_confirmation(eva: Seat, base: Base) -> None:
    alert = base.alert(sender="eva", title=fresh("Mistake"))
    await eva.look_at("alerts", alert)
    await eva.open_dialog("x")
    await eva.sees(f"id {alert}")
    await eva.sees("ends for everybody who received it")
    await eva.press("y", "x")
    await eva.confirm("escape")
    assert base.stored(ALERTS, alert)["state"] == "active"
    await eva.press("x")
    await eva.confirm("ctrl+y", does="alerts.cancel")
    assert base.stored(ALERTS, alert)["state"] == "canceled"


@presses("alerts.send")
async def test_an_alert_is_sent_with_a_chosen_id(eva: Seat, base: Base) -> None:
    template = base.template(["bob"])
    alert = fresh("own")
    await eva.look_at("groups")
    await eva.open_dialog("exclamation_mark")
    await eva.type(template.title or "")
    await eva.press("enter")
    await eva.sees("Please come.")
    await eva.sees("Alerts now, then 3 more times, every 1m")
    await eva.dialog()
    await eva.press("ctrl+u")
    await eva.type(alert)
    await eva.sees("Send  enter")
    await eva.confirm("enter", does="alerts.send")
    assert base.stored(ALERTS, alert)["from"] == "eva"
    assert base.stored(ALERTS, alert)["templateId"] == template.template_id


# -- templates -------------------------------------------------------------------------------------------------------


@presses("templates.create", undone=True)
async def test_a_template_is_created_with_default_times_and_undone(eva: Seat, base: Base) -> None:
    template = fresh("made")
    await eva.look_at("templates")
    await eva.open_dialog("n")
    await eva.type(template)
    await eva.press("down")
    await eva.type("Made here")
    await eva.press("down")
    await eva.type("Come at once")
    await eva.press("enter")
    await eva.sees("Come at once")
    await eva.confirm("enter", does="templates.create")
    made = base.stored(TEMPLATES, template)
    assert (made["title"], made["payload"], made["numberOfRetries"]) == ("Made here", "Come at once", 3)
    await eva.undo()
    assert base.lookup(TEMPLATES, template) is None


@presses("templates.edit", undone=True)
async def test_editing_a_template_sends_only_the_changed_fields(eva: Seat, base: Base) -> None:
    template = base.template().template_id
    await eva.look_at("templates", template)
    await eva.open_dialog("e")
    await eva.press("down", "ctrl+u")
    await eva.type("Hurry")
    await eva.press("enter")
    await eva.sees("Please come. → Hurry")
    await eva.confirm("enter")
    ticket = await eva.done("templates.edit")
    assert ticket.command.steps[0].request.model_dump(exclude_unset=True) == {"id": template, "payload": "Hurry"}
    assert base.stored(TEMPLATES, template)["payload"] == "Hurry"
    await eva.undo()
    assert base.stored(TEMPLATES, template)["payload"] == "Please come."


@presses("templates.delete")
async def test_deleting_a_template_needs_a_confirmation(eva: Seat, base: Base) -> None:
    template = base.template().template_id
    await eva.look_at("templates", template)
    await eva.open_dialog("d")
    await eva.sees("its list of receivers is lost")
    await eva.confirm("ctrl+y", does="templates.delete")
    assert base.lookup(TEMPLATES, template) is None


@presses("templates.attach")
async def test_receivers_are_users_groups_and_skills(eva: Seat, base: Base) -> None:
    template = base.template(["eva"]).template_id
    group = base.group(["pat", "ana"])
    skill = base.skill("bob")
    await eva.until(
        lambda: skill.skill in eva.backend.records("skills") and group.group_id in eva.backend.records("groups")
    )
    await eva.look_at("templates", template)
    await eva.open_dialog("plus")
    await eva.type(group.name or "")
    await eva.press("tab", "ctrl+u")
    await eva.type(skill.skill)
    await eva.press("tab", "ctrl+u")
    await eva.type("carla f")
    await eva.sees("2 selected")
    await eva.press("tab")
    await eva.confirm("enter", does="templates.attach")
    with base.service.database.read() as tx:
        assert receivers_of(tx, template) == ("eva", "pat", "ana", "bob", "carla")


@presses("templates.detach")
async def test_removing_all_receivers_needs_a_confirmation(eva: Seat, base: Base) -> None:
    template = base.template(["eva", "ana"]).template_id
    await eva.look_at("templates", template)
    await eva.open_dialog("X")
    await eva.sees("cannot say who they were")
    await eva.confirm("enter")
    with base.service.database.read() as tx:
        assert receivers_of(tx, template) == ("eva", "ana")
    await eva.press("X")
    await eva.confirm("ctrl+y", does="templates.detach")
    with base.service.database.read() as tx:
        assert receivers_of(tx, template) == ()


# -- actions in an open detail ---------------------------------------------------------------------------------------


async def test_actions_of_the_list_are_available_in_the_open_record(eva: Seat, base: Base) -> None:
    first, second = base.alert(sender="eva"), base.alert(sender="ana")
    await eva.look_at("alerts", first)
    await eva.press("enter")
    await eva.sees("a accept")
    await eva.press("x")
    await eva.confirm("ctrl+y", does="alerts.cancel")
    await eva.sees("√ Cancelled")
    assert base.stored(ALERTS, first)["state"] == "canceled"
    await eva.press("escape")
    await eva.look_at("alerts", second)
    await eva.press("enter", "x")
    await eva.sees("Only the sender can cancel an alert")
    assert base.stored(ALERTS, second)["state"] == "active"
    await eva.press("escape")
