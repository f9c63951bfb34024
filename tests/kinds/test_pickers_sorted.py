"""Names in pickers are sorted by collation: Álvarez is with A."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from console.commands.action import Choice, ChoiceAsk
from console.kinds.actions import ACTIONS
from console.records.people import Group, RingingStrategy, User
from console.records.phonebooks import Phonebook, PhonebookContact
from console.records.record import Record
from console.records.sip import SipIdentity
from console.records.support import AlertTemplate, Skill
from tests.kinds.action_world import CALL, CHATS, FIRE, OF_EVA, agent, asks_of, situation

SORTED = ["Alvarado", "Álvarez", "alvarez gil", "Émile", "Zoë"]
NAMES = ("Zoë", "alvarez gil", "Émile", "Álvarez", "Alvarado")
IDS = [f"u-{at}" for at in range(len(NAMES))]
KNOWN: dict[str, Any] = {
    "users": tuple(
        User(id=key, username=key, domain="d.example", role="user", alias=name)
        for key, name in zip(IDS, NAMES, strict=True)
    ),
    "agents": tuple(agent(key, name) for key, name in zip(IDS, NAMES, strict=True)),
    "groups": tuple(
        Group(
            group_id=f"g-{key}",
            name=name,
            owner=OF_EVA,
            participants=("u-x",),
            ringing_strategy=RingingStrategy(type=name),
        )
        for key, name in zip(IDS, NAMES, strict=True)
    ),
    "skills": tuple(Skill(skill=name, agents=("u-x",)) for name in NAMES),
    "templates": tuple(
        AlertTemplate(template_id=f"t-{key}", title=name, payload="") for key, name in zip(IDS, NAMES, strict=True)
    ),
    "calls": (CALL,),
    "alerts": (FIRE,),
    "chats": CHATS[:1],
    "sip-identities": (SipIdentity(id="i", username="sip-1", available=True, domain="d.example"),),
    "phonebooks": (Phonebook(id="b", name="B", contacts=(PhonebookContact(id="c", name="C"),)),),
}
TRIED: dict[str, tuple[Record, ...]] = {
    **{kind: records[:1] for kind, records in KNOWN.items()},
    "agents": (agent("u-x", "Xaver"), agent("u-y", "Yann")),
    "everywhere": (CALL,),
    "members": KNOWN["groups"][:1],
}


def _names(choices: tuple[Choice, ...]) -> list[list[str]]:
    """Return the names among the choices, by the kind of record."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for choice in choices:
        name = choice.title.lstrip("@#")
        if name in SORTED:
            found[choice.title.removesuffix(name) + choice.value.rpartition(":")[0]].append(name)
    return list(found.values())


def test_every_picker_of_an_action_sorts_names_by_collation() -> None:
    seen = set[str]()
    at = situation(**KNOWN)
    for action, record in [(each, record) for each in ACTIONS for record in TRIED.get(each.kind, ())]:
        if action.why_not is not None and action.why_not(at, (record,)):
            continue
        for ask in asks_of(action, at, (record,)):
            for names in _names(ask.choices) if isinstance(ask, ChoiceAsk) else ():
                if len(names) > 1:
                    seen.add(action.id)
                    assert names == [each for each in SORTED if each in names], (action.id, names)
    assert seen >= {"agents.give-skill", "agents.take-skill", "alerts.send", "chats.start", "chats.transfer"}
    assert seen >= {"groups.add", "groups.strategy", "phonebooks.subscribe", "sip.assign", "templates.attach"}
