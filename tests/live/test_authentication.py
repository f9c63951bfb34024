"""A console whose stored login has ended takes the one that a person stores later."""

from __future__ import annotations

import pytest

from console.api.errors import ApiError, LoginNeeded
from console.client.stored_login import StoredLogin
from console.live.authentication import Authentication, LoginDetails
from tests.client.test_login_methods import Deployment, stored


@pytest.mark.parametrize("asks", [False, True], ids=["without a password", "with a login screen"])
async def test_a_later_login_is_taken_after_the_stored_one_has_ended(asks: bool) -> None:
    deployment = Deployment(valid={"first"})
    client, store = stored(deployment, "first")
    admission = Authentication(LoginDetails("", "").source if asks else None, store)
    await admission.enter(client)
    deployment.valid.clear()
    for _ in range(3):
        with pytest.raises(ApiError):
            await admission.enter(client)
    for token in ("second", "third"):
        store.now = StoredLogin(token)
        deployment.valid |= {token}
        await admission.enter(client)
        assert client.sessions.token == token
        deployment.valid.clear()
        with pytest.raises(ApiError):
            await admission.enter(client)


async def test_a_login_that_was_deleted_is_not_tried_again() -> None:
    deployment = Deployment()
    client, store = stored(deployment, "first")
    admission = Authentication(LoginDetails("", "").source, store)
    for _ in range(2):
        with pytest.raises(LoginNeeded, match="the session has ended"):
            await admission.enter(client)
