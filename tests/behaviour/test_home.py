"""Home shows everything that needs attention and its scope, and paints only what changed."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
import pytest_asyncio
from textual import events
from textual.geometry import Offset

from console.live.command import Stage
from console.live.delta import Freshness, Health
from console.live.history import History
from console.records.connection import Connection
from console.records.record import Record
from console.records.support import Alert
from console.records.traffic import Call, StatusSummary
from console.ui.screens.board import Tile
from console.ui.screens.home import HomeScreen, SectionTitle
from console.ui.screens.list_screen import ListScreen
from console.ui.textual_compat.compositor import CellsCompositor, CellsUpdate
from console.ui.textual_compat.testing import painted
from console.ui.widgets.concerns import ConcernList
from console.ui.widgets.styled_line import StyledLine
from tests.behaviour.at_home import at_home, home
from tests.behaviour.idle_console import SharedSitter, shared_console
from tests.idle.backend import IdleBackend
from tests.idle.world import NOW_MS, StillWorld, StillWorlds
from tests.manual_clock import ManualClock
from tests.pieces import needs
from tests.snapshots.pictures import Sitter

SMALL, USUAL, LARGE = (80, 24), (120, 40), (200, 60)
LEAST = (60, 16)

pytestmark = pytest.mark.asyncio(loop_scope="module")


def screen_of(sitter: Sitter) -> HomeScreen:
    screen = sitter.app.screen
    assert isinstance(screen, HomeScreen)
    return screen


def concerns_of(sitter: Sitter) -> ConcernList:
    return screen_of(sitter).query_one(ConcernList)


def head_of(sitter: Sitter) -> str:
    return screen_of(sitter).query_one("#concerns-head", SectionTitle).said


def tile_of(sitter: Sitter, name: str) -> str:
    return screen_of(sitter).query_one(f"#tile-{name}", Tile).said


def service_of(sitter: Sitter) -> str:
    return screen_of(sitter).query_one("#service", StyledLine).said


def since_of(sitter: Sitter) -> str:
    return service_of(sitter).split(" started ")[1].split("  ")[0]


def waits(backend: IdleBackend, many: int, target: Callable[[int], str] = "queue {:02}".format) -> list[Record]:
    """Return calls that have waited from one minute on, each one second longer."""
    now = backend.world.clock.now_ms()
    return [
        Call(id=f"w{number}", state="queued", date=now - (61 + number) * 1000, target=target(number))
        for number in range(many)
    ]


def only(backend: IdleBackend, kind: str, records: Sequence[Record]) -> None:
    """Replace the records of a kind."""
    backend.change(kind, *records, removes=[*backend.records(kind)])


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def shared_quiet(empty: StillWorld, tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[SharedSitter]:
    """The console of a supervisor without calls and people."""
    async with shared_console(IdleBackend(empty), tmp_path_factory.mktemp("quiet"), USUAL, hold_seconds=0) as sitter:
        yield sitter


@pytest.fixture(scope="module")
def at_pats(still_worlds: StillWorlds) -> StillWorld:
    """The scenario `busy` as a user without administrator rights sees it."""
    return still_worlds.of("busy", "pat")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def shared_pat(at_pats: StillWorld, tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[SharedSitter]:
    async with shared_console(IdleBackend(at_pats), tmp_path_factory.mktemp("pat"), USUAL) as sitter:
        yield sitter


@pytest_asyncio.fixture(loop_scope="module")
async def quiet(shared_quiet: SharedSitter) -> SharedSitter:
    await at_home(shared_quiet)
    return shared_quiet


@pytest_asyncio.fixture(loop_scope="module")
async def day(still: SharedSitter) -> SharedSitter:
    await at_home(still)
    return still


@pytest_asyncio.fixture(loop_scope="module")
async def pat(shared_pat: SharedSitter) -> SharedSitter:
    await at_home(shared_pat)
    return shared_pat


# -- complete and reachable ------------------------------------------------------------------------------------------


async def test_rows_without_room_are_counted_and_can_be_scrolled_to(quiet: SharedSitter) -> None:
    for size in (LEAST, SMALL, USUAL):
        await at_home(quiet, size)
        only(quiet.backend, "calls", waits(quiet.backend, 42))
        # The charts give way one beat after what needs attention had no room.
        await quiet.hold_still()
        concerns = concerns_of(quiet)
        shown = len(concerns.said.splitlines())
        assert shown < 42
        assert head_of(quiet) == f"Needs attention  42   ↓ {42 - shown} more"
        assert concerns.show_vertical_scrollbar
        assert "queue 41" in concerns.said, "the longest wait is on top"
        await quiet.press("end")
        assert "queue 00" in concerns.said
        assert head_of(quiet) == f"Needs attention  42   ↑ {42 - shown} more"
        await quiet.press("pageup")
        assert concerns.current is not None
        assert (concerns.current.about or "") in concerns.said
        await quiet.press("home")
        assert head_of(quiet).endswith(f"↓ {42 - shown} more")


@pytest.mark.parametrize(
    ("reason", "lines"),
    [
        ("gateway answered 503", ["gateway answered", "503  2 of 3"]),
        ("media server unreachable", ["media server", "unreachable"]),
    ],
    ids=["beside the number", "without room for the number"],
)
async def test_a_reason_wider_than_its_tile_continues_on_the_next_line(
    quiet: SharedSitter, reason: str, lines: list[str]
) -> None:
    backend = quiet.backend
    now = backend.world.clock.now_ms()
    failed = [
        Call(id=f"f{number}", state="servererror", to=now - 60_000, data={"reason": each})
        for number, each in enumerate((reason, reason, "no route"))
    ]
    only(backend, "calls", failed)
    await quiet.settle()
    tile = screen_of(quiet).query_one("#tile-failed", Tile)
    assert [line.strip() for line in tile.said.splitlines()] == ["Failed, 5 min", "3", *lines]
    assert all(len(line) <= tile.size.width for line in tile.said.splitlines()), "nothing alarming is cut"


@needs("scrollbar")
async def test_a_scrollbar_that_was_not_needed_for_a_while_is_where_the_rows_are(quiet: SharedSitter) -> None:
    backend = quiet.backend
    only(backend, "calls", waits(backend, 42))
    await quiet.settle()
    concerns = concerns_of(quiet)
    await quiet.press("end")
    assert concerns.scroll_offset.y > 0
    longest = waits(backend, 42)[-1:]
    for calls in (longest, waits(backend, 42)):
        only(backend, "calls", calls)
        await quiet.settle()
    assert (concerns.scroll_offset.y, concerns.vertical_scrollbar.position) == (0, 0)


async def test_a_chart_shows_a_sample_as_soon_as_there_is_one(empty: StillWorld, tmp_path: Path) -> None:
    clock = ManualClock(NOW_MS)
    backend = IdleBackend(replace(empty, clock=clock, history=History(clock)))
    backend.history.add({"active_calls": 770})
    clock.advance(150)
    async with home(backend, tmp_path) as eva:
        for calls in (771, 772):
            backend.history.add({"active_calls": calls})
            await eva.settle()
            assert f"Active calls  {calls}" in "\n".join(strip.text for strip in painted(eva.app.screen))


async def test_the_wheel_scrolls_and_the_position_stays_as_time_passes(quiet: SharedSitter) -> None:
    backend = quiet.backend
    await at_home(quiet, SMALL)
    only(backend, "calls", waits(backend, 42))
    await quiet.settle()
    concerns = concerns_of(quiet)
    at = concerns.region.offset + Offset(4, 2)
    for _ in range(4):
        concerns.post_message(
            events.MouseScrollDown(concerns, 4, 2, 0, 1, 0, False, False, False, screen_x=at.x, screen_y=at.y)
        )
        await quiet.settle()
    top = concerns.scroll_offset.y
    assert top > 0
    assert "↑" in head_of(quiet)
    backend.world.clock.advance(1)
    await quiet.settle()
    assert concerns.scroll_offset.y == top, "the cursor, out of sight, does not pull it back"


async def test_a_small_terminal_leaves_out_tiles_before_queues_and_what_needs_attention(day: SharedSitter) -> None:
    for size in (LARGE, USUAL, SMALL, LEAST):
        await at_home(day, size)
        concerns, tiles = concerns_of(day), screen_of(day).query_one("#tiles")
        queues = screen_of(day).query_one("#queues")
        assert concerns.size.height >= min(7, size[1] // 4)
        assert concerns.size.height > tiles.size.height
        assert queues.size.height >= min(11, size[1] // 4)
        assert "Trunk down" in concerns.said
    shown = [each.id for each in screen_of(day).query(Tile) if each.display]
    assert shown == ["tile-calls", "tile-wait", "tile-in-time", "tile-free"]
    assert tile_of(day, "calls") == "Calls now\n58"


async def test_a_small_terminal_shows_the_service_only_when_something_is_wrong_with_it(day: SharedSitter) -> None:
    backend = day.backend
    await at_home(day, SMALL)
    line = screen_of(day).query_one("#service", StyledLine)
    assert not line.display
    status = backend.records("status")["status"]
    only(backend, "status", [status.model_copy(update={"uptime": 192})])
    only(backend, "connection", [Connection(id="console", restarted_at=backend.world.clock.now_ms() - 192_000)])
    await day.settle()
    assert line.display
    assert line.said.startswith("Service  ▲ restarted 3:12 ago")


async def test_equal_items_share_a_row_and_entering_it_lists_them(quiet: SharedSitter) -> None:
    backend = quiet.backend
    fresh = Call(id="new", state="queued", date=backend.world.clock.now_ms() - 1000, target="support")
    only(backend, "calls", [*waits(backend, 39, lambda _number: "support"), fresh])
    await quiet.settle()
    assert head_of(quiet) == "Needs attention  1"
    (row,) = concerns_of(quiet).said.splitlines()
    assert row.split() == ["►▲", "long", "wait", "support", "\N{MULTIPLICATION SIGN}39", "1:39", "new"]
    await quiet.press("enter")
    screen = quiet.app.screen
    assert isinstance(screen, ListScreen)
    assert (screen.spec.name, screen.pane.view.matched) == ("calls", 39)


async def test_alerts_with_the_same_title_are_accepted_together(quiet: SharedSitter) -> None:
    backend = quiet.backend
    sent = [Alert(alert_id=each, title="Trunk down", state="active", created_at=NOW_MS - 60_000) for each in ("a", "b")]
    only(backend, "alerts", sent)
    await quiet.settle()
    await quiet.press("a")
    await quiet.until(lambda: getattr(quiet.app.screen, "listening", False))
    await quiet.press("enter")
    await quiet.until(lambda: bool(backend.commands.tickets()))
    (ticket,) = backend.commands.tickets()
    assert ({each.key for each in ticket.command.steps}, ticket.stage) == ({"a", "b"}, Stage.DONE)


async def test_the_cursor_stays_on_its_row_when_rows_are_added_and_when_its_own_is_removed(quiet: SharedSitter) -> None:
    backend = quiet.backend
    only(backend, "calls", waits(backend, 3))
    await quiet.settle()
    concerns = concerns_of(quiet)
    await quiet.press("down")
    assert concerns.current is not None
    assert concerns.current.about == "queue 01"
    backend.change(
        "calls", Call(id="old", state="waiting", date=backend.world.clock.now_ms() - 500_000, target="oldest")
    )
    await quiet.settle()
    assert concerns.current.about == "queue 01"
    backend.change("calls", removes=["w1"])
    await quiet.settle()
    assert concerns.current.about == "queue 00", "the one that took its place"


# -- scope -----------------------------------------------------------------------------------------------------------


async def test_every_number_of_a_partial_view_is_labelled_as_partial(pat: SharedSitter) -> None:
    backend = pat.backend
    only(backend, "calls", [])
    only(backend, "alerts", [])
    only(backend, "skills", [])
    await pat.settle()
    screen = screen_of(pat)
    assert head_of(pat).startswith("Needs attention  nothing of yours")
    assert "all is well" not in head_of(pat)
    titles = [each.said.splitlines()[0] for each in screen.query(Tile)]
    assert titles == [
        "Your chats",
        "Offered to you",
        "Your calls",
        "Your alerts",
        "Your groups",
        "Free colleagues",
    ]
    assert "Your calls 0" in screen.tabs.said
    assert "Your alerts 0" in screen.tabs.said
    why = "None of your calls is waiting. The service has 58 active calls; you see your own."
    assert next(each.why_not for each in screen.footer_keys() if each.identifier == "view.next-wait") == why
    await pat.press("w")
    assert why in screen.message_line.said
    await pat.press("2")
    calls = pat.app.screen
    assert isinstance(calls, ListScreen)
    assert calls.pane.head.said == "Your 0 calls"
    assert calls.pane.live_table.empty.plain.strip() == (
        "You have no calls. The service has 58 active calls; you see your own."
    )


async def test_own_waiting_callers_and_alerts_of_a_partial_view_are_labelled_as_own(pat: SharedSitter) -> None:
    backend = pat.backend
    only(backend, "calls", waits(backend, 2, lambda _number: "support"))
    await pat.settle()
    assert "Your calls\n2  1:02\n2 waiting" in [each.said.strip() for each in screen_of(pat).query(Tile)]
    assert "your longest wait 1:02" in screen_of(pat).top_line.said
    assert "▲ your 1 alert 7:56" in screen_of(pat).top_line.said
    assert head_of(pat) == "Needs attention  2"


async def test_an_admin_whose_list_lacks_calls_sees_that_it_is_partial(day: SharedSitter) -> None:
    backend = day.backend
    only(backend, "calls", [Call(id="a", state="connected", date=NOW_MS)])
    await day.settle()
    assert tile_of(day, "wait").splitlines()[1:3] == ["0", "of those you see"]
    assert "Calls 1 seen" in screen_of(day).tabs.said
    await day.press("w")
    assert "None of the calls you see is waiting. The service has 58 active calls; you see 1." in (
        screen_of(day).message_line.said
    )


async def test_unknown_values_are_shown_neither_as_zero_nor_as_ok(busy: StillWorld, tmp_path: Path) -> None:
    refused = Health(Freshness.REFUSED, None, "not for you")
    backend = IdleBackend(busy, healths={"calls": refused, "alarms": refused}, unknown=frozenset({"calls", "alarms"}))
    for kind in ("alerts", "notifications", "skills"):
        only(backend, kind, [])
    async with home(backend, tmp_path) as eva:
        assert tile_of(eva, "wait").splitlines()[1:3] == ["\N{EN DASH}", "not known"]
        assert head_of(eva) == "Needs attention  nothing that is known   not shown: calls, call quality"
        await eva.press("w")
        assert "The service does not show you calls: not for you" in screen_of(eva).message_line.said


async def test_chats_that_cannot_be_listed_are_not_said_to_be_none(day: SharedSitter) -> None:
    refused = Health(Freshness.REFUSED, None, "not for you")
    unknown = frozenset({"chats", "agents"})
    await at_home(day, healths=dict.fromkeys(unknown, refused), unknown=unknown)
    await day.press("c")
    assert "Support chats are not known: not for you" in screen_of(day).message_line.said


# -- unchanged numbers -----------------------------------------------------------------------------------------------


async def test_the_start_of_the_call_count_is_a_fixed_time(busy: StillWorld, tmp_path: Path) -> None:
    backend = IdleBackend(replace(busy, clock=ManualClock(NOW_MS)))
    clock = backend.world.clock
    async with home(backend, tmp_path, size=LARGE) as eva:
        assert since_of(eva) == "13 Nov 06:31"
        clock.advance(180)
        await eva.settle()
        assert since_of(eva) == "13 Nov 06:31"
        status = backend.records("status")["status"]
        assert isinstance(status, StatusSummary)
        assert status.uptime is not None
        later = status.model_copy(update={"uptime": status.uptime + 179})
        only(backend, "status", [later])
        await eva.settle()
        assert since_of(eva) == "13 Nov 06:31", "the answer was one second under way"
        only(backend, "status", [status.model_copy(update={"uptime": 3600})])
        await eva.settle()
        assert since_of(eva) == "09:45:16", "it was started anew"


@needs("compositor")
async def test_a_tick_paints_only_the_cells_whose_text_changes(
    busy: StillWorld, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    backend = IdleBackend(replace(busy, clock=ManualClock(NOW_MS)))
    clock = backend.world.clock
    assert isinstance(clock, ManualClock)
    async with home(backend, tmp_path) as eva:
        sent: list[int] = []
        drawn = CellsCompositor.render_partial_update

        def counted(compositor: CellsCompositor) -> CellsUpdate | None:
            update = drawn(compositor)
            sent.append(0 if update is None else len(update.render_segments(eva.app.console).encode()))
            return update

        monkeypatch.setattr(CellsCompositor, "render_partial_update", counted)
        for _ in range(5):
            clock.advance(1)
            await eva.settle()
        assert 0 < sum(sent) / 5 <= 800, sent
