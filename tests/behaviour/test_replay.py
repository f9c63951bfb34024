"""A recording file is opened without a service: all screens show it, and nothing else is touched."""

from __future__ import annotations

import socket
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from console.cli.past.replay import profile_of
from console.config.paths import places
from console.config.schema import Config
from console.recording.format import HEALTH, SAMPLES
from console.recording.past import Past
from console.recording.recording import ListRecording
from console.ui.runner import replaying_app
from console.ui.screens.console_screen import ConsoleScreen
from console.ui.screens.notice_presenter import NoticePresenter
from console.ui.screens.report import ReportScreen
from console.ui.screens.specs import spec_of
from tests.behaviour.past import screen_of
from tests.live.until import until_async
from tests.recording.film import AT, MINUTE, Film, film, incident
from tests.snapshots.pictures import Sitter

SIZE = (120, 40)


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a connection was opened")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket.socket, "connect_ex", refuse)


@asynccontextmanager
async def replayed(file: Path, folder: Path, *, at: int | None = None) -> AsyncGenerator[Sitter]:
    with ListRecording.open(file, finished=True) as recording:
        past = Past(recording, 0)
        past.move(past.beginning() if at is None else AT + at, 0)
        app = replaying_app(Config(), *profile_of(recording, Config()), past, places({"CONSOLE_HOME": str(folder)}))
        app.animation_level = "none"
        async with app.run_test(size=SIZE) as pilot:
            sitter = Sitter(pilot)
            await sitter.hold_still()
            yield sitter


def rows(sitter: Sitter) -> set[str]:
    view: Any = sitter.app.screen
    return {*view.pane.view.keys}


async def test_it_begins_with_the_first_thing_that_mattered_moves_as_the_past_does_and_has_a_report(tmp_path: Path):
    folder = tmp_path / "file"
    folder.mkdir()
    async with replayed(incident(folder / "incident.rec"), tmp_path / "home") as eva:
        await eva.press("2")
        assert [each.name for each in folder.iterdir()] == ["incident.rec"], "no neighbours in a writable directory"
        assert rows(eva) == {"a", "b"}
        top = screen_of(eva).top_line.said
        assert "RECORDING incident.rec Wed 10:45:00" in top
        assert "day" in top
        assert "PAST" not in top
        await eva.press("comma")
        assert rows(eva) == {"a"}
        await eva.press("right_curly_bracket")
        assert rows(eva) == {"a", "b"}
        assert "alert: Line down" in screen_of(eva).message_line.said
        # A moment counts from the end, and there is no now to return to.
        await eva.press("T", *"1042", "enter")
        assert "Wed 10:42:00" in screen_of(eva).top_line.said
        assert {each.identifier: each.words for each in screen_of(eva).footer_keys()}["view.past"] == "go to"
        assert rows(eva) == {"a"}
        await eva.press("T", *"now", "enter")
        assert "Wed 10:50:00" in screen_of(eva).top_line.said
        await eva.press("T", *"0900", "enter")
        assert "The recording begins at 10:40" in screen_of(eva).message_line.said
        await eva.press("P")
        assert "A recording has no other profile." in screen_of(eva).message_line.said
        for _ in range(3):
            await eva.press("escape")
        assert "there is no now to return to. q quits." in screen_of(eva).message_line.said
        assert "RECORDING" in screen_of(eva).top_line.said
        await eva.press("1", "R", "enter")
        screen = eva.app.screen
        assert isinstance(screen, ReportScreen)
        await until_async(lambda: screen.is_done)
        await eva.settle()
        assert "10:40 to 10:50" in screen.head.said, "the report is about the whole file"
        await eva.press("escape", "N")
        assert "notes belong to a service" in screen_of(eva).message_line.said
        assert not [*(tmp_path / "home").rglob("notes-*")]


async def test_nothing_is_written_and_nobody_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    told: list[object] = []

    def beat(*_: object) -> None:
        told.append(True)

    monkeypatch.setattr(NoticePresenter, "beat", beat)
    folder = tmp_path / "file"
    folder.mkdir()
    file = incident(folder / "incident.rec")
    before = file.read_bytes()
    folder.chmod(0o500)
    async with replayed(file, tmp_path / "home") as eva:
        for key in "12345678":
            await eva.press(key)
        assert [each.name for each in folder.iterdir()] == ["incident.rec"]
        assert told == []
    folder.chmod(0o700)
    assert [each.name for each in folder.iterdir()] == ["incident.rec"]
    assert file.read_bytes() == before
    assert not (tmp_path / "home").exists()


def huge(made: Film) -> None:
    made.change("calls", 1, {"id": "x" * 100_000, "state": "\x1b[2J" * 1000, "createdAt": 10**300, "caller": [[[]]]})
    made.change("calls", 2, {"id": "y", "state": {"a": 1}, "caller": 5, "duration": "1e999", "position": -(10**40)})
    made.change("alerts", 3, {"id": "z", "createdAt": "9999-99-99", "name": "\u202eevil\x07", "state": None})


def wrong_times(made: Film) -> None:
    made.execute("INSERT INTO span (start_ms, end_ms, reason) VALUES (?, ?, ?)", 1 << 62, (1 << 62) + 1, "\x1b[2J")
    made.execute("INSERT INTO span (start_ms, end_ms, reason) VALUES (?, ?, ?)", "soon", b"later", None)
    made.execute("UPDATE segment SET start_ms = -5 WHERE kind = 'alerts'")


def wrong_rows(made: Film) -> None:
    made.execute("UPDATE segment SET frame = ? WHERE kind = 'calls'", b"no zlib")
    made.execute("UPDATE segment SET frame = NULL WHERE kind = 'episodes'")
    made.execute("INSERT INTO tail SELECT id, 0, 1, '[[99999999999999999999,0,null]]' FROM segment")
    made.execute("UPDATE block SET many = 'many'")
    made.execute("INSERT INTO command (at_ms, entry) VALUES (5, '[[')")


def wrong_values(made: Film) -> None:
    made.change(SAMPLES, 1, {"id": "row", "waiting": "many", "calls": 1e308, "x": [1], "agents": 10**30})
    made.change(HEALTH, 1, {"id": "calls", "state": "live", "proven": 10**400})
    made.change("episodes", 1, {"id": "e", "worst": "\x1b]0;x\x07", "beganAt": "soon", "endedAt": 1e300, "words": 7})
    made.execute("UPDATE meta SET value = ? WHERE name = 'zone'", "../../../etc/passwd")
    made.execute("UPDATE meta SET value = ? WHERE name = 'profile'", "\x1b[2J\u202e" * 1000)


@pytest.mark.parametrize("spoils", [(huge, wrong_values), (wrong_times, wrong_rows)], ids=["values", "rows"])
async def test_hostile_contents_are_shown_without_harm(tmp_path: Path, spoils: Sequence[Callable[[Film], None]]):
    file = tmp_path / "hostile\x1b[2J.rec"
    with film(file) as made:
        made.known(0, "calls", "alerts", "agents", "episodes")
        for kind in ("calls", "alerts", "agents", "episodes", SAMPLES):
            made.whole(kind, 0, [{"id": "a", "state": "active"}])
        made.span(0, 10 * MINUTE)
        for spoil in spoils:
            spoil(made)
    async with replayed(file, tmp_path / "home", at=MINUTE) as eva:
        for name in ("home", "calls", "agents", "alerts"):
            await eva.press(spec_of(name).digit)
            assert screen_of(eva).spec.name == name
            await eva.press("enter", "escape", "comma", "full_stop", "right_curly_bracket")
            assert isinstance(eva.app.screen, ConsoleScreen)
        assert "\x1b" not in screen_of(eva).top_line.said


async def test_damage_is_said(tmp_path: Path):
    file = incident(tmp_path / "incident.rec")
    with film(file) as made:
        wrong_rows(made)
    async with replayed(file, tmp_path / "home", at=MINUTE) as eva:
        assert "The recording is damaged: " in screen_of(eva).message_line.said


async def test_charts_mark_the_changes_that_were_made_until_the_moment(tmp_path: Path):
    file = tmp_path / "day.rec"
    with film(file) as made:
        made.known(0, "alerts")
        for minute in (2, 8):
            step = {"words": f"accepted Fire {minute}", "operation": "AcceptAlert", "key": "a"}
            moment = {"command": f"c{minute}", "at": AT + minute * MINUTE}
            made.command(minute * MINUTE, {"what": "intent", "who": "bob", "steps": [step], **moment})
            made.command(minute * MINUTE, {"what": "result", "stage": "done", **moment})
        made.span(0, 10 * MINUTE)
    async with replayed(file, tmp_path / "home", at=5 * MINUTE) as eva:
        changes = screen_of(eva).context.render_context().changes
        assert changes() == [(AT + 2 * MINUTE, "bob: accepted Fire 2")]
        await eva.press("T")
        await eva.type("-1m")
        await eva.press("enter")
        assert [words for _, words in changes()] == ["bob: accepted Fire 2", "bob: accepted Fire 8"]
