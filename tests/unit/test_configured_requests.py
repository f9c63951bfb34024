"""Requests as a routes file describes them: constants, defaults, and an object around the body."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from console.api.annotations import Variant
from console.api.catalogue import find
from console.api.outgoing import Outgoing, outgoing
from console.api.routes_file import load_routes, read_routes


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "routes.toml"


def sent(file: Path, entry: str, variant: Variant = Variant.LATER, **inputs: Any) -> Outgoing:
    """Return what an operation with this entry sends."""
    file.write_text(entry, encoding="utf-8")
    (name, route), *_ = load_routes(file).items()
    return outgoing(find(name).model_validate(inputs), route, variant)


def body(out: Outgoing) -> Any:
    return json.loads(out.body or b"null")


def test_a_constant_is_added_to_every_query(file: Path) -> None:
    entry = '"calls.list" = { route = "GET /find", always = { type = "call", in = { open = true, tags = ["a", 2] } } }'
    assert sent(file, entry, caller="x").query == (
        ("caller", "x"), ("type", "call"), ("in[open]", "true"), ("in[tags]", "a"), ("in[tags]", "2")
    )  # fmt: skip


def test_a_constant_is_added_to_every_body(file: Path) -> None:
    entry = '"calls.update" = { route = "PUT /calls/{id}", always = { kind = "call", meta = { tenant = [7] } } }'
    assert body(sent(file, entry, id="a", state="x")) == {"state": "x", "kind": "call", "meta": {"tenant": [7]}}
    assert sent(file, entry, id="a").path == "/calls/a"


def test_a_constant_is_sent_where_the_route_lists_it(file: Path) -> None:
    entry = '"calls.update" = { route = "PUT /calls/{id}", query = ["tenant"], always = { tenant = 7 } }'
    out = sent(file, entry, id="a", state="x")
    assert (out.query, body(out)) == ((("tenant", "7"),), {"state": "x"})
    entry = '"groups.clear" = { route = "DELETE /groups/{groupId}/all", body = ["why"], always = { why = "x" } }'
    assert body(sent(file, entry, groupId="g")) == {"why": "x"}


def test_a_constant_replaces_an_input_under_its_own_name_at_the_deployment(file: Path) -> None:
    entry = '"calls.list" = { route = "GET /find", names = { limit = "size" }, always = { limit = 50 } }'
    assert sent(file, entry, limit=9).query == (("size", "50"),)
    entry = '"calls.list" = { route = "GET /find", names = { limit = "size" }, always = { size = 50 } }'
    assert sent(file, entry, limit=9).query == (("size", "50"),)


def test_a_constant_fills_a_place_in_the_path(file: Path) -> None:
    assert sent(file, '"calls.get" = { route = "GET /c/{id}", always = { id = "a b" } }', id="x").path == "/c/a%20b"


def test_a_constant_may_be_outside_an_enumeration_and_of_the_other_variant(file: Path) -> None:
    entry = '"sessions.list" = { route = "GET /logins", always = { sort = "newest" } }'
    assert sent(file, entry).query == (("sort", "newest"),)
    entry = '"conferences.list" = { route = "GET /rooms/all", always = { createdAtSince = 5 } }'
    assert sent(file, entry, Variant.EARLIER).query == (("createdAtSince", "5"),)


def test_a_default_applies_only_to_an_input_that_is_left_out(file: Path) -> None:
    entry = '"calls.list" = { route = "GET /find", defaults = { limit = 50 }, names = { limit = "size" } }'
    assert sent(file, entry).query == (("size", "50"),)
    assert sent(file, entry, limit=9).query == (("size", "9"),)


def test_the_body_is_put_into_an_object(file: Path) -> None:
    entry = '"calls.update" = { route = "PUT /calls/{id}", wrap = "data.call", always = { kind = "c" } }'
    assert body(sent(file, entry, id="a", state="x")) == {"data": {"call": {"state": "x", "kind": "c"}}}
    entry = '"presence.subscribe-many" = { route = "PUT /a", wrap = "list" }'
    assert body(sent(file, entry, addresses=["x"])) == {"list": ["x"]}
    entry = '"groups.clear" = { route = "DELETE /groups/{groupId}/all", wrap = "data" }'
    assert sent(file, entry, groupId="g").body is None


def test_constants_stand_beside_the_body_as_in_json_rpc_and_graphql(file: Path) -> None:
    envelope = '{ jsonrpc = "2.0", method = "calls.list", id = 1 }'
    entry = f'"calls.list" = {{ route = "POST /rpc", body = ["limit"], wrap = "params", envelope = {envelope} }}'
    beside = {"jsonrpc": "2.0", "method": "calls.list", "id": 1}
    assert body(sent(file, entry, limit=5)) == {**beside, "params": {"limit": 5}}
    assert body(sent(file, entry)) == {**beside, "params": {}}
    entry = '"groups.clear" = { route = "DELETE /groups/{groupId}/all", wrap = "data", envelope = { a = 1 } }'
    assert sent(file, entry, groupId="g").body is None


def test_operations_on_one_path_differ_by_their_envelopes(file: Path) -> None:
    def line(name: str, method: str) -> str:
        return f'"{name}" = {{ route = "POST /rpc", wrap = "params", envelope = {{ method = "{method}" }} }}\n'

    file.write_text(line("agents.list", "agents") + line("skills.list", "skills"), encoding="utf-8")
    assert read_routes(file).doubts == ()
    file.write_text(line("agents.list", "agents") + line("skills.list", "agents"), encoding="utf-8")
    assert len(read_routes(file).doubts) == 1


def test_without_an_entry_a_request_is_sent_as_the_contract_says() -> None:
    out = outgoing(find("calls.list").model_validate({"limit": 5}))
    assert (out.path, out.query, out.body) == ("/calls", (("limit", "5"),), None)
