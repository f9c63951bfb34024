"""Hostile texts outside lists: palette, dialogs, forms, columns, help, errors, titles, exports."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Generator
from typing import Any

import pytest
import pytest_asyncio
import textual.markup
from rich import markup as rich_markup
from textual.command import CommandPalette
from textual.content import Content
from textual.events import Paste
from textual.widgets import OptionList

from console.base.text import clean
from console.config.paths import places
from console.config.schema import SavedView
from console.kinds.actions import ACTIONS
from console.kinds.catalogue import FEEDS, RESOURCES
from console.live.authentication import Fatal
from console.live.command import Stage
from console.live.delta import Freshness, Health
from console.ui.app import ConsoleApp
from console.ui.dialogs import dialog
from console.ui.screens.console_screen import ConsoleScreen
from console.ui.screens.list_screen import ListScreen
from console.ui.screens.navigation import go
from console.ui.screens.specs import screen_of
from tests.faults.figures import count
from tests.faults.glass import Glass, with_text
from tests.faults.hostile_texts import FEW, HOSTILE
from tests.idle.backend import IdleBackend
from tests.idle.console import still_console
from tests.idle.world import StillWorld, StillWorlds
from tests.static.source_files import ROOT
from tests.terminal.tap import answers, unlawful

pytestmark = pytest.mark.asyncio(loop_scope="module")

TEXTS = HOSTILE if count("FAULTS_COUNT", 0) else FEW
WORLD = ROOT / "tests" / "data" / "hostile.toml"
KINDS = [kind for kind in FEEDS if screen_of(kind) is not None and kind != "status"]
BROWSED = [kind for kind in RESOURCES if kind not in FEEDS] if TEXTS is HOSTILE else ["domains", "phonebooks"]
SHOWING = [
    *("view.open", "view.section", "view.related", "view.columns", "view.views", "view.copy", "view.copy-row"),
    *("calls.quality", "presence.group-by", "agents.free", "agents.grid", "groups.move-down"),
]
EVERYWHERE = ("view.help", "view.goto", "view.theme", "view.activity")
ADMIN = ("admin.menu", "admin.create", "admin.update", "admin.delete", "admin.narrow")
FAULTY_THEME = 'title = "[/] [@click=app.quit]press[/]"\n'
THEME = (ROOT / "themes" / "dark.toml").read_text(encoding="utf-8").replace('"Dark"', '"[/][@click=app.quit]press[/]"')


@pytest.fixture(scope="module")
def world(still_worlds: StillWorlds) -> StillWorld:
    return still_worlds.of(WORLD)


@pytest.fixture(scope="module", autouse=True)
def parsed() -> Generator[list[str]]:
    """Record what the framework parses as markup; let dialogs accept keys at once."""
    seen: list[str] = []

    def noting(function: Any) -> Any:
        def parse(text: str, *given: Any, **named: Any) -> Any:
            seen.append(text)
            return function(text, *given, **named)

        return parse

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(textual.markup, "to_content", noting(textual.markup.to_content))
        patch.setattr(rich_markup, "render", noting(rich_markup.render))
        patch.setattr(dialog, "DEAF_SECONDS", 0.001)
        yield seen


class Looking(Glass):
    """Follows all keys, and checks at each step that texts are shown as text."""

    parsed: list[str]
    seen: str = ""
    """The texts of the screens since a list was opened."""

    async def press(self, *keys: str) -> None:
        for key in keys:
            await self.pilot.press(key)
            await self.look()

    async def paste(self, text: str) -> None:
        self.app.post_message(Paste(text))
        await self.look()

    async def look(self) -> None:
        """Check what is on the screen."""
        await self.settle()
        if self.app.fault is not None:
            raise self.app.fault
        assert not self.harm()
        written = self.written()
        self.seen += written.decode(errors="replace")
        assert not unlawful(written)
        assert not answers(written)
        assert clean(self.app.title, 400) == self.app.title
        assert clean(self.app.clipboard, 200_000) == self.app.clipboard
        hostile = [each for each in self.parsed if "evil" in each or "press" in each or "\x1b" in each]
        assert not hostile, "markup of somebody else's is parsed"

    async def settle(self) -> None:
        """Wait until the front screen accepts keys."""
        while not getattr(self.app.screen, "listening", True):
            await self.pilot.pause()
        beat = getattr(self.app.screen, "beat", None)
        if beat is not None:
            beat(True)
        await self.pilot.pause()

    async def back(self) -> None:
        """Close all overlays."""
        for _ in range(9):
            if isinstance(self.app.screen, ConsoleScreen):
                return
            await self.press("escape")
        raise AssertionError(f"{self.app.screen} cannot be left")

    async def go(self, kind: str) -> ListScreen:
        await self.back()
        spec = screen_of(kind)
        assert spec is not None
        go(self.app, self.app.context, spec.name, kind)
        self.seen = ""
        await self.look()
        screen = self.app.screen
        assert isinstance(screen, ListScreen)
        if screen.pane.kind != kind:
            await self.press("tab")
        assert screen.pane.kind == kind
        while screen.pane.view.selection or screen.pane.filter_text:
            await self.press("escape")
        return screen

    async def to_hostile(self, screen: ListScreen) -> None:
        """Move the cursor to a row with a hostile key, if there is one."""
        hostile = next((each for each in screen.pane.view.keys if each.startswith("h-") and each != "h-huge"), "")
        if hostile and screen.cursor_key != hostile:
            screen.pane.live_table.move_to(hostile)
            await self.look()

    async def palette(self, *typed: str) -> None:
        """Open the palette, type, check every entry, and close it."""
        await self.pilot.press("ctrl+p")
        front = self.app.screen
        assert isinstance(front, CommandPalette)
        await self.gathered(front)
        for character in typed:
            await self.pilot.press(character)
            await self.gathered(front)
        entries = front.query_one(OptionList)
        assert entries.option_count
        for number in range(entries.option_count):
            prompt = entries.get_option_at_index(number).prompt
            assert isinstance(prompt, Content)
            assert clean(prompt.plain.replace("\n", " "), 1000) == prompt.plain.replace("\n", " ")
            assert not [span for span in prompt.spans if "@click" in str(span.style) or "link" in str(span.style)]
        await self.press("pagedown")
        await self.back()

    async def gathered(self, palette: CommandPalette) -> None:
        """Wait until the palette has listed everything."""
        while any(each.node is palette and not each.is_finished for each in self.app.workers):
            await self.pilot.pause()
        await self.pilot.pause()


@pytest_asyncio.fixture(params=TEXTS, ids=range(len(TEXTS)), scope="module", loop_scope="module")
async def looking(
    request: pytest.FixtureRequest, world: StillWorld, parsed: list[str], tmp_path_factory: pytest.TempPathFactory
) -> AsyncGenerator[Looking]:
    text: str = request.param
    folder = tmp_path_factory.mktemp("looking")
    themes = places({"CONSOLE_HOME": str(folder)}).themes
    themes.mkdir(parents=True)
    (themes / "[@click=app.quit]press[.toml").write_text(FAULTY_THEME, encoding="utf-8")
    (themes / "[@click=app.bell]press[.toml").write_text(THEME, encoding="utf-8")
    views = {kind: {text[:60]: SavedView(filter="", sort="", columns=())} for kind in KINDS}
    backend = IdleBackend(world, becomes=(Stage.REFUSED, text), unresolved=({"at": 1, "steps": [{"words": text}]},))
    for kind in KINDS:
        there = list(world.records[kind].values()) or [None]
        backend.change(kind, *(with_text(FEEDS[kind].record, each, text) for each in there))
    app = still_console(backend, folder, views=views)
    app.context.profile_name = text
    async with app.run_test(size=(80, 24)) as pilot:
        glass = Looking(app, backend, pilot)
        glass.parsed = parsed
        yield glass


def _keys(app: ConsoleApp, screen: ListScreen, kind: str) -> list[str]:
    views = {each.id for each in screen.view_keys()}
    ids = [action.id for action in screen.actions_here() if action.kind == kind]
    ids += [each for each in (*SHOWING, *(ADMIN if kind == "users" else ())) if each in views]
    return [app.context.keys[each][0] for each in ids if app.context.keys.get(each)]


async def _into(looking: Looking, screen: ListScreen, kind: str, keys: list[str]) -> None:
    """Press every key on the hostile row, and follow what opens with Enter, Down and Tab."""
    for key in keys:
        if looking.app.screen is not screen or screen.pane.kind != kind:
            await looking.go(kind)
        await looking.to_hostile(screen)
        await looking.press(key)
        if not isinstance(looking.app.screen, ConsoleScreen):
            await looking.press("end", "enter")
        await looking.back()


@pytest.mark.parametrize("kind", KINDS)
async def test_dialogs_opened_from_a_list_show_hostile_text_only_as_text(looking: Looking, kind: str) -> None:
    screen = await looking.go(kind)
    await looking.to_hostile(screen)
    await looking.palette("a")
    await _into(looking, screen, kind, _keys(looking.app, screen, kind))
    assert kind == "sessions" or "␛" in looking.seen, "what would command the terminal is shown as a sign"
    assert kind == "sessions" or "[@click" in looking.seen, "markup stands there as it was written"
    await looking.press("slash")
    await looking.paste("state:[/][@click=app.quit]press \x1b[2J")
    await looking.press("enter", "escape", "escape")


@pytest.mark.parametrize("kind", BROWSED)
async def test_dialogs_opened_from_a_resource_show_hostile_text_only_as_text(looking: Looking, kind: str) -> None:
    screen = await looking.go(kind)
    await looking.press("enter")
    await looking.back()
    await _into(looking, screen, kind, [app_key for each in ADMIN for app_key in looking.app.context.keys[each]])


async def test_dialogs_available_everywhere_show_hostile_text_only_as_text(looking: Looking) -> None:
    await looking.back()
    go(looking.app, looking.app.context, "home")
    await looking.palette("t", "h")
    keys = [looking.app.context.keys[each][0] for each in EVERYWHERE]
    keys += [action.key for action in ACTIONS if action.kind == "everywhere"]
    for key in keys:
        await looking.press(key)
        if not isinstance(looking.app.screen, ConsoleScreen):
            await looking.press("down", "tab", "enter")
        await looking.back()


async def test_error_messages_show_hostile_text_only_as_text(looking: Looking) -> None:
    text, backend = looking.app.context.profile_name, looking.backend
    await looking.back()
    before = backend.link
    for state in (Freshness.OFFLINE, Freshness.REFUSED, Freshness.STALE):
        backend.link = Health(state, None, text, retry_in=3.0)
        backend.revision += 1
        for name in ("home", "calls"):
            go(looking.app, looking.app.context, name)
            await looking.look()
    backend.link = before
    for kind in ("login", "password", "certificate", "config"):
        backend.fatal = Fatal(kind, text)
        looking.app._ask_for_help(backend.fatal)  # pyright: ignore[reportPrivateUsage] - as the next beat would
        await looking.look()
        backend.fatal = None
        looking.app.pop_screen()
        await looking.look()


async def test_written_files_are_safe_to_print(looking: Looking) -> None:
    folder = looking.app.context.places.downloads
    for kind in KINDS:
        await looking.go(kind)
        await looking.press("E", "J")
    files = list(folder.iterdir())
    assert len(files) >= 2 * len(KINDS)
    for file in files:
        assert clean(file.name, 400) == file.name
        text = file.read_bytes().decode()
        assert all(each.isprintable() or each == "\n" for each in text)
        if file.suffix == ".json":
            assert isinstance(json.loads(text), list)
