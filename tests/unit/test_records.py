from __future__ import annotations

import warnings

import pytest

from console.records.people import User
from console.records.record import read, read_all
from console.records.traffic import Call


def test_a_row_without_its_key_keeps_the_rest_and_names_what_is_missing():
    user = User.model_validate({"username": "ana", "email": "ana@desk.example"})
    assert user.username == "ana"
    assert user.faults == {"id": "missing"}
    assert not user.identified
    assert user.key == User.model_validate({"email": "ana@desk.example", "username": "ana"}).key


def test_a_row_with_its_key_is_identified():
    assert User.model_validate({"id": "u1"}).identified


def test_an_empty_record_is_created_without_errors():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert not User().identified


def test_a_field_of_an_unexpected_type_affects_only_that_field():
    user = User.model_validate({"id": "u1", "username": "ana", "email": ["not", "text"]})
    assert (user.username, user.email) == ("ana", None)
    assert set(user.faults) == {"email"}
    assert user.identified


def test_half_a_surrogate_pair_is_sent_back_unchanged():
    assert User.model_validate({"id": "u1", "name": "x\ud800y"}).wire()["name"] == "x\ud800y"


ROWS = (b'{"id":"c1","state":"queued"}', b'{"id":"c2","date":1,"more":[{"x":null}]}')


@pytest.mark.parametrize(
    "odd",
    [b"{}", b'{"id":""}', b'{"id":7}', b"[]", b"null", b'"text"', b'{"id":"c3","date":"today"}', b'{"id":"\\ud800"}'],
    ids=bytes.decode,
)
def test_rows_that_are_read_together_give_the_records_of_each_alone(odd: bytes) -> None:
    for rows in (ROWS, (*ROWS, odd), (odd, *ROWS)):
        records = read_all(Call, rows)
        assert records == [read(Call, row) for row in rows]
        assert [(record.key, record.faults) for record in records] == [
            (record.key, record.faults) for record in (read(Call, row) for row in rows)
        ]
