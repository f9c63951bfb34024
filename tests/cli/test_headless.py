from __future__ import annotations

import csv
import io
import json
from collections import Counter
from pathlib import Path

from console.api.catalogue import catalogue
from console.api.operations.traffic import ListCalls
from console.base.collation import collated
from console.kinds.catalogue import RESOURCES
from console.kinds.resource import Resource
from console.kinds.tables import TABLES
from console.service.domain import deliveries
from tests.background import Running
from tests.cli.conftest import Console, living, profile
from tests.contract.rows import rows
from tests.for_each import for_each


@for_each("name", ("calls", "agents", "missed-calls", "queues", "rules"))
def test_lists_of_the_service_and_computed_ones_are_available_as_data(console: Console, name: str):
    ended = console("list", name, "--columns", "all", "--json")
    assert (ended.code, ended.err) == (0, "")
    assert all(set(row) == {column.id for column in TABLES[name].columns} for row in json.loads(ended.out))


ASKED = {"tokens": ("username=ana",), "directory-credentials": ("domain=desk.example",), "statistics": ("id=c1",)}
"""Required inputs of lists."""


LISTED = ("recordings", "sip-mappings", "caller-ids", *ASKED)


@for_each("resource", [each for each in RESOURCES.values() if each.name in LISTED or not each.lists])
def test_a_resource_of_the_tree_is_available_without_a_screen(
    console: Console, service: Running, home: Path, resource: Resource
):
    profile(home, service.core_url, f'provisioning = "{service.provisioning_url}"')
    ended = console("list", resource.name, *ASKED.get(resource.name, ()), "--columns", "all", "--json")
    if not resource.lists:
        assert ended.code == 2
        assert set(ended.err.replace(",", " ").split()) & catalogue().keys()
    elif resource.name in {"directory-credentials", "statistics"}:
        assert (ended.code, ended.out) == (1, "")  # the scenario `quiet` has none
        assert console("list", resource.name).code == 2
    elif resource.name == "caller-ids":
        assert "activated" in ended.err
    else:
        assert (ended.code, ended.err) == (0, "")
        assert isinstance(json.loads(ended.out), list)


def test_an_administration_list_shows_names_from_other_lists(console: Console):
    ended = console("list", "sip-identities", "available=false", "--columns", "username,user,domain", "--jsonl")
    rows = [json.loads(line) for line in ended.out.splitlines()]
    assert (ended.code, ended.err) == (0, "")
    assert rows
    assert any(" " in (row["user"] or "") for row in rows)
    tree = console("list", "domains", "--columns", "domain,users", "--csv").out.splitlines()
    assert len(tree) > 1


def test_unsupported_parameters_of_a_list_are_reported(console: Console):
    assert "is not an input" in console("list", "recordings", "domian=x").err
    assert "users take no inputs: use --filter" in console("list", "users", "domain=x").err
    assert console("list", "gateway").err.startswith("console: gateway cannot be listed")


def test_users_get_only_their_own_sessions_and_a_note(console: Console, service: Running, home: Path):
    profile(home, service.core_url, username="ana")
    ended = console("list", "sessions", "--columns", "mine", "--jsonl")
    assert (ended.code, ended.err) == (0, "console: showing only your own sessions: only admins see the others\n")
    assert {json.loads(line)["mine"] for line in ended.out.splitlines()} == {True}


def test_a_list_of_own_records_says_that_there_may_be_others(console: Console, service: Running, home: Path):
    profile(home, service.core_url, username="pat")
    for name, kind in (("calls", "calls"), ("queues", "calls"), ("alerts", "alerts")):
        ended = console("list", name, "--jsonl")
        assert f"console: showing only your own {kind}: only admins see the others\n" in ended.err, name
    assert "only your own" not in console("list", "agents", "--columns", "id", "--jsonl").err


def test_a_list_is_filtered_sorted_and_limited_with_a_note(console: Console):
    ended = console("list", "users", "--sort", "-username", "--columns", "username", "--limit", "2", "--jsonl")
    names = [json.loads(line)["username"] for line in ended.out.splitlines()]
    assert names == sorted(names, key=collated, reverse=True)
    assert len(names) == 2
    assert "2 of" in ended.err


def test_a_list_is_printed_as_a_table(console: Console):
    ended = console("list", "users", "--filter", "pat", "--columns", "username,role")
    heading, *rows = ended.out.splitlines()
    assert heading.split()[0] == TABLES["users"].column("username").title
    assert any("pat" in row.lower() for row in rows)


@for_each(
    "columns, why",
    (
        ("", "a name is missing"),
        (" ", "a name is missing"),
        ("username,,role", "a name is missing"),
        ("username,", "a name is missing"),
        ("all,username", "'all' cannot be combined"),
        ("username,all", "'all' cannot be combined"),
        ("username,role,username", "'username' is repeated"),
    ),
)
def test_columns_that_are_missing_or_repeated_are_refused(columns: str, why: str, console: Console):
    for form in ("--json", "--csv", "--jsonl"):
        ended = console("list", "users", f"--columns={columns}", form)
        assert (ended.code, ended.out) == (2, "")
        assert f"--columns: {why}" in ended.err


def test_csv_for_excel_begins_with_a_byte_order_mark_and_plain_csv_takes_no_value(console: Console):
    columns = ("--columns", "skill,online")
    plain = console("list", "--csv", "skills", *columns)
    assert plain == console("list", "skills", *columns, "--csv")
    assert plain.err == ""
    assert plain.out.startswith("skill,online\n")
    assert list(csv.DictReader(io.StringIO(plain.out)))
    excel = console("list", "skills", *columns, "--csv=excel")
    assert excel.out.startswith("\ufeff")
    assert excel.out.splitlines()[0].removeprefix("\ufeff") == plain.out.splitlines()[0]
    assert console("list", "skills", "--csv=numbers").code == 2


def test_failed_expectations_set_the_exit_code(console: Console):
    assert console("list", "users", "--expect", "some").code == 0
    assert console("list", "users", "--filter", "nobodyatall", "--expect", "none").code == 0
    missed = console("list", "users", "--filter", "nobodyatall", "--expect", ">=1")
    assert missed.code == 5
    assert missed.err == "console: 0 users match, expected >=1\n"


def test_an_answer_is_printed_unchanged(console: Console):
    ended = console("call", "users.current")
    assert json.loads(ended.out)["user"]["username"] == "eva"
    lines = console("call", "calls.list", "limit=3", "--jsonl").out.splitlines()
    assert len(lines) == 3
    assert all("id" in json.loads(line) for line in lines)


def test_inputs_can_be_given_as_json_and_single_ones_override_it(console: Console, tmp_path: Path):
    file = tmp_path / "inputs.json"
    file.write_text('{"limit": 50, "caller": "nobody", "queueposition": 77}', encoding="utf-8")
    assert (
        len(json.loads(console("call", "calls.list", "--json", f"@{file}", "limit=2", "--dry-run").out)["query"]) == 3
    )


def test_a_dry_run_shows_what_would_be_sent_and_no_secret(console: Console, service: Running):
    ended = console("call", "tokens.issue", "grant_type=password", "username=eva", "password=hunter2", "--dry-run")
    plan = json.loads(ended.out)
    assert plan["method"] == "POST"
    assert plan["url"] == f"{service.core_url}/oauth2/token"
    assert "hunter2" not in ended.out
    many = json.loads(console("call", "presence.subscribe-many", "addresses=a", "--dry-run").out)
    assert many["body"] == ["a"]


def test_values_are_converted_to_the_types_of_their_inputs(console: Console):
    plan = json.loads(
        console("call", "statistics.enable", "enable=true", "callid=77", "user=true", "--dry-run").out,
    )
    assert plan["body"] == {"enable": True, "callid": "77", "user": "true"}


@for_each(
    "arguments, sentence",
    [
        (["calls.lst"], "unknown operation 'calls.lst'; did you mean calls.list?"),
        (["calls.list", "limit=many"], "calls.list: limit: must be a number"),
        (["calls.list", "limit=-1"], "calls.list: limit: input should be greater than or equal to 1"),
        (["calls.list", "limits=1"], "calls.list: limits is not an input; did you mean limit?"),
        (["groups.create"], "groups.create: name: is missing"),
        (["groups.create", "name"], "'name' must have the form field=value"),
        (["groups.create", "--json", "[]"], "--json must be an object"),
        (["groups.create", "--json", "{"], "--json is not valid JSON"),
        (["groups.create", "name=@/nowhere/at/all"], "/nowhere/at/all: No such file or directory"),
    ],
)
def test_an_invalid_call_is_refused_before_anything_is_sent(offline: Console, arguments: list[str], sentence: str):
    ended = offline("call", *arguments)
    assert ended.code == 2
    assert ended.err.startswith(f"console: {sentence}")
    assert ended.err.count("\n") == 1


def test_operations_are_listed_and_described(offline: Console):
    listed = offline("operations", "alerts").out.splitlines()
    assert [line.split()[0] for line in listed] == ["alerts.list", "alerts.send", "alerts.accept", "alerts.cancel"]
    described = offline("operations", "tokens.revoke").out
    assert "secret" in described
    known = json.loads(offline("operations", "--json").out)
    calls = next(each for each in known if each["name"] == "calls.list")
    assert [each["name"] for each in calls["inputs"]] == [each.wire for each in ListCalls.inputs()]


def test_operations_as_data_are_those_of_every_row_of_the_contract(offline: Console):
    told = Counter(
        (each["section"], each["row"]) for each in json.loads(offline("operations", "--json").out) if each["row"]
    )
    assert told == Counter((row.section, row.title) for row in rows() for _ in row.operations)
    assert sum(told.values()) > 180


def test_watch_prints_every_change_as_a_line(console: Console):
    created = console("call", "groups.create", "name=Watched", "groupId=watched")
    assert created.code == 0
    ended = console("watch", "groups", "--filter", "watched", "--columns", "name", "--changes", "2", "--for", "20")
    told = [json.loads(line) for line in ended.out.splitlines()]
    upsert = next(each for each in told if each["change"] == "upsert")
    assert upsert["record"] == {"name": "Watched"}
    assert {each["change"] for each in told} <= {"upsert", "freshness"}


def test_watch_ends_after_the_requested_number_of_lines(console: Console):
    ended = console("watch", "users", "--columns", "username", "--changes", "3", "--for", "20")
    assert ended.code == 0
    assert len(ended.out.splitlines()) == 3


def test_watch_continues_when_a_list_is_unreachable_and_reports_it(unreachable: Console):
    ended = unreachable("watch", "calls", "--changes", "1", "--for", "20")
    assert (ended.code, "Calls cannot be read: " in ended.err) == (3, True), ended.err
    (told,) = [json.loads(line) for line in ended.out.splitlines()]
    assert (told["change"], told["state"]) == ("freshness", "offline")


def test_a_headless_command_leaves_no_session_behind(console: Console, service: Running):
    before = living(service)
    console("list", "calls")
    console("call", "calls.list")
    assert living(service) == before


def test_a_code_by_sms_is_found_in_the_list_and_validated(console: Console, service: Running) -> None:
    assert console("call", "users.update", "id=ana", "mobilePhone=+34611000222").code == 0
    ended = console("list", "deliveries", "--filter", "recipient:+34611000222", "--columns", "all", "--jsonl")
    row = json.loads(ended.out)
    assert (row["state"], row["kind"], row["error"]) == ("unsent", "phone code", "no transport")
    assert "********" in row["text"]
    code = deliveries.revealed(service.platform, row["id"]).secret or ""
    assert len(code) == 8
    assert code not in ended.out
    assert console("call", "users.validate-phone", "id=ana", f"code={code}", "field=+34611000222").code == 0
