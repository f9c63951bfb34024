"""Datapipes: data reach the participants, in order, and nobody else."""

from __future__ import annotations

import httpx

from console.api.events import Heartbeat
from console.service.domain.datapipes import DATAPIPES, KEEP_MS, MOST_DATA
from tests.background import Running
from tests.manual_clock import ManualClock
from tests.service.channels import Open, confirmed, heard, next_event, told
from tests.service.jobs import run_jobs
from tests.service.over_http import LogIn, Serve, data, log_in

ANA, BOB, CARLA = "svc-user:ana", "svc-user:bob", "svc-user:carla"


def _session_of(client: httpx.Client) -> str:
    return data(client.get("/sessions/own"))[0]["id"]


def _open(ana: httpx.Client, *others: str) -> str:
    return data(ana.post("/datapipes", json={"label": "board", "participants": others}))["id"]


def test_data_reaches_the_connected_users_in_order_and_nobody_else(as_user: LogIn, open_channel: Open) -> None:
    ana, bob, pat = as_user("ana"), as_user("bob"), as_user("pat")
    bobs, pats = open_channel(bob, "datapipes"), open_channel(pat, "datapipes")
    confirmed(bobs)
    confirmed(pats)
    pipe = _open(ana, BOB)
    assert told(next_event(bobs))["participants"] == [ANA, BOB]
    for number in range(3):
        data(ana.post(f"/datapipes/{pipe}/data", json={"data": f"stroke {number}"}))
    for number in range(3):
        entry = told(next_event(bobs))["data"][-1]
        assert (entry["from"], entry["data"]) == (ANA, f"stroke {number}")
    assert data(bob.get(f"/datapipes/{pipe}"))["data"][-1]["data"] == "stroke 2"
    assert isinstance(heard(pats), Heartbeat)


def test_a_user_who_has_not_connected_receives_but_cannot_send(as_user: LogIn) -> None:
    ana, bob = as_user("ana"), as_user("bob")
    pipe = _open(ana, BOB)
    assert bob.post(f"/datapipes/{pipe}/data", json={"data": "early"}).status_code == 409
    shown = data(bob.put(f"/datapipes/{pipe}", json={"session": _session_of(bob)}))
    assert shown["connected"] == [ANA, BOB]
    assert data(bob.post(f"/datapipes/{pipe}/data", json={"data": "now"}))["code"] == 200


def test_connecting_with_the_session_of_another_user_is_refused(as_user: LogIn) -> None:
    ana, bob = as_user("ana"), as_user("bob")
    pipe = _open(ana, BOB)
    assert bob.put(f"/datapipes/{pipe}", json={"session": _session_of(ana)}).status_code == 400


def test_a_datapipe_is_finished_when_no_receiver_is_left(as_user: LogIn) -> None:
    ana, bob, carla = as_user("ana"), as_user("bob"), as_user("carla")
    pipe = _open(ana, BOB, CARLA)
    assert data(bob.put(f"/datapipes/{pipe}", json={}))["rejected"] == [BOB]
    assert [each["id"] for each in data(ana.get("/datapipes"))] == [pipe]
    data(bob.put(f"/datapipes/{pipe}", json={"session": _session_of(bob)}))
    for client in (bob, carla):
        data(client.put(f"/datapipes/{pipe}", json={}))
    assert data(ana.get("/datapipes")) == []
    assert data(ana.get(f"/datapipes/{pipe}"))["rejected"] == [BOB, CARLA]
    assert ana.post(f"/datapipes/{pipe}/data", json={"data": "hello?"}).status_code == 409
    assert bob.put(f"/datapipes/{pipe}", json={"session": _session_of(bob)}).status_code == 409


def test_logging_out_disconnects(as_user: LogIn, service: Running) -> None:
    ana, bob = as_user("ana"), as_user("bob")
    pipe = _open(ana, BOB)
    data(ana.post("/sessions/revoke", json={"id": _session_of(ana)}))
    run_jobs(service.platform)
    shown = data(bob.get(f"/datapipes/{pipe}"))
    assert (shown["connected"], shown["rejected"]) == ([], [ANA])


def test_a_datapipe_keeps_the_newest_data_and_is_deleted_later(serve: Serve) -> None:
    clock = ManualClock()
    service = serve(clock, session_seconds=10 * 24 * 3600)
    with log_in(service, "ana") as ana:
        pipe = _open(ana, BOB)
        for number in range(10):
            data(ana.post(f"/datapipes/{pipe}/data", json={"data": str(number) * 5000}))
        kept = data(ana.get(f"/datapipes/{pipe}"))["data"]
        assert [each["data"][0] for each in kept] == ["7", "8", "9"]
        assert sum(len(each["data"]) for each in kept) <= MOST_DATA
        clock.advance(KEEP_MS / 1000)
        run_jobs(service.platform)
        with service.database.read() as tx:
            assert DATAPIPES.count(tx) == 0
