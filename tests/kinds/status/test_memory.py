"""The memory of the service: its growth, and when it reaches a limit."""

from __future__ import annotations

from console.base.frozen import replace
from console.kinds.status import MEMORY
from console.kinds.status.facts import memory_slope
from console.kinds.status.summary import is_alarming, service_line
from console.records.traffic import MemoryUsage, StatusSummary
from console.views.cell import Cell, Tone
from console.views.render_context import RenderContext
from tests.kinds.sample_records import render_context_of

MEGABYTE_A_MINUTE = 1e6 / 60


def samples(minutes: int, *, first: float = 400e6, per_minute: float = 1e6) -> list[tuple[float, float]]:
    return [(10.0 * each, first + per_minute * each / 6) for each in range(6 * minutes)]


def test_memory_grows_by_what_was_measured_since_the_last_start() -> None:
    memory, uptime = samples(60), [(at, at + 1000) for at, _ in samples(60)]
    assert round(memory_slope(memory, uptime) or 0) == round(MEGABYTE_A_MINUTE)
    restarted = [(at, up if at < 3000 else at - 3000) for at, up in uptime]
    assert memory_slope(memory, restarted) is None, "ten minutes are too few"
    assert memory_slope(samples(10), uptime) is None


def test_a_limit_is_told_with_the_time_until_it_is_reached() -> None:
    status = StatusSummary(memory_usage=MemoryUsage(rss=400e6, heap_total=100, heap_used=50))
    render = render_context_of(status=[status])
    limited = render_context_of({"status.memory": replace(MEMORY, warn=350e6, bad=520e6)}, status=[status])

    def part(slope: float | None, seen: RenderContext = render) -> Cell:
        return next(cell for cell in service_line(None, seen, memory_slope=slope) if "memory" in cell.text)

    assert part(None).text == part(100.0).text == "memory 400 MB, heap 50%"
    assert part(MEGABYTE_A_MINUTE).text == "memory 400 MB, heap 50%, +60 MB/h"
    assert part(-MEGABYTE_A_MINUTE).text == "memory 400 MB, heap 50%, -60 MB/h"
    assert part(MEGABYTE_A_MINUTE, limited).text == "▲ memory 400 MB, heap 50%, limit in 1h 59m"
    assert part(None, limited).tone is Tone.WARN
    assert is_alarming(service_line(None, limited))
    assert not is_alarming(service_line(None, render))
