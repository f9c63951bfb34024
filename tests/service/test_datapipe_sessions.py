"""The job that removes participants whose session has ended, while other nodes change datapipes."""

from __future__ import annotations

import pytest

from console.base.clock import ManualClock
from console.service.auth.caller import Caller
from console.service.auth.passwords import Cost
from console.service.domain import datapipes, people, sessions
from console.service.domain.datapipes import DATAPIPES
from console.service.platform import Platform, ServiceSettings
from console.service.scenarios.fill import fill
from console.service.store.database import Database


def test_who_connects_while_the_job_looks_stays_connected(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = ManualClock()
    platform = Platform(Database(None, clock.now_ms), clock, ServiceSettings(password_cost=Cost.cheap()))
    fill(platform, "quiet")
    with platform.read() as tx:
        ana, bob = (Caller(people.need_user(tx, name)) for name in ("ana", "bob"))
    pipe = datapipes.create(platform, ana, "notes", [bob.address]).id
    ended, _ = sessions.create(platform, ana.user, None)
    datapipes.connect(platform, ana, pipe, ended.id)
    with platform.write() as tx:
        sessions.end_many(tx, [ended])
    write, late = platform.write, [bob]

    def after_another_node() -> object:
        if late:
            caller = late.pop()
            datapipes.connect(platform, caller, pipe, sessions.create(platform, caller.user, None)[0].id)
        return write()

    monkeypatch.setattr(platform, "write", after_another_node)
    datapipes.leave_with_session(platform)
    assert not late
    with platform.read() as tx:
        assert DATAPIPES.need(tx, pipe).connected == (bob.address,)
