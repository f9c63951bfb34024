"""Datapipes (contract 4.7)."""

from __future__ import annotations

from console.api.operations.push import CreateDatapipe, GetDatapipe, ListDatapipes, SendData, UpdateDatapipe
from console.records.datapipes import Datapipe
from console.service.auth.caller import Caller
from console.service.domain import datapipes, people, sessions
from console.service.domain.datapipes import DATAPIPES
from tests.contract.case import CaseSetup, Steps, case

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


@case(ListDatapipes, by="bob")
def list_datapipes(setup: CaseSetup) -> Steps:
    still_open, finished = _pipe(setup), _pipe(setup)
    datapipes.reject(setup.platform, _caller(setup, "bob"), finished)
    datapipes.create(setup.platform, _caller(setup, "ana"), None, [PAT])
    answer = yield ListDatapipes()
    assert [each.id for each in answer] == [still_open]
    assert (answer[0].participants, answer[0].connected) == ((ANA, BOB), (ANA,))


@case(CreateDatapipe, by="ana", bad={400: {"participants": [[], [ANA], ["bob"], ["svc-user:nobody at all"]]}})
def create(setup: CaseSetup) -> Steps:
    answer = yield CreateDatapipe(label="board", participants=(BOB, PAT, BOB))
    assert (answer.label, answer.participants, answer.connected) == ("board", (ANA, BOB, PAT), (ANA,))
    assert _stored(setup, answer.id) == answer


@case(GetDatapipe, by="bob", not_for=("pat", "guest"))
def get(setup: CaseSetup) -> Steps:
    answer = yield GetDatapipe(id=_pipe(setup))
    assert answer == _stored(setup, answer.id)


@case(SendData, by="ana", not_for=("pat", "eva", "guest"), bad={400: {"data": ["x" * 8193]}})
def send(setup: CaseSetup) -> Steps:
    pipe = _pipe(setup)
    answer = yield SendData(id=pipe, data="a line from 3,4 to 9,9")
    assert answer.code == 200
    (entry,) = _stored(setup, pipe).data
    assert (entry["from"], entry["data"], entry["at"]) == (ANA, "a line from 3,4 to 9,9", setup.clock.now_ms())


@case(UpdateDatapipe, by="bob", not_for=("pat", "eva", "guest"), bad={400: {"session": ["none"]}})
def update(setup: CaseSetup) -> Steps:
    answer = yield UpdateDatapipe(id=_pipe(setup), session=_caller(setup, "bob").session_id)
    assert (answer.connected, answer.rejected) == ((ANA, BOB), ())
    assert answer == _stored(setup, answer.id)
