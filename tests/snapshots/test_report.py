"""The report of a shift, and hand-over notes on Home."""

from __future__ import annotations

from pathlib import Path

from console.config.paths import Places, places
from console.recording.files import recording_file
from console.recording.notes import Notes, notes_file
from console.ui.screens.report import ReportScreen
from tests.identities import BUSY
from tests.idle.backend import IdleBackend
from tests.idle.world import NOW_MS, StillWorld
from tests.live.until import until_async
from tests.report.tape import LOST, Tape, agent, call
from tests.snapshots.conftest import Picture
from tests.snapshots.pictures import IN_LOOKS, Sitter, Size


def shift(here: Places):
    """Record an hour until now: calls, an alert, an episode, chats, an outage and a change."""
    file = recording_file(here, BUSY.key)
    file.parent.mkdir(parents=True)
    made = Tape(file, NOW_MS - 3_600_000)
    people = {key: agent(key) for key in ("ana", "bea")}
    skills = {"billing": {"skill": "billing", "agents": [*people]}}
    lists = ("calls", "alerts", "alarms", "episodes", "queues", "connection")
    made.begin({"agents": people, "skills": skills, **{kind: {} for kind in lists}})
    for number in range(24):
        made.at = since = 100.0 + 120 * number
        target = "billing" if number % 3 else "sales"
        made.put("calls", f"c{number}", call(f"c{number}", "queued", since, first=made.first, target=target))
        made.at += 20 + 7 * number
        ended = {"state": "abandoned", "to": made.now} if number % 5 == 4 else {"state": "connected"}
        made.put("calls", f"c{number}", {**call(f"c{number}", "", since, first=made.first, target=target), **ended})
    alert = {"alertId": "k", "title": "Trunk down", "createdAt": made.now}
    made.put("alerts", "k", {**alert, "state": "active"})
    about = {"id": "e", "rule": "alert", "title": "alert", "severity": "critical", "words": "Trunk down"}
    made.put("episodes", "e", {**about, "beganAt": made.now})
    made.at += 42
    made.put("alerts", "k", {**alert, "state": "accepted", "acceptedBy": "ana", "resolvedAt": made.now})
    seen = {"seenAt": made.now, "seenBy": "eva", "endedAt": made.now}
    made.put("episodes", "e", {**about, "beganAt": made.now - 42_000, **seen})
    made.put("agents", "bea", agent("bea", "chat", online=False, activity="offline"))
    made.at += 30
    made.put("agents", "ana", agent("ana", "chat"))
    made.health(LOST, ".", *lists)
    made.at += 25
    made.end()
    made.db.close()


async def show(sitter: Sitter):
    await sitter.press("R")
    await sitter.type("1h")
    await sitter.press("enter")
    screen = sitter.app.screen
    assert isinstance(screen, ReportScreen)
    await until_async(lambda: screen.is_done)
    await sitter.settle()


@IN_LOOKS
def test_the_report_of_a_shift(picture: Picture, busy: StillWorld, tmp_path: Path, size: Size, theme: str):
    shift(places({"CONSOLE_HOME": str(tmp_path)}))

    async def queues(sitter: Sitter):
        await sitter.press(*["right_square_bracket"] * 3, "down", "down", "down")

    picture(IdleBackend(busy), size=size, themes=[theme], walk={"begin": show, "queues": queues})


@IN_LOOKS
def test_home_with_notes(picture: Picture, busy: StillWorld, tmp_path: Path, size: Size, theme: str):
    notes = Notes(notes_file(places({"CONSOLE_HOME": str(tmp_path)}), "busy"))
    notes.add("line 3 is down, the technician comes at 7", "ana", NOW_MS - 1_800_000)
    notes.add("call back before 9", "bea", NOW_MS - 600_000, kind="calls", key="c100001")
    picture(IdleBackend(busy), size=size, themes=[theme])
