"""The report of a simulated night agrees with the database of its service."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.night.service import NightService
from tests.report.night import play
from tests.report.tape import FIRST, at, reported

SECONDS = 1000


@pytest.mark.timeout(240)
async def test_the_figures_of_a_night_are_those_of_the_service(tmp_path: Path):
    made, facts = await play(tmp_path, "incident", 9, SECONDS)
    found = reported(made, first=10)
    made.db.close()
    assert found.calls is not None
    queues = {each.queue: each for each in found.calls.queues if each.offered}
    assert sum(facts.answered.values()) > 20
    assert sum(facts.abandoned.values()) > 2
    assert {name: each.offered for name, each in queues.items()} == dict(facts.offered)
    assert {name: each.answered for name, each in queues.items() if each.answered} == dict(+facts.answered)
    assert {name: each.abandoned for name, each in queues.items() if each.abandoned} == dict(+facts.abandoned)
    assert {name: each.waiting for name, each in queues.items() if each.waiting} == dict(+facts.waiting)
    assert not any(each.unknown for each in queues.values())

    assert found.agents is not None
    assert sum(each.handled for each in found.agents) == sum(len({*each}) for each in facts.holders.values())
    assert sum(each.handed_over for each in found.agents) == facts.handed_over()
    assert facts.holders

    assert found.skills is not None
    measured = {each.skill: each.ms / 1000 for each in found.skills}
    assert measured
    assert measured.keys() == (+facts.understaffed).keys()
    most = 2 * max(each.times for each in found.skills)
    assert all(abs(seconds - facts.understaffed[skill]) <= most for skill, seconds in measured.items())

    assert found.alerts is not None
    mine = [each for each in found.alerts.slowest if each.sent_ms >= FIRST]
    assert sorted(each.accepted_ms or 0 for each in mine) == facts.accepted
    assert facts.accepted
    assert facts.alerts == sum(each.sent_ms >= FIRST for each in (*found.alerts.slowest, *found.alerts.never))


@pytest.mark.timeout(240)
async def test_calls_of_an_outage_are_not_known_and_the_others_are(tmp_path: Path):
    def happens(service: NightService) -> None:
        if service.seconds == 200:
            service.go()
        elif service.seconds == 260:
            service.come_back(restarted=True)

    made, facts = await play(tmp_path, "incident", 9, 400, happens)
    found = reported(made, first=10)
    made.db.close()
    (outage,) = found.known.outages
    assert at(200) <= outage.start_ms <= at(203)
    assert at(260) <= outage.end_ms <= at(280)
    assert found.restarts is not None
    assert len(found.restarts) == 1
    assert found.calls is not None
    left = sum(each.answered + each.abandoned for each in found.calls.queues)
    unknown = sum(each.unknown for each in found.calls.queues)
    assert unknown > 0
    assert left < sum((facts.answered + facts.abandoned).values()) <= left + unknown
