"""Presence, agents, skills and support chats (contract 4.7)."""

from __future__ import annotations

from typing import Any

from console.api.annotations import Variant
from console.api.operations.presence import (
    GetPresence,
    ListPresences,
    SubscribePresence,
    SubscribePresences,
    UpdatePresence,
)
from console.api.operations.support import (
    AttachAgent,
    AttachAgents,
    CreateSkill,
    DetachAgent,
    ListAgents,
    ListSkills,
    ListSupportChats,
    SetAgents,
    StartSupportChat,
    TransferSupportChat,
)
from console.records.support import ChatParticipant
from console.service.domain import agents
from console.service.domain.agents import AGENTS, SKILLS
from console.service.domain.chats import CHATS
from console.service.domain.presence import PRESENCE, followers_of
from tests.contract.case import Bad, CaseSetup, case

UNKNOWN = "none"

PICTURE = "R0lGODlhAQABAAAAACwAAAAAAQABAAA="
"""A picture of one pixel, as a presence carries it."""


def _stranger(setup: CaseSetup) -> str:
    """Return an address that pat does not follow."""
    with setup.platform.read() as tx:
        return next(
            each.address for each in PRESENCE.records(tx) if "pat" not in followers_of(tx, each.address)
        )  # fmt: skip


def _skill(setup: CaseSetup, *known: str) -> str:
    agents.create_skill(setup.platform, "chess", known)
    return "chess"


def _agents_of(setup: CaseSetup, skill: str) -> tuple[str, ...]:
    with setup.platform.read() as tx:
        return SKILLS.need(tx, skill).agents


def _chat_of_ana(setup: CaseSetup) -> str:
    with setup.platform.read() as tx:
        return AGENTS.need(tx, "ana").channels.chat[0].chat_id or ""


# -- presence ---------------------------------------------------------------------------------------------------------


@case(
    ListPresences,
    asks=lambda _: ListPresences(without_avatar=True, addresses=("svc-user:ana", "svc-user:bob")),
    bad=(Bad({"withoutAvatar": "perhaps"}),),
)
def list_presences(setup: CaseSetup, answer: Any) -> None:
    assert {each.address for each in answer} == {"svc-user:ana", "svc-user:bob"}
    assert {each.username for each in answer} == ({None} if setup.variant is Variant.EARLIER else {"ana", "bob"})


@case(
    SubscribePresence,
    by="pat",
    asks=lambda setup: SubscribePresence(address=_stranger(setup)),
    not_for=("guest",),
    bad=(Bad({"address": ""}), Bad({"address": 3}), Bad({"address": "svc-user:nobody"}, 404)),
)
def subscribe(setup: CaseSetup, answer: Any) -> None:
    with setup.platform.read() as tx:
        assert "pat" in followers_of(tx, answer.address)


@case(
    SubscribePresences,
    by="pat",
    asks=lambda setup: SubscribePresences(addresses=("svc-user:ana", _stranger(setup))),
    not_for=("guest",),
    bad=(Bad({"addresses": [3]}), Bad({"addresses": "svc-user:ana"}), Bad({"addresses": ["svc-user:nobody"]}, 404)),
)
def subscribe_many(setup: CaseSetup, answer: Any) -> None:
    assert answer[0].address == "svc-user:ana"
    with setup.platform.read() as tx:
        assert all("pat" in followers_of(tx, each.address) for each in answer)


@case(
    GetPresence,
    by="pat",
    asks=lambda _: GetPresence(address="svc-user:ana"),
    bad=(Bad({"address": "svc-user:nobody"}, 404), Bad({"address": "nobody@desk.example"}, 404)),
)
def get_presence(setup: CaseSetup, answer: Any) -> None:
    assert (answer.address, answer.display_name, answer.online) == ("svc-user:ana", "Ana Belmonte", True)


@case(
    UpdatePresence,
    by="ana",
    asks=lambda _: UpdatePresence(address="svc-user:ana", activity="dnd", note="Training", mood="calm", avatar=PICTURE),
    not_for=("eva", "pat"),
    bad=(Bad({"online": "perhaps"}), Bad({"activity": 3}), Bad({"avatar": "A" * 300_000})),
)
def update_presence(setup: CaseSetup, answer: Any) -> None:
    assert (answer.activity, answer.note, answer.mood, answer.avatar) == ("dnd", "Training", "calm", PICTURE)
    assert (answer.avatar_url is not None) is (setup.variant is Variant.LATER)
    with setup.platform.read() as tx:
        assert PRESENCE.need(tx, "svc-user:ana").activity == "dnd"
        assert AGENTS.need(tx, "ana").activity == "dnd"


# -- agents, skills, support chats ------------------------------------------------------------------------------------


@case(ListAgents, by="pat", asks=lambda _: ListAgents(), not_for=("guest",))
def list_agents(setup: CaseSetup, answer: Any) -> None:
    with setup.platform.read() as tx:
        assert {each.id for each in answer} == {each.id for each in AGENTS.records(tx)}
    assert any(each.channels.chat for each in answer)


@case(ListSkills, by="pat", asks=lambda _: ListSkills(), not_for=("guest",))
def list_skills(setup: CaseSetup, answer: Any) -> None:
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
def create_skill(setup: CaseSetup, answer: Any) -> None:
    later = setup.variant is Variant.LATER
    assert (answer.message, answer.agents) == (("Created", None) if later else (None, ("ana", "bob")))
    assert _agents_of(setup, "chess") == ("ana", "bob")


@case(
    SetAgents,
    asks=lambda setup: SetAgents(user_id="pat", user_ids=("pat",)),
    not_for=("ana", "guest"),
    bad=(Bad({"userId": None}), Bad({"userId": 7}), Bad({"userId": "nobody"}, 404)),
)
def set_agents(setup: CaseSetup, answer: Any) -> None:
    assert answer.message == "OK"
    with setup.platform.read() as tx:
        assert AGENTS.need(tx, "pat").display_name == "Pat Llorente"


@case(
    AttachAgent,
    asks=lambda setup: AttachAgent(skill=_skill(setup), agent="ana"),
    not_for=("ana", "guest"),
    bad=(Bad({"skill": None}), Bad({"agent": None}), Bad({"skill": UNKNOWN}, 404), Bad({"agent": "pat"}, 404)),
)
def attach(setup: CaseSetup, answer: Any) -> None:
    assert _agents_of(setup, "chess") == ("ana",)


@case(
    AttachAgents,
    asks=lambda setup: AttachAgents(skill=_skill(setup, "bob"), agents=("ana", "bob")),
    not_for=("ana", "guest"),
    bad=(Bad({"agents": []}), Bad({"agents": "ana"}), Bad({"agents": ["ana", "pat"]}, 404)),
)
def attach_many(setup: CaseSetup, answer: Any) -> None:
    assert _agents_of(setup, "chess") == ("bob", "ana")


@case(
    DetachAgent,
    asks=lambda setup: DetachAgent(skill=_skill(setup, "ana", "bob"), agent="ana"),
    not_for=("ana", "guest"),
    bad=(Bad({"agent": None}), Bad({"agent": "carla"}, 404), Bad({"skill": UNKNOWN}, 404)),
)
def detach(setup: CaseSetup, answer: Any) -> None:
    assert _agents_of(setup, "chess") == ("bob",)


@case(
    StartSupportChat,
    by="pat",
    asks=lambda setup: StartSupportChat(id="chat-x", context={"skill": _skill(setup, "ana", "bob", "carla")}),
    bad=(
        Bad({"id": ""}),
        Bad({"id": None}),
        Bad({"context": "chess"}),
        Bad({"context": {"skill": 3}}),
        Bad({"context": {"skill": UNKNOWN}}, 404),
        Bad({"id": "chat-1"}, 409),
    ),
)
def start_chat(setup: CaseSetup, answer: Any) -> None:
    assert (answer.code is None) is (setup.variant is Variant.LATER)
    with setup.platform.read() as tx:
        chat = CHATS.need(tx, "chat-x")
        assert chat.agent is not None
        assert "chat-x" in {each.chat_id for each in AGENTS.need(tx, chat.agent.id or "").channels.chat}
    assert [each.id for each in chat.participants] == ["pat"]


@case(ListSupportChats, by="ana", asks=lambda _: ListSupportChats())
def list_chats(setup: CaseSetup, answer: Any) -> None:
    assert [each.chat_id for each in answer] == [_chat_of_ana(setup)]
    assert answer[0].agent.username == "ana"


@case(
    TransferSupportChat,
    by="ana",
    asks=lambda setup: TransferSupportChat(id=_chat_of_ana(setup), destination=ChatParticipant(id="bob")),
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
def transfer(setup: CaseSetup, answer: Any) -> None:
    with setup.platform.read() as tx:
        assert AGENTS.need(tx, "ana").channels.chat == ()
        moved = {each.chat_id for each in AGENTS.need(tx, "bob").channels.chat}
        held = {each.chat_id for each in CHATS.records(tx, CHATS.c.agent == "bob")}
    assert moved == held
    assert len(held) == 2
