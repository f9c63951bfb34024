"""A secret that is typed into an operation is nowhere but in its request."""

from __future__ import annotations

import json
from contextlib import suppress
from io import StringIO
from typing import Any

import pytest

from console.api.catalogue import catalogue, find
from console.api.outgoing import outgoing
from console.api.request import Request
from console.cli.exits import Failure
from console.cli.lists import call
from console.kinds.operating import FORM, change, is_change
from console.live.command import Command
from console.live.responses import intent_entry
from tests.canary import leaks
from tests.for_each import for_each
from tests.kinds.action_world import situation
from tests.kinds.sample_inputs import sample_inputs

CANARY = "Kx7canary4190wq"
SECRETS = [
    name
    for name, request in catalogue().items()
    if is_change(request) and any(each.secret for each in request.inputs())
]
"""The changes with a secret input."""


def with_secrets(request: type[Request[Any]]) -> dict[str, Any]:
    """Return inputs of a request with the canary in every secret one."""
    secrets = {each.field: each for each in request.inputs() if each.secret}
    texts = {name: CANARY if "dict" not in str(each.annotation) else {"x": CANARY} for name, each in secrets.items()}
    return sample_inputs(request, texts)


@for_each("name", SECRETS)
def test_the_palette_shows_and_records_no_secret_of_a_change(name: str) -> None:
    (step,) = change(name).plan(situation(), (), {FORM: with_secrets(find(name))})
    command = Command(f"run.{name}", "", (step,), step.words)
    entry = intent_entry("c", command, {}, [None])
    places = {
        "the key": step.key.encode(),
        "the words": step.words.encode(),
        "the title": command.title.encode(),
        "the journal": json.dumps(entry).encode(),
        "a crash report": repr(command).encode(),
    }
    assert not leaks(places, [CANARY])
    assert leaks({"the request": outgoing(step.request).body or b""}, [CANARY])


@for_each("name", SECRETS)
def test_the_command_line_asks_for_confirmation_without_the_secret(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(call, "at_a_terminal", lambda: True)
    monkeypatch.setattr("sys.stdin", StringIO("no\n"))
    request = find(name)
    with suppress(Failure):
        call.confirm(request(**with_secrets(request)), yes=False)
    asked = capsys.readouterr()
    assert not leaks({"the question": (asked.out + asked.err).encode()}, [CANARY])


def test_a_record_is_named_by_an_input_that_is_no_secret() -> None:
    assert find("sessions.resume").model_validate({"token": CANARY}).record_key() == "sessions.resume"
    assert find("sip-identities.update").model_validate({"id": "i-1", "password": CANARY}).record_key() == "i-1"
