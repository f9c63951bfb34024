"""Users and groups (contract 4.3)."""

from __future__ import annotations

from typing import Any

from console.api.annotations import Variant
from console.api.operations.people import (
    AddParticipant,
    ClearParticipants,
    CreateGroup,
    CreateGroups,
    CreateUser,
    GetCurrentUser,
    GetGroup,
    GetUser,
    LeaveGroups,
    ListGroups,
    ListUsers,
    NewGroup,
    PageGroups,
    PageUsers,
    RemoveParticipant,
    ReorderParticipants,
    UpdateGroup,
    UpdateUser,
    ValidatePhone,
)
from console.records.people import Group, RingingStrategy, User
from console.service.caller import Caller
from console.service.domain import accounts, phones
from console.service.domain.agents import AGENTS
from console.service.domain.deliveries import delivered
from console.service.domain.groups import GROUPS
from console.service.domain.people import USERS
from console.service.domain.presence import PRESENCE
from console.service.visibility import has
from tests.contract.case import Bad, CaseSetup, case


def _group(setup: CaseSetup, group_id: str = "night") -> Group:
    with setup.platform.read() as tx:
        return GROUPS.need(tx, group_id)


@case(
    ListUsers,
    asks=lambda _: ListUsers(sort_by="username.desc", limit=3),
    bad=(Bad({"limit": "0"}), Bad({"sort_by": "password.asc"}), Bad({"registered": "perhaps"})),
)
def list_users(setup: CaseSetup, answer: Any) -> None:
    names = [each.username for each in answer]
    assert names == sorted(names, reverse=True)
    assert len(names) == 3
    assert all(not each.faults for each in answer)


@case(
    PageUsers,
    asks=lambda _: PageUsers.model_validate({"sort": "-created", "page[size]": 5}),
    bad=(Bad({"page[size]": "0"}), Bad({"page[after]": "x"}), Bad({"sort": "password"}), Bad({"created[gt]": "then"})),
)
def page_users(setup: CaseSetup, answer: Any) -> None:
    with setup.platform.read() as tx:
        assert answer.meta.page.total == USERS.count(tx)
    assert answer.meta.page.max_size == 500
    assert answer.meta.page.next
    created = [each.created for each in answer.data]
    assert created == sorted(created, reverse=True)
    assert len(created) == 5


@case(
    CreateUser,
    asks=lambda _: CreateUser(
        id="ignored",
        username="nora",
        domain="desk.example",
        role="user",
        email="nora@desk.example",
        capabilities=("+c2cagent",),
        mobile_phone=("+34600111222",),
        land_line_number="+34911111111",
        alias="Nora Vidal",
    ),
    not_for=("ana", "guest"),
    bad=(
        Bad({"username": None}),
        Bad({"username": ""}),
        Bad({"username": "ana"}, 409),
        Bad({"domain": None}),
        Bad({"domain": "nowhere.example"}),
        Bad({"role": "root"}),
        Bad({"role": None}),
        Bad({"email": "nora"}),
        Bad({"mobilePhone": ["call me"]}),
        Bad({"mobilePhone": "+34600111222"}),
        Bad({"capabilities": [""]}),
        Bad({"currentTimezone": "Mars/Phobos"}),
        Bad({"locale": "?"}),
    ),
)
def create_user(setup: CaseSetup, answer: Any) -> None:
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
    with setup.platform.read() as tx:
        assert USERS.need(tx, answer.id).email == "nora@desk.example"
        assert AGENTS.need(tx, answer.id).display_name == "Nora Vidal"


@case(
    GetUser,
    by="bob",
    asks=lambda _: GetUser(id="ana"),
    not_for=("guest",),
    bad=(Bad({"id": "nobody at all"}, 404),),
)
def get_user(setup: CaseSetup, answer: Any) -> None:
    assert (answer.id, answer.username, answer.domain) == ("ana", "ana", "desk.example")
    assert (answer.locale is None) is (setup.variant is Variant.EARLIER)


@case(
    UpdateUser,
    asks=lambda _: UpdateUser(
        id="ana", username="ana.b", role="admin", alias="Ana B.", email="", mobile_phone=("+34600111333",)
    ),
    not_for=("pat", "guest"),
    bad=(
        Bad({"id": "nobody at all"}, 404),
        Bad({"username": "bob"}, 409),
        Bad({"username": ""}),
        Bad({"domain": "nowhere.example"}),
        Bad({"role": "root"}),
        Bad({"role": "anonymous"}, 409),
        Bad({"id": "eva", "role": "user", "username": "eva"}, 409),
        Bad({"email": "no address"}),
        Bad({"mobilePhone": ["1", "1"]}),
        Bad({"currentTimezone": "Mars/Phobos"}),
    ),
)
def update_user(setup: CaseSetup, answer: Any) -> None:
    assert (answer.username, answer.role, answer.alias, answer.email) == ("ana.b", "admin", "Ana B.", None)
    assert answer.mobile_phone == ("+34600111333",)
    with setup.platform.read() as tx:
        assert USERS.need(tx, "ana").role == "admin"
        assert (owner := GROUPS.need(tx, "night").owner) is not None
        assert (owner.username, owner.role, owner.alias) == ("ana.b", "admin", "Ana B.")
        shown = PRESENCE.need(tx, "svc-user:ana")
        assert (shown.username, shown.role, shown.display_name) == ("ana.b", "admin", "Ana B.")


PHONE = "+34600111444"


def _code(setup: CaseSetup) -> str:
    with setup.platform.read() as tx:
        eva = Caller(USERS.need(tx, "eva"))
    accounts.update(setup.platform, eva, "ana", {"mobile_phone": (PHONE,)})
    with setup.platform.read() as tx:
        (sent,) = (each for each in delivered(setup.platform, tx, "ana") if each.recipient == PHONE)
    assert (sent.mechanism, sent.kind) == ("sms", phones.CODE_SENT)
    return str(sent.content["code"])


@case(
    ValidatePhone,
    by="ana",
    asks=lambda setup: ValidatePhone(id="ana", code=_code(setup), field=PHONE),
    not_for=("pat", "guest"),
    bad=(
        Bad({"code": "wrong"}),
        Bad({"field": "+34600999999"}),
        Bad({"code": None}),
        Bad({"field": None}),
        Bad({"code": 3}),
    ),
)
def validate_phone(setup: CaseSetup, answer: Any) -> None:
    assert (answer.code, answer.message) == (200, "validated")
    with setup.platform.read() as tx:
        assert phones.validated(USERS.need(tx, "ana")) == (PHONE,)


@case(GetCurrentUser, by="ana", asks=lambda _: GetCurrentUser())
def current(setup: CaseSetup, answer: Any) -> None:
    assert (answer.user.id, answer.user.role) == ("ana", "user")
    assert answer.metadata.is_at_root_domain is True
    if setup.variant is Variant.EARLIER:
        assert answer.user.locale is None


@case(
    ListGroups,
    by="bob",
    asks=lambda _: ListGroups(participating=True, target_user_id="bob"),
    not_for=("ana", "guest"),
    bad=(Bad({"participating": "perhaps"}), Bad({"targetUserId": "ana"}, 403)),
)
def list_groups(setup: CaseSetup, answer: Any) -> None:
    assert "night" in {each.group_id for each in answer}
    assert all("bob" in each.participants for each in answer)


@case(
    PageGroups,
    by="ana",
    asks=lambda _: PageGroups(sort="-name", owner_user="ana"),
    bad=(Bad({"sort": "owner"}), Bad({"page[after]": "x"}), Bad({"page[size]": "-1"})),
)
def page_groups(setup: CaseSetup, answer: Any) -> None:
    assert "night" in {each.group_id for each in answer.data}
    assert {each.owner.id for each in answer.data} == {"ana"}


@case(
    CreateGroup,
    by="pat",
    asks=lambda _: CreateGroup(group_id="new", name="New", ringing_strategy=RingingStrategy(type="simultaneous")),
    not_for=("guest",),
    bad=(
        Bad({"name": ""}),
        Bad({"name": None}),
        Bad({"groupId": ""}),
        Bad({"groupId": "night"}, 409),
        Bad({"ringingStrategy": "all"}),
    ),
)
def create(setup: CaseSetup, answer: Any) -> None:
    assert (answer.group_id, answer.owner.id, answer.participants) == ("new", "pat", ())
    assert (answer.chat_id is None) is (setup.variant is Variant.EARLIER)
    assert _group(setup, "new").ringing_strategy == RingingStrategy(type="simultaneous")


@case(
    CreateGroups,
    by="pat",
    asks=lambda _: CreateGroups(groups=(NewGroup(group_id="one", name="One"), NewGroup(name="Two"))),
    not_for=("guest",),
    bad=(
        Bad({"groups": [3]}),
        Bad({"groups": [{"name": "One"}, {"name": ""}]}),
        Bad({"groups": [{"name": "One", "groupId": "one"}, {"name": "Two", "groupId": "one"}]}, 409),
        Bad({"groups": "x"}),
    ),
)
def create_many(setup: CaseSetup, answer: Any) -> None:
    assert [each.name for each in answer] == ["One", "Two"]
    assert _group(setup, "one").owner is not None
    assert _group(setup, answer[1].group_id).name == "Two"


@case(
    LeaveGroups,
    asks=lambda _: LeaveGroups(target_user_id="bob"),
    not_for=("ana", "guest"),
    bad=(Bad({"targetUserId": 3}), Bad({"targetUserId": "nobody at all"}, 404)),
)
def leave_all(setup: CaseSetup, answer: Any) -> None:
    assert answer.message == "No Content"
    with setup.platform.read() as tx:
        assert GROUPS.count(tx, has(GROUPS.c.participants, "bob")) == 0


@case(
    GetGroup,
    by="bob",
    asks=lambda _: GetGroup(group_id="night"),
    not_for=("pat", "guest"),
    bad=(Bad({"groupId": "no"}, 404),),
)
def get(setup: CaseSetup, answer: Any) -> None:
    assert answer.participants == ("bob", "carla")
    assert (answer.ringing_strategy is None) is (setup.variant is Variant.EARLIER)


@case(
    UpdateGroup,
    by="ana",
    asks=lambda _: UpdateGroup(
        group_id="night", new_group_id="late", name="Late", participants=("carla", "pat"), owner=User(id="bob")
    ),
    not_for=("bob", "eva", "guest"),
    bad=(
        Bad({"name": ""}),
        Bad({"participants": ["bob", "bob"]}),
        Bad({"participants": ["nobody at all"]}),
        Bad({"owner": {"id": "nobody at all"}}),
        Bad({"groupId": "no"}, 404),
        Bad({"id": ""}),
    ),
)
def update(setup: CaseSetup, answer: Any) -> None:
    assert answer.message == "No Content"
    group = _group(setup, "late")
    assert (group.name, group.participants) == ("Late", ("carla", "pat"))
    assert group.owner is not None
    assert group.owner.id == "bob"


@case(
    AddParticipant,
    by="ana",
    asks=lambda _: AddParticipant(group_id="night", target_user_id="pat"),
    not_for=("bob", "eva", "guest"),
    bad=(
        Bad({"targetUserId": "bob"}, 409),
        Bad({"targetUserId": "nobody at all"}),
        Bad({"targetUserId": None}),
        Bad({"groupId": "no"}, 404),
    ),
)
def add(setup: CaseSetup, answer: Any) -> None:
    assert answer.message == "No Content"
    assert _group(setup).participants == ("bob", "carla", "pat")


@case(
    RemoveParticipant,
    by="ana",
    asks=lambda _: RemoveParticipant(group_id="night", target_user_id="bob"),
    not_for=("carla", "eva", "guest"),
    bad=(Bad({"targetUserId": "pat"}, 404), Bad({"targetUserId": 3}), Bad({"groupId": "no"}, 404)),
)
def remove(setup: CaseSetup, answer: Any) -> None:
    assert answer.message == "No Content"
    assert _group(setup).participants == ("carla",)


@case(
    ReorderParticipants,
    by="ana",
    asks=lambda _: ReorderParticipants(group_id="night", participants=("carla", "bob")),
    not_for=("bob", "eva", "guest"),
    bad=(
        Bad({"participants": ["bob"]}),
        Bad({"participants": ["bob", "carla", "pat"]}),
        Bad({"participants": ["bob", "bob"]}),
        Bad({"participants": None}),
        Bad({"groupId": "no"}, 404),
    ),
)
def reorder(setup: CaseSetup, answer: Any) -> None:
    assert answer.message == "No Content"
    assert _group(setup).participants == ("carla", "bob")


@case(
    ClearParticipants,
    by="ana",
    asks=lambda _: ClearParticipants(group_id="night"),
    not_for=("bob", "eva", "guest"),
    bad=(Bad({"groupId": "no"}, 404),),
)
def clear(setup: CaseSetup, answer: Any) -> None:
    assert answer.message == "No Content"
    assert _group(setup).participants == ()
