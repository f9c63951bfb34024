"""`console routes`: all errors of a routes file, each with its line."""

from __future__ import annotations

import json
from pathlib import Path
from textwrap import dedent

import pytest

from console.api.catalogue import catalogue, find
from console.api.operations.people import RemoveParticipant
from console.api.operations.presence import SubscribePresences
from console.api.operations.support import AcceptAlert
from console.api.operations.traffic import ListCalls
from console.api.outgoing import Outgoing, outgoing
from console.api.routes_file import load_routes, read_routes
from tests.cli.conftest import Console, Ended
from tests.for_each import for_each


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "routes.toml"


def check(console: Console, file: Path, text: str) -> tuple[Ended, list[str]]:
    file.write_text(dedent(text), encoding="utf-8")
    ended = console("routes", "validate", str(file))
    return ended, [line.removeprefix("console: ").removeprefix(f"{file}:") for line in ended.err.splitlines()]


def test_every_error_is_reported_at_once_in_the_order_of_the_file(offline: Console, file: Path):
    text = """\
        "calls.gat" = "GET /a/{id}"
        "calls.get" = "FETCH /b/{id}"
        "users.get" = "GET b/{id}"
        "groups.get" = "GET /c/{groupd}"
        "alarms.get" = "GET /d"
        "alerts.cancel" = "DELETE /e/{id}/{id}"
        "conferences.get" = "GET /f/{id"
        "meetings.get" = "GET /same/{id}"
        "datapipes.get" = "GET /pipe/{id}"
        "meetings.get" = "GET /other/{id}"
        "agents.list" =
        "skills.list" = 7
        "calls.list" = { route = "POST /g", qeury = ["limit"], body = ["limits"] }
        "status.get" = { query = [] }
    """
    ended, lines = check(offline, file, text)
    assert ended.code == 2
    assert ended.out == ""
    assert lines == [
        "1: calls.gat: is not an operation; did you mean calls.get?",
        "2: calls.get: 'FETCH' is not a method; use one of GET, POST, PUT, PATCH, DELETE",
        "3: users.get: the path must start with one /",
        "4: groups.get: {groupd} is not an input of this operation; did you mean groupId?",
        "4: groups.get: {groupId} is missing from the path; if it is sent elsewhere, list it in query or body",
        "5: alarms.get: {id} is missing from the path; if it is sent elsewhere, list it in query or body",
        "6: alerts.cancel: {id} is listed more than once",
        "7: conferences.get: each pair of braces must contain one input name",
        "10: meetings.get: appears twice; first on line 8",
        "11: is not valid TOML: invalid value",
        '12: skills.list: must be a text such as "GET /path/{field}", a table with route, or false',
        "13: calls.list.qeury: is an unknown key; did you mean query?",
        "13: calls.list.body: {limits} is not an input of this operation; did you mean limit?",
        "14: status.get.route: is missing",
    ]


@for_each(
    "text, fault",
    [
        ('"calls.list" = "GET /x/{caller}"', "calls.list: {caller} is optional, so it cannot be in the path"),
        ('"calls.get" = "GET /x y/{id}"', "calls.get: the path must not contain spaces"),
        ('"calls.get" = "GET //x/{id}"', "calls.get: the path must start with one /"),
        (
            '"calls.get" = "GET /x/../{id}"',
            "calls.get: the path must not contain spaces, ?, #, backslashes, or . and .. parts",
        ),
        ('"calls.get" = ""', "calls.get: '' is not a method"),
        ('"calls.get" = true', "calls.get: must be a text"),
        ('"*" = true', "*: can only be false"),
        ('"calls.get" = { route = "GET /x/{id}", query = ["id"] }', "calls.get.query: {id} is already in the path"),
        ('"calls.list" = { route = "GET /x", body = ["limit"] }', "calls.list.body: a GET has no body"),
        ('"calls.list" = { route = "POST /x", body = "limit" }', "calls.list.body: must be a list of texts"),
        (
            '"calls.list" = { route = "POST /x", query = ["limit"], body = ["limit"] }',
            "calls.list.body: {limit} is already in query",
        ),
        (
            '"calls.list" = { route = "POST /x", query = ["limit", "limit"] }',
            "calls.list.query: {limit} is listed more than once",
        ),
        (
            '"calls.list" = { route = "GET /x", names = { after = "before" } }',
            "calls.list.names: {after} and {before} are both called before",
        ),
        (
            '"calls.list" = { route = "GET /x", names = { afer = "since" } }',
            "calls.list.names: {afer} is not an input of this operation; did you mean after?",
        ),
        (
            '"calls.get" = { route = "GET /x/{id}", names = { id = "key" } }',
            "calls.get.names: {id} is sent without a name here",
        ),
        ('"calls.get" = { route = "GET /x/{id}", names = ["id"] }', "calls.get.names: must be a table"),
        ('"calls.get" = { route = 7 }', 'calls.get.route: must be a text such as "GET /path/{field}"'),
        ('"calls.list" = { route = "GET /x", wrap = "a" }', "calls.list.wrap: a GET has no body"),
        ('"calls.update" = { route = "PUT /x/{id}", wrap = "a." }', "calls.update.wrap: a path is made of names"),
        (
            '"calls.update" = { route = "PUT /x/{id}", envelope = { a = 1 } }',
            "calls.update.envelope: needs wrap, which names the member for the body",
        ),
        (
            '"calls.update" = { route = "PUT /x/{id}", wrap = "a.b", envelope = { a = 1 } }',
            "calls.update.envelope: a is the member for the body",
        ),
        (
            '"calls.list" = { route = "GET /x", defaults = { limits = 5 } }',
            "calls.list.defaults: {limits} is not an input of this operation; did you mean limit?",
        ),
        (
            '"calls.list" = { route = "GET /x", always = { limit = 5 }, defaults = { limit = 5 } }',
            "calls.list.defaults: {limit} is already in always",
        ),
        (
            '"calls.list" = { route = "GET /x", always = { since = 2026-01-01 } }',
            "calls.list.always.since: must be a text, a number, true or false, or a list or table of them",
        ),
        (
            '"presence.subscribe-many" = { route = "PUT /x", always = { kind = "agent" } }',
            "presence.subscribe-many.always: {addresses} is the whole body, so {kind} cannot be sent; list it in query",
        ),
        (
            '"calls.list" = { route = "GET /x", fields = { calee = "to" } }',
            "calls.list.fields: calee is not a field of the answer; did you mean callee?",
        ),
        (
            '"conferences.list" = { route = "GET /x", fields = { "invites.to" = "a" } }',
            "conferences.list.fields: invites is a list: write invites[].to",
        ),
        (
            '"conferences.list" = { route = "GET /x", fields = { "invites[].too" = "a" } }',
            "conferences.list.fields: too is not a field of the answer; did you mean to?",
        ),
        (
            '"conferences.list" = { route = "GET /x", fields = { "roomId[]" = "a" } }',
            "conferences.list.fields: roomId is not a list",
        ),
        (
            '"meetings.create" = { route = "POST /x", forms = { validSinse = "iso" } }',
            "meetings.create.forms: validSinse is neither an input nor a field of the answer; did you mean validSince?",
        ),
        (
            '"meetings.create" = { route = "POST /x", forms = { validSince = "days" } }',
            "meetings.create.forms.validSince: must be 'us', 'ms', 's', 'min', 'iso', 'number' or 'text'",
        ),
        (
            '"calls.list" = { route = "GET /x", answer = false }',
            "calls.list.answer: applies only to operations that change something",
        ),
        (
            '"support-chats.transfer" = { route = "POST /x", names = { "destination.idd" = "uid" } }',
            "support-chats.transfer.names: idd is not a field of the input; did you mean id?",
        ),
        ('"calls.list" = { route = "GET /x", rows = "a..b" }', "calls.list.rows: a path is made of names"),
        ('"calls.list" = { route = "GET /x", row = "a" }', "calls.list.row: is an unknown key; did you mean rows?"),
        (
            '"calls.list" = { route = "GET /x", cursor = "from" }',
            "calls.list.cursor: needs next, which says where the next page stands",
        ),
        ('"calls.get" = { route = "GET /x/{id}", next = "link" }', "calls.get.next: applies only to operations that"),
        (
            '"alerts.accept" = { route = "POST /x/{alertId}", fields = { a = "b" } }',
            "alerts.accept.fields: the operation answers with no record",
        ),
        (
            '"credentials.create" = { route = "POST /x", query = ["lease"] }\n[alerts]\nacept = "POST /y"',
            "alerts.acept: is not an operation; did you mean alerts.accept?",
        ),
    ],
)
def test_an_error_is_reported_with_its_line(offline: Console, file: Path, text: str, fault: str):
    ended, lines = check(offline, file, text)
    assert ended.code == 2
    assert any(line.partition(": ")[2].startswith(fault) for line in lines), lines


def test_an_unclosed_array_hides_no_later_errors(offline: Console, file: Path):
    text = """\
        "calls.list" = { route = "POST /x", body = [
            "limit",
        "calls.gat" = "GET /x/{id}"
        "skills.lst" = "GET /y"
    """
    _, lines = check(offline, file, text)
    assert [line.partition(":")[0] for line in lines] == ["1", "3", "4"]
    assert "is not valid TOML" in lines[0]


def test_an_unreadable_file_is_reported(offline: Console, file: Path):
    file.write_bytes(b'"calls.get" = "GET /x"\n\xff')
    assert offline("routes", "validate", str(file)).err == f"console: {file}:2: is not UTF-8 text\n"


def test_valid_but_suspicious_entries_are_noted(offline: Console, file: Path):
    text = """\
        "groups.remove" = "DELETE /teams/{groupId}/people"
        "groups.leave-all" = "POST /teams/without/{targetUserId}"
        "alerts.accept" = "GET /accept/{alertId}"
        "tokens.revoke" = { route = "POST /revoke", query = ["token"] }
        "calls.list" = { route = "GET /calls/all", next = "more", always = { limti = 5 } }
        "alarms.get" = "GET /calls/{id}/"
        "meetings.get" = "GET /same/{id}"
        "datapipes.get" = "GET /same/{id}"
    """
    ended, lines = check(offline, file, text)
    assert ended.code == 0
    assert [line.removeprefix("note: ").removeprefix(f"{file}:") for line in lines] == [
        "1: groups.remove: {targetUserId} is sent in the body of a DELETE, which some servers drop; "
        "list it in query instead",
        "2: groups.leave-all: {targetUserId} is optional, but cannot be omitted here",
        "3: alerts.accept: changes something by a GET, which proxies may repeat or answer themselves",
        "4: tokens.revoke: {token} is a secret; in the query it may be logged on its way",
        "5: calls.list.always: {limti} is not an input of this operation, and is sent as it is; did you mean limit?",
        "5: calls.list.next: only a URL can be followed; for a cursor, set cursor to the name of the input that "
        "takes it",
        "6: alarms.get: has the same method and path as calls.get (by default), and no other input: see always",
        "8: datapipes.get: has the same method and path as meetings.get (line 7), and no other input: see always",
    ]


def test_operations_of_different_variants_may_share_a_route(offline: Console, file: Path):
    text = '"recordings.list" = "GET /tapes"\n"recordings.page" = "GET /tapes"\n'
    assert check(offline, file, text)[0].code == 0


@pytest.mark.parametrize(
    "entries",
    [
        """
        "meetings.get" = { route = "GET /record/{id}", always = { type = "meeting" } }
        "datapipes.get" = "GET /record/{id}"
        """,
        """
        "meetings.get" = { route = "POST /ask", body = ["id"], always = { type = "meeting" } }
        "datapipes.get" = { route = "POST /ask", body = ["id"], always = { type = "datapipe" } }
        """,
        """
        "meetings.get" = { route = "GET /record", query = ["id"] }
        "users.current" = "GET /record"
        """,
    ],
    ids=["one constant", "different constants", "different inputs"],
)
def test_operations_that_their_inputs_tell_apart_may_share_a_route(offline: Console, file: Path, entries: str):
    assert check(offline, file, entries)[1] == []


def test_a_name_can_be_quoted_dotted_or_below_its_resource(offline: Console, file: Path):
    text = """\
        "calls.get" = "GET /call/{id}"
        alarms.get = "GET /alarm/{id}"
        [groups]
        get = "GET /team/{groupId}"
        reorder = { route = "PATCH /team/{groupId}" }
        [meetings.get]
        route = "GET /meet/{id}"
    """
    ended, lines = check(offline, file, text)
    assert (ended.code, lines) == (0, [])
    assert ended.out == f"{file}: 5 routes, valid\n"


def test_the_example_covers_everything_and_changes_nothing(offline: Console, file: Path):
    example = offline("routes", "example")
    assert example.code == 0
    ended, lines = check(offline, file, example.out)
    assert (ended.code, lines) == (0, [])
    assert ended.out == f"{file}: {len(catalogue())} routes, valid\n"
    assert load_routes(file) == {name: each.operation.route for name, each in catalogue().items()}


def test_operations_that_the_file_does_not_name_can_be_excluded(offline: Console, file: Path):
    ended, _ = check(offline, file, '"*" = false\n"calls.get" = "GET /alarms/{id}"\n"calls.list" = false\n')
    assert ended.out == f"{file}: 1 route, {len(catalogue()) - 1} not offered, valid\n"
    found = read_routes(file)
    assert found.routes["calls.list"] is None
    assert found.routes["alarms.get"] is None


class TestPlacing:
    """Inputs are sent where the file says."""

    def sent(self, file: Path, text: str, request: ListCalls | SubscribePresences | RemoveParticipant) -> Outgoing:
        file.write_text(text, encoding="utf-8")
        return outgoing(request, load_routes(file)[request.operation.name])

    def test_an_input_moves_from_the_query_to_the_body(self, file: Path):
        text = '"calls.list" = { route = "POST /find", body = ["limit", "after"], names = { after = "since" } }'
        sent = self.sent(file, text, ListCalls(limit=5, after=7, caller="ana"))
        assert (sent.path, sent.query) == ("/find", (("caller", "ana"),))
        assert json.loads(sent.body or b"") == {"since": 7, "limit": 5}

    def test_an_input_moves_from_the_body_to_query_and_path(self, file: Path):
        text = '"groups.remove" = { route = "DELETE /team/{groupId}", query = ["targetUserId"] }'
        sent = self.sent(file, text, RemoveParticipant(group_id="night shift", target_user_id="u1"))
        assert (sent.path, sent.query, sent.body) == ("/team/night%20shift", (("targetUserId", "u1"),), None)

    def test_a_whole_body_moves_into_one_field(self, file: Path):
        text = '"presence.subscribe-many" = { route = "POST /watch", body = ["addresses"] }'
        sent = self.sent(file, text, SubscribePresences(addresses=("a", "b")))
        assert sent.body == b'{"addresses":["a","b"]}'

    def test_a_get_puts_the_fields_of_the_body_into_the_query(self, file: Path):
        request = find("gateway.user").model_validate({"value": "4711"})
        file.write_text('"gateway.user" = "GET /gateway/user"', encoding="utf-8")
        sent = outgoing(request, load_routes(file)["gateway.user"])
        assert (sent.query, sent.body) == ((("value", "4711"),), None)

    def test_inputs_used_in_the_path_are_required(self, file: Path):
        file.write_text('"groups.remove" = "DELETE /team/{groupId}/{targetUserId}"', encoding="utf-8")
        with pytest.raises(ValueError, match="targetUserId may not be ''"):
            outgoing(RemoveParticipant(group_id="g"), load_routes(file)["groups.remove"])

    def test_an_input_moves_to_the_path(self, file: Path):
        file.write_text('"alerts.accept" = "PUT /sapi/alerts/{alertId}:accept"', encoding="utf-8")
        sent = outgoing(AcceptAlert(alert_id="a/1"), load_routes(file)["alerts.accept"])
        assert (sent.method, sent.path, sent.body) == ("PUT", "/sapi/alerts/a%2F1:accept", b"{}")
