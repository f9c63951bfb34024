"""Activities are shown in words for people wherever a person appears, never as the service spells them."""

from __future__ import annotations

import pytest

from console.kinds.tables import TABLES
from console.records.people import Member, User
from console.records.record import Record
from console.records.support import Agent, Presence, Skill
from tests.kinds.reading import seen, text

AGENT = Agent(id="u1", display_name="Ana", online=True, activity="oncall")
USER = User(id="u1", username="ana", alias="Ana", role="user")
PRESENCE = Presence(address="svc-user:u1", online=True, activity="oncall")
SHOWN: tuple[tuple[str, Record], ...] = (
    ("agents", AGENT),
    ("members", Member(user_id="u1", position=1)),
    ("presence", PRESENCE),
    ("skills", Skill(skill="sales", agents=("u1",))),
    ("users", USER),
)


@pytest.mark.parametrize(("kind", "record"), SHOWN, ids=[kind for kind, _ in SHOWN])
def test_an_activity_is_shown_in_words_in_the_list_and_in_the_detail(kind: str, record: Record) -> None:
    render = seen(agents=[AGENT], users=[USER], presence=[PRESENCE])
    table = TABLES[kind]
    cells = [column.cell(record, render).text for column in table.columns]
    detail = text(table.detail(record, render))
    assert "oncall" not in " ".join(cells) + detail
    assert "on a call" in detail


def test_users_are_counted_by_role_in_the_plural() -> None:
    totals = TABLES["users"].totals
    roles = [None, "admin", "admin", *["user"] * 7]
    people = [User(id=f"u{number}", role=role) for number, role in enumerate(roles)]
    said = "".join(cell.text for cell in totals(people, seen(users=people)))
    assert [part.strip() for part in said.split("  ") if part.strip()] == [
        "10 users",
        "2 admins",
        "1 without a role",
    ]
