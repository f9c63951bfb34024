from __future__ import annotations

from console.api.operations.sip import NewSipCredential, SetSipMapping
from console.base.secrets import MASK, is_secret, without_secrets
from console.live.responses import shown_inputs


def test_secrets_are_recognized_by_name_in_any_spelling():
    assert all(map(is_secret, ("password", "clientSecret", "client_secret", "access_token", "Token", "pw", "api-key")))
    assert not any(map(is_secret, ("tokenType", "token_type", "passwordless", "username", "passage")))


def test_values_are_shown_without_secrets_at_any_depth():
    value = {"a": [{"password": "p", "pin": None}], "token": "t", "b": {"secret": ""}}
    assert without_secrets(value) == {"a": [{"password": MASK, "pin": None}], "token": MASK, "b": {"secret": ""}}


def test_an_endlessly_nested_value_is_cut():
    deep: dict[str, object] = {}
    for _ in range(5000):
        deep = {"a": deep}
    assert MASK in str(without_secrets(deep))


def test_the_journal_contains_no_secret_within_a_record():
    request = SetSipMapping(owner_uri="svc-user:u1", credential=NewSipCredential(username="7001", password="hush"))
    assert shown_inputs(request)["credential"] == {"username": "7001", "password": MASK}
