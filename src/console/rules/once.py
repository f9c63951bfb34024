"""Rules that notify once: "tell me when she is free"."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

from console.kinds.presence.facts import user_of
from console.rules.reading import made_of
from console.rules.rule import ONCE, RECORD, Rule
from console.views.wording import user_address

if TYPE_CHECKING:
    from console.records.record import Record
    from console.records.support import Presence
    from console.views.render_context import RenderContext

MOST = 50
"""Most of them at a time."""
FREE: Mapping[str, str] = {
    "agents": "cover:free",
    "presence": "free:yes",
    "groups": "free>0",
    "skills": "free>0",
    "queues": "free>0",
}
"""The filter of the free rows of a list."""
_PEOPLE = frozenset({"agents", "presence", "users", "members"})
WAITED_FOR = frozenset({*FREE, *_PEOPLE})
"""The lists whose records can be free."""


def subject_of(kind: str, record: Record, render: RenderContext) -> tuple[str, str]:
    """Return the list and the key of the record that shows whether a record is free.

    An agent's record has the person's work, too; others have only a presence.
    """
    if kind not in _PEOPLE:
        return kind, record.key
    person = user_of(cast("Presence", record), render) if kind == "presence" else record.key
    if render.find("agents", person) is not None:
        return "agents", person
    return "presence", record.key if kind == "presence" else user_address(person, render)


def free_rule(name: str, listed: str, key: str) -> Rule:
    """Return the rule that notifies once that a record of a list in `FREE` is free."""
    settings = {
        "list": listed,
        "filter": FREE[listed],
        "each": RECORD,
        "title": "free",
        "words": "{name}",
        "hold": "0s",
    }
    return made_of(name, 0, settings, ONCE, key)
