"""The wallboard can be read from far away, tells no names, and needs nobody."""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
import pytest_asyncio

from console.config.wallboard_settings import WallboardSettings
from console.live.authentication import Fatal
from console.live.delta import Freshness, Health
from console.live.history import History
from console.records.episodes import Episode
from console.records.queues import Queue
from console.records.traffic import Call
from console.ui.screens.home import HomeScreen
from console.ui.screens.login import LoginScreen
from console.ui.screens.wall_boards import BOARDS, BoardLook, attention, queues
from console.ui.screens.wallboard import RETRY_SECONDS, WallboardScreen
from console.ui.widgets.wall import Row, Wall
from console.views.big_text import LINES, big, width_of_big
from console.views.cell import Tone
from console.views.render_context import RenderContext
from tests.behaviour.idle_console import SharedSitter, shared_console
from tests.idle.backend import IdleBackend
from tests.idle.console import still_console
from tests.idle.world import NOW_MS, StillWorld
from tests.manual_clock import ManualClock
from tests.snapshots.pictures import Sitter

WALL = (200, 60)
SIZES = pytest.mark.parametrize("size", [(60, 16), (80, 24), WALL, (300, 80)], ids=str)
SCALES = (1, 2, 3, 4)
HOSTILE = "\x1b[31m]9;\x07 \u202eab\u0000 [@click=app.quit]x[/] 日本 " + "y" * 300


@asynccontextmanager
async def wall(
    backend: IdleBackend, folder: Path, size: tuple[int, int] = WALL, *, alone: bool = False, **settings: Any
) -> AsyncGenerator[Sitter]:
    app = still_console(backend, folder, wallboard=WallboardSettings(**settings))
    app.unattended = alone
    async with app.run_test(size=size) as pilot:
        sitter = Sitter(pilot)
        await sitter.hold_still()
        if not alone:
            await sitter.press("W")
        await sitter.settle()
        yield sitter


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def every_board(busy: StillWorld, tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[SharedSitter]:
    """A console with all boards, shared by the tests at several sizes."""
    async with shared_console(IdleBackend(busy), tmp_path_factory.mktemp("wall"), WALL) as sitter:
        yield sitter


def shown(sitter: Sitter) -> str:
    screen = sitter.app.screen
    assert isinstance(screen, WallboardScreen)
    return screen.wall.said


def says(sitter: Sitter, words: str, scale: int = 1) -> bool:
    """Return whether these words stand on the wall in this size, their lines below each other."""
    lines = shown(sitter).splitlines()
    drawn = [each.rstrip() for each in big(words, "full", scale)]
    return any(
        all(at + n < len(lines) and lines[at + n][column:].startswith(part) for n, part in enumerate(drawn))
        for at in range(len(lines))
        for column in {match.start() for match in re.finditer(re.escape(drawn[0]), lines[at])}
    )


def bar_of(sitter: Sitter, queue: str) -> int:
    """Return the width of the bar beside the name of a queue on a large screen."""
    name = big(queue, "full", 2)[0].rstrip()
    return next(line[66:86].count("█") for line in shown(sitter).splitlines() if line.startswith(name))


def texts(rows: Sequence[Row]) -> list[str]:
    return [" ".join(part.text for part in row if part.bar is None) for row in rows]


@SIZES
@pytest.mark.asyncio(loop_scope="module")
async def test_every_board_fits_in_large_rows_with_the_freshness_and_queues_and_the_charts_have_curves(
    every_board: SharedSitter, busy: StillWorld, size: tuple[int, int]
) -> None:
    await every_board.restart(size)
    await every_board.press("W")
    clock = f"{datetime.fromtimestamp(busy.clock.now_ms() / 1000, ZoneInfo('Europe/Madrid')):%H:%M}"
    scale = {16: 1, 24: 1, 60: 2, 80: 3}[size[1]]
    drawn: set[str] = set()
    for board in WallboardSettings().boards:
        said = shown(every_board)
        drawn.add(said)
        lines = said.split("\n")
        assert len(lines) <= size[1] + 3
        assert all(len(line) <= size[0] for line in lines)
        assert "\N{HORIZONTAL ELLIPSIS}" not in every_board.text(), "no board is wider than the screen"
        blocks = re.split(r"\n(?:\s*\n)+", "\n".join(lines[: size[1]]).strip("\n"))
        assert sum(block.count("\n") + 1 for block in blocks) > 2 * LINES, "head, rows and foot"
        assert all(block.count("\n") + 1 >= LINES for block in blocks[:-1]), "no line is lower than three rows"
        assert says(every_board, clock, scale)
        assert says(every_board, "LIVE", scale), "as large as the clock"
        assert any(says(every_board, "support", each) for each in range(scale, 5))
        if board == "figures":
            waiting = [says(every_board, "waiting", each) and says(every_board, "16", each) for each in SCALES]
            assert any(waiting)
            assert len({*said} & set("▁▂▃▅▆▇")) >= 2, "columns, parts of blocks, which no letter has"
        if board == "charts":
            check_charts(every_board, size)
        await every_board.press("right")
    assert len(drawn) == len(BOARDS)


def check_charts(sitter: Sitter, size: tuple[int, int]) -> None:
    """Check that charts have a title, a value and a curve, with its thresholds where there is room."""
    curves = [line[size[0] // 2 + 1 :].rstrip() for line in shown(sitter).splitlines()[4:]]
    assert sum("\N{BRAILLE PATTERN DOTS-2}" * 3 in line for line in curves) >= 3
    assert any(says(sitter, "waiting", each) for each in SCALES)
    assert any(says(sitter, "16", each) for each in SCALES)
    if size[0] >= 80:
        assert any(says(sitter, "long wait", each) for each in SCALES), "a severity has words"
    if size[0] >= 120:
        assert sum("─" * 10 in line for line in curves) == 2, "both thresholds of a wait"


async def test_the_boards_take_turns_and_those_with_nothing_to_tell_are_left_out(
    busy: StillWorld, tmp_path: Path
) -> None:
    backend = IdleBackend(busy)
    backend.change("queues", removes=list(backend.records("queues")))
    async with wall(backend, tmp_path, boards=("figures", "queues", "skills"), seconds=15) as sitter:
        assert says(sitter, "figures", 2)
        backend.world.clock.advance(15)
        await sitter.settle()
        assert says(sitter, "skills", 2)
        backend.world.clock.advance(15)
        await sitter.settle()
        assert says(sitter, "figures", 2)
        await sitter.press("left")
        assert says(sitter, "skills", 2)
        await sitter.press("escape")
        assert isinstance(sitter.app.screen, HomeScreen)


async def test_data_that_is_not_current_is_marked_with_its_age_and_has_no_colour(
    busy: StillWorld, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    offline = Health(Freshness.OFFLINE, 754.0, "connection refused")
    drawn: list[Row] = []
    show = Wall.show

    def noted(self: Wall, head: Row, body: Sequence[Row], render: RenderContext, foot: Row) -> None:
        drawn.extend((*body, foot))
        show(self, head, body, render, foot)

    monkeypatch.setattr(Wall, "show", noted)
    async with wall(IdleBackend(busy, link=offline), tmp_path, boards=("figures",)) as sitter:
        assert says(sitter, "offline 12:34", 2)
        assert {part.tone for row in drawn for part in row} == {Tone.QUIET}


async def test_what_needs_attention_is_no_more_current_than_the_connection(
    busy: StillWorld, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    backend = IdleBackend(busy, link=Health(Freshness.OFFLINE, 754.0, "connection refused"))
    health = backend.health

    def live_here(kind: str) -> Health:
        return Health(Freshness.LIVE, 0.0) if kind == "episodes" else health(kind)

    monkeypatch.setattr(backend, "health", live_here)
    async with wall(backend, tmp_path, boards=("attention",)) as sitter:
        assert says(sitter, "offline 12:34", 2)


async def test_nobody_is_asked_to_log_in_and_the_login_is_tried_again(
    busy: StillWorld, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[float] = []
    backend = IdleBackend(busy, fatal=Fatal("login", "the session has ended"))
    monkeypatch.setattr(backend, "retry", lambda: tried.append(backend.world.clock.monotonic()))
    async with wall(backend, tmp_path, alone=True, boards=("figures",)) as sitter:
        assert not isinstance(sitter.app.screen, LoginScreen)
        assert says(sitter, "log in", 2)
        for _ in range(3):
            backend.world.clock.advance(RETRY_SECONDS)
            await sitter.settle()
        assert len(tried) == 3
        await sitter.press("escape", "2", "a")
        assert isinstance(sitter.app.screen, WallboardScreen)


def test_names_of_people_are_told_only_on_request(busy: StillWorld) -> None:
    backend = IdleBackend(busy)
    call = Episode(id="1", state="active", severity="critical", title="wait", words="Alba Vidal", list="calls", count=3)
    alert = Episode(id="2", state="active", severity="warning", title="alert", words="Trunk down", list="alerts")
    wait = Episode(id="3", rule="wait", state="active", title="wait", words="billing", list="calls", about="billing")
    ended = Episode(id="4", state="ended", ended_at=NOW_MS, title="alert", words="Trunk down", list="alerts")
    episodes = {each.id: each for each in (call, alert, wait, ended)}
    direct = Queue(queue="svc-user:ana", waiting=1, longest_at=NOW_MS - 1000)
    backend.change("queues", direct, removes=list(backend.records("queues")))
    render = RenderContext(
        NOW_MS, ZoneInfo("Europe/Madrid"), lookup=lambda kind: episodes if kind == "episodes" else backend.records(kind)
    )
    assert texts(attention(render, BoardLook())) == ["wait x3 -", "alert Trunk down -", "wait billing -"]
    assert texts(attention(render, BoardLook(names=True)))[0] == "wait Alba Vidal x3 -"
    assert texts(queues(render, BoardLook()))[1].startswith("direct 1")
    assert "Ana" in texts(queues(render, BoardLook(names=True)))[1]


def test_the_share_in_time_has_a_column_on_the_wall_once_it_was_counted(busy: StillWorld) -> None:
    backend = IdleBackend(busy)
    render = RenderContext(NOW_MS, ZoneInfo("Europe/Madrid"), lookup=backend.records)
    waits = Queue(queue="billing", waiting=1, longest_at=NOW_MS - 1000)
    backend.change("queues", waits, removes=list(backend.records("queues")))
    assert texts(queues(render, BoardLook())) == ["on time", "billing 1 0:01"]
    counted = Queue(queue="sales", waiting=0, served_60=4, in_time_60=3, abandoned_60=0)
    backend.change("queues", counted)
    assert texts(queues(render, BoardLook())) == ["on time 60m", "billing 1 0:01 -", "sales 0 - 75%"]


async def test_a_chart_has_a_gap_where_nothing_was_known_and_none_without_values(
    busy: StillWorld, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = ManualClock()
    history = History(clock)
    monkeypatch.setattr(IdleBackend, "history", history)
    backend = IdleBackend(busy)
    backend.change("queues", removes=list(backend.records("queues")))
    async with wall(backend, tmp_path, (120, 40), boards=("charts", "figures")) as sitter:
        assert says(sitter, "calls", 2), "nothing is known yet"
        for step in range(360):
            if not 120 <= step < 240:
                history.add({"calls_waiting": 7.0})
            clock.advance(10.0)
        await sitter.press("left")
        bottom = shown(sitter).splitlines()[-1][59:].strip()
        assert 18 <= bottom.count(" ") <= 20
        assert len(bottom.split()) == 2, "known, unknown, known"


async def test_hostile_names_are_drawn_as_boxes_and_cut(busy: StillWorld, tmp_path: Path) -> None:
    backend = IdleBackend(busy)
    backend.change(
        "queues", Queue(queue=HOSTILE, waiting=2, longest_at=NOW_MS), removes=list(backend.records("queues"))
    )
    backend.change("calls", Call(id="1", state="queued", target=HOSTILE, date=NOW_MS))
    async with wall(backend, tmp_path, boards=("queues",)) as sitter:
        assert set(shown(sitter)) <= set("█▀▄ \n")


async def test_rows_without_a_line_are_named_in_the_last_one_as_many_as_have_room(
    busy: StillWorld, tmp_path: Path
) -> None:
    backend = IdleBackend(busy)
    idle = [Queue(queue=f"{letter}-line", waiting=0) for letter in "abcdefghij"]
    backend.change("queues", *idle, removes=list(backend.records("queues")))
    async with wall(backend, tmp_path, boards=("queues", "skills")) as sitter:
        assert says(sitter, "g-line", 2)
        assert says(sitter, "h-line 0", 2)
        assert says(sitter, "+ 2 more", 2)
        assert not says(sitter, "i-line 0", 2)
        backend.change("queues", removes=["j-line"])
        await sitter.settle()
        assert says(sitter, "h-line 0", 2)
        assert says(sitter, "i-line 0", 2)
        await sitter.press("right")
        assert says(sitter, "claims 1", 2)
        assert says(sitter, "+ 3 more", 2)


async def test_a_heading_stands_above_the_number_of_rows_that_are_all_below_it(
    busy: StillWorld, tmp_path: Path
) -> None:
    async with wall(IdleBackend(busy), tmp_path, (120, 40), boards=("skills",)) as sitter:
        assert says(sitter, "enough", 2)
        assert says(sitter, "+ 8 more", 2)


def test_large_text_is_cut_to_whole_characters() -> None:
    assert width_of_big("abc") == 11
    assert big("a long name", "full", room=20) == big("a lo..", "full")
    assert big("É", "full") == big("e", "full") == big("e\u0301", "full")
    assert set("".join(big("ABC 123", "ascii", 2))) <= set("#' ")


async def test_queues_are_named_below_every_board_those_with_waiting_calls_first(
    busy: StillWorld, tmp_path: Path
) -> None:
    backend = IdleBackend(busy)
    since = backend.world.clock.now_ms() - 5000
    waiting = [Queue(queue=name, waiting=many, longest_at=since) for name, many in (("sales", 4), ("fibre", 1))]
    idle = Queue(queue="english", waiting=0)
    backend.change("queues", *waiting, idle, removes=list(backend.records("queues")))
    async with wall(backend, tmp_path, boards=("figures", "queues")) as sitter:
        assert says(sitter, "sales 0:05", 2)
        assert says(sitter, "fibre 0:05", 2)
        assert not says(sitter, "english", 2)
        await sitter.press("right")
        assert any(says(sitter, "english", each) for each in (2, 3, 4))
        bars = [bar_of(sitter, name) for name in ("sales", "fibre", "english")]
        assert bars == [17, 4, 0], "bars of four, of one and of no waiting calls"


def test_large_characters_have_round_corners_and_a_filled_pixel_stays_a_square() -> None:
    assert big("o", "full", 2)[0] == " ▄██▄ "
    assert big(".", "full", 2)[-1] == "██"
    assert big("d", "full", 2) != big("0", "full", 2)
