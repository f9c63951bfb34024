"""Cursors: valid only unmodified, and pages without gaps or duplicates while rows change."""

from __future__ import annotations

import string
from collections.abc import Iterator
from typing import Any

import pytest

from console.records.people import User
from console.service.domain.people import USERS
from console.service.refusal import Refusal
from console.service.store.cursors import Cursors, PageStart
from tests.faults.figures import count, record
from tests.service.inside import inside
from tests.service.over_http import DOMAIN, data

ALPHABET = string.ascii_letters + string.digits + "-_"
CURSORS = Cursors(b"k" * 32)
BINDING = '["users.page", "eva", {"sort": "username"}]'


def changed(cursor: str) -> Iterator[str]:
    """Yield all texts that differ from the cursor in one character, or by one more or less."""
    for place in range(len(cursor)):
        for other in ALPHABET + "=%\0é":
            if other != cursor[place]:
                yield cursor[:place] + other + cursor[place + 1 :]
        yield cursor[:place] + cursor[place + 1 :]
    yield from (cursor + other for other in ALPHABET + "=")
    yield from (cursor + "==", "=" + cursor, "", "A", cursor * 2)


@pytest.mark.parametrize("place", [PageStart("ana", "ana", False), PageStart(1_790_000_000_000, "svc-user:é", True)])
def test_every_change_of_a_single_character_is_refused_in_the_same_way(place: PageStart) -> None:
    cursor = CURSORS.write(place, BINDING)
    assert CURSORS.read(cursor, BINDING) == place
    tried, taken, said = 0, 0, set[str]()
    for other in changed(cursor):
        tried += 1
        try:
            CURSORS.read(other, BINDING)
            taken += 1
        except Refusal as refusal:
            said.add(f"{refusal.status} {refusal.message}")
    record("S6", not taken and len(said) == 1, f"{taken} of {tried} changed cursors accepted", "0, all refused alike")
    assert (taken, len(said)) == (0, 1)


@pytest.mark.parametrize(
    "other",
    [
        '["groups.page", "eva", {"sort": "username"}]',
        '["users.page", "ana", {"sort": "username"}]',
        '["users.page", "eva", {"sort": "created"}]',
        '["users.page", "eva", {"sort": "username", "role": "user"}]',
    ],
)
def test_a_cursor_of_another_list_user_sort_or_filter_is_refused_like_an_invalid_one(other: str) -> None:
    cursor = CURSORS.write(PageStart("ana", "ana", False), BINDING)
    with pytest.raises(Refusal) as wrong:
        CURSORS.read(cursor, other)
    with pytest.raises(Refusal) as false:
        CURSORS.read("A" * len(cursor), BINDING)
    assert (wrong.value.status, wrong.value.message) == (false.value.status, false.value.message)


async def test_pages_neither_omit_nor_repeat_rows_while_others_are_added_and_removed() -> None:
    rounds = count("FAULTS_COUNT", 1)
    missed, doubled, inserted = set[str](), set[str](), 0
    with inside() as desk:
        steady = {f"m{number:03d}" for number in range(60)}
        with desk.platform.write() as tx:
            USERS.load(tx, [_user(name) for name in sorted(steady)])
        async with desk.client("eva") as eva:
            for number in range(rounds):
                seen: list[str] = []
                query: dict[str, Any] = {"page[size]": 7, "sort": "username"}
                while True:
                    page = data(await eva.get("/users/page", params=query))
                    seen += [each["id"] for each in page["data"]]
                    with desk.platform.write() as tx:
                        # One before, one among and one after the rows read; the one before is deleted again.
                        for place in ("a", seen[-1], "z"):
                            inserted += 1
                            USERS.put(tx, _user(f"{place}-{number}-{inserted}"))
                        USERS.remove(tx, f"a-{number}-{inserted - 2}")
                    if page["meta"]["page"]["next"] is None or seen[-1].startswith("z"):
                        break
                    query["page[after]"] = page["meta"]["page"]["next"]
                missed |= steady - set(seen)
                doubled |= {name for name in steady if seen.count(name) > 1}
    value = f"{len(missed)} missed, {len(doubled)} doubled, {inserted} inserts between pages"
    record("S6", not missed and not doubled, value, "0 missed or doubled")
    assert (missed, doubled) == (set(), set())


def _user(name: str) -> User:
    return User(id=name, username=name, domain=DOMAIN, role="user", created=1)
