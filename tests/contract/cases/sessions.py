"""Logins, sessions and tokens (contract 4.1, 4.2)."""

from __future__ import annotations

from typing import Any

from console.api.annotations import Variant
from console.api.operations import sessions as ops
from console.records.people import SessionContext, UserContext
from console.service.domain import people, sessions, tokens
from console.service.domain.sessions import ENDED, SESSIONS
from tests.contract.case import CaseSetup, case

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


def _of_ana(_: str) -> str:
    """Return the user of what was prepared."""
    return "ana"


def _later(setup: CaseSetup) -> ops.StartSession:
    # Not in the millisecond in which the first session of ana was started.
    setup.clock.advance(1)
    return ops.StartSession(token=_bearer(setup), context=UserContext(src="test", device_id="d1"))


@case(
    ops.StartSession, by="nobody", asks=_later, bad={400: {"token": [3], "context": ["x"]}, 401: {"token": [UNKNOWN]}}
)
def start(setup: CaseSetup, answer: Any) -> None:
    assert answer.token_type == "SvcSessionToken"
    assert answer.expires_in > 0
    assert answer.session.user == "ana"
    assert answer.credential["user"] == "ana"
    assert answer.capabilities.domain
    assert (answer.session_id == answer.session.id) is (setup.variant is Variant.EARLIER)
    assert (answer.session.user_obj is None) is (setup.variant is Variant.EARLIER)
    assert setup.need(SESSIONS, answer.session.id).context == SessionContext.model_validate(
        {"src": "test", "deviceId": "d1"}
    )


@case(
    ops.ResumeSession,
    by="nobody",
    asks=lambda setup: ops.ResumeSession(token=_session_token(setup)),
    bad={400: {"token": [""]}, 401: {"token": [UNKNOWN]}},
)
def resume(setup: CaseSetup, answer: Any) -> None:
    assert answer.access_token == setup.notes["token"]
    assert answer.session.id == setup.notes["session"]


@case(
    ops.ListSessions,
    asks=lambda setup: ops.ListSessions(users=(_of_ana(_session(setup)),), sort="-createdAt"),
    bad={400: {"sort": ["x"], "limit": ["0"], "from": ["then"]}},
)
def list_all(setup: CaseSetup, answer: Any) -> None:
    assert setup.notes["session"] in {each.id for each in answer}
    assert {each.user for each in answer} == {"ana"}
    assert all(each.token is None for each in answer)
    assert all((each.user_obj is None) is (setup.variant is Variant.EARLIER) for each in answer)


@case(
    ops.ListOwnSessions,
    by="ana",
    asks=lambda setup: ops.ListOwnSessions.model_validate({"id": _session(setup)}),
    bad={400: {"limit": ["many"], "createdSince": ["1e99"]}},
)
def list_own(setup: CaseSetup, answer: Any) -> None:
    assert [each.id for each in answer] == [setup.notes["session"]]


@case(
    ops.CreateSession,
    by="ana",
    asks=lambda setup: ops.CreateSession(context=SessionContext(src="second", language="es")),
    bad={400: {"context": [3, {"src": 3}]}},
)
def create(setup: CaseSetup, answer: Any) -> None:
    assert answer.user == "ana"
    assert answer.context.src == "second"
    with setup.platform.read() as tx:
        assert SESSIONS.need(tx, answer.id).token is None
        assert sessions.belongs(tx, "ana", answer.token)


@case(
    ops.GetSession, asks=lambda setup: ops.GetSession(id=_session(setup)), not_for=("pat",), bad={404: {"id": ["no"]}}
)
def get(setup: CaseSetup, answer: Any) -> None:
    assert answer.id == setup.notes["session"]
    assert answer.expires > answer.from_


@case(
    ops.UpdateSession,
    asks=lambda setup: ops.UpdateSession(id=_session(setup), domain="moved.example", context=SessionContext(src="new")),
    not_for=("pat", "guest"),
    bad={400: {"from": ["x"], "context": [{"language": []}]}, 404: {"id": ["no"]}},
)
def update(setup: CaseSetup, answer: Any) -> None:
    assert (answer.domain, answer.to, answer.context.src) == ("moved.example", -1, "new")
    assert setup.need(SESSIONS, answer.id).domain == "moved.example"


@case(
    ops.RevokeSession,
    by="ana",
    asks=lambda setup: ops.RevokeSession(id=_session(setup)),
    not_for=("pat", "guest"),
    bad={400: {"id": [3]}, 404: {"id": ["no"]}},
)
def revoke(setup: CaseSetup, answer: Any) -> None:
    assert answer.to == setup.clock.now_ms()
    with setup.platform.read() as tx:
        assert SESSIONS.row(tx, answer.id) is None
        assert ENDED.need(tx, answer.id).user == "ana"
        assert not sessions.belongs(tx, "ana", setup.notes["token"])


@case(
    ops.UpdateSessions,
    asks=lambda setup: ops.UpdateSessions(
        ids=(_session(setup),), data={"registered": "5" if setup.variant is Variant.LATER else 5}
    ),
    bad={400: {"ids": ["x"], "data": [3, {"token": "x"}, {"registered": True}]}, 404: {"ids": [["no"]]}},
)
def update_many(setup: CaseSetup, answer: Any) -> None:
    assert [(each.id, each.registered, each.to) for each in answer] == [(setup.notes["session"], "5", -1)]


@case(
    ops.ValidateSession,
    by="nobody",
    asks=lambda setup: ops.ValidateSession(username="ana", token=_session_token(setup)),
    bad={400: {"username": ["an", "bob"], "token": ["x" * 32, UNKNOWN]}},
)
def validate(setup: CaseSetup, answer: Any) -> None:
    assert answer.message == "OK"


@case(
    ops.ListTokens,
    asks=lambda setup: ops.ListTokens(username=_of_ana(_bearer(setup)), type_hint="all"),
    not_for=("pat",),
    bad={400: {"type_hint": ["every"]}, 404: {"username": ["nobody at all"]}},
)
def list_tokens(setup: CaseSetup, answer: Any) -> None:
    (access,) = answer.access_tokens
    (refresh,) = answer.refresh_tokens
    assert access.user_id == refresh.user_id == "ana"
    assert access.expires_at.endswith("+00:00")
    assert access.token is None


@case(
    ops.IssueToken,
    by="nobody",
    asks=lambda _: ops.IssueToken(grant_type="password", username="ana", password="demo"),
    bad={
        400: {
            **{"grant_type": ["magic", "refresh_token"], "username": [None], "password": [3]},
            ("grant_type", "username", "password"): [(None, None, None)],
        },
        401: {"password": ["wrong"]},
    },
)
def issue(setup: CaseSetup, answer: Any) -> None:
    assert answer.token_type == "Bearer"
    with setup.platform.read() as tx:
        assert tokens.need_alive(tx, answer.access_token, ("access",)).user == "ana"
        assert tokens.need_alive(tx, answer.refresh_token, ("refresh",)).user == "ana"
        assert answer.expires_in == setup.platform.settings.token_seconds


@case(
    ops.DropTokens,
    asks=lambda setup: ops.DropTokens(username=_of_ana(_bearer(setup)), type_hint="all"),
    not_for=("pat", "guest"),
    bad={400: {"type_hint": ["every"]}, 404: {"username": ["nobody at all"]}},
)
def drop(setup: CaseSetup, answer: Any) -> None:
    assert answer.message
    assert (answer.code == 200) is (setup.variant is Variant.EARLIER)
    with setup.platform.read() as tx:
        assert tokens.listed(tx, "ana", "access") == tokens.listed(tx, "ana", "refresh") == ()


@case(
    ops.InspectToken,
    by="pat",
    asks=lambda setup: ops.InspectToken(token=_bearer(setup)),
    bad={400: {"token": [UNKNOWN, ""]}},
)
def inspect(setup: CaseSetup, answer: Any) -> None:
    assert (answer.user_id, answer.scope) == ("ana", "user")
    assert answer.audience
    assert 0 < answer.expires_in <= setup.platform.settings.token_seconds


@case(
    ops.RevokeToken,
    by="ana",
    asks=lambda setup: ops.RevokeToken(token=_bearer(setup)),
    not_for=("pat", "guest"),
    bad={400: {"token": [None, 3], "token_type_hint": ["x"]}},
)
def revoke_token(setup: CaseSetup, answer: Any) -> None:
    assert answer.code == 200
    with setup.platform.read() as tx:
        found = tokens.find(tx, setup.notes["pair"].access_token)
        assert found is not None
        assert found.revoked == setup.clock.now_ms()
