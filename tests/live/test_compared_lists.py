"""A record that cannot be read alone is looked for on all pages of its list before its form is sent."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from console.api.catalogue import find
from console.api.listed import record_type
from console.api.routes_file import load_routes
from console.client.client import Client
from console.client.endpoint import Endpoint
from console.kinds.operating import FORM, change, resource_of
from console.live import paging
from console.live.bounds import Bounds
from console.live.command import Command, Stage, Ticket
from tests.client.canned import Canned
from tests.kinds.action_world import BOB, situation
from tests.live.command_bench import Bench, FakeEngine

PAGES = 3
KINDS = {"templates": "title", "user-contacts": "name", "provisioning-domains": "parent"}
"""Lists whose records cannot be read alone, with a field that a form changes."""


class Deployment:
    """A service that sends one row on each page, and takes changes."""

    def __init__(self, field: str) -> None:
        self.rows = [{"id": f"r{number}", "templateId": f"r{number}", field: "Before"} for number in range(PAGES)]
        self.gets = 0
        self.sent: list[Any] = []

    def answer(self, request: httpx.Request) -> httpx.Response:
        if request.method != "GET":
            self.sent.append(json.loads(request.content))
            return httpx.Response(200, json={"message": "OK", **self.rows[-1]})
        self.gets += 1
        number = int(request.url.params.get("from", "0"))
        following = str(number + 1) if number + 1 < len(self.rows) else None
        return httpx.Response(200, json={"rows": self.rows[number : number + 1], "more": following})


class Compared:
    """A change of the record on the last page, decided when its field was `Before`."""

    def __init__(self, path: Path, kind: str, owner: str = "") -> None:
        self.field = KINDS[kind]
        read, resource = find(f"{kind}.list"), resource_of(kind)
        self.service = Deployment(self.field)
        self.service.rows[2] |= {"owner": owner} if owner else {}
        base, operation = "http://desk.example", read.operation
        route = f"GET {operation.route.template}"
        paged = f'"{operation.name}" = {{ route = "{route}", rows = "rows", next = "more", cursor = "from" }}'
        path.with_suffix(".toml").write_text(paged, encoding="utf-8")
        routes = load_routes(path.with_suffix(".toml"))
        endpoint = Endpoint(f"{base}/core", provisioning=f"{base}/provisioning", routes=routes)
        around: Any = FakeEngine()
        around.client = Client(endpoint, transport=Canned(self.service.answer))
        self._bench = Bench(path, around)
        record = record_type(read).model_validate(self.service.rows[2])
        steps = change(f"{kind}.update", resource).plan(situation(BOB), (record,), {FORM: {self.field: "Mine"}})
        assert [each.basis is not None and each.basis.key for each in steps] == [f"{owner}/r2" if owner else "r2"]
        self._command = Command("edit", kind, tuple(steps), "Edit")

    async def run(self) -> Ticket:
        return await self._bench.run(self._command)


@pytest.fixture(params=KINDS)
async def compared(request: pytest.FixtureRequest, tmp_path: Path) -> Compared:
    return Compared(tmp_path / "journal", request.param)


async def test_an_unchanged_record_on_the_last_page_is_changed(compared: Compared) -> None:
    ticket = await compared.run()
    assert (ticket.stage, ticket.reason) == (Stage.DONE, "")
    assert compared.service.gets == PAGES
    assert [sent[compared.field] for sent in compared.service.sent] == ["Mine"]


async def test_a_record_on_the_last_page_that_somebody_else_changed_is_not_overwritten(compared: Compared) -> None:
    compared.service.rows[2][compared.field] = "Theirs"
    ticket = await compared.run()
    assert ticket.reason == "somebody else changed it in the meantime"
    clash = ticket.outcomes[0].clash
    assert clash is not None
    assert [(each.before, each.mine, each.theirs) for each in clash.disputed] == [("Before", "Mine", "Theirs")]
    assert compared.service.sent == []


async def test_the_own_contact_is_compared_and_not_one_of_another_user_with_its_id(tmp_path: Path) -> None:
    contacts = Compared(tmp_path / "journal", "user-contacts", "bob")
    contacts.service.rows[0] |= {"id": "r2", "owner": "ana", "name": "Of ana"}
    assert ((await contacts.run()).stage, contacts.service.gets) == (Stage.DONE, PAGES)


async def test_no_page_is_read_after_the_one_with_the_record(compared: Compared) -> None:
    compared.service.rows.reverse()
    assert (await compared.run()).stage is Stage.DONE
    assert compared.service.gets == 1


async def test_a_change_of_a_record_beyond_the_rows_that_are_read_is_not_sent(
    compared: Compared, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(paging, "Bounds", lambda: Bounds(rows=2))
    ticket = await compared.run()
    assert ticket.stage is Stage.REFUSED
    assert "cannot check for changes by others: the record is not among the first 2 rows of the list" in ticket.reason
    assert compared.service.sent == []


async def test_a_record_that_no_page_has_any_more_is_not_made_again(compared: Compared) -> None:
    del compared.service.rows[2]
    ticket = await compared.run()
    assert (ticket.stage, ticket.reason) == (Stage.REFUSED, "it was deleted or renamed in the meantime")
    clash = ticket.outcomes[0].clash
    assert clash is not None
    assert clash.record is None
    assert [(each.field, each.mine) for each in clash.disputed] == [(compared.field, "Mine")]
    assert compared.service.sent == []
