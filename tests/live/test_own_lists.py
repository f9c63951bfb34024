"""Callers who may not list all records of a kind get their own, if the service has such a list."""

from __future__ import annotations

import pytest

from console.api.errors import ApiError, Forbidden, NotOffered
from console.api.operations.sessions import ListOwnSessions, ListSessions
from console.api.request import Request
from console.client.fetched import Fetched
from console.kinds.catalogue import FEEDS
from console.live.listing import Lister


class Answers:
    """Answers each operation with a prepared answer, and records the requests."""

    def __init__(self) -> None:
        self.bodies: dict[str, bytes | ApiError] = {
            ListSessions.operation.name: Forbidden("only for admins"),
            ListOwnSessions.operation.name: b'[{"id": "mine"}]',
        }
        self.asked: list[str] = []

    async def fetch(self, request: Request[object], *, etag: str | None = None) -> Fetched:
        name = request.operation.name
        self.asked.append(name)
        body = self.bodies[name]
        if isinstance(body, ApiError):
            raise body
        return Fetched(body, None, None, unchanged=False)


@pytest.fixture
def service() -> Answers:
    return Answers()


async def test_own_records_replace_a_refused_list(service: Answers) -> None:
    lister = Lister(FEEDS["sessions"], service)
    assert [*((await lister.list()).rows or {})] == ["mine"]
    assert lister.own
    await lister.list()
    assert service.asked == ["sessions.list", "sessions.own", "sessions.own"], "the refusal is not asked for again"


async def test_a_partial_list_is_never_shown_as_complete_after_one_refusal_to_an_admin(service: Answers) -> None:
    lister = Lister(FEEDS["sessions"], service, is_admin=lambda: True)
    with pytest.raises(Forbidden):
        await lister.list()
    service.bodies["sessions.list"] = b'[{"id": "mine"}, {"id": "theirs"}]'
    assert [*((await lister.list()).rows or {})] == ["mine", "theirs"]
    assert not lister.own


async def test_a_user_who_becomes_an_admin_gets_the_complete_list(service: Answers) -> None:
    role = ["user"]
    lister = Lister(FEEDS["sessions"], service, is_admin=lambda: role == ["admin"])
    await lister.list()
    role[:] = ["admin"]
    service.bodies["sessions.list"] = b'[{"id": "mine"}, {"id": "theirs"}]'
    assert [*((await lister.list()).rows or {})] == ["mine", "theirs"]


async def test_without_own_records_the_list_is_refused(service: Answers) -> None:
    service.bodies["sessions.own"] = NotOffered("no such operation")
    lister = Lister(FEEDS["sessions"], service)
    for _ in range(2):
        with pytest.raises(Forbidden, match="only for admins"):
            await lister.list()
        assert not lister.own
