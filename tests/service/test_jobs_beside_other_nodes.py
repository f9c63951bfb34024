"""Periodic jobs that look first and write later, while another node changes the same records in between."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from console.service.auth.caller import Caller
from console.service.auth.passwords import Cost
from console.service.domain import datapipes, logouts, people, sessions
from console.service.domain.datapipes import DATAPIPES
from console.service.platform import Platform, ServiceSettings
from console.service.scenarios.fill import fill
from console.service.store.database import Database
from tests.manual_clock import ManualClock


class Beside:
    """A platform whose next transaction that writes begins after a change of another node."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.clock = ManualClock()
        settings = ServiceSettings(password_cost=Cost.cheap())
        self.platform = Platform(Database(None, self.clock.now_ms), self.clock, settings)
        fill(self.platform, "quiet")
        self._write = self.platform.write
        self._patch = monkeypatch

    def caller(self, name: str) -> Caller:
        with self.platform.read() as tx:
            return Caller(people.need_user(tx, name))

    def run(self, job: Callable[[Platform], object], change: Callable[[], object]) -> None:
        """Run a job, with this change before its first transaction that writes."""
        pending = [change]

        def write() -> object:
            if pending:
                pending.pop()()
            return self._write()

        self._patch.setattr(self.platform, "write", write)
        job(self.platform)
        assert not pending, "the job wrote nothing"


@pytest.fixture
def beside(monkeypatch: pytest.MonkeyPatch) -> Beside:
    return Beside(monkeypatch)


def test_who_connects_while_the_job_looks_stays_connected(beside: Beside) -> None:
    platform, ana, bob = beside.platform, beside.caller("ana"), beside.caller("bob")
    pipe = datapipes.create(platform, ana, "notes", [bob.address]).id
    ended, _ = sessions.create(platform, ana.user, None)
    datapipes.connect(platform, ana, pipe, ended.id)
    with platform.write() as tx:
        sessions.end_many(tx, [ended])
    beside.run(
        datapipes.leave_with_session,
        lambda: datapipes.connect(platform, bob, pipe, sessions.create(platform, bob.user, None)[0].id),
    )
    with platform.read() as tx:
        assert DATAPIPES.need(tx, pipe).connected == (bob.address,)


def test_a_session_that_is_revoked_while_the_job_looks_keeps_the_time_of_its_end(beside: Beside) -> None:
    platform, clock = beside.platform, beside.clock
    session, _ = sessions.create(platform, beside.caller("ana").user, None)
    clock.advance(platform.settings.session_seconds + 1)
    revoked_ms = clock.now_ms()

    def revoke() -> None:
        sessions.revoke(platform, session.id)
        clock.advance(1)

    beside.run(sessions.end_expired, revoke)
    with platform.read() as tx:
        assert sessions.ENDED.need(tx, session.id).to == revoked_ms


def test_a_datapipe_that_is_used_again_while_the_job_looks_is_kept(beside: Beside) -> None:
    platform, ana = beside.platform, beside.caller("ana")
    pipe = datapipes.create(platform, ana, "notes", [beside.caller("bob").address]).id
    beside.clock.advance(datapipes.KEEP_MS / 1000 + 1)
    session, _ = sessions.create(platform, ana.user, None)
    beside.run(datapipes.leave_with_session, lambda: datapipes.connect(platform, ana, pipe, session.id))
    with platform.read() as tx:
        assert DATAPIPES.need(tx, pipe).connected == (ana.address,)


def test_the_logout_of_a_domain_that_is_deleted_while_the_job_looks_is_skipped(
    beside: Beside, monkeypatch: pytest.MonkeyPatch
) -> None:
    platform, eva, ana = beside.platform, beside.caller("eva"), beside.caller("ana")
    monkeypatch.setattr(logouts, "STEP", 1)
    for _ in range(3):
        sessions.create(platform, ana.user, None)
    logout = logouts.log_out_domain(platform, eva, ana.user.domain or "")
    assert logout.finished_at is None

    def delete() -> None:
        with platform.write() as tx:
            logouts.DOMAIN_LOGOUTS.remove_many(tx, [logout.id])

    beside.run(logouts.go_on, delete)
    with platform.read() as tx:
        assert logouts.DOMAIN_LOGOUTS.get(tx, logout.id) is None
