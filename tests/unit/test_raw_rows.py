"""JSON is taken apart no further than somebody looks, and a record that nobody has looked into is like any other."""

from __future__ import annotations

import copy
import json
import threading
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from console.records import sealed
from console.records.desk import Alert, Presence
from console.records.people import Session, User
from console.records.raw import cut, parse
from console.records.record import Record
from console.records.sealed import is_sealed, read, read_in_full
from console.records.traffic import Call

CALL = b'{"id":"c1","calle":"sip:bob","state":"queued","date":5,"users":["u1"],"later":{"new":true}}'


@pytest.mark.parametrize(
    ("body", "rows"),
    [
        (b'[{"id":"a"}, {"id": "b"}]', [b'{"id":"a"}', b'{"id": "b"}']),
        (b'  {"data": [1, 2]}', {"data": b"[1, 2]"}),
        (b"[]", []),
        (b"", None),
        (b"null", None),
        (b'[{"id":"\xff"},1]', [b'{"id":"\xff"}', b"1"]),
    ],
)
def test_a_body_is_cut_into_rows_or_fields_as_they_came(body: bytes, rows: object) -> None:
    found = cut(body)
    if isinstance(found, dict):
        assert {name: bytes(value) for name, value in found.items()} == rows
    else:
        assert (None if found is None else list(map(bytes, found))) == rows


@pytest.mark.parametrize("body", [b"[1,", b"nonsense", b'"text"', b"5", b"[" * 5000])
def test_what_cannot_be_cut_is_refused(body: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        cut(body)


@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"a[":', "}"), ('[1, "]\\"[", ', "]")])
def test_what_lies_too_deep_stands_there_as_it_was_written_and_costs_nothing_around_it(
    opening: str, closing: str
) -> None:
    deep = opening * 10_000 + "1" + closing * 10_000
    rows = cut(f'[{{"id":"a","context":{deep}}},{{"id":"b"}}]'.encode())
    assert isinstance(rows, list)
    first, second = (parse(bytes(each)) for each in rows)
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
    assert is_sealed(call)


def test_a_record_opens_in_place_when_anything_else_is_asked_for() -> None:
    call = read(Call, CALL)
    assert call.users == ("u1",)
    assert is_sealed(call)
    assert not call.faults
    assert not is_sealed(call)
    assert call == read_in_full(Call, CALL)
    assert call.wire()["later"] == {"new": True}


@pytest.mark.parametrize("look", [repr, str, vars, Record.wire, copy.copy, copy.deepcopy, Call.model_validate])
def test_whatever_looks_at_a_sealed_record_sees_the_full_one(look: Any) -> None:
    assert look(read(Call, CALL)) == look(read_in_full(Call, CALL))
    assert read(Call, CALL) == read(Call, CALL)


@pytest.mark.parametrize(
    ("row", "faults"),
    [
        (b'{"id":"c1","state":5}', ["state"]),
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
    assert is_sealed(call)


def test_threads_that_look_at_once_open_a_record_once(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[bytes] = []
    in_full = sealed.read_in_full

    def counted(kind: type[Any], row: bytes) -> Any:
        opened.append(row)
        return in_full(kind, row)

    monkeypatch.setattr(sealed, "read_in_full", counted)
    call = read(Call, CALL)
    together = threading.Barrier(4)
    seen: list[object] = []

    def look() -> None:
        together.wait(10)
        seen.append(dict(call.faults))

    threads = [threading.Thread(target=look) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == [{}] * 4
    assert opened == [CALL]


_VALUES = (
    st.none() | st.booleans() | st.integers(-5, 2**40) | st.floats(allow_nan=False, allow_infinity=False) | st.text()
)
_NESTED = st.recursive(
    _VALUES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3)
)


@pytest.mark.parametrize("kind", [Call, Presence, Alert, User, Session])
@given(data=st.data())
def test_at_a_glance_a_record_says_the_same_as_in_full(kind: type[Record], data: st.DataObject) -> None:
    names = [field.serialization_alias or kind.wire_name(name) for name, field in kind.model_fields.items()]
    wild = data.draw(st.dictionaries(st.sampled_from(names), _NESTED, max_size=6))
    row = json.dumps({kind.wire_name(kind.key_field): "k", **wild}).encode()
    glanced, full = read(kind, row), read_in_full(kind, row)
    for name in kind.model_fields:
        assert getattr(glanced, name) == getattr(full, name)
    assert dict(glanced.faults) == dict(full.faults)
    assert glanced == full


def test_bytes_that_are_no_text_are_replaced() -> None:
    assert parse(b'["\xff"]') == ["\ufffd"]


def test_what_a_kind_does_not_know_is_found_in_a_record_that_nobody_has_looked_into() -> None:
    record = read(Call, CALL)
    assert is_sealed(record)
    assert record.model_extra == read_in_full(Call, CALL).model_extra == {"later": {"new": True}}
