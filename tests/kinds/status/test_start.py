from __future__ import annotations

from console.kinds.status.facts import Start
from console.records.traffic import StatusSummary

NOW_MS = 1_790_000_000_000


def test_the_service_started_its_uptime_before_its_answer_however_old_that_is() -> None:
    answer = StatusSummary(uptime=60)
    assert Start().ms(answer, 0.0, NOW_MS) == NOW_MS - 60_000
    assert Start().ms(answer, 300.0, NOW_MS + 300_000) == NOW_MS - 60_000
