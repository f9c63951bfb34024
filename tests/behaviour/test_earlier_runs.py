"""Changes that an earlier run left open are reported at the next start, until somebody has looked at them."""

from __future__ import annotations

from pathlib import Path

from console.live.journal import Journal
from console.live.journal_reading import unresolved
from tests.background import Running
from tests.behaviour.driver import seat


async def test_changes_under_way_when_a_console_was_killed_are_reported_at_the_next_start(
    floor: Running, tmp_path: Path
) -> None:
    path = tmp_path / f"eva-{id(tmp_path)}-journal.jsonl"
    step = {"words": "accepted Line down", "operation": "alerts.accept", "key": "a1"}
    at = 1_790_000_000_000
    Journal(path).append({"what": "intent", "command": "c1", "at": at, "action": "alerts.accept", "steps": [step]})
    async with seat(floor, tmp_path, size=(80, 24)) as eva:
        await eva.sees("The outcome of 1 change from an earlier session is unknown: press ^l.")
        await eva.press("ctrl+l")
        await eva.sees("accepted Line down")
        await eva.sees("? unknown")
        await eva.sees("earlier session")
        await eva.until(lambda: not unresolved(path))
        await eva.press("escape")
    async with seat(floor, tmp_path, size=(80, 24)) as eva:
        await eva.press("ctrl+l")
        await eva.sees("No changes yet.")
        assert "earlier session" not in eva.screen_text()
