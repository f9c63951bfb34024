"""Lists have an ETag of their contents: an unchanged list is not sent again."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest

from console.api.annotations import Role
from console.api.operations.presence import ListPresences
from console.records.people import User
from console.service.auth.caller import Caller
from console.service.auth.passwords import Cost
from console.service.domain import people
from console.service.domain.people import USERS
from console.service.handlers.handler import HANDLERS
from console.service.http import response_cache
from console.service.http.dispatch import lay_out
from console.service.http.response_cache import ResponseCache, is_known
from console.service.platform import Platform, ServiceSettings
from console.service.scenarios.fill import fill as fill_world
from tests.service.inside import Inside


async def test_an_unchanged_list_is_answered_304_with_its_offset(desk: Inside) -> None:
    first = await desk.ask("eva", "GET", "/users")
    with desk.platform.write() as tx:
        people.set_password(desk.platform, "bob", "another")
        tx.announce("groups", "remove", "elsewhere", None, None, None)
    again = await desk.ask("eva", "GET", "/users", headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.content, again.headers["ETag"]) == (304, b"", first.headers["ETag"])
    assert again.headers["Event-Offset"] == str(desk.platform.database.head)
    assert again.headers["Event-Epoch"] == desk.platform.database.epoch
    assert "Content-Type" not in again.headers


async def test_a_change_of_the_kind_invalidates_the_etag(desk: Inside) -> None:
    first = await desk.ask("eva", "GET", "/users")
    with desk.platform.write() as tx:
        USERS.put(tx, people.need_user(tx, "pat").model_copy(update={"alias": "Somebody else"}))
    again = await desk.ask("eva", "GET", "/users", headers={"If-None-Match": first.headers["ETag"]})
    assert again.status_code == 200
    assert "Somebody else" in again.text
    assert again.headers["ETag"] != first.headers["ETag"]
    removed = await desk.ask("eva", "GET", "/users", headers={"If-None-Match": again.headers["ETag"]})
    assert removed.status_code == 304
    with desk.platform.write() as tx:
        USERS.remove_many(tx, ["pat"])
    gone = await desk.ask("eva", "GET", "/users", headers={"If-None-Match": again.headers["ETag"]})
    assert gone.status_code == 200
    assert "Somebody else" not in gone.text


async def test_a_rolled_back_change_is_visible_nowhere(desk: Inside) -> None:
    first = await desk.ask("eva", "GET", "/users")
    with suppress(ZeroDivisionError), desk.platform.write() as tx:
        USERS.put(tx, people.need_user(tx, "pat").model_copy(update={"alias": "Never"}))
        raise ZeroDivisionError
    assert (await desk.ask("eva", "GET", "/users")).content == first.content


async def test_an_etag_is_valid_only_for_its_query_and_for_nobody_who_sees_less(desk: Inside) -> None:
    tag = (await desk.ask("eva", "GET", "/users")).headers["ETag"]
    for who, path in (("otto", "/users"), ("eva", "/users?username=pat"), ("eva", "/agents")):
        other = await desk.ask(who, "GET", path, headers={"If-None-Match": tag})
        assert other.status_code == 200, (who, path)
    assert (await desk.ask("nobody", "GET", "/users", headers={"If-None-Match": tag})).status_code == 401
    assert "Eva" not in (await desk.ask("otto", "GET", "/users")).text


async def test_lists_that_depend_on_several_kinds_have_no_etag(desk: Inside) -> None:
    for path in ("/groups", "/sessions"):
        assert "ETag" not in (await desk.ask("eva", "GET", path)).headers


def test_an_etag_is_recognized_in_any_format() -> None:
    assert is_known('"a-1-b"', 'W/"x", W/"a-1-b"')
    assert not is_known('"a-1-b"', '"a-1-c"')
    assert not is_known('"a-1-b"', None)


def test_stored_answers_are_limited_and_the_least_recently_used_is_removed_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(response_cache, "MOST_KEPT", 100)
    kept = ResponseCache("epoch")
    tags = [kept.tag(number, "core/calls?", True) for number in range(4)]
    for tag in tags[:2]:
        kept.keep(tag, b"x" * 40)
    assert kept.answer(tags[0])
    kept.keep(tags[2], b"x" * 40)
    kept.keep(tags[3], b"x" * 101)
    assert [kept.answer(tag) is not None for tag in tags] == [True, False, True, False]


def test_users_who_see_the_same_records_share_an_answer() -> None:
    """The property declared by `follows`: apart from visibility and the fields in `seen`, all callers are alike."""
    platform = Platform(settings=ServiceSettings(password_cost=Cost.cheap()))
    fill_world(platform, "busy")
    with platform.read() as tx:
        everybody = [Caller(user) for user in USERS.records(tx, limit=40)]
        eva = people.need_user(tx, "eva")
        everybody += [Caller(eva), Caller(User(id="second", username="second", domain="elsewhere", role="admin"))]
        inputs: list[tuple[Any, dict[str, Any]]] = [
            (request, {}) for request, handler in HANDLERS.items() if handler.follows
        ]
        inputs.append((ListPresences, {"all_users": True}))
        for request, given in inputs:
            handler = HANDLERS[request]
            assert handler.follows is not None
            answered: dict[object, bytes] = {}
            for caller in everybody:
                if caller.role < max(request.operation.access.value.least, Role.USER):
                    continue
                asked = request(**given)
                body = lay_out(request, handler.run(asked, caller, platform, tx), platform.variant)[1]
                render = (handler.follows.rule.visibility(caller), handler.seen and handler.seen(asked, caller))
                assert answered.setdefault(render, body) == body, (request.operation.name, caller.id)
            assert answered, request.operation.name
    platform.close()
