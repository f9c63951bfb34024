"""Wide changes ask for confirmation at a terminal, and never in a script."""

from __future__ import annotations

import io
import sys

import pytest

from console.api.operations.provisioning import LogOutDomain
from console.api.operations.sip import DeleteSipMapping, NewSipCredential, SetSipMapping
from console.api.operations.support import AcceptAlert, CancelAlert
from console.api.request import Request
from console.cli.exits import Exit, Failure
from console.cli.lists import call
from console.cli.lists.call import confirm


@pytest.fixture(autouse=True)
def _at_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(call, "at_a_terminal", lambda: True)


def types(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(text))


CANCEL = CancelAlert(id="a-1")
WIDE = (CANCEL, LogOutDomain(id="desk.example"), DeleteSipMapping(owner_uri="svc-user:u"))


@pytest.mark.parametrize("request_", WIDE, ids=lambda each: each.operation.name)
def test_without_confirmation_nothing_is_sent(
    request_: Request[object], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    types(monkeypatch, "\n")
    with pytest.raises(Failure, match="nothing was sent") as refused:
        confirm(request_, yes=False)
    assert refused.value.code is Exit.FAILED
    asked = capsys.readouterr()
    assert not asked.out, "data goes to stdout, talk to stderr"
    assert request_.operation.name in asked.err


def test_yes_confirms_a_wide_change_and_a_name_one_of_many(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    types(monkeypatch, "yes\n")
    confirm(CANCEL, yes=False)
    assert "The alert ends for everybody who received it." in capsys.readouterr().err
    types(monkeypatch, "desk.example\nyes\n")
    confirm(LogOutDomain(id="desk.example"), yes=False)
    with pytest.raises(Failure):
        confirm(LogOutDomain(id="desk.example"), yes=False)


@pytest.mark.parametrize(
    ("request_", "yes", "terminal"),
    [
        (CANCEL, True, True),
        (CANCEL, False, False),
        (AcceptAlert(alert_id="a"), False, True),
        (SetSipMapping(owner_uri="svc-user:u", credential=NewSipCredential(username="s")), False, True),
    ],
)
def test_a_plain_change_needs_no_confirmation(
    request_: Request[object], yes: bool, terminal: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(call, "at_a_terminal", lambda: terminal)
    confirm(request_, yes=yes)
