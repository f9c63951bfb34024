"""The part of a list that the caller may see, and how it is shown next to each number."""

from __future__ import annotations

from typing import Any
from zoneinfo import ZoneInfo

import pytest

from console.kinds.scope import Scope, nobody_waits, none_listed, of_them, only, scope, titled
from console.kinds.tables import TABLES
from console.records.people import Group, Session, User
from console.records.support import Alert, Presence
from console.records.traffic import Call, Conference, StatusSummary
from console.views.render_context import RenderContext
from tests.for_each import for_each

NOW = 1_790_000_000_000


def render_context_of(role: str = "admin", active: int | None = None, **kinds: list[Any]) -> RenderContext:
    known = {kind: {each.key: each for each in records} for kind, records in kinds.items()}
    if active is not None:
        known["status"] = {"status": StatusSummary(active_calls=tuple(range(active)))}
    return RenderContext(now_ms=NOW, zone=ZoneInfo("UTC"), me="ana", role=role, lookup=lambda kind: known.get(kind, {}))


CALLS = [Call(id=each, state="connected", date=NOW) for each in ("a", "b", "c")]


@for_each(
    "kind, role, expected",
    [
        ("calls", "admin", Scope.ALL),
        ("calls", "user", Scope.OWN),
        ("calls", "anonymous", Scope.OWN),
        ("calls", "", Scope.ALL),
        ("conferences", "user", Scope.OWN),
        ("alerts", "user", Scope.OWN),
        ("alerts", "admin", Scope.ALL),
        ("groups", "user", Scope.OWN),
        ("sessions", "user", Scope.OWN),
        ("users", "user", Scope.DOMAIN),
        ("users", "admin", Scope.ALL),
        ("agents", "user", Scope.ALL),
        ("skills", "user", Scope.ALL),
        ("presence", "user", Scope.FOLLOWED),
        ("presence", "admin", Scope.LISTED),
    ],
)
def test_the_scope_of_a_kind_depends_on_the_user(kind: str, role: str, expected: Scope) -> None:
    assert scope(kind, render_context_of(role)) is expected


def test_an_admins_scope_is_partial_if_the_service_counts_more_calls_than_it_lists() -> None:
    assert scope("calls", render_context_of(active=3, calls=CALLS)) is Scope.ALL
    assert scope("calls", render_context_of(active=61, calls=CALLS)) is Scope.PART
    assert scope("calls", render_context_of("user", active=61, calls=CALLS)) is Scope.OWN
    assert scope("alerts", render_context_of(active=61, calls=CALLS)) is Scope.ALL


@pytest.mark.parametrize(
    ("role", "active", "tab", "within", "nobody", "none"),
    [
        ("admin", 3, "Calls 3", "", "Nobody is waiting.", "There are no calls."),
        (
            "user",
            61,
            "Your calls 3",
            " of yours",
            "None of your calls is waiting. The service has 61 active calls; you see your own.",
            "You have no calls. The service has 61 active calls; you see your own.",
        ),
        (
            "user",
            None,
            "Your calls 3",
            " of yours",
            "None of your calls is waiting.",
            "You have no calls. The service shows you only your own.",
        ),
        (
            "admin",
            1200,
            "Calls 3 seen",
            " you see",
            "None of the calls you see is waiting. The service has 1 200 active calls; you see 3.",
            "No calls are shown to you. The service has 1 200 active calls; you see 3.",
        ),
    ],
)
def test_the_text_for_a_partial_list_of_calls(
    role: str, active: int | None, tab: str, within: str, nobody: str, none: str
) -> None:
    seen = render_context_of(role, active, calls=CALLS)
    assert titled("calls", "Calls", "3", seen) == tab
    assert of_them("calls", seen) == within
    assert nobody_waits(seen) == nobody
    assert none_listed("calls", "Calls", seen) == none


def test_followed_and_own_domain_scopes_are_named() -> None:
    seen = render_context_of("user")
    assert none_listed("presence", "Presence", seen) == "You follow nobody."
    assert none_listed("presence", "Presence", render_context_of()) == "No presence is listed."
    assert none_listed("users", "Users", seen) == "There are no users in your domain."
    assert titled("presence", "Presence", "12", seen) == "Presence 12 followed"
    assert titled("presence", "Presence", "12", seen, short=True) == "Presence 12"
    assert only(["calls", "alerts"], seen) == "only your calls and alerts"
    assert only(["calls"], render_context_of(active=61, calls=CALLS)) == "only the calls you see"


RECORDS: dict[str, tuple[Any, str, str]] = {
    "calls": (CALLS[0], "1 call", "Your 1 call"),
    "conferences": (Conference(id="x"), "1 conference", "Your 1 conference"),
    "alerts": (Alert(alert_id="x", state="active"), "1 open alert", "Your 1 open alert"),
    "groups": (Group(group_id="x"), "1 group", "Your 1 group"),
    "users": (User(id="x"), "1 user", "1 user of your domain"),
    "sessions": (Session(id="x"), "1 session", "Your 1 session"),
    "presence": (Presence(address="svc-user:x"), "1 address", "1 address you follow"),
}


@pytest.mark.parametrize("kind", RECORDS)
def test_the_totals_of_every_list_name_its_scope(kind: str) -> None:
    record, to_admins, to_others = RECORDS[kind]
    for role, expected in (("admin", to_admins), ("user", to_others)):
        seen = render_context_of(role, None, **{kind: [record]})
        assert TABLES[kind].totals([record], seen)[0].text == expected
