"""Presence, agents, skills and support chats (contract 4.7)."""

from __future__ import annotations

from console.api.annotations import Variant
from console.api.operations import support as ops
from console.api.operations.presence import (
    GetPresence,
    ListPresences,
    SubscribePresence,
    SubscribePresences,
    UpdatePresence,
)
from console.records.support import AgentChannels, ChatParticipant
from console.service.domain import agents
from console.service.domain.agents import AGENTS, SKILLS
from console.service.domain.chats import CHATS
from console.service.domain.people import USERS
from console.service.domain.presence import PRESENCE, followers_of
from tests.contract.case import CaseSetup, Steps, case

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
    return setup.need(SKILLS, skill).agents


def _chat_of_ana(setup: CaseSetup) -> str:
    return setup.need(AGENTS, "ana").channels.chat[0].chat_id or ""


# -- presence ---------------------------------------------------------------------------------------------------------


@case(ListPresences)
def list_presences(setup: CaseSetup) -> Steps:
    answer = yield ListPresences(without_avatar=True, addresses=("svc-user:ana", "svc-user:bob"))
    assert {each.address for each in answer} == {"svc-user:ana", "svc-user:bob"}
    assert {each.username for each in answer} == ({None} if setup.variant is Variant.EARLIER else {"ana", "bob"})


@case(SubscribePresence, by="pat", bad={400: {"address": [""]}, 404: {"address": ["svc-user:nobody"]}})
def subscribe(setup: CaseSetup) -> Steps:
    answer = yield SubscribePresence(address=_stranger(setup))
    with setup.platform.read() as tx:
        assert "pat" in followers_of(tx, answer.address)


@case(SubscribePresences, by="pat", bad={400: {"addresses": [[3]]}, 404: {"addresses": [["svc-user:nobody"]]}})
def subscribe_many(setup: CaseSetup) -> Steps:
    answer = yield SubscribePresences(addresses=("svc-user:ana", _stranger(setup)))
    assert answer[0].address == "svc-user:ana"
    with setup.platform.read() as tx:
        assert all("pat" in followers_of(tx, each.address) for each in answer)


@case(GetPresence, by="pat", bad={404: {"address": ["svc-user:nobody", "nobody@desk.example"]}})
def get_presence(setup: CaseSetup) -> Steps:
    answer = yield GetPresence(address="svc-user:ana")
    assert (answer.address, answer.display_name, answer.online) == ("svc-user:ana", "Ana Belmonte", True)


@case(
    UpdatePresence,
    by="ana",
    not_for=("eva", "pat"),
    bad={400: {"avatar": ["A" * 300_000, "not base64!", "data:image/gif;base64,%", "abc"]}},
)
def update_presence(setup: CaseSetup) -> Steps:
    answer = yield UpdatePresence(address="svc-user:ana", activity="dnd", note="Training", mood="calm", avatar=PICTURE)
    assert (answer.activity, answer.note, answer.mood, answer.avatar) == ("dnd", "Training", "calm", PICTURE)
    assert (answer.avatar_url is not None) is (setup.variant is Variant.LATER)
    assert setup.need(PRESENCE, "svc-user:ana").activity == "dnd"
    assert setup.need(AGENTS, "ana").activity == "dnd"


# -- agents, skills, support chats ------------------------------------------------------------------------------------


@case(ops.ListAgents, by="pat")
def list_agents(setup: CaseSetup) -> Steps:
    answer = yield ops.ListAgents()
    assert {each.id for each in answer} == {each.id for each in setup.records(AGENTS)}
    assert any(each.channels.chat for each in answer)


@case(ops.ListSkills, by="pat")
def list_skills(setup: CaseSetup) -> Steps:
    answer = yield ops.ListSkills()
    assert {each.skill for each in answer} == {"billing", "support", "sales", "english"}


@case(ops.CreateSkill, bad={404: {"agents": [["pat"]]}, 409: {"skill": ["billing"]}})
def create_skill(setup: CaseSetup) -> Steps:
    answer = yield ops.CreateSkill(skill="chess", agents=("ana", "bob"))
    later = setup.variant is Variant.LATER
    assert (answer.message, answer.agents) == (("Created", None) if later else (None, ("ana", "bob")))
    assert _agents_of(setup, "chess") == ("ana", "bob")


@case(ops.SetAgents, bad={404: {"userId": ["nobody"]}})
def set_agents(setup: CaseSetup) -> Steps:
    answer = yield ops.SetAgents(user_id="pat", user_ids=("pat",))
    assert answer.message == "OK"
    agent = setup.need(AGENTS, "pat")
    assert (agent.display_name, agent.channels) == ("Pat Llorente", AgentChannels())
    assert "+c2cagent" in setup.need(USERS, "pat").capabilities


@case(ops.AttachAgent, bad={404: {"skill": [UNKNOWN], "agent": ["pat"]}})
def attach(setup: CaseSetup) -> Steps:
    yield ops.AttachAgent(skill=_skill(setup), agent="ana")
    assert _agents_of(setup, "chess") == ("ana",)


@case(ops.AttachAgents, bad={400: {"agents": [[]]}, 404: {"agents": [["ana", "pat"]]}})
def attach_many(setup: CaseSetup) -> Steps:
    yield ops.AttachAgents(skill=_skill(setup, "bob"), agents=("ana", "bob"))
    assert _agents_of(setup, "chess") == ("bob", "ana")


@case(ops.DetachAgent, bad={404: {"agent": ["carla"], "skill": [UNKNOWN]}})
def detach(setup: CaseSetup) -> Steps:
    yield ops.DetachAgent(skill=_skill(setup, "ana", "bob"), agent="ana")
    assert _agents_of(setup, "chess") == ("bob",)


@case(
    ops.StartSupportChat,
    by="pat",
    bad={400: {"context": [{"skill": 3}]}, 404: {"context": [{"skill": UNKNOWN}]}, 409: {"id": ["chat-1"]}},
)
def start_chat(setup: CaseSetup) -> Steps:
    answer = yield ops.StartSupportChat(id="chat-x", context={"skill": _skill(setup, "ana", "bob", "carla")})
    assert (answer.code is None) is (setup.variant is Variant.LATER)
    chat = setup.need(CHATS, "chat-x")
    assert chat.agent is not None
    assert "chat-x" in {each.chat_id for each in setup.need(AGENTS, chat.agent.id or "").channels.chat}
    assert [each.id for each in chat.participants] == ["pat"]


@case(ops.ListSupportChats, by="ana")
def list_chats(setup: CaseSetup) -> Steps:
    answer = yield ops.ListSupportChats()
    assert [each.chat_id for each in answer] == [_chat_of_ana(setup)]
    assert answer[0].agent.username == "ana"


@case(
    ops.TransferSupportChat,
    by="ana",
    not_for=("bob", "pat"),
    bad={
        400: {"destination": [{}, {"id": 4}]},
        404: {"id": [UNKNOWN], "destination": [{"id": "pat"}]},
        409: {"destination": [{"id": "ana"}]},
    },
)
def transfer(setup: CaseSetup) -> Steps:
    yield ops.TransferSupportChat(id=_chat_of_ana(setup), destination=ChatParticipant(id="bob"))
    assert setup.need(AGENTS, "ana").channels.chat == ()
    moved = {each.chat_id for each in setup.need(AGENTS, "bob").channels.chat}
    held = {each.chat_id for each in setup.records(CHATS, CHATS.c.agent == "bob")}
    assert moved == held
    assert len(held) == 2
