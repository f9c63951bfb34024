"""Datapipes (contract 4.7)."""

from __future__ import annotations

from typing import Any

from console.api.operations.datapipes import CreateDatapipe, GetDatapipe, ListDatapipes, SendData, UpdateDatapipe
from console.records.datapipes import Datapipe
from console.service.caller import Caller
from console.service.domain import datapipes, people, sessions
from console.service.domain.datapipes import DATAPIPES
from tests.contract.case import Bad, Ground, case

ANA, BOB, PAT = "svc-user:ana", "svc-user:bob", "svc-user:pat"


def _caller(ground: Ground, name: str) -> Caller:
    """Log somebody in and return them with the session."""
    with ground.platform.read() as tx:
        user = people.need_user(tx, name)
    session, _ = sessions.create(ground.platform, user, None)
    return Caller(user, session.id)


def _pipe(ground: Ground) -> str:
    """Open a datapipe of ana with bob; ana is connected."""
    return datapipes.create(ground.platform, _caller(ground, "ana"), "board", [BOB]).id


def _stored(ground: Ground, pipe_id: str) -> Datapipe:
    with ground.platform.read() as tx:
        return DATAPIPES.need(tx, pipe_id)


def _asks_list(ground: Ground) -> ListDatapipes:
    ground.notes["open"] = _pipe(ground)
    finished = _pipe(ground)
    datapipes.reject(ground.platform, _caller(ground, "bob"), finished)
    datapipes.create(ground.platform, _caller(ground, "ana"), None, [PAT])
    return ListDatapipes()


@case(ListDatapipes, by="bob", asks=_asks_list)
def list_datapipes(ground: Ground, answer: Any) -> None:
    assert [each.id for each in answer] == [ground.notes["open"]]
    assert (answer[0].participants, answer[0].connected) == ((ANA, BOB), (ANA,))


@case(
    CreateDatapipe,
    by="ana",
    asks=lambda _: CreateDatapipe(label="board", participants=(BOB, PAT, BOB)),
    not_for=("guest",),
    bad=(
        Bad({"participants": []}),
        Bad({"participants": [ANA]}),
        Bad({"participants": ["bob"]}),
        Bad({"participants": ["svc-user:nobody at all"]}),
        Bad({"participants": BOB}),
        Bad({"label": 3}),
    ),
)
def create(ground: Ground, answer: Any) -> None:
    assert (answer.label, answer.participants, answer.connected) == ("board", (ANA, BOB, PAT), (ANA,))
    assert _stored(ground, answer.id) == answer


@case(
    GetDatapipe,
    by="bob",
    asks=lambda ground: GetDatapipe(id=_pipe(ground)),
    not_for=("pat", "guest"),
    bad=(Bad({"id": "none"}, 404),),
)
def get(ground: Ground, answer: Any) -> None:
    assert answer == _stored(ground, answer.id)


def _asks_send(ground: Ground) -> SendData:
    ground.notes["pipe"] = _pipe(ground)
    return SendData(id=ground.notes["pipe"], data="a line from 3,4 to 9,9")


@case(
    SendData,
    by="ana",
    asks=_asks_send,
    not_for=("pat", "eva", "guest"),
    bad=(Bad({"id": "none"}, 404), Bad({"data": "x" * 8193}), Bad({"data": 3})),
)
def send(ground: Ground, answer: Any) -> None:
    assert answer.code == 200
    (entry,) = _stored(ground, ground.notes["pipe"]).data
    assert (entry["from"], entry["data"], entry["at"]) == (ANA, "a line from 3,4 to 9,9", ground.clock.now_ms())


def _asks_update(ground: Ground) -> UpdateDatapipe:
    return UpdateDatapipe(id=_pipe(ground), session=_caller(ground, "bob").session_id)


@case(
    UpdateDatapipe,
    by="bob",
    asks=_asks_update,
    not_for=("pat", "eva", "guest"),
    bad=(Bad({"id": "none"}, 404), Bad({"session": "none"}), Bad({"session": 3})),
)
def update(ground: Ground, answer: Any) -> None:
    assert (answer.connected, answer.rejected) == ((ANA, BOB), ())
    assert answer == _stored(ground, answer.id)
