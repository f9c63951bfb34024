"""`console replay` in a terminal: it needs no configuration, no service and no login, and leaves nothing behind."""

from __future__ import annotations

from pathlib import Path

from tests.recording.film import incident
from tests.terminal.home import SMALL, Home


def test_a_recording_is_opened_looked_at_and_left(home: Home, tmp_path: Path):
    file = incident(tmp_path / "incident.rec")
    with home.open("replay", str(file), "--at", "10:42", size=SMALL) as eva:
        eva.until("RECORDING incident.rec Wed 10:42:00")
        eva.press("2")
        eva.until("34911000001")
        assert not eva.shows("34911000002")
        eva.press("}")
        eva.until("34911000002")
        eva.press("q")
        assert eva.ended() == 0
        assert eva.leftovers == []
    assert [each.name for each in tmp_path.iterdir() if each.name.startswith("incident")] == ["incident.rec"]
    assert list(home.folder.iterdir()) == []
