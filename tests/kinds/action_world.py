"""A small set of records to act on, and a model of groups that behaves as the service does."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from zoneinfo import ZoneInfo

from console.api.annotations import Variant
from console.api.catalogue import catalogue
from console.api.operations.people import (
    AddParticipant,
    ClearParticipants,
    LeaveGroups,
    RemoveParticipant,
    ReorderParticipants,
    UpdateGroup,
)
from console.api.request import Request
from console.client.endpoint import Endpoint
from console.commands.action import Action, Answers, Asks, Situation
from console.kinds.actions import by_id
from console.live.command import Step
from console.records.people import Group, RingingStrategy, Session, User, UserReference
from console.records.record import Record
from console.records.support import Agent, Alert, AlertTemplate, Presence, Skill, SupportChat
from console.records.traffic import Call
from console.views.render_context import RenderContext

NOW = 1_800_000_000_000
MENU = "me.set"
"""The action whose menu offers those without a key of their own."""


def agent(
    agent_id: str, name: str, activity: str = "available", online: bool = True, chats: Sequence[str] = ()
) -> Agent:
    held = [{"chatId": each, "timestamp": NOW - 60_000 * place, "users": ["cust"]} for place, each in enumerate(chats)]
    values = {"id": agent_id, "displayName": name, "activity": activity, "online": online, "channels": {"chat": held}}
    return Agent.model_validate(values)


def chat(chat_id: str, agent_id: str, skill: str = "") -> SupportChat:
    return SupportChat.model_validate(
        {
            "chatId": chat_id,
            "agent": {"id": agent_id},
            "participants": [{"id": agent_id}, {"id": "cust", "username": "customer-" + chat_id}],
            "context": {"skill": skill} if skill else {},
        }
    )


EVA = User(id="u-eva", username="eva", domain="desk.example", role="admin", alias="Eva")
ANA = User(id="u-ana", username="ana", domain="desk.example", role="user", email="ana@desk.example", alias="Ana")
BOB = User(id="u-bob", username="bob", domain="desk.example", role="user", email="bob@desk.example", alias="Bob")
CARLA = User(id="u-carla", username="carla", domain="desk.example", role="user", alias="Sam")
DAN = User(id="u-dan", username="dan", domain="desk.example", role="user", alias="Sam")
OF_EVA, OF_BOB = (UserReference(id=each.id, username=each.username, alias=each.alias) for each in (EVA, BOB))
USERS = (EVA, ANA, BOB, CARLA, DAN)

SALES = Group(
    group_id="sales",
    name="Sales",
    owner=OF_EVA,
    participants=("u-ana", "u-bob", "u-carla", "u-eva"),
    ringing_strategy=RingingStrategy(type="simultaneous"),
)
NIGHT = Group(
    group_id="night",
    name="Night",
    owner=OF_BOB,
    participants=("u-eva", "u-bob"),
)
EMPTY = Group(
    group_id="empty",
    name="Empty",
    owner=OF_EVA,
    ringing_strategy=RingingStrategy(type="sequential"),
)

CALL = Call(id="call/1", caller="svc-user:u-ana", callee="+34600111222", state="connected", users=("svc-user:u-ana",))
RECORDED = CALL.model_copy(update={"id": "call-2", "data": {"recording": {"active": True}}})


def alert(alert_id: str, title: str, sender: str, **more: str) -> Alert:
    return Alert.model_validate({"alertId": alert_id, "title": title, "from": sender, "createdAt": NOW, **more})


FIRE = alert("a-1", "Line down", "u-eva", state="active")
OTHERS = alert("a-2", "Queue full", "u-bob", state="active")
TAKEN = alert("a-3", "Old", "u-eva", state="accepted", acceptedBy="u-ana")

HELP = AlertTemplate(
    template_id="help",
    title="Help",
    payload="Come",
    number_of_retries=3,
    time_in_ms_between_retries=60_000,
    time_to_expire=300_000,
)

AGENTS = (
    agent("u-ana", "Ana", chats=("c-1", "c-2")),
    agent("u-bob", "Bob", chats=("c-3",)),
    agent("u-carla", "Carla", activity="busy"),
    agent("u-dan", "Dan"),
    agent("u-off", "Off", activity="offline", online=False),
)
ANA_AGENT, BOB_AGENT, _, DAN_AGENT, _ = AGENTS
SKILLS = (Skill(skill="billing", agents=("u-ana", "u-bob", "u-carla")), Skill(skill="sales", agents=("u-off",)))
CHATS = (chat("c-1", "u-ana", "billing"), chat("c-2", "u-ana"))
PRESENCES = (
    Presence(address="svc-user:u-eva", online=True, activity="available", note="at the desk"),
    Presence(address="svc-user:u-ana", online=True, activity="busy"),
)
SESSION = Session(id="s-1", user="u-ana")
OWN_SESSION = Session(id="s-2", user="u-eva")


def asks_of(action: Action[Any], at: Situation, records: Sequence[Record] = ()) -> Asks:
    """Return the prompts of an action."""
    return () if action.asks is None else action.asks(at, records)


def situation(
    me: User = EVA,
    *,
    read_only: bool = False,
    selected: Record | None = None,
    variant: Variant = Variant.LATER,
    role: str = "",
    **more: Sequence[Record],
) -> Situation:
    """Return the situation as `me` sees it; `more` replaces the records of a kind."""
    kinds: dict[str, Sequence[Record]] = {
        "users": USERS,
        "groups": (SALES, NIGHT, EMPTY),
        "calls": (CALL, RECORDED),
        "alerts": (FIRE, OTHERS, TAKEN),
        "templates": (HELP,),
        "agents": AGENTS,
        "skills": SKILLS,
        "chats": CHATS,
        "presence": PRESENCES,
        "sessions": (SESSION, OWN_SESSION),
        **more,
    }
    known: dict[str, Mapping[str, Record]] = {
        kind: {record.key: record for record in records} for kind, records in kinds.items()
    }
    render = RenderContext(NOW, ZoneInfo("Europe/Madrid"), me.id, lambda kind: known.get(kind, {}))
    endpoint = Endpoint("http://desk.example/core", variant=variant)
    reasons = {name: endpoint.lacks(request.operation) for name, request in catalogue().items()}
    lacking = {name: reason for name, reason in reasons.items() if reason is not None}
    return Situation(render, me.id, me.username or "", role or me.role or "user", read_only, selected, variant, lacking)


def plan(action_id: str, at: Situation, records: Sequence[Record] = (), **answers: Any) -> list[Step]:
    """Return the steps that an action plans."""
    action: Action[Any] = by_id(action_id)
    given: Answers = answers
    return list(action.plan(at, records, given))


def requests(steps: Iterable[Step]) -> list[Request[Any]]:
    return [step.request for step in steps]


class Groups:
    """Groups as the service keeps them. Applies a request or returns why it is refused."""

    def __init__(self, groups: Iterable[Group], caller: str) -> None:
        self.members = {each.group_id: list(each.participants) for each in groups}
        self.names = {each.group_id: each.name for each in groups}
        self.strategies = {each.group_id: each.ringing_strategy for each in groups}
        self.caller = caller

    @property
    def state(self) -> tuple[Any, ...]:
        return ({key: tuple(value) for key, value in self.members.items()}, dict(self.names), dict(self.strategies))

    def apply(self, request: Request[Any]) -> None:
        match request:
            case AddParticipant():
                assert request.target_user_id not in self.members[request.group_id], "is in already"
                self.members[request.group_id].append(request.target_user_id)
            case RemoveParticipant():
                self.members[request.group_id].remove(request.target_user_id or self.caller)
            case ReorderParticipants():
                assert sorted(request.participants) == sorted(self.members[request.group_id]), "not the same members"
                self.members[request.group_id] = list(request.participants)
            case ClearParticipants():
                self.members[request.group_id] = []
            case LeaveGroups():
                gone = request.target_user_id or self.caller
                self.members = {key: [each for each in value if each != gone] for key, value in self.members.items()}
            case UpdateGroup():
                if request.name is not None:
                    self.names[request.group_id] = request.name
                if request.ringing_strategy is not None:
                    self.strategies[request.group_id] = request.ringing_strategy
            case _:
                raise AssertionError(f"unexpected {request!r}")

    def do(self, steps: Sequence[Step]) -> None:
        for step in steps:
            self.apply(step.request)

    def undo(self, steps: Sequence[Step]) -> None:
        for step in reversed(steps):
            for request in step.inverse:
                self.apply(request)
