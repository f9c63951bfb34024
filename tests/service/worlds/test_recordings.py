"""Recordings are listed once they have stopped, with correct sizes and hashes of their files."""

from __future__ import annotations

import hashlib
import io
import wave
from datetime import datetime
from typing import Any

from console.records.traffic import Call
from console.service.domain.calls import CALLS
from console.service.domain.recorded import LONGEST_MS, of_call, size_and_hash
from tests.service.over_http import data, get
from tests.service.worlds.conftest import World


def _call(world: World) -> dict[str, Any]:
    asked = {"caller": "svc-user:ana", "calle": "svc-user:bob"}
    return data(world["ana"].post("/calls", json=asked))


def _record(world: World, call: str, filename: str = "talk.wav") -> None:
    data(world["ana"].post(f"/calls/{call}/recording/start", json={"filename": filename}))


def _recorded(world: World, seconds: float = 0) -> str:
    """Record a new call of ana for a while, and return its id."""
    call = str(_call(world)["id"])
    _record(world, call)
    world.clock.advance(seconds)
    data(world["ana"].post(f"/calls/{call}/recording/stop", json={}))
    return call


def _of(world: World, call: str, name: str = "eva", **more: Any) -> list[dict[str, Any]]:
    params = {"source[type]": "call", "source[id]": call, **more}
    return data(world[name].get("/recordings/page", params=params))["data"]


def _ms(text: str) -> float:
    return datetime.fromisoformat(text).timestamp() * 1000


def test_each_stopped_recording_is_listed_separately(world: World) -> None:
    call = _call(world)["id"]
    _record(world, call)
    assert _of(world, call) == []
    world.clock.advance(3)
    data(world["ana"].post(f"/calls/{call}/recording/stop", json={}))
    world.clock.advance(3)
    _record(world, call, "more.mp4")
    world.clock.advance(2)
    data(world["bob"].post(f"/calls/{call}/recording/stop", json={}))
    first, second = _of(world, call)
    assert [_ms(each["date"]["end"]) - _ms(each["date"]["start"]) for each in (first, second)] == [3000, 2000]
    assert first["participants"] == [{"userId": "ana"}, {"userId": "bob"}]
    assert (first["domain"], first["files"][0]["mimeType"]) == ("desk.example", "audio/wav")
    assert second["files"][0]["mimeType"] == "audio/wav", "the file is a WAV file, whatever name was asked for"
    assert _of(world, call, sort="-date.start") == [second, first]


def test_a_call_that_ends_ends_its_recording(world: World) -> None:
    call = _call(world)["id"]
    _record(world, call)
    world.clock.advance(5)
    data(world["ana"].put(f"/calls/{call}", json={"state": "ended"}))
    (recording,) = _of(world, call)
    assert _ms(recording["date"]["end"]) == world.clock.now_ms()
    with world.platform.read() as tx:
        assert (CALLS.need(tx, call).data or {})["recording"]["active"] is False


def test_an_implausible_start_of_a_recording_is_limited_to_a_week(world: World) -> None:
    now = world.clock.now_ms()
    kept = of_call("r", Call(id="c"), {"startedAt": 1, "stoppedAt": now}, None)
    assert kept.date is not None
    assert _ms(str(kept.date.end)) == now
    assert _ms(str(kept.date.start)) == now - LONGEST_MS
    assert len(kept.files) == 7 * 24


def test_a_recorded_user_can_list_the_recording_and_others_cannot(world: World) -> None:
    call = _recorded(world)
    for name, number in (("ana", 1), ("bob", 1), ("eva", 1), ("pat", 0), ("guest", 0)):
        assert len(_of(world, call, name)) == number, name


def test_recordings_are_filtered_by_person_domain_and_time(world: World) -> None:
    call = _recorded(world)
    (recording,) = _of(world, call)
    start = recording["date"]["start"]
    bare = start.removesuffix("Z")
    for wanted in (
        {"participants.userId": "bob"},
        {"domain": "desk.example"},
        {"date[since]": start, "date[until]": start},
        {"date[since]": bare, "date[until]": f"{bare}+00:00"},
    ):
        assert _of(world, call, **wanted) == [recording], wanted
    for other in (
        {"participants.userId": "pat"},
        {"domain": "other.example"},
        {"source[type]": "meeting"},
        {"date[since]": f"{bare}-01:00"},
        {"date[until]": f"{bare}+01:00"},
    ):
        assert _of(world, call, **other) == [], other


def test_recordings_are_paged(world: World) -> None:
    url = "/recordings/page"
    for _ in range(3):
        _recorded(world, 1)
    first = data(world["eva"].get(url, params={"page[size]": 2, "sort": "-date.start"}))
    after = first["meta"]["page"]["next"]
    second = data(world["eva"].get(url, params={"page[size]": 2, "sort": "-date.start", "page[after]": after}))
    begun = [_ms(each["date"]["start"]) for page in (first, second) for each in page["data"]]
    assert len(begun) == 4
    assert begun == sorted(begun, reverse=True)


def test_the_earlier_variant_lists_calls_with_their_files(earlier: World) -> None:
    call = _call(earlier)["id"]
    _record(earlier, call, "show.mp4")
    earlier.clock.advance(3601)
    data(earlier["ana"].post(f"/calls/{call}/recording/stop", json={}))
    newest = data(earlier["bob"].get("/recordings"))[0]
    assert (newest["caller"], newest["callee"], newest["callId"]) == ("svc-user:ana", "svc-user:bob", call)
    assert (newest["audioFile"], newest["videoFile"]) == ([], ["show.mp4", "show-2.mp4"])
    assert call not in [each["callId"] for each in data(earlier["pat"].get("/recordings"))]
    assert earlier["eva"].get("/recordings/page").status_code == 404


def test_a_long_recording_continues_in_another_file(world: World) -> None:
    call = _recorded(world, 2 * 3600 + 1)
    (recording,) = _of(world, call)
    files = recording["files"]
    assert [_ms(each["date"]["end"]) - _ms(each["date"]["start"]) for each in files] == [3_600_000, 3_600_000, 1000]
    assert files[0]["date"]["start"] == recording["date"]["start"]
    assert files[-1]["date"]["end"] == recording["date"]["end"]
    assert files[0]["hash"] == files[1]["hash"] != files[2]["hash"]


def test_size_and_hash_are_those_of_the_silent_file() -> None:
    content = io.BytesIO()
    with wave.open(content, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(1)
        file.setframerate(8000)
        file.writeframes(b"\x80" * 100_000)
    assert size_and_hash(12_500) == (len(content.getvalue()), hashlib.sha256(content.getvalue()).hexdigest())


def test_a_recorded_file_can_be_fetched_and_played_by_users_who_can_list_it(world: World) -> None:
    call = _recorded(world, 3)
    (file,) = _of(world, call)[0]["files"]
    url = f"{world.service.base_url}/recordings/{file['id']}"
    answer = world["bob"].get(url)
    assert (answer.status_code, answer.headers["content-type"], len(answer.content)) == (200, "audio/wav", file["size"])
    assert hashlib.sha256(answer.content).hexdigest() == file["hash"]
    with wave.open(io.BytesIO(answer.content)) as sound:
        assert sound.getnframes() == 3 * sound.getframerate()
    assert world["pat"].get(url).status_code == 404, "pat did not take part"
    assert world["eva"].get(f"{url}0").status_code == 404
    assert get(url).status_code == 401
