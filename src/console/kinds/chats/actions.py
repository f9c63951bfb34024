"""Actions on support chats: start and transfer."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Sequence
from typing import Any

from console.api.operations.support import StartSupportChat, TransferSupportChat
from console.base.collation import collated
from console.base.signs import drawn
from console.base.text import SafeText, clean
from console.commands.action import Action, Answers, Asks, Choice, ChoiceAsk, Situation, TextAsk
from console.commands.inputs import build, many, optional, text
from console.commands.lookup import is_me, lookup, person
from console.kinds.agents.facts import load, work_is_known
from console.kinds.chats.columns import name
from console.kinds.chats.distribution import candidates, choice, participant, spread, wanted_skills
from console.kinds.chats.facts import all_chats
from console.kinds.scope import only_if_known
from console.live.command import Step
from console.records.support import Agent, ChatParticipant, Skill, SupportChat
from console.views import wording
from console.views.cell import Cell, Line, Tone
from console.views.render_context import RenderContext
from console.views.wording import known_plural, plural

SPREAD = "spread"
"""The answer that distributes several chats by load instead of naming one agent."""


def _holder(chat: SupportChat) -> str | None:
    return chat.agent.id if chat.agent else None


def _may_transfer(situation: Situation, records: Sequence[SupportChat]) -> str | None:
    for chat in records:
        holder = _holder(chat)
        if holder and not situation.is_admin and not is_me(situation, holder):
            who = person(situation.render, holder)
            return f"Only its agent, {who}, and admins can transfer this chat."
    without = _everyones(records)
    agents = situation.render.lookup("agents").values()
    if all(isinstance(agent, Agent) and agent.id in without for agent in agents):
        return _no_other_agent(situation)
    return None


def _no_other_agent(situation: Situation) -> str:
    return only_if_known("There is no other agent to transfer to.", "agents", "agents", situation.render)


def _everyones(records: Sequence[SupportChat]) -> set[str]:
    """Return the agent who has all of the chats, if any; it is not a destination."""
    holders = {_holder(chat) for chat in records}
    return {holder for holder in holders if holder} if len(holders) == 1 else set()


def _ask_agent(situation: Situation, records: Sequence[SupportChat]) -> Asks:
    render = situation.render
    wanted = frozenset[str]().union(*(wanted_skills(chat, render) for chat in records))
    holders = Counter(map(_holder, records))
    offered: list[Choice] = []
    for candidate in candidates(render, wanted, _everyones(records)):
        load_after = (candidate.load or 0) + len(records) - holders[candidate.agent.id]
        offered.append(choice(candidate, drawn(f" → {load_after}", render.symbols)))
    if len(records) > 1:
        # First, so that the end of a shift takes the fewest keys; the plan is shown before anything is sent.
        shared = Choice(SPREAD, clean("Spread by load"), clean("the best agent for each chat"))
        offered.insert(0 if spread(records, render) else len(offered), shared)
    title = f"Transfer {name(records[0], render)} to" if len(records) == 1 else f"Transfer {len(records)} chats to"
    return (ChoiceAsk("agent", title, tuple(offered)),)


def _transfer(situation: Situation, records: Sequence[SupportChat], answers: Answers) -> list[Step]:
    return transfer_steps(situation, records, text(answers, "agent", "The agent"))


def transfer_steps(situation: Situation, records: Sequence[SupportChat], destination: str) -> list[Step]:
    """Transfer chats to one agent, or distribute them by load. Raise ValueError if nothing would change."""
    render = situation.render
    if destination == SPREAD:
        shared = spread(records, render)
        if not shared:
            limit = plural(render.chats_per_agent, "chat")
            raise ValueError(f"No other agent can take work, or has fewer than {limit}.")
        return [_step(render, chat, candidate.agent.id) for chat, candidate in shared]
    if not isinstance(render.find("agents", destination), Agent):
        raise ValueError(f"{person(render, destination)} is not an agent.")
    steps = [_step(render, chat, destination) for chat in records if _holder(chat) != destination]
    if not steps:
        raise ValueError(f"{person(render, destination)} already holds it.")
    return steps


def _step(render: RenderContext, chat: SupportChat, agent_id: str) -> Step:
    request = TransferSupportChat(id=chat.chat_id, destination=participant(agent_id, render))
    return Step(request, chat.key, f"transferred {name(chat, render)} to {person(render, agent_id)}")


def plan_lines(situation: Situation, steps: Sequence[Step]) -> tuple[Line, ...]:
    """Return lines with the number of chats per agent, followed by each chat."""
    render = situation.render
    arrow = clean(drawn("  → ", render.symbols))
    chats, lines = all_chats(render), list[Line]()
    calls_by_agent: dict[str, list[SafeText]] = {}
    for step in steps:
        if isinstance(step.request, TransferSupportChat) and step.request.destination.id:
            chat = chats.get(step.key)
            called = name(chat, render) if chat is not None else clean(f"chat {step.key}", 64)
            calls_by_agent.setdefault(step.request.destination.id, []).append(called)
    for agent_id, named in sorted(
        calls_by_agent.items(), key=lambda pair: (-len(pair[1]), collated(person(render, pair[0])))
    ):
        agent = render.find("agents", agent_id)
        open_now = load(agent) if isinstance(agent, Agent) else None
        then = "open work unknown"
        if open_now is not None:
            then = f"{open_now} open now, {open_now + len(named)} of {render.chats_per_agent} afterwards"
        counts = clean(f"  {plural(len(named), 'chat')}, {then}")
        lines.append((Cell(person(render, agent_id), Tone.STRONG), Cell(counts, Tone.QUIET)))
    lines.append(())
    for agent_id, named in calls_by_agent.items():
        lines += [(Cell(chat), Cell(arrow, Tone.QUIET), Cell(person(render, agent_id))) for chat in named]
    return tuple(lines)


# -- chats of other agents -----------------------------------------------------------------------------------


def chats_of(agent: Agent, render: RenderContext) -> tuple[SupportChat, ...]:
    """Return an agent's chats, the oldest first: from the list if visible, otherwise from the agent's record."""
    ordered = sorted(
        agent.channels.chat,
        key=lambda agent_chat: (wording.oldest_first(wording.at(agent_chat.timestamp)), agent_chat.chat_id or ""),
    )
    support_chats: list[SupportChat] = []
    for agent_chat in ordered:
        if not agent_chat.chat_id:
            continue
        listed = render.find("chats", agent_chat.chat_id)
        if isinstance(listed, SupportChat):
            support_chats.append(listed)
        else:
            people = tuple(ChatParticipant(id=user) for user in agent_chat.users)
            support_chats.append(
                SupportChat(chat_id=agent_chat.chat_id, agent=ChatParticipant(id=agent.id), participants=people)
            )
    return tuple(support_chats)


def _may_take_over(situation: Situation, records: Sequence[Agent]) -> str | None:
    agent = records[0]
    if not situation.is_admin and not is_me(situation, agent.id):
        return "Only the agent and admins can transfer these chats."
    if not chats_of(agent, situation.render):
        who = person(situation.render, agent.id)
        return f"{who} has no chats." if work_is_known(agent) else f"The chats of {who} are not known."
    return None if candidates(situation.render, (), {agent.id}) else _no_other_agent(situation)


def _ask_chats(situation: Situation, records: Sequence[Agent]) -> Asks:
    chats = chats_of(records[0], situation.render)
    if len(chats) < 2:
        return _ask_agent(situation, chats)
    offered = (
        Choice("*", clean(f"all {len(chats)} chats")),
        *(Choice(chat.chat_id, name(chat, situation.render), clean(chat.chat_id, 40)) for chat in chats),
    )
    title = f"Chats of {person(situation.render, records[0].id)}"
    return (ChoiceAsk("chats", title, offered, many=True), *_ask_agent(situation, chats))


def _take_over(situation: Situation, records: Sequence[Agent], answers: Answers) -> list[Step]:
    chats = chats_of(records[0], situation.render)
    if len(chats) > 1:
        picked = many(answers, "chats", "The chat")
        chats = tuple(chat for chat in chats if "*" in picked or chat.chat_id in picked)
    return transfer_steps(situation, chats, text(answers, "agent", "The agent"))


# -- start -----------------------------------------------------------------------------------------------------------


def _ask_start(situation: Situation, _records: Sequence[SupportChat]) -> Asks:
    skills = sorted(lookup(situation.render, "skills", Skill), key=lambda skill: collated(skill.skill))
    offered = (
        Choice("-", clean("any subject"), clean("the service picks an agent")),
        *(
            Choice(
                skill.skill,
                clean(f"#{skill.skill}", 64),
                known_plural(skill.count_of("agents"), "agent", situation.render),
            )
            for skill in skills
        ),
    )
    return (
        ChoiceAsk("skill", "Subject of the support chat", offered, digits=True, free=True),
        TextAsk("id", "Request a support chat with this id", f"c-{secrets.token_hex(3)}", verb="Request"),
    )


def _start(_situation: Situation, _records: Sequence[SupportChat], answers: Answers) -> list[Step]:
    request_id = text(answers, "id", "The id of the request")
    skill = optional(answers, "skill")
    values: dict[str, Any] = {"id": request_id}
    if skill and skill != "-":
        values["context"] = {"skill": skill}
    return [Step(build(StartSupportChat, values), request_id, f"requested support chat {clean(request_id, 40)}")]


ACTIONS: tuple[Action[Any], ...] = (
    Action[SupportChat](
        id="chats.transfer",
        title="transfer",
        key="t",
        verb="transfer",
        kind="chats",
        plan=_transfer,
        why_not=_may_transfer,
        asks=_ask_agent,
        needs="many",
        footer=2,
        about="Transfers the chat. Free agents with the skill and the lowest load are listed first.",
        sends=(TransferSupportChat,),
        plan_lines=plan_lines,
    ),
    Action[SupportChat](
        id="chats.start",
        title="start a chat",
        key="n",
        verb="new",
        kind="chats",
        plan=_start,
        asks=_ask_start,
        needs="none",
        footer=7,
        about="Requests a support chat; the service picks an agent by the subject.",
        sends=(StartSupportChat,),
    ),
    Action[Agent](
        id="agents.transfer",
        title="transfer chats",
        key="t",
        verb="transfer",
        kind="agents",
        plan=_take_over,
        why_not=_may_take_over,
        asks=_ask_chats,
        footer=3,
        about="Transfers chats of this agent to another agent.",
        sends=(TransferSupportChat,),
        subject="chats",
        plan_lines=plan_lines,
    ),
)
