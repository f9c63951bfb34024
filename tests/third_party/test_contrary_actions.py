"""Actions of the console reach the contrary deployment in its own words, and its rows change after it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from typing import Any

import pytest
import pytest_asyncio

from console.api.operations.phonebooks import PagePhonebooks
from console.api.operations.sip import ListSipIdentities
from console.api.request import Request
from console.commands.action import ReadAsk
from console.commands.guards import applicable, blocked, command
from console.kinds.actions import by_id
from console.live.command import Stage
from console.records.record import Record
from tests.behaviour.driver import Seat
from tests.kinds.action_world import asks_of
from tests.third_party import contrary as contraries
from tests.third_party.contrary import Running
from tests.third_party.contrary_actions import CASES, Sent
from tests.third_party.contrary_data import Contrary
from tests.third_party.seat import seat_at

pytestmark = pytest.mark.asyncio(loop_scope="module")

BOOKS: dict[str, tuple[dict[str, Any], Sent]] = {
    "phonebooks.add": (
        {"contacts": "Zoe, +34777"},
        ("POST", "/phonebooks/1/cards", {"card": {"label": "Zoe", "no": "+34777"}}),
    ),
    "phonebooks.unsubscribe": ({"people": ("2",)}, ("DELETE", "/phonebooks/1/readers/2", None)),
}


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def eva(contrary: Running, tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Seat]:
    home = tmp_path_factory.mktemp("home")
    (home / "config.toml").write_text(contrary.config, encoding="utf-8")
    async with seat_at(home / "config.toml", contraries.PASSWORD) as found:
        for kind in ("templates", "agents", "skills", "chats", "notifications", "missed-calls", "presence", "sessions"):
            await found.until(lambda kind=kind: found.backend.records(kind))
        yield found


def sent_since(data: Contrary, before: int) -> list[Sent]:
    """Return the changes that arrived since, without prefix and envelope."""
    found: list[Sent] = []
    for method, path, body in data.asked[before:]:
        if method != "GET" and not path.endswith(("/query", "/token")):
            found.append((method, path.removeprefix("/pbx/v3"), None if body is None else body["request"]))
    return found


async def ask(eva: Seat, request: Request[Any]) -> Any:
    return await asyncio.wrap_future(eva.backend.ask(request))


async def act(
    eva: Seat, name: str, records: list[Any], answers: dict[str, Any], selected: Record | None = None
) -> None:
    """Run an action as its key does, without dialogs, and wait until it is done."""
    action, situation = by_id(name), eva.context.situation(selected)
    assert blocked(action, situation, records) is None
    fitting, _ = applicable(action, situation, records)
    for each in asks_of(action, situation, fitting):
        if isinstance(each, ReadAsk):
            answers[each.name] = await ask(eva, each.request)
    ticket = eva.backend.commands.submit(command(action, situation, records, answers))
    number = ticket.command.number

    def ended() -> Any:
        found = next(each for each in eva.backend.commands.tickets() if each.command.number == number)
        return found if found.stage not in {Stage.HELD, Stage.PENDING} else None

    done = await eva.until(ended)
    assert (done.stage, done.reason) == (Stage.DONE, "")


async def test_actions_are_sent_in_the_words_of_the_deployment(eva: Seat, contrary: Running) -> None:
    for name, case in CASES.items():
        await eva.until(lambda case=case: all(key in eva.backend.records(case.kind) for key in case.keys))
        records = case.records(eva) if case.records else [eva.backend.records(case.kind)[key] for key in case.keys]
        before = len(contrary.data.asked)
        await act(eva, name, records, {**case.answers}, case.selected(eva) if case.selected else None)
        sent = sent_since(contrary.data, before)
        assert sent == [*case.sent] or not case.sent, name
        assert case.then(contrary.data), name
        if case.seen is not None:
            await eva.until(lambda case=case: case.seen is not None and case.seen(eva))


async def test_a_phonebook_is_changed_in_the_words_of_the_deployment(eva: Seat, contrary: Running) -> None:
    for name, (answers, expected) in BOOKS.items():
        page = await ask(eva, PagePhonebooks(page_size=50))
        before = len(contrary.data.asked)
        await act(eva, name, [page.data[0]], {**answers})
        assert expected in sent_since(contrary.data, before), name


async def test_a_sip_identity_is_assigned_in_the_words_of_the_deployment(eva: Seat, contrary: Running) -> None:
    await eva.look_at("sip-identities")
    _, line, *_ = await ask(eva, ListSipIdentities())
    await eva.until(lambda: "wac-group:t1" in eva.context.situation().render.lookup("sip-mappings"))
    before = len(contrary.data.asked)
    await act(eva, "sip.assign", [line], {"owner": "wac-group:t2"})
    assigned = {"for": "wac-group:t2", "line": {"name": "line-2", "pw": "sip-secret-2"}}
    assert ("PUT", "/plugs", assigned) in sent_since(contrary.data, before)
