"""Logins, sessions and tokens (contract 4.1, 4.2)."""

from __future__ import annotations

from console.api.annotations import Variant
from console.api.operations import sessions as ops
from console.records.people import SessionContext, UserContext
from console.service.domain import people, sessions, tokens
from console.service.domain.sessions import ENDED, SESSIONS
from tests.contract.case import CaseSetup, Steps, case

UNKNOWN = "x" * 43


def _bearer(setup: CaseSetup) -> str:
    return tokens.issue(setup.platform, "ana").access_token


def _session(setup: CaseSetup) -> tuple[str, str]:
    """Log ana in. Return the session's id and token."""
    with setup.platform.read() as tx:
        ana = people.need_user(tx, "ana")
    session, token = sessions.create(setup.platform, ana, SessionContext(src="test"))
    return session.id, token


@case(ops.StartSession, by="nobody", bad={401: {"token": [UNKNOWN]}})
def start(setup: CaseSetup) -> Steps:
    setup.clock.advance(1)
    answer = yield ops.StartSession(token=_bearer(setup), context=UserContext(src="test", device_id="d1"))
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


@case(ops.ResumeSession, by="nobody", bad={401: {"token": [UNKNOWN]}})
def resume(setup: CaseSetup) -> Steps:
    session, token = _session(setup)
    answer = yield ops.ResumeSession(token=token)
    assert (answer.access_token, answer.session.id) == (token, session)


@case(ops.ListSessions, bad={400: {"from": ["then"]}})
def list_all(setup: CaseSetup) -> Steps:
    session, _ = _session(setup)
    answer = yield ops.ListSessions(users=("ana",), sort="-createdAt")
    assert session in {each.id for each in answer}
    assert {each.user for each in answer} == {"ana"}
    assert all(each.token is None for each in answer)
    assert all((each.user_obj is None) is (setup.variant is Variant.EARLIER) for each in answer)


@case(ops.ListOwnSessions, by="ana", bad={400: {"createdSince": ["1e99"]}})
def list_own(setup: CaseSetup) -> Steps:
    session, _ = _session(setup)
    answer = yield ops.ListOwnSessions.model_validate({"id": session})
    assert [each.id for each in answer] == [session]


@case(ops.CreateSession, by="ana", bad={400: {"context": [3, {"src": 3}]}})
def create(setup: CaseSetup) -> Steps:
    answer = yield ops.CreateSession(context=SessionContext(src="second", language="es"))
    assert answer.user == "ana"
    assert answer.context.src == "second"
    with setup.platform.read() as tx:
        assert SESSIONS.need(tx, answer.id).token is None
        assert sessions.belongs(tx, "ana", answer.token)


@case(ops.GetSession, not_for=("pat",))
def get(setup: CaseSetup) -> Steps:
    session, _ = _session(setup)
    answer = yield ops.GetSession(id=session)
    assert answer.id == session
    assert answer.expires > answer.from_


@case(ops.UpdateSession, not_for=("pat", "guest"), bad={400: {"context": [{"language": []}]}})
def update(setup: CaseSetup) -> Steps:
    answer = yield ops.UpdateSession(id=_session(setup)[0], domain="moved.example", context=SessionContext(src="new"))
    assert (answer.domain, answer.to, answer.context.src) == ("moved.example", -1, "new")
    assert setup.need(SESSIONS, answer.id).domain == "moved.example"


@case(ops.RevokeSession, by="ana", not_for=("pat", "guest"), bad={404: {"id": ["no"]}})
def revoke(setup: CaseSetup) -> Steps:
    session, token = _session(setup)
    answer = yield ops.RevokeSession(id=session)
    assert answer.to == setup.clock.now_ms()
    with setup.platform.read() as tx:
        assert SESSIONS.row(tx, answer.id) is None
        assert ENDED.need(tx, answer.id).user == "ana"
        assert not sessions.belongs(tx, "ana", token)


@case(ops.UpdateSessions, bad={400: {"data": [3, {"token": "x"}, {"registered": True}]}, 404: {"ids": [["no"]]}})
def update_many(setup: CaseSetup) -> Steps:
    session, _ = _session(setup)
    registered = "5" if setup.variant is Variant.LATER else 5
    answer = yield ops.UpdateSessions(ids=(session,), data={"registered": registered})
    assert [(each.id, each.registered, each.to) for each in answer] == [(session, "5", -1)]


@case(ops.ValidateSession, by="nobody", bad={400: {"username": ["an", "bob"], "token": ["x" * 32, UNKNOWN]}})
def validate(setup: CaseSetup) -> Steps:
    answer = yield ops.ValidateSession(username="ana", token=_session(setup)[1])
    assert answer.message == "OK"


@case(ops.ListTokens, not_for=("pat",), bad={404: {"username": ["nobody at all"]}})
def list_tokens(setup: CaseSetup) -> Steps:
    _bearer(setup)
    answer = yield ops.ListTokens(username="ana", type_hint="all")
    (access,) = answer.access_tokens
    (refresh,) = answer.refresh_tokens
    assert access.user_id == refresh.user_id == "ana"
    assert access.expires_at.endswith("+00:00")
    assert access.token is None


@case(
    ops.IssueToken,
    by="nobody",
    bad={
        400: {"username": [None], ("grant_type", "username", "password"): [(None, None, None)]},
        401: {"password": ["wrong"]},
    },
)
def issue(setup: CaseSetup) -> Steps:
    answer = yield ops.IssueToken(grant_type="password", username="ana", password="demo")
    assert answer.token_type == "Bearer"
    with setup.platform.read() as tx:
        assert tokens.need_alive(tx, answer.access_token, ("access",)).user == "ana"
        assert tokens.need_alive(tx, answer.refresh_token, ("refresh",)).user == "ana"
        assert answer.expires_in == setup.platform.settings.token_seconds


@case(ops.DropTokens, not_for=("pat", "guest"), bad={404: {"username": ["nobody at all"]}})
def drop(setup: CaseSetup) -> Steps:
    _bearer(setup)
    answer = yield ops.DropTokens(username="ana", type_hint="all")
    assert answer.message
    assert (answer.code == 200) is (setup.variant is Variant.EARLIER)
    with setup.platform.read() as tx:
        assert tokens.listed(tx, "ana", "access") == tokens.listed(tx, "ana", "refresh") == ()


@case(ops.InspectToken, by="pat", bad={400: {"token": [UNKNOWN, ""]}})
def inspect(setup: CaseSetup) -> Steps:
    answer = yield ops.InspectToken(token=_bearer(setup))
    assert (answer.user_id, answer.scope) == ("ana", "user")
    assert answer.audience
    assert 0 < answer.expires_in <= setup.platform.settings.token_seconds


@case(ops.RevokeToken, by="ana", not_for=("pat", "guest"))
def revoke_token(setup: CaseSetup) -> Steps:
    token = _bearer(setup)
    answer = yield ops.RevokeToken(token=token)
    assert answer.code == 200
    with setup.platform.read() as tx:
        found = tokens.find(tx, token)
        assert found is not None
        assert found.revoked == setup.clock.now_ms()
