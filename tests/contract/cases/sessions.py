"""Logins, sessions and tokens (contract 4.1, 4.2)."""

from __future__ import annotations

from typing import Any

from console.api.annotations import Variant
from console.api.operations.sessions import (
    CreateSession,
    DropTokens,
    GetSession,
    InspectToken,
    IssueToken,
    ListOwnSessions,
    ListSessions,
    ListTokens,
    ResumeSession,
    RevokeSession,
    RevokeToken,
    StartSession,
    UpdateSession,
    UpdateSessions,
    ValidateSession,
)
from console.records.people import SessionContext, UserContext
from console.service.domain import people, sessions, tokens
from console.service.domain.sessions import ENDED, SESSIONS
from tests.contract.case import Bad, CaseSetup, case

UNKNOWN = "x" * 43


def _bearer(setup: CaseSetup, user: str = "ana") -> str:
    setup.notes["pair"] = pair = tokens.issue(setup.platform, user)
    return pair.access_token


def _session(setup: CaseSetup, user: str = "ana") -> str:
    with setup.platform.read() as tx:
        owner = people.need_user(tx, user)
    session, token = sessions.create(setup.platform, owner, SessionContext(src="test"))
    setup.notes["token"] = token
    setup.notes["session"] = session.id
    return session.id


def _session_token(setup: CaseSetup) -> str:
    _session(setup)
    return str(setup.notes["token"])


def _later(setup: CaseSetup) -> StartSession:
    # Not in the millisecond in which the first session of ana was started.
    setup.clock.advance(1)
    return StartSession(token=_bearer(setup), context=UserContext(src="test", device_id="d1"))


@case(
    StartSession,
    by="nobody",
    asks=_later,
    bad=(Bad({"token": 3}), Bad({"context": "x"}), Bad({"token": UNKNOWN}, 401)),
)
def start(setup: CaseSetup, answer: Any) -> None:
    assert answer.token_type == "SvcSessionToken"
    assert answer.expires_in > 0
    assert answer.session.user == "ana"
    assert answer.credential["user"] == "ana"
    assert answer.capabilities.domain
    assert (answer.session_id == answer.session.id) is (setup.variant is Variant.EARLIER)
    assert (answer.session.user_obj is None) is (setup.variant is Variant.EARLIER)
    with setup.platform.read() as tx:
        assert SESSIONS.need(tx, answer.session.id).context == SessionContext.model_validate(
            {"src": "test", "deviceId": "d1"}
        )


@case(
    ResumeSession,
    by="nobody",
    asks=lambda setup: ResumeSession(token=_session_token(setup)),
    bad=(Bad({"token": ""}), Bad({"token": UNKNOWN}, 401)),
)
def resume(setup: CaseSetup, answer: Any) -> None:
    assert answer.access_token == setup.notes["token"]
    assert answer.session.id == setup.notes["session"]


@case(
    ListSessions,
    asks=lambda setup: ListSessions(users=(_user(_session(setup)),), sort="-createdAt"),
    not_for=("ana", "guest"),
    bad=(Bad({"sort": "x"}), Bad({"limit": "0"}), Bad({"from": "then"})),
)
def list_all(setup: CaseSetup, answer: Any) -> None:
    assert setup.notes["session"] in {each.id for each in answer}
    assert {each.user for each in answer} == {"ana"}
    assert all(each.token is None for each in answer)
    assert all((each.user_obj is None) is (setup.variant is Variant.EARLIER) for each in answer)


def _user(_: str) -> str:
    return "ana"


@case(
    ListOwnSessions,
    by="ana",
    asks=lambda setup: ListOwnSessions.model_validate({"id": _session(setup)}),
    bad=(Bad({"limit": "many"}), Bad({"createdSince": "1e99"})),
)
def list_own(setup: CaseSetup, answer: Any) -> None:
    assert [each.id for each in answer] == [setup.notes["session"]]


@case(
    CreateSession,
    by="ana",
    asks=lambda setup: CreateSession(context=SessionContext(src="second", language="es")),
    bad=(Bad({"context": 3}), Bad({"context": {"src": 3}})),
)
def create(setup: CaseSetup, answer: Any) -> None:
    assert answer.user == "ana"
    assert answer.context.src == "second"
    with setup.platform.read() as tx:
        assert SESSIONS.need(tx, answer.id).token is None
        assert sessions.belongs(tx, "ana", answer.token)


@case(GetSession, asks=lambda setup: GetSession(id=_session(setup)), not_for=("pat",), bad=(Bad({"id": "no"}, 404),))
def get(setup: CaseSetup, answer: Any) -> None:
    assert answer.id == setup.notes["session"]
    assert answer.expires > answer.from_


@case(
    UpdateSession,
    asks=lambda setup: UpdateSession(id=_session(setup), domain="moved.example", context=SessionContext(src="new")),
    not_for=("pat", "guest"),
    bad=(Bad({"id": "no"}, 404), Bad({"from": "x"}), Bad({"context": {"language": []}})),
)
def update(setup: CaseSetup, answer: Any) -> None:
    assert (answer.domain, answer.to, answer.context.src) == ("moved.example", -1, "new")
    with setup.platform.read() as tx:
        assert SESSIONS.need(tx, answer.id).domain == "moved.example"


@case(
    RevokeSession,
    by="ana",
    asks=lambda setup: RevokeSession(id=_session(setup)),
    not_for=("pat", "guest"),
    bad=(Bad({"id": "no"}, 404), Bad({"id": 3})),
)
def revoke(setup: CaseSetup, answer: Any) -> None:
    assert answer.to == setup.clock.now_ms()
    with setup.platform.read() as tx:
        assert SESSIONS.row(tx, answer.id) is None
        assert ENDED.need(tx, answer.id).user == "ana"
        assert not sessions.belongs(tx, "ana", setup.notes["token"])


@case(
    UpdateSessions,
    asks=lambda setup: UpdateSessions(
        ids=(_session(setup),), data={"registered": "5" if setup.variant is Variant.LATER else 5}
    ),
    not_for=("ana", "guest"),
    bad=(
        Bad({"ids": "x"}),
        Bad({"ids": ["no"]}, 404),
        Bad({"data": 3}),
        Bad({"data": {"token": "x"}}),
        Bad({"data": {"registered": True}}),
    ),
)
def update_many(setup: CaseSetup, answer: Any) -> None:
    assert [(each.id, each.registered, each.to) for each in answer] == [(setup.notes["session"], "5", -1)]


@case(
    ValidateSession,
    by="nobody",
    asks=lambda setup: ValidateSession(username="ana", token=_session_token(setup)),
    bad=(Bad({"username": "an"}), Bad({"token": "x" * 32}), Bad({"token": UNKNOWN}), Bad({"username": "bob"})),
)
def validate(setup: CaseSetup, answer: Any) -> None:
    assert answer.message == "OK"


@case(
    ListTokens,
    asks=lambda setup: ListTokens(username=_owner(_bearer(setup)), type_hint="all"),
    not_for=("pat",),
    bad=(Bad({"username": "nobody at all"}, 404), Bad({"type_hint": "every"})),
)
def list_tokens(setup: CaseSetup, answer: Any) -> None:
    (access,) = answer.access_tokens
    (refresh,) = answer.refresh_tokens
    assert access.user_id == refresh.user_id == "ana"
    assert access.expires_at.endswith("+00:00")
    assert access.token is None


def _owner(_: str) -> str:
    return "ana"


@case(
    IssueToken,
    by="nobody",
    asks=lambda _: IssueToken(grant_type="password", username="ana", password="demo"),
    bad=(
        Bad({"grant_type": "magic"}),
        Bad({"grant_type": None, "username": None, "password": None}),
        Bad({"username": None}),
        Bad({"password": 3}),
        Bad({"grant_type": "refresh_token"}),
        Bad({"password": "wrong"}, 401),
    ),
)
def issue(setup: CaseSetup, answer: Any) -> None:
    assert answer.token_type == "Bearer"
    with setup.platform.read() as tx:
        assert tokens.need_alive(tx, answer.access_token, ("access",)).user == "ana"
        assert tokens.need_alive(tx, answer.refresh_token, ("refresh",)).user == "ana"
        assert answer.expires_in == setup.platform.settings.token_seconds


@case(
    DropTokens,
    asks=lambda setup: DropTokens(username=_owner(_bearer(setup)), type_hint="all"),
    not_for=("pat", "guest"),
    bad=(Bad({"username": "nobody at all"}, 404), Bad({"type_hint": "every"})),
)
def drop(setup: CaseSetup, answer: Any) -> None:
    assert answer.message
    assert (answer.code == 200) is (setup.variant is Variant.EARLIER)
    with setup.platform.read() as tx:
        assert tokens.listed(tx, "ana", "access") == tokens.listed(tx, "ana", "refresh") == ()


@case(
    InspectToken,
    by="pat",
    asks=lambda setup: InspectToken(token=_bearer(setup)),
    bad=(Bad({"token": UNKNOWN}), Bad({"token": ""})),
)
def inspect(setup: CaseSetup, answer: Any) -> None:
    assert (answer.user_id, answer.scope) == ("ana", "user")
    assert answer.audience
    assert 0 < answer.expires_in <= setup.platform.settings.token_seconds


@case(
    RevokeToken,
    by="ana",
    asks=lambda setup: RevokeToken(token=_bearer(setup)),
    not_for=("pat", "guest"),
    bad=(Bad({"token": None}), Bad({"token_type_hint": "x"}), Bad({"token": 3})),
)
def revoke_token(setup: CaseSetup, answer: Any) -> None:
    assert answer.code == 200
    with setup.platform.read() as tx:
        found = tokens.find(tx, setup.notes["pair"].access_token)
        assert found is not None
        assert found.revoked == setup.clock.now_ms()
