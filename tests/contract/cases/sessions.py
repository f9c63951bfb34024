"""Log-ins, sessions and tokens (contract 4.1, 4.2)."""

from __future__ import annotations

from typing import Any

from console.api.marks import Variant
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
from tests.contract.case import Bad, Ground, case

UNKNOWN = "x" * 43


def _bearer(ground: Ground, user: str = "ana") -> str:
    ground.notes["pair"] = pair = tokens.issue(ground.platform, user)
    return pair.access_token


def _session(ground: Ground, user: str = "ana") -> str:
    with ground.platform.read() as tx:
        owner = people.need_user(tx, user)
    session, token = sessions.create(ground.platform, owner, SessionContext(src="test"))
    ground.notes["token"] = token
    ground.notes["session"] = session.id
    return session.id


def _session_token(ground: Ground) -> str:
    _session(ground)
    return str(ground.notes["token"])


@case(
    StartSession,
    by="nobody",
    asks=lambda ground: StartSession(token=_bearer(ground), context=UserContext(src="test", device_id="d1")),
    bad=(Bad({"token": 3}), Bad({"context": "x"}), Bad({"token": UNKNOWN}, 401)),
)
def start(ground: Ground, answer: Any) -> None:
    assert answer.token_type == "SvcSessionToken"
    assert answer.expires_in > 0
    assert answer.session.user == "ana"
    assert answer.credential["user"] == "ana"
    assert answer.capabilities.domain
    assert (answer.session_id == answer.session.id) is (ground.variant is Variant.EARLIER)
    assert (answer.session.user_obj is None) is (ground.variant is Variant.EARLIER)
    with ground.platform.read() as tx:
        assert SESSIONS.need(tx, answer.session.id).context == SessionContext.model_validate(
            {"src": "test", "deviceId": "d1"}
        )


@case(
    ResumeSession,
    by="nobody",
    asks=lambda ground: ResumeSession(token=_session_token(ground)),
    bad=(Bad({"token": ""}), Bad({"token": UNKNOWN}, 401)),
)
def resume(ground: Ground, answer: Any) -> None:
    assert answer.access_token == ground.notes["token"]
    assert answer.session.id == ground.notes["session"]


@case(
    ListSessions,
    asks=lambda ground: ListSessions(users=(_user(_session(ground)),), sort="-createdAt"),
    not_for=("ana", "guest"),
    bad=(Bad({"sort": "x"}), Bad({"limit": "0"}), Bad({"from": "then"})),
)
def list_all(ground: Ground, answer: Any) -> None:
    assert ground.notes["session"] in {each.id for each in answer}
    assert {each.user for each in answer} == {"ana"}
    assert all(each.token is None for each in answer)
    assert all((each.user_obj is None) is (ground.variant is Variant.EARLIER) for each in answer)


def _user(_: str) -> str:
    return "ana"


@case(
    ListOwnSessions,
    by="ana",
    asks=lambda ground: ListOwnSessions.model_validate({"id": _session(ground)}),
    bad=(Bad({"limit": "many"}), Bad({"createdSince": "1e99"})),
)
def list_own(ground: Ground, answer: Any) -> None:
    assert [each.id for each in answer] == [ground.notes["session"]]


@case(
    CreateSession,
    by="ana",
    asks=lambda ground: CreateSession(context=SessionContext(src="second", language="es")),
    bad=(Bad({"context": 3}), Bad({"context": {"src": 3}})),
)
def create(ground: Ground, answer: Any) -> None:
    assert answer.user == "ana"
    assert answer.context.src == "second"
    with ground.platform.read() as tx:
        assert SESSIONS.need(tx, answer.id).token is None
        assert sessions.belongs(tx, "ana", answer.token)


@case(GetSession, asks=lambda ground: GetSession(id=_session(ground)), not_for=("pat",), bad=(Bad({"id": "no"}, 404),))
def get(ground: Ground, answer: Any) -> None:
    assert answer.id == ground.notes["session"]
    assert answer.expires > answer.from_


@case(
    UpdateSession,
    asks=lambda ground: UpdateSession(id=_session(ground), domain="moved.example", context=SessionContext(src="new")),
    not_for=("pat", "guest"),
    bad=(Bad({"id": "no"}, 404), Bad({"from": "x"}), Bad({"context": {"language": []}})),
)
def update(ground: Ground, answer: Any) -> None:
    assert (answer.domain, answer.to, answer.context.src) == ("moved.example", -1, "new")
    with ground.platform.read() as tx:
        assert SESSIONS.need(tx, answer.id).domain == "moved.example"


@case(
    RevokeSession,
    by="ana",
    asks=lambda ground: RevokeSession(id=_session(ground)),
    not_for=("pat", "guest"),
    bad=(Bad({"id": "no"}, 404), Bad({"id": 3})),
)
def revoke(ground: Ground, answer: Any) -> None:
    assert answer.to == ground.clock.now_ms()
    with ground.platform.read() as tx:
        assert SESSIONS.row(tx, answer.id) is None
        assert ENDED.need(tx, answer.id).user == "ana"
        assert not sessions.belongs(tx, "ana", ground.notes["token"])


@case(
    UpdateSessions,
    asks=lambda ground: UpdateSessions(
        ids=(_session(ground),), data={"registered": "5" if ground.variant is Variant.LATER else 5}
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
def update_many(ground: Ground, answer: Any) -> None:
    assert [(each.id, each.registered, each.to) for each in answer] == [(ground.notes["session"], "5", -1)]


@case(
    ValidateSession,
    by="nobody",
    asks=lambda ground: ValidateSession(username="ana", token=_session_token(ground)),
    bad=(Bad({"username": "an"}), Bad({"token": "x" * 32}), Bad({"token": UNKNOWN}), Bad({"username": "bob"})),
)
def validate(ground: Ground, answer: Any) -> None:
    assert answer.message == "OK"


@case(
    ListTokens,
    asks=lambda ground: ListTokens(username=_owner(_bearer(ground)), type_hint="all"),
    not_for=("pat",),
    bad=(Bad({"username": "nobody at all"}, 404), Bad({"type_hint": "every"})),
)
def list_tokens(ground: Ground, answer: Any) -> None:
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
def issue(ground: Ground, answer: Any) -> None:
    assert answer.token_type == "Bearer"
    with ground.platform.read() as tx:
        assert tokens.need_alive(tx, answer.access_token, ("access",)).user == "ana"
        assert tokens.need_alive(tx, answer.refresh_token, ("refresh",)).user == "ana"
        assert answer.expires_in == ground.platform.settings.token_seconds


@case(
    DropTokens,
    asks=lambda ground: DropTokens(username=_owner(_bearer(ground)), type_hint="all"),
    not_for=("pat", "guest"),
    bad=(Bad({"username": "nobody at all"}, 404), Bad({"type_hint": "every"})),
)
def drop(ground: Ground, answer: Any) -> None:
    assert answer.message
    assert (answer.code == 200) is (ground.variant is Variant.EARLIER)
    with ground.platform.read() as tx:
        assert tokens.listed(tx, "ana", "access") == tokens.listed(tx, "ana", "refresh") == ()


@case(
    InspectToken,
    by="pat",
    asks=lambda ground: InspectToken(token=_bearer(ground)),
    bad=(Bad({"token": UNKNOWN}), Bad({"token": ""})),
)
def inspect(ground: Ground, answer: Any) -> None:
    assert (answer.user_id, answer.scope) == ("ana", "user")
    assert answer.audience
    assert 0 < answer.expires_in <= ground.platform.settings.token_seconds


@case(
    RevokeToken,
    by="ana",
    asks=lambda ground: RevokeToken(token=_bearer(ground)),
    not_for=("pat", "guest"),
    bad=(Bad({"token": None}), Bad({"token_type_hint": "x"}), Bad({"token": 3})),
)
def revoke_token(ground: Ground, answer: Any) -> None:
    assert answer.code == 200
    with ground.platform.read() as tx:
        found = tokens.find(tx, ground.notes["pair"].access_token)
        assert found is not None
        assert found.revoked == ground.clock.now_ms()
