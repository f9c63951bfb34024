"""What changed between two moments: the lists that differ, then the records field by field."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from console.ui.screens.comparison import ComparisonScreen
from tests.identities import recording_of_busy
from tests.idle.backend import IdleBackend
from tests.idle.world import NOW_MS, StillWorld
from tests.recording.film import MINUTE, film
from tests.snapshots.conftest import Picture
from tests.snapshots.pictures import IN_LOOKS, Sitter, Size


def _call(name: str, state: str, **more: Any) -> dict[str, Any]:
    return {"id": name, "caller": f"tel:+3491100000{ord(name) - 96}", "state": state, **more}


def record_five_minutes(folder: Path) -> None:
    """Record calls and an alert: some come, some go, some change. The agents are recorded only at the end."""
    file = recording_of_busy(folder)
    file.parent.mkdir(parents=True, exist_ok=True)
    with film(file, began=NOW_MS - 6 * MINUTE) as made:
        made.known(0, "calls", "alerts")
        calls = [_call("a", "queued"), _call("b", "connected"), _call("c", "ringing", data={"skill": "sales"})]
        made.whole("calls", 0, calls)
        made.whole("alerts", 0, [{"id": "a1", "alertId": "a1", "title": "Line down", "state": "active"}])
        changed = [_call("a", "connected"), _call("c", "connected", data={"skill": "support"}), _call("d", "queued")]
        made.change("calls", 2 * MINUTE, *changed, gone=["b"])
        accepted = {"title": "Line down", "state": "accepted", "acceptedBy": "svc-user:eva"}
        made.change("alerts", 3 * MINUTE, {"id": "a1", "alertId": "a1", **accepted})
        made.whole("agents", 4 * MINUTE, [])
        made.span(0, 6 * MINUTE)


@IN_LOOKS
def test_the_comparison(picture: Picture, busy: StillWorld, tmp_path: Path, size: Size, theme: str):
    record_five_minutes(tmp_path)

    async def compare(sitter: Sitter) -> None:
        await sitter.press("T", *"-5m", "enter", "m", "T", "T", *"-1m", "enter", "equals_sign")
        screen = sitter.app.screen
        assert isinstance(screen, ComparisonScreen)

        def is_compared() -> bool:
            screen.beat(True)
            return screen.pane.count > 0

        await sitter.until(is_compared)

    async def fields(sitter: Sitter) -> None:
        await sitter.press("tab")

    walk = {"lists": compare, "fields": fields}
    picture(IdleBackend(busy), size=size, themes=[theme], walk=walk)
