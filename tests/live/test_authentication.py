"""A later stored login replaces one that has ended; after a failed login, some errors are waited out."""

from __future__ import annotations

import pytest

from console.api.errors import (
    ApiError,
    BadAnswer,
    BadCertificate,
    BadRequest,
    LoginNeeded,
    NewPasswordNeeded,
    NotFound,
    NotFromService,
    ServerFault,
    TooMany,
    Unreachable,
)
from console.client.stored_login import StoredLogin
from console.live.authentication import Authentication, LoginDetails, login_fault
from tests.client.test_login_methods import Deployment, stored
from tests.for_each import for_each


@pytest.mark.parametrize("asks", [False, True], ids=["without a password", "with a login screen"])
async def test_a_later_login_is_taken_after_the_stored_one_has_ended(asks: bool) -> None:
    deployment = Deployment(valid={"first"})
    client, store = stored(deployment, "first")
    authentication = Authentication(LoginDetails("", "").source if asks else None, store)
    await authentication.log_in(client)
    deployment.valid.clear()
    for _ in range(3):
        with pytest.raises(ApiError):
            await authentication.log_in(client)
    for token in ("second", "third"):
        store.now = StoredLogin(token)
        deployment.valid |= {token}
        await authentication.log_in(client)
        assert client.sessions.token == token
        deployment.valid.clear()
        with pytest.raises(ApiError):
            await authentication.log_in(client)


async def test_a_login_that_was_deleted_is_not_tried_again() -> None:
    deployment = Deployment()
    client, store = stored(deployment, "first")
    authentication = Authentication(LoginDetails("", "").source, store)
    for _ in range(2):
        with pytest.raises(LoginNeeded, match="the session has ended"):
            await authentication.log_in(client)


@for_each(
    "error, before, later",
    [
        (Unreachable, None, None),
        (ServerFault, None, None),
        (TooMany, None, None),
        (BadCertificate, "certificate", "certificate"),
        # A portal may stand before a service that was there until now.
        (NotFromService, "config", None),
        (NotFound, "config", "config"),
        (BadAnswer, "config", "config"),
        (BadRequest, "config", "config"),
        (LoginNeeded, "login", "login"),
        (NewPasswordNeeded, "password", "password"),
    ],
)
def test_only_errors_that_pass_are_waited_out(error: type[ApiError], before: str | None, later: str | None) -> None:
    for anew, kind in ((True, before), (False, later)):
        fatal = login_fault(error("why"), "https://voice.example", anew=anew)
        assert (None if fatal is None else fatal.kind) == kind
