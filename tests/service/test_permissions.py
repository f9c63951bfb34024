"""Recording and voicemail require their permissions, and `always` records without a request."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from tests.service.over_http import DOMAIN, LogIn, data

ALWAYS = {"recordingType": "all", "recordingProfile": "always"}


def allow(eva: httpx.Client, place: str, recording: dict[str, str], voicemail: bool = True) -> None:
    data(eva.post(f"/permissions/{place}", json={"recording": recording, "voicemail": {"enabled": voicemail}}))


def call(client: httpx.Client, to: str, state: str = "ringing") -> str:
    made = data(client.post("/calls", json={"calle": f"svc-user:{to}"}))["id"]
    if state != "ringing":
        data(client.put(f"/calls/{made}", json={"state": state}))
    return made


def start(client: httpx.Client, call_id: str) -> httpx.Response:
    return client.post(f"/calls/{call_id}/recording/start", json={"filename": "talk.wav"})


def recording_of(client: httpx.Client, call_id: str) -> dict[str, Any]:
    kept: dict[str, Any] = data(client.get(f"/calls/{call_id}")).get("data") or {}
    return kept.get("recording", {})


@pytest.mark.parametrize(
    "recording",
    [{"recordingType": "none", "recordingProfile": "always"}, {"recordingType": "all", "recordingProfile": "never"}],
)
def test_users_without_the_permission_cannot_record_calls_and_meetings(
    as_user: LogIn, recording: dict[str, str]
) -> None:
    eva, ana = as_user("eva"), as_user("ana")
    talk = call(ana, "bob", "connected")
    allow(eva, "users/ana", recording)
    refused = start(ana, talk)
    assert (refused.status_code, "do not include recording" in refused.text) == (403, True)
    assert recording_of(ana, talk) == {}
    meeting: dict[str, Any] = {"name": "Monday", "participants": [], "language": "en", "record": {"type": "all"}}
    assert ana.post("/meetings", json=meeting).status_code == 403
    made = data(ana.post("/meetings", json={**meeting, "record": {"type": "none"}}))
    assert ana.put(f"/meetings/{made['id']}", json=meeting).status_code == 403
    data(start(as_user("bob"), talk))


def test_the_permission_of_the_domain_applies_unless_the_user_has_an_own_one(as_user: LogIn) -> None:
    eva, ana = as_user("eva"), as_user("ana")
    allow(eva, f"domains/{DOMAIN}", {"recordingType": "none", "recordingProfile": "never"})
    talk = call(ana, "bob", "connected")
    assert start(ana, talk).status_code == 403
    allow(eva, "users/ana", {"recordingType": "calls", "recordingProfile": "on request"})
    data(start(ana, talk))
    assert recording_of(ana, talk)["active"] is True


def test_calls_of_users_who_are_always_recorded_are_recorded_from_answer_to_end(as_user: LogIn) -> None:
    eva, ana, bob = as_user("eva"), as_user("ana"), as_user("bob")
    allow(eva, "users/bob", ALWAYS)
    talk = call(ana, "bob")
    assert recording_of(ana, talk) == {}
    data(ana.put(f"/calls/{talk}", json={"state": "connected"}))
    assert (recording_of(ana, talk)["active"], recording_of(ana, talk)["startedBy"]) == (True, "bob")
    assert bob.post(f"/calls/{talk}/recording/stop", json={}).status_code == 403
    data(eva.post(f"/calls/{talk}/recording/stop", json={}))
    second = call(ana, "bob", "connected")
    data(ana.put(f"/calls/{second}", json={"state": "ended"}))
    kept = data(bob.get("/recordings/page"))["data"]
    assert {each["source"]["id"] for each in kept} == {talk, second}


def test_a_voice_message_is_left_only_for_users_with_voicemail(as_user: LogIn) -> None:
    eva, ana = as_user("eva"), as_user("ana")
    allow(eva, "users/bob", {"recordingType": "calls", "recordingProfile": "on request"}, voicemail=False)
    refused = start(ana, call(ana, "bob"))
    assert (refused.status_code, "voicemail of bob is switched off" in refused.text) == (403, True)
    data(start(ana, call(ana, "carla")))
    data(start(ana, call(ana, "bob", "connected")))
