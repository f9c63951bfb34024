"""Presence, agents, skills, support chats, alerts and templates (contract 4.7)."""

from __future__ import annotations

from typing import Any

from console.api.marks import Variant
from console.api.operations.desk import (
    AcceptAlert,
    AttachAgent,
    AttachAgents,
    AttachReceivers,
    CancelAlert,
    CreateSkill,
    CreateTemplate,
    DeleteTemplate,
    DetachAgent,
    DetachReceivers,
    GetPresence,
    ListAgents,
    ListAlerts,
    ListPresences,
    ListSkills,
    ListSupportChats,
    ListTemplates,
    ResolveNotification,
    SendAlert,
    SetAgents,
    StartSupportChat,
    SubscribePresence,
    SubscribePresences,
    TransferSupportChat,
    UpdatePresence,
    UpdateTemplate,
)
from console.records.desk import Alert, ChatParticipant
from console.service.caller import Caller
from console.service.domain import agents, alerts, notifications, templates
from console.service.domain.agents import AGENTS, SKILLS
from console.service.domain.alerts import ALERTS
from console.service.domain.chats import CHATS
from console.service.domain.people import need_user
from console.service.domain.presence import PRESENCE, followers_of
from console.service.domain.templates import TEMPLATES, receivers_of
from tests.contract.case import Bad, Ground, case

UNKNOWN = "none"


def _stranger(ground: Ground) -> str:
    """Return an address that pat does not follow."""
    with ground.platform.read() as tx:
        return next(
            each.address for each in PRESENCE.records(tx) if "pat" not in followers_of(tx, each.address)
        )  # fmt: skip


def _skill(ground: Ground, *known: str) -> str:
    agents.create_skill(ground.platform, "chess", known)
    return "chess"


def _agents_of(ground: Ground, skill: str) -> tuple[str, ...]:
    with ground.platform.read() as tx:
        return SKILLS.need(tx, skill).agents


def _chat_of_ana(ground: Ground) -> str:
    with ground.platform.read() as tx:
        return AGENTS.need(tx, "ana").channels.chat[0].chat_id or ""


def _sent(ground: Ground, sender: str = "eva") -> str:
    """Send `help` to ana and bob."""
    templates.update(ground.platform, "shift-handover", {"title": "Help"})
    with ground.platform.read() as tx:
        caller = Caller(need_user(tx, sender))
    alerts.send(ground.platform, caller, "shift-handover", "help")
    return "help"


def _alert(ground: Ground, key: str = "help") -> Alert:
    with ground.platform.read() as tx:
        return ALERTS.need(tx, key)


# -- presence ---------------------------------------------------------------------------------------------------------


@case(
    ListPresences,
    asks=lambda _: ListPresences(without_avatar=True, addresses=("svc-user:ana", "svc-user:bob")),
    bad=(Bad({"withoutAvatar": "perhaps"}),),
)
def list_presences(ground: Ground, answer: Any) -> None:
    assert {each.address for each in answer} == {"svc-user:ana", "svc-user:bob"}
    assert {each.username for each in answer} == ({None} if ground.variant is Variant.EARLIER else {"ana", "bob"})


@case(
    SubscribePresence,
    by="pat",
    asks=lambda ground: SubscribePresence(address=_stranger(ground)),
    not_for=("guest",),
    bad=(Bad({"address": ""}), Bad({"address": None}), Bad({"address": "svc-user:nobody"}, 404)),
)
def subscribe(ground: Ground, answer: Any) -> None:
    with ground.platform.read() as tx:
        assert "pat" in followers_of(tx, answer.address)


@case(
    SubscribePresences,
    by="pat",
    asks=lambda ground: SubscribePresences(addresses=("svc-user:ana", _stranger(ground))),
    not_for=("guest",),
    bad=(Bad({"addresses": []}), Bad({"addresses": "svc-user:ana"}), Bad({"addresses": ["svc-user:nobody"]}, 404)),
)
def subscribe_many(ground: Ground, answer: Any) -> None:
    assert answer[0].address == "svc-user:ana"
    with ground.platform.read() as tx:
        assert all("pat" in followers_of(tx, each.address) for each in answer)


@case(
    GetPresence,
    by="pat",
    asks=lambda _: GetPresence(address="svc-user:ana"),
    bad=(Bad({"address": "svc-user:nobody"}, 404), Bad({"address": "nobody@desk.example"}, 404)),
)
def get_presence(ground: Ground, answer: Any) -> None:
    assert (answer.address, answer.display_name, answer.online) == ("svc-user:ana", "Ana Belmonte", True)


@case(
    UpdatePresence,
    by="ana",
    asks=lambda _: UpdatePresence(address="svc-user:ana", activity="dnd", note="Training", avatar=""),
    not_for=("eva", "pat"),
    bad=(Bad({"online": "perhaps"}), Bad({"activity": 3}), Bad({"avatar": "A" * 300_000})),
)
def update_presence(ground: Ground, answer: Any) -> None:
    assert (answer.activity, answer.note, answer.avatar) == ("dnd", "Training", None)
    with ground.platform.read() as tx:
        assert PRESENCE.need(tx, "svc-user:ana").activity == "dnd"
        assert AGENTS.need(tx, "ana").activity == "dnd"


# -- agents, skills, support chats ------------------------------------------------------------------------------------


@case(ListAgents, by="pat", asks=lambda _: ListAgents(), not_for=("guest",))
def list_agents(ground: Ground, answer: Any) -> None:
    with ground.platform.read() as tx:
        assert {each.id for each in answer} == {each.id for each in AGENTS.records(tx)}
    assert any(each.channels.chat for each in answer)


@case(ListSkills, by="pat", asks=lambda _: ListSkills(), not_for=("guest",))
def list_skills(ground: Ground, answer: Any) -> None:
    assert {each.skill for each in answer} == {"billing", "support", "sales", "english"}


@case(
    CreateSkill,
    asks=lambda _: CreateSkill(skill="chess", agents=("ana", "bob")),
    not_for=("ana", "guest"),
    bad=(
        Bad({"skill": ""}),
        Bad({"skill": None}),
        Bad({"agents": "ana"}),
        Bad({"agents": ["pat"]}, 404),
        Bad({"skill": "billing"}, 409),
    ),
)
def create_skill(ground: Ground, answer: Any) -> None:
    assert answer.message == "Created"
    assert _agents_of(ground, "chess") == ("ana", "bob")


@case(
    SetAgents,
    asks=lambda ground: SetAgents(user_id="pat", user_ids=("pat",)),
    not_for=("ana", "guest"),
    bad=(Bad({"userId": None}), Bad({"userId": 7}), Bad({"userId": "nobody"}, 404)),
)
def set_agents(ground: Ground, answer: Any) -> None:
    assert answer.message == "OK"
    with ground.platform.read() as tx:
        assert AGENTS.need(tx, "pat").display_name == "Pat Llorente"


@case(
    AttachAgent,
    asks=lambda ground: AttachAgent(skill=_skill(ground), agent="ana"),
    not_for=("ana", "guest"),
    bad=(Bad({"skill": None}), Bad({"agent": None}), Bad({"skill": UNKNOWN}, 404), Bad({"agent": "pat"}, 404)),
)
def attach(ground: Ground, answer: Any) -> None:
    assert _agents_of(ground, "chess") == ("ana",)


@case(
    AttachAgents,
    asks=lambda ground: AttachAgents(skill=_skill(ground, "bob"), agents=("ana", "bob")),
    not_for=("ana", "guest"),
    bad=(Bad({"agents": []}), Bad({"agents": "ana"}), Bad({"agents": ["ana", "pat"]}, 404)),
)
def attach_many(ground: Ground, answer: Any) -> None:
    assert _agents_of(ground, "chess") == ("bob", "ana")


@case(
    DetachAgent,
    asks=lambda ground: DetachAgent(skill=_skill(ground, "ana", "bob"), agent="ana"),
    not_for=("ana", "guest"),
    bad=(Bad({"agent": None}), Bad({"agent": "carla"}, 404), Bad({"skill": UNKNOWN}, 404)),
)
def detach(ground: Ground, answer: Any) -> None:
    assert _agents_of(ground, "chess") == ("bob",)


@case(
    StartSupportChat,
    by="pat",
    asks=lambda ground: StartSupportChat(id="chat-x", context={"skill": _skill(ground, "ana", "bob", "carla")}),
    bad=(
        Bad({"id": ""}),
        Bad({"id": None}),
        Bad({"context": "chess"}),
        Bad({"context": {"skill": 3}}),
        Bad({"context": {"skill": UNKNOWN}}, 404),
        Bad({"id": "chat-1"}, 409),
    ),
)
def start_chat(ground: Ground, answer: Any) -> None:
    assert (answer.code is None) is (ground.variant is Variant.LATER)
    with ground.platform.read() as tx:
        chat = CHATS.need(tx, "chat-x")
        assert chat.agent is not None
        assert "chat-x" in {each.chat_id for each in AGENTS.need(tx, chat.agent.id or "").channels.chat}
    assert [each.id for each in chat.participants] == ["pat"]


@case(ListSupportChats, by="ana", asks=lambda _: ListSupportChats())
def list_chats(ground: Ground, answer: Any) -> None:
    assert [each.chat_id for each in answer] == [_chat_of_ana(ground)]
    assert answer[0].agent.username == "ana"


@case(
    TransferSupportChat,
    by="ana",
    asks=lambda ground: TransferSupportChat(id=_chat_of_ana(ground), destination=ChatParticipant(id="bob")),
    not_for=("bob", "pat", "guest"),
    bad=(
        Bad({"id": UNKNOWN}, 404),
        Bad({"destination": None}),
        Bad({"destination": {}}),
        Bad({"destination": {"id": 4}}),
        Bad({"destination": {"id": "pat"}}, 404),
        Bad({"destination": {"id": "ana"}}, 409),
    ),
)
def transfer(ground: Ground, answer: Any) -> None:
    with ground.platform.read() as tx:
        assert AGENTS.need(tx, "ana").channels.chat == ()
        moved = {each.chat_id for each in AGENTS.need(tx, "bob").channels.chat}
        held = {each.chat_id for each in CHATS.records(tx, CHATS.c.agent == "bob")}
    assert moved == held
    assert len(held) == 2


# -- alerts -----------------------------------------------------------------------------------------------------------


@case(
    ListAlerts,
    asks=lambda _: ListAlerts(accepted_since=10**9, expired_since=10**9, canceled_since=10**9),
    bad=(Bad({"acceptedSince": "-1"}), Bad({"expiredSince": "lately"}), Bad({"canceledSince": "1.5"})),
)
def list_alerts(ground: Ground, answer: Any) -> None:
    lists = {"active": answer.active, "accepted": answer.accepted, "expired": answer.expired}
    assert {state: len(found) for state, found in lists.items()} == {"active": 2, "accepted": 2, "expired": 1}
    assert len(answer.canceled) == 1
    assert all(each.state == state for state, found in lists.items() for each in found)


@case(
    SendAlert,
    by="pat",
    asks=lambda _: SendAlert(template_id="shift-handover", alert_id="help"),
    not_for=("guest",),
    bad=(
        Bad({"templateId": ""}),
        Bad({"alertId": None}),
        Bad({"templateId": UNKNOWN}, 404),
        Bad({"alertId": "alert-1"}, 409),
    ),
)
def send_alert(ground: Ground, answer: Any) -> None:
    assert (_alert(ground).from_, _alert(ground).state) == ("pat", "active")
    with ground.platform.read() as tx:
        assert alerts.receivers_of(tx, "help") == receivers_of(tx, "shift-handover")
        assert notifications.pending(tx, "help", "ana") == "alert"


@case(
    AcceptAlert,
    by="ana",
    asks=lambda ground: AcceptAlert(alert_id=_sent(ground)),
    not_for=("eva", "pat", "guest"),
    bad=(Bad({"alertId": ""}), Bad({"alertId": None}), Bad({"alertId": UNKNOWN}, 404)),
)
def accept_alert(ground: Ground, answer: Any) -> None:
    assert (_alert(ground).state, _alert(ground).accepted_by) == ("accepted", "ana")
    assert _alert(ground).resolved_at == ground.clock.now_ms()


@case(
    CancelAlert,
    by="pat",
    asks=lambda ground: CancelAlert(id=_sent(ground, "pat")),
    not_for=("eva", "ana", "guest"),
    bad=(Bad({"id": UNKNOWN}, 404),),
)
def cancel_alert(ground: Ground, answer: Any) -> None:
    assert _alert(ground).state == "canceled"


@case(ListTemplates, by="pat", asks=lambda _: ListTemplates(), not_for=("guest",))
def list_templates(ground: Ground, answer: Any) -> None:
    assert {each.template_id for each in answer} >= {"queue-overflow", "shift-handover"}


@case(
    CreateTemplate,
    asks=lambda _: CreateTemplate(
        template_id="fire",
        title="Fire",
        payload="",
        number_of_retries=2,
        time_in_ms_between_retries=5,
        time_to_expire=7,
    ),
    not_for=("ana", "guest"),
    bad=(
        Bad({"templateId": ""}),
        Bad({"title": None}),
        Bad({"payload": None}),
        Bad({"numberOfRetries": -1}),
        Bad({"timeInMsBetweenRetries": "soon"}),
        Bad({"timeToExpire": 1.5}),
        Bad({"templateId": "shift-handover"}, 409),
    ),
)
def create_template(ground: Ground, answer: Any) -> None:
    with ground.platform.read() as tx:
        stored = TEMPLATES.need(tx, "fire")
        assert receivers_of(tx, "fire") == ()
    assert (stored.number_of_retries, stored.time_in_ms_between_retries, stored.time_to_expire) == (2, 5, 7)


@case(
    UpdateTemplate,
    asks=lambda _: UpdateTemplate(id="shift-handover", title="Handover", number_of_retries=1),
    not_for=("ana", "guest"),
    bad=(Bad({"id": UNKNOWN}, 404), Bad({"title": ""}), Bad({"numberOfRetries": -1}), Bad({"payload": 4})),
)
def update_template(ground: Ground, answer: Any) -> None:
    with ground.platform.read() as tx:
        stored = TEMPLATES.need(tx, "shift-handover")
        assert receivers_of(tx, "shift-handover") == ("ana", "bob", "carla")
    assert (stored.title, stored.number_of_retries, stored.time_to_expire) == ("Handover", 1, 3_600_000)


@case(
    DeleteTemplate,
    asks=lambda _: DeleteTemplate(id="shift-handover"),
    not_for=("ana", "guest"),
    bad=(Bad({"id": UNKNOWN}, 404),),
)
def delete_template(ground: Ground, answer: Any) -> None:
    assert answer.message == "Deleted"
    with ground.platform.read() as tx:
        assert TEMPLATES.get(tx, "shift-handover") is None


@case(
    AttachReceivers,
    asks=lambda _: AttachReceivers(id="shift-handover", user_ids=("pat", "ana")),
    not_for=("ana", "guest"),
    bad=(
        Bad({"id": UNKNOWN}, 404),
        Bad({"userIds": []}),
        Bad({"userIds": "pat"}),
        Bad({"userIds": ["pat", "nobody"]}, 404),
    ),
)
def attach_receivers(ground: Ground, answer: Any) -> None:
    with ground.platform.read() as tx:
        assert receivers_of(tx, "shift-handover") == ("ana", "bob", "carla", "pat")


@case(
    DetachReceivers,
    asks=lambda _: DetachReceivers(id="shift-handover"),
    not_for=("ana", "guest"),
    bad=(Bad({"id": UNKNOWN}, 404),),
)
def detach_receivers(ground: Ground, answer: Any) -> None:
    with ground.platform.read() as tx:
        assert receivers_of(tx, "shift-handover") == ()


@case(
    ResolveNotification,
    by="ana",
    asks=lambda ground: ResolveNotification(id=_sent(ground), action="accept"),
    bad=(Bad({"id": UNKNOWN}, 404), Bad({"action": "sing"}), Bad({"action": None})),
)
def resolve(ground: Ground, answer: Any) -> None:
    assert answer.message == "OK"
    assert _alert(ground).accepted_by == "ana"
    with ground.platform.read() as tx:
        assert notifications.pending(tx, "help", "bob") is None
