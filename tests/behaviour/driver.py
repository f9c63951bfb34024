"""Drive the console by its keys against a running service, and wait for what the screen shows."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar
from zoneinfo import ZoneInfo

from textual.events import Key, Paste
from textual.pilot import Pilot
from textual.widgets import Input

from console.base.clock import Clock, SystemClock
from console.base.frozen import replace
from console.client.endpoint import Endpoint
from console.config.notice_settings import NoticeSettings
from console.config.paths import places, resource_dir
from console.config.schema import Config, Profile
from console.kinds.catalogue import FEEDS, RESOURCES
from console.kinds.tables import TABLES
from console.live.backend import Backend
from console.live.command import Stage, Ticket
from console.live.delta import Freshness
from console.recording.identities import CurrentIdentity
from console.records.record import Record
from console.rules.reading import load_rules
from console.rules.watching import watch_by
from console.ui.app import ConsoleApp
from console.ui.dialogs.fields import FieldsDialog
from console.ui.dialogs.screen_dialogs import ReadingDialog
from console.ui.screens import preload
from console.ui.screens.app_context import AppContext
from console.ui.screens.browsing import BrowserPane
from console.ui.screens.console_screen import ConsoleScreen
from console.ui.screens.list_screen import ListScreen
from console.ui.screens.repeat import RELEASE_SECONDS
from console.ui.screens.specs import screen_of, spec_of
from console.ui.textual_compat.testing import painted
from console.ui.widgets.tree import Tree
from tests.background import Running
from tests.patience import PATIENCE
from tests.surroundings import SILENT

T = TypeVar("T")
R = TypeVar("R", bound=Record)


@dataclass
class Keys:
    """The number of keys pressed. A key, a chord and a paste count as one each."""

    pressed: int = 0


@dataclass
class Seat:
    """A console that somebody is logged in to."""

    app: ConsoleApp
    backend: Backend
    context: AppContext
    pilot: Pilot[Any]
    journal: Path
    """The file of the console's journal."""
    keys: Keys = field(default_factory=Keys)

    # -- keys ------------------------------------------------------------------------------------------------------

    async def press(self, *keys: str) -> None:
        """Press keys one after the other. Raise the exception that ended the console, if any."""
        self.keys.pressed += len(keys)
        await self.pilot.press(*keys)
        self._raise_fault()

    async def press_again(self, key: str) -> None:
        """Press the last key again, with the pause that a hand makes: without it, the key counts as held down."""
        await asyncio.sleep(RELEASE_SECONDS)
        await self.press(key)

    def _raise_fault(self) -> None:
        if self.app.fault is not None:
            raise self.app.fault

    async def type(self, text: str) -> None:
        """Type a text, one key per character, without waiting for frames in between."""
        self.keys.pressed += len(text)
        for character in text:
            self.app.post_message(Key(_KEY_OF.get(character, character), character))
        await self.pilot.pause()
        self._raise_fault()

    async def paste(self, text: str) -> None:
        """Paste a text, as a bracketed paste of the terminal."""
        self.keys.pressed += 1
        self.app.post_message(Paste(text))
        await self.pilot.pause()
        self._raise_fault()

    @contextmanager
    def counted(self, expected: int | None = None) -> Generator[Keys]:
        """Count the keys pressed within the block, and check their number if one is expected."""
        before, self.keys = self.keys, Keys()
        try:
            yield self.keys
            assert expected in {None, self.keys.pressed}, f"{self.keys.pressed} keys instead of {expected}"
        finally:
            before.pressed += self.keys.pressed
            self.keys = before

    # -- navigation, whose keys are not counted ----------------------------------------------------------------------

    async def look_at(self, kind: str, key: str = "", filter_text: str = "") -> None:
        """Go to the list of a kind by its keys, type a filter, and move the cursor to a record.

        Existing selections and filters are dropped first.
        """
        spec = screen_of(kind)
        assert spec is not None, kind
        await self.go_to(spec.name)
        screen = await self.until(lambda: self._on(spec.name))
        while screen.pane.view.selection or screen.pane.filter_text or isinstance(self.app.focused, Input):
            await self.press("escape")
        if isinstance(self.app.focused, Tree):
            await self.press("tab")
        if spec.name == "admin" and screen.pane.kind != kind:
            found = RESOURCES[kind]
            await self.press("colon")
            await self.dialog()
            await self.paste(f"{found.branch} {found.title}".lower())
            await self.press("enter")
        if kind == "notifications" and screen.pane.kind != kind:
            # Tab skips the list of offers while no chat is offered.
            await self.press("colon")
            await self.dialog()
            await self.paste(TABLES[kind].title.lower())
            await self.press("enter")
            await self.until(lambda: screen.pane.kind == kind)
        for _ in range(3):
            if spec.name != "admin" and screen.pane.kind != kind:
                before = screen.pane.kind
                await self.press("tab")
                await self.until(lambda before=before: screen.pane.kind != before)
        await self.until(lambda: screen.pane.kind == kind)
        await self.until(lambda: screen.pane.health.age is not None)
        if isinstance(screen.pane, BrowserPane):
            await self.press("ctrl+r")
        while screen.pane.view.selection or screen.pane.filter_text:
            await self.press("escape")
        if filter_text:
            await self.press("slash")
            await self.paste(filter_text)
            await self.press("enter")
        if key:
            await self.move_to(key)

    async def go_to(self, name: str) -> None:
        """Close open dialogs and panels, and go to a screen by its digit."""
        while not isinstance(self.app.screen, ConsoleScreen):
            over = self.app.screen
            await self.until(lambda over=over: getattr(over, "listening", True))
            await self.press("escape")
            await self.until(lambda over=over: self.app.screen is not over or getattr(over, "listening", True))
        if isinstance(self.app.focused, Input):
            await self.press("escape")
        if self.app.screen.spec.name != name:
            await self.press(spec_of(name).digit)
            await self.until(lambda: isinstance(self.app.screen, ConsoleScreen) and self.app.screen.spec.name == name)

    async def move_to(self, key: str) -> None:
        """Wait for a record in the focused list, then move the cursor to it as the arrow keys would."""
        screen = self.app.screen
        assert isinstance(screen, ListScreen)
        await self.until(lambda: screen.pane.view.index(key) is not None)
        screen.pane.live_table.move_to(key)
        await self.until(lambda: self.cursor == key)

    def _on(self, name: str) -> ListScreen | None:
        screen = self.app.screen
        return screen if isinstance(screen, ListScreen) and screen.spec.name == name else None

    # -- waiting ---------------------------------------------------------------------------------------------------

    async def until(self, condition: Callable[[], T | None], seconds: float = PATIENCE) -> T:
        """Return the value of `condition` once it is true. Fail with the text of the screen after `seconds`."""
        end = time.monotonic() + seconds
        while not (found := condition()):
            if time.monotonic() > end:
                raise AssertionError(f"not within {seconds} s; the screen says:\n{self.screen_text()}")
            await self.pilot.pause()
            await asyncio.get_running_loop().run_in_executor(None, time.sleep, 0.01)
        return found

    async def dialog(self) -> None:
        """Wait until a dialog is open and accepts keys. It ignores keys at first, so that a stray key does nothing."""
        await self.until(
            lambda: getattr(self.app.screen, "listening", False) and not isinstance(self.app.screen, ReadingDialog)
        )

    async def open_dialog(self, key: str) -> None:
        """Press a key, and wait until the dialog that it opens accepts keys."""
        await self.press(key)
        await self.dialog()

    async def focus_field(self, label: str) -> None:
        """Move through the fields of a form, with the optional ones, until the field with this label has the focus."""
        dialog = self.app.screen
        assert isinstance(dialog, FieldsDialog)
        await self.press("ctrl+o")
        titles = {f"field-{number}": each.title for number, each in enumerate(dialog.fields)}
        assert label in titles.values(), f"{label} is none of {list(titles.values())}"
        while (focused := dialog.focused) is None or titles.get(focused.id or "") != label:
            await self.press("tab")

    async def no_dialog(self) -> None:
        """Wait until the dialog is closed and the screen has the focus."""
        await self.until(lambda: isinstance(self.app.screen, ConsoleScreen))

    async def sees(self, words: str, seconds: float = PATIENCE) -> None:
        """Wait until the screen shows these words, in one row or wrapped."""
        await self.until(lambda: words in (text := self.screen_text()) or words in " ".join(text.split()), seconds)

    async def done(self, action: str) -> Ticket:
        """Wait until the newest command is this action's and has succeeded. Fail with its result otherwise."""

        def ended() -> Ticket | None:
            newest = next(iter(self.backend.commands.tickets()), None)
            over = newest is not None and newest.stage not in {Stage.HELD, Stage.PENDING}
            return newest if newest is not None and newest.command.action == action and over else None

        ticket = await self.until(ended)
        assert ticket.stage is Stage.DONE, f"{action}: {ticket.stage}, {ticket.reason}"
        assert not ticket.reason, ticket.reason
        return ticket

    async def undo(self) -> None:
        """Undo the newest change by its key once it has been answered, and wait for the result."""
        await self.until(lambda: all(each.stage is not Stage.PENDING for each in self.backend.commands.tickets()))
        tickets = self.backend.commands.tickets()
        newest = next(each.command for each in tickets if each.can_undo and not each.command.takes_back)
        amount = len(tickets)
        await self.press("u")
        await self.until(lambda: len(self.backend.commands.tickets()) > amount or self.offers_undo)
        if len(self.backend.commands.tickets()) == amount:
            # A change that is not named on the screen any more is named first.
            await self.press_again("u")
        await self.until(lambda: len(self.backend.commands.tickets()) > amount)
        await self.done(f"undo.{newest.action}")

    @property
    def offers_undo(self) -> bool:
        """Whether the screen names a change that another press undoes."""
        return "u again: " in " ".join(self.screen_text().split())

    async def confirm(self, *keys: str, does: str = "") -> None:
        """Answer the current or next dialog, and wait until it is closed and the action that it `does` is done."""
        await self.dialog()
        front = self.app.screen
        await self.press(*keys)
        await self.until(lambda: front not in self.app.screen_stack)
        if does:
            await self.done(does)

    # -- screen contents -------------------------------------------------------------------------------------------

    def screen_text(self) -> str:
        """Return the text of the screen, one string per row."""
        return "\n".join(line.text.rstrip() for line in painted(self.app.screen))

    @property
    def cursor(self) -> str:
        """The key of the record under the cursor of the focused list."""
        return str(getattr(self.app.screen, "cursor_key", ""))

    @property
    def shown(self) -> list[str]:
        """The keys of the records in the focused list, in order."""
        screen = self.app.screen
        assert isinstance(screen, ListScreen)
        return list(screen.pane.view.keys)

    @property
    def marked(self) -> frozenset[str]:
        """The keys of the selected records in the focused list."""
        screen = self.app.screen
        assert isinstance(screen, ListScreen)
        return screen.pane.view.selection

    def known(self, kind: str, key: str, record: type[R]) -> R:
        """Return a record as this console last received it."""
        found = self.backend.records(kind)[key]
        assert isinstance(found, record)
        return found


_KEY_OF = {" ": "space", "#": "number_sign", "\n": "enter"}


@asynccontextmanager
async def seat(
    service: Running,
    folder: Path,
    who: str = "eva",
    size: tuple[int, int] = (120, 40),
    *,
    events: bool = True,
    config: Config | None = None,
    read_only: bool = False,
    clock: Clock | None = None,
    notices: NoticeSettings = SILENT,
) -> AsyncGenerator[Seat]:
    """Open a console, log in and wait until everything is listed. `clock` is the clock of its screens."""
    config = replace(config or Config(hold_seconds=0), notices=notices)
    endpoint = Endpoint(
        core=service.core_url,
        provisioning=service.provisioning_url,
        events=service.events_url if events else None,
        read_only=read_only,
    )
    journal = folder / f"{who}-{id(folder)}-journal.jsonl"
    backend = Backend(
        endpoint,
        FEEDS.values(),
        journal_path=journal,
        login=lambda: (who, "demo"),
        hold_seconds=config.hold_seconds,
    )
    context = AppContext(
        backend=backend,
        config=config,
        profile_name="test",
        profile=Profile(core=service.core_url, provisioning=service.provisioning_url, read_only=read_only),
        clock=clock or SystemClock(),
        zone=ZoneInfo("Europe/Madrid"),
        places=places({"CONSOLE_HOME": str(folder)}),
    )
    preload.load()  # In a fresh process it would come in during the first test.
    context.identity = CurrentIdentity(context.places, "test", backend, lambda: who).last
    context.watch = watch_by(load_rules(None), backend, context.render_context)
    backend.start()
    try:
        app = ConsoleApp(context, resource_dir("themes"))
        app.animation_level = "none"  # a key has its effect at once, or every press waits for the end of a scroll
        async with app.run_test(size=size) as pilot:
            found = Seat(app, backend, context, pilot, journal)
            ready = {Freshness.LIVE, Freshness.POLLING}
            for kind in ("calls", "alerts", "groups", "users"):
                backend.records(kind)
                await found.until(lambda kind=kind: backend.health(kind).state in ready and backend.me is not None)
            yield found
    finally:
        backend.stop()
