"""The profile determines how the client authenticates to the provisioning service."""

from __future__ import annotations

import pytest

from console.api.annotations import Service
from console.api.errors import LoginNeeded
from console.cli.connection import endpoint_of
from console.config.schema import Profile
from console.config.settings import read

CORE = "http://desk.example/core"


def test_by_default_the_token_is_that_of_the_core_service():
    endpoint = endpoint_of(Profile(core=CORE))
    assert endpoint.provisioning_token is None
    assert endpoint.presentation(Service.PROVISIONING) == endpoint.presentation(Service.CORE)


def test_a_command_prints_the_token_and_a_table_sets_its_header():
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


def test_a_failing_command_is_named():
    endpoint = endpoint_of(Profile(core=CORE, provisioning_token_command=("false",)))
    assert endpoint.provisioning_token is not None
    with pytest.raises(LoginNeeded, match="provisioning_token_command false ended with 1"):
        endpoint.provisioning_token()
