"""A person at the console: what rings, what the screen shows, and what counts as seen."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from copy import copy
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from console.config.notice_settings import NoticeSettings, Ways
from console.live.derived import DerivedList
from console.records.episodes import Episode
from console.rules.watch import EPISODES
from console.ui.app import ConsoleApp
from console.ui.screens import notice_presenter
from console.ui.screens.app_context import AppContext
from console.ui.screens.console_screen import ConsoleScreen
from console.ui.screens.notice_presenter import NoticePresenter
from console.ui.textual_compat import output
from console.ui.widgets.message_line import MessageLine
from tests.idle.backend import IdleBackend
from tests.idle.console import still_console
from tests.idle.world import StillWorld, StillWorlds
from tests.notices.played import episode
from tests.snapshots.pictures import Sitter


@pytest.fixture(scope="module")
def world(still_worlds: StillWorlds) -> StillWorld:
    return still_worlds.of("busy", "ana")


class GivenEpisodes(DerivedList[Episode]):
    """The list of episodes, in the place of the rules."""

    def __init__(self) -> None:
        super().__init__(EPISODES, ())

    def update(self) -> None: ...


class Seat:
    """A console whose clock for notices is moved by the test."""

    def __init__(self, backend: IdleBackend, app: ConsoleApp, times: list[float]) -> None:
        self.backend = backend
        self.app = app
        self.episodes = GivenEpisodes()
        self.rung: list[int] = []
        self._times = times

    def begins(self, *episodes: Episode) -> None:
        """Add episodes to the list."""
        self.episodes.collection.change({each.id: each for each in episodes})
        self.backend.revision += 1

    def sits(self, sitter: Sitter) -> Seat:
        """Return this seat with somebody who presses keys."""
        self.sitter = sitter
        return self

    async def after(self, seconds: float, until: Callable[[], bool]) -> None:
        """Move the clock, and wait for a condition."""
        self._times[0] += seconds
        await self.sitter.until(until)

    def has_begun(self) -> bool:
        """Let half a second pass; return whether the episodes of before were shown."""
        self._times[0] += 0.5
        return "1 thing needs attention" in self.line

    @property
    def line(self) -> str:
        """The line above the footer, empty if it is hidden."""
        screen = self.app.screen
        assert isinstance(screen, ConsoleScreen)
        return screen.message_line.said


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    found: list[str] = []

    def write(_app: object, sequence: str) -> None:
        found.append(sequence)

    monkeypatch.setattr(output, "write", write)
    return found


@pytest_asyncio.fixture
async def seat(
    world: StillWorld, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> AsyncGenerator[Seat]:
    """A console that has begun to tell; the parameter is its configuration."""
    backend = IdleBackend(world)
    config: dict[str, Any] = {"notices": NoticeSettings(), **getattr(request, "param", {})}
    app = still_console(backend, tmp_path, **config)
    times = [0.0]
    found = Seat(backend, app, times)
    backend.watch = found.episodes
    assert app.context.watch is not None
    app.context.watch.judged = frozenset({"calls"})
    found.begins(episode("before"))
    monkeypatch.setattr(app, "bell", lambda: found.rung.append(1))
    monkeypatch.setattr(notice_presenter, "seconds", lambda: times[0])
    async with app.run_test(size=(100, 30)) as pilot:
        found.sits(Sitter(pilot))
        await found.sitter.until(found.has_begun)
        yield found


async def test_a_new_episode_rings_once_and_its_line_stays_until_a_key(seat: Seat) -> None:
    assert seat.line.strip().startswith("× 1 thing needs attention: Long wait"), "the only profile is not named"
    assert seat.rung == [], "what was there before does not ring"
    seat.begins(episode("new", words="Ana waits 2:00"))
    await seat.after(1, lambda: "Ana waits 2:00" in seat.line)
    assert seat.rung == [1]
    await seat.after(10, lambda: seat.rung == [1, 1])
    assert "× Long wait: Ana waits 2:00" in seat.line
    await seat.sitter.press("down")
    await seat.after(1_000, lambda: "Ana waits" not in seat.line)
    assert seat.rung == [1, 1]


async def test_a_notice_names_its_profile_as_soon_as_several_are_open(
    seat: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    other, beat = copy(seat.app.context), NoticePresenter.beat
    other.profile_name = "night"

    def of_two(self: NoticePresenter, opened: list[AppContext], here: AppContext) -> None:
        beat(self, [*opened, other], here)

    assert "busy" not in seat.line
    monkeypatch.setattr(NoticePresenter, "beat", of_two)
    await seat.sitter.until(lambda: "× busy: 1 thing needs attention" in seat.line)


async def test_the_summary_of_the_start_counts_only_what_goes_on(seat: Seat) -> None:
    seat.begins(episode("before", state="ended"))
    await seat.after(1, lambda: "needs attention" not in seat.line)


@pytest.mark.parametrize("seat", [{"theme": theme} for theme in ("dark", "mono")], indirect=True)
async def test_the_line_is_reversed_and_has_a_sign_in_every_theme(seat: Seat) -> None:
    for severity, sign in (("critical", "×"), ("warning", "▲")):
        seat.begins(episode(severity, severity, words=severity))
        await seat.after(5, lambda word=severity: word in seat.line)
        assert f" {sign} Long wait" in seat.line
        said = [each for each in seat.app.screen.query_one(MessageLine).render_line(0) if each.text.strip()]
        assert said
        assert all(each.style is not None and each.style.reverse for each in said)


@pytest.mark.parametrize(
    "seat",
    [{"bell": False}, {"notices": NoticeSettings(quiet=("00:00-23:59",))}],
    ids=["without the bell", "in quiet hours"],
    indirect=True,
)
async def test_only_the_screen_shows_a_new_episode(seat: Seat) -> None:
    seat.begins(episode("new", words="Ana waits"))
    await seat.after(1, lambda: "Ana waits" in seat.line)
    assert seat.rung == []


LOUD = NoticeSettings(ways=Ways(critical=("title", "terminal", "flash")), terminal="osc777")


@pytest.mark.parametrize("seat", [{"notices": LOUD}], indirect=True)
async def test_title_and_notification_are_written_and_the_title_is_reset_once_it_was_seen(
    written: list[str], seat: Seat
) -> None:
    seat.begins(episode("new", words="Ana\x1b]0;evil\x07 waits"))
    await seat.after(1, lambda: len(written) == 2)
    assert written[0].startswith("\x1b[22;2t\x1b]2;× busy: Long wait: Ana")
    assert written[1].startswith("\x1b]777;notify;console busy: Long wait;Ana")
    assert all("\x07" not in each and each.count("\x1b]") == 1 for each in written)
    assert seat.rung == []
    screen = seat.app.screen
    assert isinstance(screen, ConsoleScreen)


async def test_200_at_once_ring_once_and_an_open_dialog_delays_their_line_and_not_the_bell(seat: Seat) -> None:
    await seat.sitter.press("question_mark")
    assert not isinstance(seat.app.screen, ConsoleScreen)
    seat.begins(*(episode(str(each), words=f"call {each}") for each in range(200)))
    await seat.after(1, lambda: seat.rung == [1])
    await seat.sitter.press("escape")
    await seat.sitter.until(lambda: "200 new: Long wait ×200" in seat.line)
    assert seat.rung == [1]
