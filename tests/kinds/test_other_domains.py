"""People of another domain than the caller's are named with it, in every list that has no column for it."""

from __future__ import annotations

import pytest

from console.base.frozen import replace
from console.kinds.tables import TABLES
from console.records.people import Member, User
from console.records.record import Record
from console.records.support import Agent, Presence
from tests.kinds.reading import known
from tests.kinds.wild import render_context

HERE, THERE = "north.example", "shop.example"
USERS = (User(id="1", alias="Ana Belmonte", domain=HERE), User(id="2", alias="Kim Vidal", domain=THERE))
PRESENCES = (
    Presence(address="svc-user:1", display_name="Ana Belmonte", domain=HERE),
    Presence(address="svc-user:2", display_name="Kim Vidal", domain=THERE),
)


def named(record: Record, kind: str, **known_rows: tuple[Record, ...]) -> str:
    render = replace(
        render_context(known(**{name: list(rows) for name, rows in known_rows.items()})), me="1", domain=HERE
    )
    return TABLES[kind].column("name").cell(record, render).text.removeprefix("· ")


@pytest.mark.parametrize("rows", [{"users": USERS}, {"presence": PRESENCES}], ids=["users", "presence"])
def test_agents_and_members_of_other_domains_say_theirs(rows: dict[str, tuple[Record, ...]]) -> None:
    for kind, here, there in (
        ("agents", Agent(id="1"), Agent(id="2")),
        ("members", Member(user_id="1"), Member(user_id="2")),
    ):
        assert named(here, kind, **rows).endswith("Ana Belmonte")
        assert named(there, kind, **rows).endswith("Kim Vidal @shop")
