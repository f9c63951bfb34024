"""Counts the work of the service: an operation that reads, one that lists and one that changes.

    python -m tests.budgets.service_work

Prints the figures as JSON.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

import sqlalchemy as sa
from sqlalchemy import event

from tests.budgets.counting import CallCounter
from tests.budgets.figure import Figure, write
from tests.manual_clock import ManualClock
from tests.service.inside import Inside, inside

GROUPS = 100
TIMES = 10


async def measure(desk: Inside) -> list[Figure]:
    """Return the figures."""
    statements: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        statements.append(statement)

    event.listen(sa.Engine, "before_cursor_execute", note)
    for number in range(GROUPS):
        await _ask(desk, "POST", "/groups", {"name": f"Group {number}", "groupId": f"group-{number}"})
    first = "/groups/group-0"
    operations: list[tuple[str, str, str, Any]] = [
        ("reads a record", "GET", first, None),
        (f"lists {GROUPS} records", "GET", "/groups", None),
        ("changes a record", "PUT", first, {"name": "Night"}),
    ]
    figures: list[Figure] = []
    counter = CallCounter()
    for what, method, path, body in operations:
        await _ask(desk, method, path, body)
        counter.start()
        counter.begin()
        statements.clear()
        for number in range(TIMES):
            await _ask(desk, method, path, body and {**body, "name": f"Night {number}"})
        found: Counter[str] = sum((work.calls for work in counter.end().values()), Counter[str]())
        calls = {function: number / TIMES for function, number in found.items() if number}
        figures.append(Figure(f"an operation that {what}: calls", found.total() / TIMES, calls))
        figures.append(Figure(f"an operation that {what}: SQL statements", len(statements) / TIMES))
    return figures


async def _ask(desk: Inside, method: str, path: str, body: Any = None) -> Any:
    answer = await desk.ask("eva", method, path, body)
    assert answer.is_success, answer.text
    return answer.json() if answer.content else None


if __name__ == "__main__":
    with inside(clock=ManualClock()) as opened:
        write(asyncio.run(measure(opened)))
