"""`console call` reads back what a service accepted without having done it (202)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Console, profile
from tests.cli.stub import Asked, Sent, stub

ACCEPTED = Sent(202, b"{}")
GONE = Sent(404, b'{"message":"no such meeting"}')
DONE = "console: accepted by the service, then done: its record shows the change\n"


def in_turn(*answers: Any) -> Callable[[Asked], Any]:
    """Give the answers one after the other, then the last one again."""
    left = [*answers]

    def answer(_asked: Asked) -> Any:
        return left.pop(0) if len(left) > 1 else left[0]

    return answer


def alerts(state: str, **more: str) -> Mapping[str, Any]:
    return {state: [{"alertId": "a1", **more}]}


@pytest.mark.parametrize(
    ("arguments", "answers"),
    [
        (
            ("groups.update", "groupId=night", "name=Day"),
            {
                "PUT /groups/night": ACCEPTED,
                "GET /groups/night": in_turn(
                    {"groupId": "night", "name": "Night"}, {"groupId": "night", "name": "Day"}
                ),
            },
        ),
        (
            ("meetings.delete", "id=m1"),
            {"DELETE /meetings/m1": ACCEPTED, "GET /meetings/m1": in_turn({"id": "m1"}, GONE)},
        ),
        (
            ("templates.delete", "id=t1"),
            {"DELETE /alert-templates/t1": ACCEPTED, "GET /alert-templates": in_turn([{"templateId": "t1"}], [])},
        ),
        (
            ("alerts.accept", "alertId=a1"),
            {
                "POST /alerts/accept": ACCEPTED,
                "GET /alerts": in_turn(alerts("active"), alerts("accepted", acceptedBy="svc-user:17")),
            },
        ),
        (
            ("alerts.cancel", "id=a1"),
            {"DELETE /alerts/a1": ACCEPTED, "GET /alerts": in_turn(alerts("active"), alerts("canceled"))},
        ),
    ],
    ids=["replaced values", "deleted", "not listed any more", "accepted alert", "cancelled alert"],
)
def test_an_accepted_change_succeeds_once_its_record_shows_it(
    script: Console, home: Path, arguments: tuple[str, ...], answers: Mapping[str, Any]
) -> None:
    with stub(answers) as backend:
        profile(home, backend.url, 'events = "off"')
        ended = script("call", *arguments)
    assert (ended.code, ended.out, ended.err) == (0, "", DONE)


@pytest.mark.parametrize(
    ("wait", "words"), [("0", "not done yet"), ("0.05", "not done yet after 0.05 s")], ids=["not waited for", "waited"]
)
def test_an_accepted_change_that_is_not_shown_fails(script: Console, home: Path, wait: str, words: str) -> None:
    answers = {
        "POST /alerts/accept": ACCEPTED,
        "GET /alerts": alerts("accepted", acceptedBy="svc-user:18"),
    }
    with stub(answers) as backend:
        profile(home, backend.url, 'events = "off"')
        ended = script("call", "alerts.accept", "alertId=a1", "--wait", wait)
    assert (ended.code, ended.out) == (1, "")
    assert ended.err == f"console: alerts.accept: accepted by the service, {words}\n"
