"""The profile determines how the client authenticates to the provisioning service."""

from __future__ import annotations

import pytest

from console.api.annotations import Service
from console.api.errors import LoginNeeded
from console.cli.connection import endpoint_of
from console.config import Profile
from console.settings import read

CORE = "http://desk.example/core"


def test_without_a_word_it_is_the_same_as_for_the_core_service():
    endpoint = endpoint_of(Profile(core=CORE))
    assert endpoint.provisioning_token is None
    assert endpoint.presentation(Service.PROVISIONING) == endpoint.presentation(Service.CORE)


def test_a_command_gives_the_token_and_a_table_says_how_it_is_shown():
    profile = read(
        Profile,
        {
            "core": CORE,
            "provisioning_token_command": "printf 'its own\\nrest'",
            "provisioning_present": {"header": "X-Api-Key", "scheme": ""},
        },
    )
    endpoint = endpoint_of(profile)
    assert endpoint.provisioning_token is not None
    assert endpoint.provisioning_token() == "its own"
    assert endpoint.presentation(Service.PROVISIONING).headers("t") == {"X-Api-Key": "t"}
    assert endpoint.presentation(Service.CORE).headers("t") == {"Authorization": "Bearer t"}


def test_a_command_that_fails_is_named():
    endpoint = endpoint_of(Profile(core=CORE, provisioning_token_command=("false",)))
    assert endpoint.provisioning_token is not None
    with pytest.raises(LoginNeeded, match="provisioning_token_command false ended with 1"):
        endpoint.provisioning_token()
