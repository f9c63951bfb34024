"""Headers of a deployment: their values from the file, a command or the environment."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from console.api.errors import LoginNeeded
from console.cli.deployment import endpoint_of
from console.config import settings
from console.config.schema import Profile
from console.config.toml_source import ConfigFault
from tests.for_each import for_each

KEY = "canary-key-17"


def profile(headers: Mapping[str, Any]) -> Profile:
    return settings.read(Profile, {"core": "http://desk.example/core", "headers": headers})


def test_a_header_is_a_text_or_comes_from_a_command_or_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GATEWAY_KEY", "from-the-environment")
    endpoint = endpoint_of(
        profile({"X-A": "7", "X-B": {"command": f"printf {KEY}"}, "X-C": {"environment": "GATEWAY_KEY"}})
    )
    assert endpoint.headers == {"X-A": "7", "X-B": KEY, "X-C": "from-the-environment"}


@for_each(
    "source, words",
    (
        ({"environment": "NO_SUCH_KEY"}, "headers.X-Key: the environment variable NO_SUCH_KEY is not set"),
        ({"command": ["printf", f"{KEY}\\033[1m"]}, "headers.X-Key: the value cannot be sent as a header"),
        ({"command": ["false"]}, "headers.X-Key.command"),
    ),
)
def test_a_header_without_a_value_that_can_be_sent_is_named_without_it(source: Any, words: str) -> None:
    with pytest.raises(LoginNeeded) as refused:
        endpoint_of(profile({"X-Key": source}))
    assert words in str(refused.value)
    assert KEY not in str(refused.value)


@for_each(
    "source, words",
    (
        ({}, "headers.X-Key.value: is missing: set value, command or environment"),
        ({"value": "7", "command": ["true"]}, "headers.X-Key.command: cannot be combined with value"),
        ({"file": "x"}, "headers.X-Key.file: is an unknown key"),
    ),
)
def test_a_header_has_one_source(source: Any, words: str) -> None:
    with pytest.raises(ConfigFault) as fault:
        profile({"X-Key": source})
    assert words in str(fault.value)
