"""Users and groups (contract 4.3)."""

from __future__ import annotations

from console.api.annotations import Variant
from console.api.operations import people as ops
from console.records.people import Group, RingingStrategy, User
from console.service.domain import accounts, phones
from console.service.domain.agents import AGENTS
from console.service.domain.groups import GROUPS
from console.service.domain.people import USERS
from console.service.domain.presence import PRESENCE
from console.service.events.visibility import has
from tests.contract.case import CaseSetup, Steps, case
from tests.service.delivered import delivered

UNREACHABLE = ["", "  ", ".", "..", "page", "several", "x" * 201]
"""Ids that could not be used in a path."""


def _group(setup: CaseSetup, group_id: str = "night") -> Group:
    return setup.need(GROUPS, group_id)


@case(ops.ListUsers, bad={400: {"sort_by": ["password.asc"]}})
def list_users(setup: CaseSetup) -> Steps:
    answer = yield ops.ListUsers(sort_by="username.desc", limit=3)
    names = [each.username for each in answer]
    assert names == sorted(names, reverse=True)
    assert len(names) == 3
    assert all(not each.faults for each in answer)


@case(ops.PageUsers)
def page_users(setup: CaseSetup) -> Steps:
    answer = yield ops.PageUsers.model_validate({"sort": "-created", "page[size]": 5})
    assert answer.meta.page.total == setup.count(USERS)
    assert answer.meta.page.max_size == 500
    assert answer.meta.page.next
    created = [each.created for each in answer.data]
    assert created == sorted(created, reverse=True)
    assert len(created) == 5


@case(
    ops.CreateUser,
    bad={
        400: {
            "domain": ["nowhere.example"],
            "email": ["nora"],
            "mobilePhone": [["call me"]],
            "capabilities": [[""]],
            "currentTimezone": ["Mars/Phobos"],
            "locale": ["?"],
        },
        409: {"username": ["ana"]},
    },
)
def create_user(setup: CaseSetup) -> Steps:
    answer = yield ops.CreateUser(
        id="ignored",
        username="nora",
        domain="desk.example",
        role="user",
        email="nora@desk.example",
        capabilities=("+c2cagent",),
        mobile_phone=("+34600111222",),
        land_line_number="+34911111111",
        alias="Nora Vidal",
    )
    assert answer.id not in {"", "ignored"}
    assert (answer.username, answer.domain, answer.role) == ("nora", "desk.example", "user")
    assert (answer.alias, answer.land_line_number, answer.created) == (
        "Nora Vidal",
        "+34911111111",
        setup.clock.now_ms(),
    )
    if setup.variant is Variant.LATER:
        assert (answer.current_timezone, answer.locale) == ("Europe/Madrid", "es-ES")
    else:
        assert (answer.current_timezone, answer.locale) == (None, None)
    assert setup.need(USERS, answer.id).email == "nora@desk.example"
    assert setup.need(AGENTS, answer.id).display_name == "Nora Vidal"


@case(ops.GetUser, by="bob", not_for=("guest",))
def get_user(setup: CaseSetup) -> Steps:
    answer = yield ops.GetUser(id="ana")
    assert (answer.id, answer.username, answer.domain) == ("ana", "ana", "desk.example")
    assert (answer.locale is None) is (setup.variant is Variant.EARLIER)


@case(
    ops.UpdateUser,
    not_for=("pat", "guest"),
    bad={
        400: {
            "username": [""],
            "domain": ["nowhere.example"],
            "email": ["no address"],
            "mobilePhone": [["1", "1"]],
            "currentTimezone": ["Mars/Phobos"],
        },
        409: {"username": ["bob"], "role": ["anonymous"], ("id", "role", "username"): [("eva", "user", "eva")]},
    },
)
def update_user(setup: CaseSetup) -> Steps:
    answer = yield ops.UpdateUser(
        id="ana", username="ana.b", role="admin", alias="Ana B.", email="", mobile_phone=("+34600111333",)
    )
    assert (answer.username, answer.role, answer.alias, answer.email) == ("ana.b", "admin", "Ana B.", None)
    assert answer.mobile_phone == ("+34600111333",)
    assert setup.need(USERS, "ana").role == "admin"
    assert (owner := setup.need(GROUPS, "night").owner) is not None
    assert (owner.username, owner.role, owner.alias) == ("ana.b", "admin", "Ana B.")
    shown = setup.need(PRESENCE, "svc-user:ana")
    assert (shown.username, shown.role, shown.display_name) == ("ana.b", "admin", "Ana B.")


PHONE = "+34600111444"


def _code(setup: CaseSetup) -> str:
    eva = setup.caller("eva")
    accounts.update(setup.platform, eva, "ana", {"mobile_phone": (PHONE,)})
    with setup.platform.read() as tx:
        (sent,) = (each for each in delivered(setup.platform, tx, "ana") if each.recipient == PHONE)
    assert (sent.mechanism, sent.kind) == ("sms", phones.CODE_SENT)
    return str(sent.content["code"])


@case(
    ops.ValidatePhone,
    by="ana",
    not_for=("pat", "guest"),
    bad={400: {"code": ["wrong"], "field": ["+34600999999"]}, 403: {"id": ["none"]}},
)
def validate_phone(setup: CaseSetup) -> Steps:
    answer = yield ops.ValidatePhone(id="ana", code=_code(setup), field=PHONE)
    assert (answer.code, answer.message) == (200, "validated")
    assert phones.validated(setup.need(USERS, "ana")) == (PHONE,)


@case(ops.GetCurrentUser, by="ana")
def current(setup: CaseSetup) -> Steps:
    answer = yield ops.GetCurrentUser()
    assert (answer.user.id, answer.user.role) == ("ana", "user")
    assert answer.metadata.is_at_root_domain is True
    if setup.variant is Variant.EARLIER:
        assert answer.user.locale is None


@case(ops.ListGroups, by="bob", not_for=("ana", "guest"), bad={403: {"targetUserId": ["ana"]}})
def list_groups(setup: CaseSetup) -> Steps:
    answer = yield ops.ListGroups(participating=True, target_user_id="bob")
    assert "night" in {each.group_id for each in answer}
    assert all("bob" in each.participants for each in answer)


@case(ops.PageGroups, by="ana", bad={400: {"page[size]": ["-1"]}})
def page_groups(setup: CaseSetup) -> Steps:
    answer = yield ops.PageGroups(sort="-name", owner_user="ana")
    assert "night" in {each.group_id for each in answer.data}
    assert {each.owner.id for each in answer.data} == {"ana"}


@case(ops.CreateGroup, by="pat", bad={400: {"groupId": UNREACHABLE}, 409: {"groupId": ["night"]}})
def create(setup: CaseSetup) -> Steps:
    answer = yield ops.CreateGroup(group_id="new", name="New", ringing_strategy=RingingStrategy(type="simultaneous"))
    assert (answer.group_id, answer.owner.id, answer.participants) == ("new", "pat", ())
    assert (answer.chat_id is None) is (setup.variant is Variant.EARLIER)
    assert _group(setup, "new").ringing_strategy == RingingStrategy(type="simultaneous")


@case(
    ops.CreateGroups,
    by="pat",
    bad={
        400: {"groups": [[3], [{"name": "One"}, {"name": ""}]]},
        409: {"groups": [[{"name": "One", "groupId": "one"}, {"name": "Two", "groupId": "one"}]]},
    },
)
def create_many(setup: CaseSetup) -> Steps:
    answer = yield ops.CreateGroups(groups=(ops.NewGroup(group_id="one", name="One"), ops.NewGroup(name="Two")))
    assert [each.name for each in answer] == ["One", "Two"]
    assert _group(setup, "one").owner is not None
    two = _group(setup, answer[1].group_id)
    assert (two.name, two.participants, two.ringing_strategy) == ("Two", (), RingingStrategy(type="simultaneous"))
    assert all((two.group_id, two.chat_id, two.id))


@case(ops.LeaveGroups, not_for=("ana", "guest"), bad={404: {"targetUserId": ["nobody at all"]}})
def leave_all(setup: CaseSetup) -> Steps:
    answer = yield ops.LeaveGroups(target_user_id="bob")
    assert answer.message == "No Content"
    assert setup.count(GROUPS, has(GROUPS.c.participants, "bob")) == 0


@case(ops.GetGroup, by="bob", not_for=("pat",))
def get(setup: CaseSetup) -> Steps:
    answer = yield ops.GetGroup(group_id="night")
    assert answer.participants == ("bob", "carla")
    assert (answer.ringing_strategy is None) is (setup.variant is Variant.EARLIER)


@case(
    ops.UpdateGroup,
    by="ana",
    not_for=("bob", "eva"),
    bad={
        400: {
            "name": [""],
            "participants": [["bob", "bob"], ["nobody at all"]],
            "owner": [{"id": "nobody at all"}],
            "id": [""],
        }
    },
)
def update(setup: CaseSetup) -> Steps:
    answer = yield ops.UpdateGroup(
        group_id="night",
        new_group_id="late",
        name="Late",
        participants=("carla", "pat"),
        owner=User(id="bob"),
        ringing_strategy=RingingStrategy(type="round"),
    )
    assert answer.message == "No Content"
    group = _group(setup, "late")
    assert (group.name, group.participants) == ("Late", ("carla", "pat"))
    assert group.ringing_strategy == RingingStrategy(type="round")
    assert group.owner is not None
    assert group.owner.id == "bob"


@case(
    ops.AddParticipant,
    by="ana",
    not_for=("bob", "eva"),
    bad={400: {"targetUserId": ["nobody at all"]}, 409: {"targetUserId": ["bob"]}},
)
def add(setup: CaseSetup) -> Steps:
    answer = yield ops.AddParticipant(group_id="night", target_user_id="pat")
    assert answer.message == "No Content"
    assert _group(setup).participants == ("bob", "carla", "pat")


@case(ops.RemoveParticipant, by="ana", not_for=("carla", "eva"), bad={404: {"targetUserId": ["pat"]}})
def remove(setup: CaseSetup) -> Steps:
    answer = yield ops.RemoveParticipant(group_id="night", target_user_id="bob")
    assert answer.message == "No Content"
    assert _group(setup).participants == ("carla",)


@case(
    ops.ReorderParticipants,
    by="ana",
    not_for=("bob", "eva"),
    bad={400: {"participants": [[], ["bob"], ["bob", "pat"], ["bob", "carla", "pat"], ["bob", "bob"]]}},
)
def reorder(setup: CaseSetup) -> Steps:
    answer = yield ops.ReorderParticipants(group_id="night", participants=("carla", "bob"))
    assert answer.message == "No Content"
    assert _group(setup).participants == ("carla", "bob")


@case(ops.ClearParticipants, by="ana", not_for=("bob", "eva"))
def clear(setup: CaseSetup) -> Steps:
    answer = yield ops.ClearParticipants(group_id="night")
    assert answer.message == "No Content"
    assert _group(setup).participants == ()
