"""The picture of a presence is served at its URL only, to everybody who knows the URL."""

from __future__ import annotations

import base64

import httpx
import pytest

from tests.background import Running
from tests.service.over_http import LogIn, data, get

GIF = base64.b64decode("R0lGODlhAQABAAAAACwAAAAAAQABAAA=")
PNG = b"\x89PNG\r\n\x1a\n" + b"\0" * 40
PRESENCE = "/presence/svc-user:ana"


def _show(client: httpx.Client, picture: bytes, before: str = "") -> str | None:
    avatar = before + base64.b64encode(picture).decode()
    return data(client.put(PRESENCE, json={"avatar": avatar})).get("avatarUrl")


@pytest.mark.parametrize("before", ["", "data:image/gif;base64,"])
def test_a_picture_is_served_at_its_url_without_a_login(service: Running, as_user: LogIn, before: str) -> None:
    url = _show(as_user("ana"), GIF, before)
    assert url is not None
    assert data(as_user("pat").get(PRESENCE))["avatarUrl"] == url
    answer = get(service.base_url + url)
    assert (answer.content, answer.headers["content-type"]) == (GIF, "image/gif")
    assert (answer.headers["x-content-type-options"], "sandbox" in answer.headers["content-security-policy"]) == (
        "nosniff",
        True,
    )


def test_another_picture_has_another_url_but_a_change_of_activity_does_not(service: Running, as_user: LogIn) -> None:
    ana = as_user("ana")
    first = _show(ana, GIF)
    assert data(ana.put(PRESENCE, json={"mood": "calm", "avatar": ""}))["avatarUrl"] == first
    second = _show(ana, PNG)
    assert second not in {first, None}
    assert get(f"{service.base_url}{first}").status_code == 404
    answer = get(f"{service.base_url}{second}")
    assert (answer.content, answer.headers["content-type"]) == (PNG, "image/png")


def test_an_invalid_picture_has_no_url(as_user: LogIn) -> None:
    assert _show(as_user("ana"), GIF)
    assert _show(as_user("ana"), b"<script>alert(1)</script>") is None


def test_guessed_names_are_not_found(service: Running, as_user: LogIn) -> None:
    _show(as_user("ana"), GIF)
    for path in ("/avatars/ana/0", "/avatars/ana/", "/avatars/none/0", "/avatars/%2F/x", "/avatars/ana/%00"):
        assert get(service.base_url + path).status_code == 404, path
