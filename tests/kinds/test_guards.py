"""The guard belongs to the operation: it is the same for keys, the palette, forms, the grid and bulk actions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from io import StringIO
from typing import Any

import pytest

from console.api.annotations import Guard
from console.api.catalogue import catalogue, find
from console.api.listed import record_type
from console.api.operations.meetings import DeleteMeeting, UpdateMeeting
from console.api.operations.people import ClearParticipants, LeaveGroups, UpdateUser
from console.api.operations.sessions import RevokeSession
from console.api.operations.sip import DeleteSipMapping
from console.api.operations.support import AcceptAlert, CancelAlert, DeleteTemplate, SetAgents
from console.api.request import Request
from console.cli.exits import Failure
from console.cli.lists import call
from console.commands.action import Action
from console.commands.guards import guard, guard_of, guards, is_listed
from console.kinds.actions import ACTIONS, by_id
from console.kinds.catalogue import FEEDS, KINDS, RESOURCES
from console.kinds.consequences import consequence
from console.kinds.inverses import LISTS
from console.kinds.operating import FORM, change, is_change
from console.kinds.resource import Resource
from console.kinds.resources import acts_on_row, bound, operations_of
from console.kinds.skills.assigning import Toggle
from console.live.command import Step
from console.records.meetings import MissedCall
from console.records.notifications import Notification
from console.records.people import AGENT_CAPABILITY, Member, User
from console.records.phonebooks import Phonebook, PhonebookContact
from console.records.record import Record
from console.records.resolution import ResolvedAddresses, ResolvedUser
from console.records.sip import SipCredential, SipIdentity, SipMapping
from tests.for_each import for_each
from tests.kinds.action_world import (
    AGENTS,
    ANA,
    BOB,
    CALL,
    CHATS,
    EVA,
    FIRE,
    HELP,
    OTHERS,
    OWN_SESSION,
    PRESENCES,
    RECORDED,
    SALES,
    SESSION,
    SKILLS,
    plan,
    situation,
)
from tests.kinds.sample_inputs import sample_inputs

CHANGES = {name: request for name, request in catalogue().items() if is_change(request)}
CLASSES = {
    Guard.REVERSIBLE: "groups.add groups.remove groups.reorder skills.attach skills.detach users.update "
    "presence.update recordings.start presence.subscribe addresses.update agents.set phonebooks.remove-contact",
    Guard.SMALL: "alerts.accept support-chats.transfer recordings.stop groups.create",
    Guard.WIDE: "alerts.cancel sessions.revoke templates.delete templates.detach-receivers calls.update groups.clear "
    "groups.leave-all groups.create-many conferences.update",
    Guard.MASS: "provisioning-domains.logout provisioning-users.logout-domain tokens.drop",
}
"""The guards of the most frequent operations."""


# -- declarations of operations --------------------------------------------------------------------------------------


@for_each("name", CHANGES)
def test_every_changing_operation_declares_its_guard(name: str) -> None:
    said = CHANGES[name].operation.change
    assert said is not None
    assert said.done, "what a ticket says once it is done"
    assert said.guard is not Guard.READ
    assert said.warning.endswith(".") or max(said.guard, said.irreversible) < Guard.WIDE
    assert set(said.touches) <= FEEDS.keys() | RESOURCES.keys()
    assert {name for name, _ in said.stronger} <= {each.field for each in CHANGES[name].inputs()}


def test_reading_operations_have_no_guard() -> None:
    assert {each.operation.guard for each in catalogue().values() if not is_change(each)} == {Guard.READ}


@pytest.mark.parametrize(("wanted", "names"), CLASSES.items(), ids=lambda each: str(each)[:12])
def test_reversibility_decides_the_guard(wanted: Guard, names: str) -> None:
    assert {name: find(name).operation.guard for name in names.split()} == dict.fromkeys(names.split(), wanted)


def test_an_input_that_notifies_people_strengthens_the_guard() -> None:
    assert DeleteMeeting(id="m", notify=False).guarded() is Guard.WIDE
    assert DeleteMeeting(id="m").guarded() is Guard.MASS, "it notifies unless it is told not to"
    assert UpdateMeeting(id="m", name="n", send_invites=True).guarded() is Guard.SMALL


# -- guards of steps -------------------------------------------------------------------------------------------------


def _step(request: Request[Any], key: str = "k", *inverse: Request[Any]) -> Step:
    return Step(request, key, "did it", inverse)


def test_a_reversible_step_without_an_inverse_is_held_and_a_lost_secret_needs_a_confirmation() -> None:
    taken, back = SetAgents(user_id="u"), UpdateUser(id="u", capabilities=())
    assert guard_of(_step(taken, "u", back)) is Guard.REVERSIBLE
    assert guard_of(_step(taken)) is Guard.SMALL
    assert guard_of(_step(DeleteSipMapping(owner_uri="svc-user:u"))) is Guard.WIDE


def test_a_change_is_guarded_like_the_strongest_of_its_steps() -> None:
    weak, strong = _step(AcceptAlert(alert_id="a")), _step(ClearParticipants(group_id="g"))
    assert guard((weak, strong)) is guard((strong, weak)) is Guard.WIDE


def test_several_records_make_a_mass_change_of_operations_that_declare_it() -> None:
    revoke = [_step(RevokeSession(id=each), each) for each in ("s-1", "s-2")]
    assert (guard(revoke[:1]), guard(revoke)) == (Guard.WIDE, Guard.MASS)
    cancel = [_step(CancelAlert(id=each), each) for each in ("a-1", "a-2")]
    assert guard(cancel) is Guard.WIDE
    leave = [_step(LeaveGroups(target_user_id=each), each) for each in ("u-1", "u-2")]
    assert guard(leave) is Guard.MASS


def test_small_changes_are_listed_when_there_are_several() -> None:
    steps = [_step(AcceptAlert(alert_id=each), each) for each in ("a-1", "a-2")]
    assert is_listed(steps, guard(steps))
    assert not is_listed(steps[:1], guard(steps[:1]))
    assert not is_listed(steps, guard(steps, stale=True)), "it asks, and lists them anyway"


# -- all ways of acting ----------------------------------------------------------------------------------------------

BOOK = Phonebook(
    id="p", name="Book", contacts=(PhonebookContact(id="c", name="N", address="1"),), subscribers=("u-bob",)
)
IDENTITY = SipIdentity(id="i", username="sip-1", available=True, domain="desk.example")
USED = SipIdentity(id="j", username="sip-2", available=False, domain="desk.example")
MAPPING = SipMapping(owner="svc-user:u-ana", mapping=SipCredential(username="sip-2"))
PLAIN = User(id="u-dan", username="dan", domain="desk.example", role="user", alias="Dan", capabilities=())
AGENT = User(
    id="u-ana", username="ana", domain="desk.example", role="user", alias="Ana", capabilities=(AGENT_CAPABILITY,)
)
LISTS_NOW = ResolvedAddresses(resolved=(ResolvedUser(id="u-bob"),), subscribed=("svc-user:u-ana", "svc-user:u-bob"))
OFFERS = (Notification(id="c", kind="chat", subject="c"), Notification(id="a", kind="alert", subject="a"))
AT = (
    situation(users=(EVA, PLAIN, AGENT, BOB), phonebooks=(BOOK,))
    .with_records("sip-identities", (IDENTITY, USED))
    .with_records("sip-mappings", (MAPPING,))
    .with_records("notifications", OFFERS)
)
IN_SALES = situation(selected=SALES)
FOLLOWS = {LISTS: LISTS_NOW}

KEYED: Mapping[str, tuple[Sequence[Record], Mapping[str, Any]]] = {
    "calls.record": ((CALL,), {"filename": "f"}),
    "calls.edit": ((CALL,), {"record": {"state": "rejected"}}),
    "calls.statistics": ((CALL,), {"statistics": "on"}),
    "alerts.accept": ((FIRE, OTHERS), {}),
    "alerts.cancel": ((FIRE,), {}),
    "alerts.send": ((), {"template": "help", "alert_id": "a-new"}),
    "templates.create": ((), {"template": {"template_id": "t", "title": "T", "payload": "p"}}),
    "templates.edit": ((HELP,), {"template": {"title": "New"}}),
    "templates.delete": ((HELP,), {}),
    "templates.attach": ((HELP,), {"receivers": ("user:u-ana",)}),
    "templates.detach": ((HELP,), {}),
    "groups.create": ((), {"group": {"group_id": "g", "name": "G"}}),
    "groups.create-many": ((), {"groups": "g, G"}),
    "groups.copy": ((SALES,), {"group_id": "copy"}),
    "groups.rename": ((SALES,), {"name": "New"}),
    "groups.strategy": ((SALES,), {"strategy": "random"}),
    "groups.add": ((SALES,), {"user": "u-dan"}),
    "groups.add-many": ((SALES,), {"users": "u-dan"}),
    "groups.reorder": ((SALES,), {"order": SALES.participants[::-1]}),
    "groups.clear": ((SALES,), {}),
    "groups.leave-all": ((), {}),
    "groups.follow": ((SALES,), FOLLOWS),
    "groups.unfollow": ((SALES,), FOLLOWS),
    "members.remove": ((Member(user_id="u-ana", group_id="sales", position=1),), {}),
    "users.leave-groups": ((AGENT,), {}),
    "users.make-agent": ((PLAIN,), {}),
    "users.make-plain": ((AGENT,), {}),
    "users.follow": ((PLAIN,), FOLLOWS),
    "users.unfollow": ((AGENT,), FOLLOWS),
    "agents.give-skill": ((AGENTS[3],), {"skills": ("billing",)}),
    "agents.take-skill": ((AGENTS[0],), {"skills": ("billing",)}),
    "agents.transfer": ((AGENTS[1],), {"agent": "u-dan"}),
    "skills.attach": ((SKILLS[0],), {"agents": ("u-dan", "u-off")}),
    "skills.detach": ((SKILLS[0],), {"agents": ("u-ana",)}),
    "skills.create": ((), {"skill": "tech"}),
    "skills.grid": ((), {"changes": (Toggle("billing", "u-dan", True), Toggle("billing", "u-ana", False))}),
    "chats.transfer": (CHATS, {"agent": "u-dan"}),
    "chats.start": ((), {"id": "c-new", "skill": "-"}),
    "missed.mark-read": ((MissedCall(id="m", user_id="u-ana", read=False),), {}),
    "notifications.accept": (OFFERS, {}),
    "notifications.reject": (OFFERS, {}),
    "presence.follow": ((), {"addresses": "dan", **FOLLOWS}),
    "presence.unfollow": ((PRESENCES[1],), FOLLOWS),
    "me.set": ((), {"activity": "busy"}),
    "me.note": ((), {"note": "back soon"}),
    "sessions.revoke": ((SESSION, OWN_SESSION), {}),
    "sessions.revoke-all": ((SESSION,), {}),
    "phonebooks.add": ((BOOK,), {"contacts": "Other, 2"}),
    "phonebooks.take-out": ((BOOK,), {"contacts": ("c",)}),
    "phonebooks.subscribe": ((BOOK,), {"people": ("u-ana",)}),
    "phonebooks.unsubscribe": ((BOOK,), {"people": ("u-bob",)}),
    "sip.assign": ((IDENTITY,), {"owner": "svc-user:u-dan"}),
    "sip.take-back": ((USED,), {}),
}
"""For every action: the records on which its key is pressed, and the answers to its questions."""


def _by_key(action: Action[Any]) -> list[Step]:
    records, answers = KEYED[action.id]
    return plan(action.id, IN_SALES if action.kind == "members" else AT, records, **answers)


def _by_palette(request: Request[Any]) -> Step:
    """Send the same request by "Run…" in the palette: every input is given in the form."""
    values = {name: getattr(request, name) for name in request.model_fields_set}
    (step,) = change(request.operation.name).plan(AT, (), {FORM: values, LISTS: LISTS_NOW})
    assert step.request == request
    return step


def test_every_action_is_covered() -> None:
    assert KEYED.keys() == {action.id for action in ACTIONS}


@for_each("action", ACTIONS)
def test_a_key_and_the_palette_use_the_same_guard_for_a_request(action: Action[Any]) -> None:
    steps = _by_key(action)
    run = [_by_palette(step.request) for step in steps]
    own = [guard_of(step) for step in steps]
    if action.kind == "members" or len({step.key for step in steps}) < len(steps):
        # The inverse of a step takes the earlier ones into account; each by itself is as reversible.
        assert [guard_of(step) for step in run] == own
    else:
        assert [(guard_of(step), step.inverse) for step in run] == [
            (mine, step.inverse) for mine, step in zip(own, steps, strict=True)
        ]
    assert set(own) <= {*guards(action), Guard.SMALL}, "the page of keys says it"
    assert consequence(AT, run).warning == consequence(AT, steps).warning or len(steps) > 1


def _rows(wanted: Resource, request: type[Request[Any]]) -> list[Record]:
    listed = next((catalogue()[name] for name in wanted.lists if name in catalogue()), None)
    record = record_type(listed) if listed is not None else Record
    needed = {each.field for each in request.inputs() if each.required}
    fields = {*needed, record.key_field, "id", "domain", "owner", "username"} & record.declared_fields.keys()
    attributes = {"attributes": {"domain": "desk.example"}} if "attributes" in record.declared_fields else {}
    return [record.model_validate({name: f"{key}" for name in fields} | attributes) for key in ("one", "two")]


OFFERED = [
    (each.operation.name, wanted) for wanted in RESOURCES.values() for each in operations_of(wanted) if is_change(each)
]


@for_each("name, wanted", OFFERED)
def test_the_form_of_a_row_and_the_palette_use_the_same_guard(name: str, wanted: Resource) -> None:
    request, action = find(name), change(name, wanted)
    rows = _rows(wanted, request) if acts_on_row(wanted, request) else []
    fixed = bound(wanted, request, rows[0]) if rows else {}
    given = {key: value for key, value in sample_inputs(request, fixed).items() if key not in fixed}
    (step,) = action.plan(situation(), rows[:1], {FORM: given})
    (run,) = change(name).plan(situation(), (), {FORM: {each: getattr(step.request, each) for each in given | fixed}})
    assert guard_of(step) is guard_of(run) or bool(step.inverse) is not bool(run.inverse)
    said = request.operation.change
    assert said is not None
    assert guard_of(step) in {step.request.guarded(), said.irreversible}
    if len(rows) > 1 and action.needs == "many":
        both = action.plan(situation(), rows, {FORM: given})
        strongest = guard(both)
        assert strongest is (Guard.MASS if said.mass and guard_of(step) >= Guard.WIDE else guard_of(step))


@for_each("name", CHANGES)
def test_the_palette_uses_the_declared_guard_of_every_operation(name: str) -> None:
    request = CHANGES[name]
    (step,) = change(name).plan(situation(), (), {FORM: sample_inputs(request, {})})
    said = request.operation.change
    assert said is not None
    reversible = said.guard is Guard.REVERSIBLE
    assert guard_of(step) is (said.irreversible if reversible and not step.inverse else step.request.guarded())
    assert change(name).sends == (request,)


@for_each("name", CHANGES)
def test_the_command_line_guards_an_operation_as_irreversible(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    request = CHANGES[name](**sample_inputs(CHANGES[name], {}))
    monkeypatch.setattr(call, "at_a_terminal", lambda: True)
    monkeypatch.setattr("sys.stdin", StringIO("no\n"))
    guarded = guard_of(_step(request))
    if guarded < Guard.WIDE:
        call.confirm(request, yes=False)
    else:
        with pytest.raises(Failure, match="not confirmed"):
            call.confirm(request, yes=False)


def test_every_action_of_a_kind_sends_operations_that_the_palette_can_send() -> None:
    for kind in KINDS:
        for action in kind.load_actions():
            for request in action.sends:
                assert change(request.operation.name).sends == (request,), (kind.name, action.id)


def test_the_key_of_a_change_of_the_palette_is_that_of_its_record() -> None:
    (step,) = change("alerts.cancel").plan(AT, (), {FORM: {"id": "a-1"}})
    assert (step.key, step.words) == ("a-1", "cancelled Line down")
    (step,) = change("users.update").plan(AT, (), {FORM: {"id": "u-ana", "alias": "Anna"}})
    assert step.key == "u-ana"
    assert step.inverse == (UpdateUser(id="u-ana", alias="Ana"),)
    assert step.basis is not None
    assert change("alerts.cancel").subject == "alerts"


# -- consequences ----------------------------------------------------------------------------------------------------


def test_the_warning_of_an_operation_contains_its_count() -> None:
    assert consequence(AT, plan("alerts.cancel", AT, (FIRE,))).warning == (
        "The alert ends for everybody who received it. This cannot be undone."
    )
    both = [_step(DeleteTemplate(id=each), each) for each in ("a", "b")]
    assert consequence(AT, both).warning == (
        "The template is deleted, and its list of receivers is lost. 2 templates are deleted. This cannot be undone."
    )


def test_the_warning_names_the_affected_groups_and_what_cannot_be_undone() -> None:
    found = consequence(situation(), plan("groups.leave-all", situation()))
    assert found.warning == "You leave these 2 groups; undo restores the membership of those that you own, 1 of 2."
    assert found.lines == ("Night  of Bob", "Sales")
    taken = consequence(situation(), plan("users.leave-groups", situation(), (ANA,)))
    assert taken.warning == "Ana leaves this group; undo restores their positions."
    nobody = situation(groups=())
    assert consequence(nobody, [_step(LeaveGroups(target_user_id="u-dan"), "u-dan")]).warning == (
        "Dan leaves every group. This cannot be undone."
    )


def test_the_warning_counts_the_removed_members() -> None:
    assert consequence(AT, plan("groups.clear", AT, (SALES,))).warning == (
        "All 4 members leave Sales; undo restores them in order."
    )
    alone = SALES.model_copy(update={"participants": ("u-ana",)})
    at = situation(groups=(alone,))
    assert consequence(at, plan("groups.clear", at, (alone,))).warning == (
        "The only member leaves Sales; undo restores them in order."
    )


def test_the_warning_says_whether_it_is_the_current_session() -> None:
    revoke = by_id("sessions.revoke")
    assert consequence(AT, list(revoke.plan(AT, (SESSION,), {}))).warning == ("The session of Ana ends immediately.")
    both = consequence(AT, list(revoke.plan(AT, (SESSION, OWN_SESSION), {}))).warning
    assert both == "2 sessions of 2 people end immediately. Your current session may be among them."


def test_stopping_a_recording_is_held() -> None:
    stop = plan("calls.record", AT, (RECORDED,))
    start = plan("calls.record", AT, (CALL,), filename="f")
    assert (guard(start), guard(stop)) == (Guard.REVERSIBLE, Guard.SMALL)
