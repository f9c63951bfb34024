"""The table of support chats (contract 2.16): the caller's own, and others as far as agents' records show them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from console.base.frozen import replace
from console.base.text import SafeText, clean
from console.kinds.chats import AGE
from console.kinds.chats.facts import STARTED, all_chats, mine, own_chats, shown_by, started
from console.kinds.presence.columns import presence_cell
from console.kinds.scope import counted
from console.records.extent import Extent
from console.records.support import ChatParticipant, SupportChat
from console.views import columns, wording
from console.views.cell import Cell, Line, Section, Tone
from console.views.lines import faults_section, field_lines, gap, pair, raw_section, several, text_line
from console.views.render_context import RenderContext
from console.views.table import Link, Table

_KNOWN = ("subject", "summary", "topic", "reason", "question", "skill", "queue", "name")
"""Context fields that usually contain the subject, the most specific first."""


def participant(person: ChatParticipant | None, render: RenderContext) -> str | None:
    """Return the name of a participant, not cleaned."""
    if person is None:
        return None
    if person.id:
        called = wording.person(wording.user_id(person.id, render) or person.id, render)
        if called != wording.short(person.id):
            return called
    return person.username or (wording.short(person.id) if person.id else None)


def skill_of(chat: SupportChat) -> str | None:
    """Return the skill of the chat from its context, or None."""
    skill = (chat.context or {}).get("skill") or (chat.context or {}).get("queue")
    return skill if isinstance(skill, str) else None


def _people(chat: SupportChat, render: RenderContext) -> str | None:
    agent = chat.agent.id if chat.agent else None
    named = (
        participant(chat_participant, render) or "unknown"
        for chat_participant in chat.participants
        if not chat_participant.id or chat_participant.id != agent
    )
    return ", ".join(named) or None


def _ids(chat: SupportChat, _render: RenderContext) -> tuple[str, ...]:
    return tuple(chat_participant.id for chat_participant in chat.participants if chat_participant.id)


def summary(chat: SupportChat) -> str | None:
    """Return the subject of a chat in one line, from its context."""
    context = chat.context or {}
    known = [_text(context[field]) for field in _KNOWN if context.get(field)]
    others = [f"{field}: {_text(value)}" for field, value in context.items() if field not in (*_KNOWN, *STARTED)]
    return ", ".join(known or others) or None


def _text(value: Any) -> str:
    return str(value)[:200]


def totals(chats: Iterable[SupportChat], render: RenderContext) -> Line:
    """Return the number of chats, the age of the oldest, and the number of the caller's own."""
    amount, own, first, exact = 0, 0, None, render.extent("chats") is Extent.WHOLE
    for chat in chats:
        amount += 1
        own += mine(chat, render)
        at = started(chat, render)
        exact = exact and at is not None
        first = at if first is None or (at is not None and at < first) else first
    whose = "Your " if own == amount > 0 else ""
    line = [Cell(clean(whose + counted("chats", amount, "chat", render)), Tone.STRONG)]
    if first is not None:
        age = render.now_ms - first
        line += [
            gap(),
            Cell(clean("oldest ")),
            Cell(wording.least_age(age, render, exact=exact), columns.severity(AGE, age, render)),
        ]
    if 0 < own < amount:
        line += [gap(), Cell(clean(f"{wording.amount(own)} mine"))]
    return tuple(line)


def name(chat: SupportChat, render: RenderContext) -> SafeText:
    """Return the name of a chat in a sentence: its participants, otherwise its subject or its id."""
    people = _people(chat, render)
    if people is not None:
        return clean(f"chat with {people}", 64)
    subject = summary(chat)
    return clean(f"chat about {subject}" if subject else f"chat {wording.short(chat.chat_id)}", 64)


def detail(chat: SupportChat, render: RenderContext) -> tuple[Section, ...]:
    """Return the detail of a chat, first its context, which agents need most."""
    at = started(chat, render)
    age = render.ms_since(at)
    sections = [*faults_section(chat)]
    if chat.context:
        sections.append(Section("context", "Context", field_lines(chat.context, render, moments=STARTED)))
    summary_lines = (
        pair("With", _people(chat, render), render, Tone.STRONG),
        pair("Agent", participant(chat.agent, render), render),
        pair("Started", wording.moment(at, render), render),
        pair("Age", wording.age(age, render), render, columns.severity(AGE, age, render)),
        pair("Room", chat.chat_room_jid, render),
        pair("Id", chat.chat_id, render),
    )
    sections.append(Section("summary", "Chat", summary_lines))
    if chat.participants:
        lines = several(chat.participants, lambda chat_participant: _person(chat_participant, render))
        sections.append(Section("participants", f"Participants {len(chat.participants)}", lines))
    return (*sections, _raw(chat, render))


def _raw(chat: SupportChat, render: RenderContext) -> Section:
    """Return what the service sent: the record of the chat, or the entry in the record of its agent."""
    entry_shown = None if chat.chat_id in render.lookup("chats") else shown_by(chat, render)
    if entry_shown is None:
        return raw_section(chat, render)
    agent, entry = entry_shown
    return raw_section(entry, render, text_line(f"in channels.chat of agent {agent.id}:", Tone.QUIET))


def _person(person: ChatParticipant, render: RenderContext) -> Line:
    identifier = wording.user_id(person.id, render) or person.id or ""
    where = f"{person.username or ''}@{person.domain}" if person.domain else person.username or ""
    cell = Cell(clean(participant(person, render) or "unknown"), Tone.STRONG)
    return (presence_cell(identifier, render), gap(" "), cell, gap(), Cell(clean(where), Tone.QUIET))


def links(chat: SupportChat, render: RenderContext) -> tuple[Link, ...]:
    """Return links to the agent and the participants."""
    all_links: list[Link] = []
    if chat.agent and chat.agent.id:
        all_links.append(Link("agent", "agents", chat.agent.id))
    for chat_participant in chat.participants:
        if chat_participant.id:
            identifier = wording.user_id(chat_participant.id, render) or chat_participant.id
            all_links.append(Link("participant", "presence", wording.user_address(identifier, render)))
            all_links.append(Link("user", "users", identifier))
    return tuple(all_links)


def _agent_cell(chat: SupportChat, render: RenderContext) -> Cell:
    """Return the name of the agent; `you` for an own chat."""
    if mine(chat, render):
        return Cell(clean("you"), Tone.STRONG)
    name = participant(chat.agent, render)
    return Cell(clean(name), Tone.PLAIN) if name else Cell(wording.dash(render), Tone.QUIET)


def _began_cell(chat: SupportChat, render: RenderContext) -> Cell:
    chat_started = started(chat, render)
    return Cell(wording.clock(chat_started, render), Tone.PLAIN if chat_started is not None else Tone.QUIET)


TABLE: Table[SupportChat] = Table(
    kind="chats",
    title="Support chats",
    one="chat",
    order="-age",
    columns=columns.marked(
        (
            columns.text("people", "With", 18, _people, also=_ids, grows=True, aliases=("with", "participants")),
            columns.age("age", "Age", started, AGE),
            columns.text("about", "About", 20, lambda chat, _render: summary(chat), priority=1, grows=True),
            columns.custom(
                "agent",
                "Agent",
                14,
                lambda chat, render: participant(chat.agent, render),
                _agent_cell,
                also=lambda chat, _render: (chat.agent.id,) if chat.agent and chat.agent.id else (),
            ),
            columns.text("skill", "Skill", 12, lambda chat, _render: skill_of(chat), priority=3),
            columns.text("room", "Room", 24, lambda chat, _render: chat.chat_room_jid, priority=4, aliases=("jid",)),
            columns.flag("mine", "Mine", 4, mine, priority=9),
            columns.custom("began", "Started", 12, started, _began_cell, kind="time", right=True, priority=9),
            columns.identity(lambda chat: chat.chat_id),
        )
    ),
    name=name,
    detail=detail,
    totals=totals,
    links=links,
    copies=lambda chat: chat.chat_room_jid or chat.chat_id,
    combined=all_chats,
    follows=("agents",),
)

OWN: Table[SupportChat] = replace(
    TABLE,
    title="Your chats",
    columns=tuple(TABLE.column(value) for value in ("people", "about", "skill", "age", "mine", "began", "id")),
    combined=own_chats,
)
"""The table of the caller's own chats."""
