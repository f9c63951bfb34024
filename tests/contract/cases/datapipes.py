"""Datapipes (contract 4.7)."""

from __future__ import annotations

from typing import Any

from console.api.operations.push import CreateDatapipe, GetDatapipe, ListDatapipes, SendData, UpdateDatapipe
from console.records.datapipes import Datapipe
from console.service.auth.caller import Caller
from console.service.domain import datapipes, people, sessions
from console.service.domain.datapipes import DATAPIPES
from tests.contract.case import CaseSetup, case

ANA, BOB, PAT = "svc-user:ana", "svc-user:bob", "svc-user:pat"


def _caller(setup: CaseSetup, name: str) -> Caller:
    """Log a user in and return the caller with the session."""
    with setup.platform.read() as tx:
        user = people.need_user(tx, name)
    session, _ = sessions.create(setup.platform, user, None)
    return Caller(user, session.id)


def _pipe(setup: CaseSetup) -> str:
    """Open a datapipe of ana with bob; ana is connected."""
    return datapipes.create(setup.platform, _caller(setup, "ana"), "board", [BOB]).id


def _stored(setup: CaseSetup, pipe_id: str) -> Datapipe:
    return setup.need(DATAPIPES, pipe_id)


def _asks_list(setup: CaseSetup) -> ListDatapipes:
    setup.notes["open"] = _pipe(setup)
    finished = _pipe(setup)
    datapipes.reject(setup.platform, _caller(setup, "bob"), finished)
    datapipes.create(setup.platform, _caller(setup, "ana"), None, [PAT])
    return ListDatapipes()


@case(ListDatapipes, by="bob", asks=_asks_list)
def list_datapipes(setup: CaseSetup, answer: Any) -> None:
    assert [each.id for each in answer] == [setup.notes["open"]]
    assert (answer[0].participants, answer[0].connected) == ((ANA, BOB), (ANA,))


@case(
    CreateDatapipe,
    by="ana",
    asks=lambda _: CreateDatapipe(label="board", participants=(BOB, PAT, BOB)),
    bad={400: {"participants": [[], [ANA], ["bob"], ["svc-user:nobody at all"], BOB], "label": [3]}},
)
def create(setup: CaseSetup, answer: Any) -> None:
    assert (answer.label, answer.participants, answer.connected) == ("board", (ANA, BOB, PAT), (ANA,))
    assert _stored(setup, answer.id) == answer


@case(
    GetDatapipe,
    by="bob",
    asks=lambda setup: GetDatapipe(id=_pipe(setup)),
    not_for=("pat", "guest"),
    bad={404: {"id": ["none"]}},
)
def get(setup: CaseSetup, answer: Any) -> None:
    assert answer == _stored(setup, answer.id)


def _asks_send(setup: CaseSetup) -> SendData:
    setup.notes["pipe"] = _pipe(setup)
    return SendData(id=setup.notes["pipe"], data="a line from 3,4 to 9,9")


@case(
    SendData,
    by="ana",
    asks=_asks_send,
    not_for=("pat", "eva", "guest"),
    bad={400: {"data": ["x" * 8193, 3]}, 404: {"id": ["none"]}},
)
def send(setup: CaseSetup, answer: Any) -> None:
    assert answer.code == 200
    (entry,) = _stored(setup, setup.notes["pipe"]).data
    assert (entry["from"], entry["data"], entry["at"]) == (ANA, "a line from 3,4 to 9,9", setup.clock.now_ms())


def _asks_update(setup: CaseSetup) -> UpdateDatapipe:
    return UpdateDatapipe(id=_pipe(setup), session=_caller(setup, "bob").session_id)


@case(
    UpdateDatapipe,
    by="bob",
    asks=_asks_update,
    not_for=("pat", "eva", "guest"),
    bad={400: {"session": ["none", 3]}, 404: {"id": ["none"]}},
)
def update(setup: CaseSetup, answer: Any) -> None:
    assert (answer.connected, answer.rejected) == ((ANA, BOB), ())
    assert answer == _stored(setup, answer.id)
