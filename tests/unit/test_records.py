from __future__ import annotations

import warnings

from console.records.people import User


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
