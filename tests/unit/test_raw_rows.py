"""JSON is parsed only as far as it is accessed, and an unparsed record is like any other."""

from __future__ import annotations

import copy
import json
import threading
import tracemalloc
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, cast, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from console.api.catalogue import catalogue
from console.records import raw
from console.records.fields import resolved_fields
from console.records.people import Session, User
from console.records.provisioning import ProvisionedUser
from console.records.raw import fields, parse, rows
from console.records.record import Record, read
from console.records.responses import Page
from console.records.support import Agent, Alert, Presence
from console.records.traffic import Call
from tests.for_each import for_each

CALL = b'{"id":"c1","calle":"sip:bob","state":"queued","date":5,"users":["u1"],"later":{"new":true}}'


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (b'[{"id":"a"}, {"id": "b"}]', [b'{"id":"a"}', b'{"id": "b"}']),
        (b"[]", []),
        (b"  [1]", [b"1"]),
        (b'[{"id":"\xff"},1]', [b'{"id":"\xff"}', b"1"]),
        (b'[{"id":NaN}, {"id": "b"}]', [b'{"id":"NaN"}', b'{"id":"b"}']),
    ],
)
def test_an_array_is_cut_into_rows_as_they_came(body: bytes, expected: list[bytes]) -> None:
    assert list(map(bytes, rows(body))) == expected


@pytest.mark.parametrize("body", [b"", b"null", b"{}", b"[1,", b"nonsense", b'"text"', b"5", b"[" * 5000])
def test_what_is_not_an_array_is_refused(body: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        rows(body)


def test_fields_of_an_object_come_as_they_are_and_the_others_are_not_looked_at() -> None:
    body = b'  {"data": [1, 2],"more":[1,{}],"meta":{"next":null}}'
    found = {name: bytes(value) for name, value in fields(body, ("data", "meta", "none")).items()}
    assert found == {"data": b"[1, 2]", "meta": b'{"next":null}'}
    assert {name: bytes(value) for name, value in fields(b'{"data":NaN,"x":1}', ("data",)).items()} == {
        "data": b'"NaN"'
    }


@pytest.mark.parametrize("body", [b"", b"null", b"[]", b"{", b'{"a"}', b"nonsense", b'{"a":' * 5000])
def test_what_is_not_an_object_is_refused(body: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        fields(body, ("a",))


ROW = st.sampled_from(
    [b"1", b'"},"', b'"a,b"', b'{"a":[{"b":"],"},2]}', b"[[],[1,2]]", b"{}", b'{"t":"' + b"x" * 90 + b'"}']
)


@given(st.lists(ROW, max_size=60), st.integers(16, 200))
def test_an_array_cut_piece_by_piece_has_the_same_rows(came: list[bytes], piece: int) -> None:
    array = b"[" + b" , ".join(came) + b"]"
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(raw, "_FEW", -1)
        patched.setattr(raw, "_PIECE", piece)
        assert [bytes(row) for row in rows(array)] == came
        assert [bytes(row) for row in rows(array, 7)] == came[:8]


@given(st.lists(ROW, min_size=1, max_size=30), st.integers(16, 200), st.data())
def test_an_array_that_breaks_off_is_none_piece_by_piece_either(
    came: list[bytes], piece: int, data: st.DataObject
) -> None:
    array = b"[" + b",".join(came) + b"]"
    broken = array[: data.draw(st.integers(1, len(array) - 1))]
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(raw, "_FEW", -1)
        patched.setattr(raw, "_PIECE", piece)
        with pytest.raises(ValueError, match=r"."):
            rows(broken)


def test_only_the_part_around_an_odd_row_is_split_slowly(monkeypatch: pytest.MonkeyPatch) -> None:
    slow: list[int] = []
    monkeypatch.setattr(raw, "_FEW", -1)
    monkeypatch.setattr(raw, "_PIECE", 1000)

    def noted(body: bytes) -> Any:
        slow.append(len(body))
        return parse(body)

    monkeypatch.setattr(raw, "parse", noted)
    came = [b'{"id":%d}' % number for number in range(2000)]
    came[700] = b'{"id":NaN}'
    found = rows(b"[" + b",".join(came) + b"]")
    assert [bytes(row) for row in found[:700] + found[701:]] == came[:700] + came[701:]
    assert max(slow) <= 1002


@pytest.mark.parametrize("row", [b"7", b"{}", b'{"id":"1"}'])
def test_a_limited_number_of_rows_of_a_huge_answer_takes_little_memory(row: bytes) -> None:
    array = b"[" + b",".join([row] * 500_000) + b"]"
    tracemalloc.start()
    try:
        assert len(rows(array, 1000)) == 1001
        assert tracemalloc.get_traced_memory()[1] < 10_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"a[":', "}"), ('[1, "]\\"[", ', "]")])
def test_deeply_nested_values_are_kept_as_text_and_cost_nothing_around_them(opening: str, closing: str) -> None:
    deep = opening * 10_000 + "1" + closing * 10_000
    cut = rows(f'[{{"id":"a","context":{deep}}},{{"id":"b"}}]'.encode())
    first, second = (parse(bytes(each)) for each in cut)
    assert second == {"id": "b"}
    assert first["id"] == "a"
    inner: Any = first["context"]
    while not isinstance(inner, str):
        inner = inner["a["] if opening.startswith("{") else inner[-1]
    assert inner in deep
    assert inner.count(closing) > 9_900


def test_fields_are_known_without_opening_a_record() -> None:
    call = read(Call, CALL)
    assert (call.key, call.callee, call.state, call.date, call.caller) == ("c1", "sip:bob", "queued", 5, None)
    assert call.is_lazy


def test_other_fields_are_read_when_somebody_looks_and_are_not_kept() -> None:
    call = read(Call, CALL)
    assert call.users == ("u1",)
    assert not call.faults
    assert call.wire()["later"] == {"new": True}
    assert call == Call.model_validate_json(CALL)
    assert call.is_lazy


def test_of_a_short_list_other_fields_are_read_once() -> None:
    agent = read(Agent, b'{"id":"u1","channels":{"voice":[{"conferenceId":"c1"}]}}')
    assert agent.is_lazy
    assert agent.channels is agent.channels
    assert (len(agent.channels.voice), agent.is_lazy) == (1, False)


def test_an_odd_row_is_read_in_full_once(monkeypatch: pytest.MonkeyPatch) -> None:
    call = read(Call, b'{"id":"c1","users":5}')
    assert call.is_lazy
    assert (call.users, list(call.faults)) == ((), ["users"])
    monkeypatch.setattr(Call, "model_validate_json", None)
    assert (call.users, list(call.faults), call.is_lazy) == ((), ["users"], False)


@pytest.mark.parametrize("look", [repr, str, Record.wire, copy.copy, copy.deepcopy, Call.model_validate])
def test_whatever_looks_at_a_lazy_record_sees_the_full_one(look: Any) -> None:
    assert look(read(Call, CALL)) == look(Call.model_validate_json(CALL))
    assert read(Call, CALL) == read(Call, CALL)


@pytest.mark.parametrize(
    ("row", "faults"),
    [
        (b'{"id":"c1","state":[5]}', ["state"]),
        (b'{"id":"c1","users":5}', ["users"]),
        (b'{"state":"queued"}', ["id"]),
        (b"[1]", [""]),
        (b'{"id":"c1"', [""]),
    ],
)
def test_a_fault_is_told_as_ever(row: bytes, faults: list[str]) -> None:
    call = read(Call, row)
    assert list(call.faults) == faults
    assert call.key


def test_either_spelling_of_a_field_is_known_without_opening_a_record() -> None:
    call = read(Call, b'{"id":"c1","callee":"sip:bob"}')
    assert call.callee == "sip:bob"
    assert call.is_lazy


def test_fields_that_travel_under_their_own_names_are_known_without_opening_a_record() -> None:
    user = read(ProvisionedUser, b'{"id":"1","first_name":"Ana","email_verified":true}')
    assert (user.first_name, user.email_verified, user.is_lazy) == ("Ana", True, True)


def test_threads_that_look_at_once_see_the_same() -> None:
    calls = [read(Call, b'{"id":"c%d","users":["u%d"],"attempts":5}' % (number, number)) for number in range(200)]
    together = threading.Barrier(4)

    def look(_: int) -> object:
        together.wait(10)
        return [(call.users, tuple(call.faults)) for call in calls]

    with ThreadPoolExecutor() as threads:
        seen = list(threads.map(look, range(4)))
    assert seen == [[((f"u{number}",), ("attempts",)) for number in range(200)]] * 4


_VALUES = (
    st.none() | st.booleans() | st.integers(-5, 2**40) | st.floats(allow_nan=False, allow_infinity=False) | st.text()
)
_NESTED = st.recursive(
    _VALUES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3)
)


@pytest.mark.parametrize("kind", [Call, ProvisionedUser, Presence, Alert, User, Session])
@given(data=st.data())
def test_at_a_glance_a_record_says_the_same_as_in_full(kind: type[Record], data: st.DataObject) -> None:
    names = [field.wire for field in resolved_fields(kind).values()]
    wild = data.draw(st.dictionaries(st.sampled_from(names), _NESTED, max_size=6))
    row = json.dumps({kind.wire_name(kind.key_field): "k", **wild}).encode()
    glanced, full = read(kind, row), kind.model_validate_json(row)
    for name in kind.declared_fields:
        assert getattr(glanced, name) == getattr(full, name)
    assert dict(glanced.faults) == dict(full.faults)
    assert glanced == full


def listed_kinds() -> dict[str, type[Record]]:
    """Return every kind of record that an operation lists, by name."""
    found: dict[str, type[Record]] = {}
    for operation in catalogue().values():
        answer = operation.answer_type()
        if isinstance(answer, type) and issubclass(answer, Page):
            answer = tuple[cast("type[Page[Any]]", answer).row]
        for kind in get_args(answer):
            if isinstance(kind, type) and issubclass(kind, Record):
                found[kind.__name__] = kind
    return dict(sorted(found.items()))


@for_each("kind", listed_kinds().values())
def test_every_field_is_found_at_a_glance_under_the_name_that_it_travels_under(kind: type[Record]) -> None:
    values: Mapping[Any, object] = {str: "a", bool: True, int | float: 7}
    values = {**values, **{each | None: value for each, value in values.items()}}
    declared = resolved_fields(kind)
    fields = {name: values[field.annotation] for name, field in declared.items() if field.annotation in values}
    row = json.dumps({declared[name].wire: value for name, value in fields.items()})
    for name in fields:
        assert getattr(read(kind, row.encode()), name) == getattr(kind.model_validate_json(row.encode()), name), name


def test_invalid_bytes_are_replaced() -> None:
    assert parse(b'["\xff"]') == ["\ufffd"]


def test_what_a_kind_does_not_know_is_found_in_a_record_that_nobody_has_looked_into() -> None:
    record = read(Call, CALL)
    assert record.is_lazy
    assert record.model_extra == Call.model_validate_json(CALL).model_extra == {"later": {"new": True}}


@pytest.mark.parametrize(
    ("row", "extra"),
    [
        (b'{"id":"c1","\xff":1}', {"\ufffd": 1}),
        (b'{"id":"c1","more":"\xff"}', {"more": "\ufffd"}),
        (b'{"id":"c1","more":"\\ud800"}', {"more": "\ud800"}),
        (b'{"id":"c1","more":1%s}' % (b"0" * 40), {"more": 10**40}),
        (b'{"id":"c1","queue_position":3}', {"queue_position": 3}),
    ],
)
def test_unknown_fields_of_any_kind_are_kept_and_written_again(row: bytes, extra: Mapping[str, Any]) -> None:
    record = read(Call, row)
    assert record.model_extra == extra
    assert extra.items() <= json.loads(record.wire_json()).items()
