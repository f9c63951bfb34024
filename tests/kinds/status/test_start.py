from __future__ import annotations

import pytest

from console.kinds.status.facts import ServiceStart
from console.kinds.status.summary import is_alarming, service_line
from console.records.connection import Connection
from console.records.traffic import CallCounts, MemoryUsage, StatusSummary
from console.views.cell import Line
from tests.kinds.sample_records import render_context_of

NOW_MS = 1_790_000_000_000


def test_the_service_started_its_uptime_before_its_answer_however_old_that_is() -> None:
    answer = StatusSummary(uptime=60)
    assert ServiceStart().ms(answer, 0.0, NOW_MS) == NOW_MS - 60_000
    assert ServiceStart().ms(answer, 300.0, NOW_MS + 300_000) == NOW_MS - 60_000


class Service:
    """A service that counts whole seconds, seen by answers that are some time under way."""

    def __init__(self) -> None:
        self.start = ServiceStart()
        self.began = 0.0

    def answers(self, at: float, under_way: float = 0.2) -> float:
        """Return the start in seconds by the answer to a request of this time."""
        uptime = int(at + under_way / 2 - self.began)
        found = self.start.ms(StatusSummary(uptime=uptime), under_way + 0.1, NOW_MS + 1000 * (at + under_way + 0.1))
        assert found is not None
        return (found - NOW_MS) / 1000


@pytest.mark.parametrize("lived", [6, 20, 40, 80, 200])
@pytest.mark.parametrize("interval", [2, 5, 15, 45])
def test_each_restart_is_noticed_however_soon_it_comes(lived: int, interval: int) -> None:
    service, known = Service(), set[float]()
    restarts = [lived * number for number in range(1, 5)]
    for at in range(1, lived * 5, interval):
        service.began = max((each for each in restarts if each <= at), default=0)
        known.add(service.answers(at))
        assert abs(max(known) - service.began) <= 6, "the start that is shown"
    assert len(known) == len({max((r for r in restarts if r <= at), default=0) for at in range(1, lived * 5, interval)})


@pytest.mark.parametrize("under_way", [0.1, 3.0, 12.0, 60.0])
def test_answers_that_are_long_under_way_are_no_restart(under_way: float) -> None:
    service = Service()
    times = [service.answers(100 + 70 * turn, under_way if turn % 2 else 0.2) for turn in range(10)]
    assert len(set(times)) == 1


def test_slow_answers_first_are_no_restart_later() -> None:
    service = Service()
    first = service.answers(100, 30)
    assert service.answers(140) == service.answers(200) == first


def test_the_service_line_counts_the_calls_since_the_start() -> None:
    def line(calls: int | None) -> str:
        counts = CallCounts(since_reboot=calls)
        return "".join(
            cell.text for cell in service_line(None, render_context_of(status=[StatusSummary(calls=counts)]))
        )

    assert "call" not in line(None)
    assert line(0).endswith("0 calls since the start")
    assert line(1).endswith("1 call since the start")
    assert line(1_234).endswith("1 234 calls since the start")


def test_each_count_of_calls_has_its_span_because_the_last_minutes_may_begin_before_the_service() -> None:
    status = StatusSummary(uptime=25, calls=CallCounts(since_reboot=10, last30=87))
    texts = [cell.text for cell in service_line(None, render_context_of(status=[status]))]
    assert texts[-3:] == ["calls: 87 in 30 min", "  ", "10 calls since the start"]


def test_the_service_line_has_the_counts_at_120_columns() -> None:
    calls = CallCounts(since_reboot=12_345, last30=177, last60=395)
    memory = MemoryUsage(rss=412e6, heap_used=61, heap_total=100)
    status = StatusSummary(uptime=533_000, memory_usage=memory, active_users=("u",) * 191, calls=calls)
    seen = Connection(id="console", started_at=NOW_MS - 533_000_000)
    line = service_line(seen, render_context_of(status=[status]))
    # The moment of the start is what a narrow line lacks.
    assert line[-1].text.startswith("started ")
    assert "395 in 60 min" in "".join(cell.text for cell in line)[:117]


def test_a_recent_restart_is_a_warning_at_the_beginning_of_the_service_line() -> None:
    def line(uptime: float, *, restarted: bool = True) -> Line:
        seen = Connection(id="console", restarted_at=NOW_MS if restarted else None)
        return service_line(seen, render_context_of(status=[StatusSummary(uptime=uptime)]))

    assert is_alarming(line(600))
    assert line(600)[2].text == "▲ restarted 10:00 ago"
    assert not is_alarming(line(601))
    assert not is_alarming(line(600, restarted=False)), "it started before the console did"
    assert line(600, restarted=False)[2].text == "up 10:00"
    assert line(601)[2].text.startswith("up 10:01")
    assert service_line(None, render_context_of()) == ()
