"""Forms whose values are read first: keys typed meanwhile are for the form."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any, cast

import pytest
import pytest_asyncio
from textual import events
from textual.widgets import Input

from console.api.errors import Forbidden
from console.api.operations.people import GetUser
from console.api.operations.phonebooks import CreatePhonebook
from console.api.request import Request
from console.commands.action import Action, Ask, FormAsk, ReadAsk
from console.live.command import Step
from console.records.people import User
from console.ui.dialogs import FormDialog, ReadingDialog
from console.ui.screens.console_screen import ConsoleScreen
from tests.behaviour.idle_console import SharedSitter, shared_console
from tests.idle.backend import IdleBackend
from tests.idle.world import StillWorld
from tests.snapshots.pictures import Sitter

pytestmark = pytest.mark.asyncio(loop_scope="module")

FORM = FormAsk("form", "New phonebook", CreatePhonebook)


class LateBackend(IdleBackend):
    """A backend that leaves questions about a user unanswered."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.unanswered: list[Future[Any]] = []

    def ask(self, request: Request[Any]) -> Future[Any]:
        if not isinstance(request, GetUser):
            return super().ask(request)
        self.unanswered.append(Future())
        return self.unanswered[-1]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def console(busy: StillWorld, tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[SharedSitter]:
    backend = LateBackend(busy)
    async with shared_console(backend, tmp_path_factory.mktemp("late"), hold_seconds=0) as sitter:
        yield sitter


@pytest_asyncio.fixture(loop_scope="module")
async def sitter(console: SharedSitter) -> SharedSitter:
    """The console at the list of calls."""
    await console.restart()
    await console.press("2")
    return console


@pytest.fixture
def backend(console: SharedSitter) -> LateBackend:
    backend = console.backend
    assert isinstance(backend, LateBackend)
    backend.unanswered.clear()
    return backend


async def begin(sitter: Sitter, backend: LateBackend, *asks: Ask, required: bool = False) -> ConsoleScreen:
    """Run an action that reads a user and then asks, until its request is under way; return the screen below."""
    screen = sitter.app.screen
    assert isinstance(screen, ConsoleScreen)
    read = ReadAsk("read", GetUser(id="ana"), required)
    action = Action[Any](
        "test.read",
        "read",
        "",
        "everywhere",
        nothing_sent,
        needs="none",
        asks=lambda _situation, _records: (read, *asks),
    )
    screen.carry_out(action, ())
    await sitter.until(lambda: bool(backend.unanswered))
    return screen


def nothing_sent(*_: Any) -> Sequence[Step]:
    raise ValueError("Nothing was sent.")


def flickers(*_: object) -> None:
    raise AssertionError("a dialog for an instant")


def type_ahead(sitter: Sitter, *keys: str) -> None:
    for key in keys:
        sitter.app.post_message(events.Key(key, key if len(key) == 1 else None))


def answer(backend: LateBackend) -> None:
    backend.unanswered.pop().set_result(User(id="ana"))


def shows(sitter: Sitter, kind: type[Any]) -> Callable[[], bool]:
    return lambda: isinstance(sitter.app.screen, kind)


async def reading(sitter: Sitter) -> None:
    await sitter.until(shows(sitter, ReadingDialog))


async def test_keys_typed_before_the_form_go_into_its_first_field(sitter: Sitter, backend: LateBackend) -> None:
    screen = await begin(sitter, backend, FORM)
    type_ahead(sitter, "1", "x")
    await reading(sitter)
    type_ahead(sitter, "6", "question_mark", "tab")
    await sitter.settle()
    assert sitter.app.screen_stack[-2:] == [screen, sitter.app.screen], "no key acts on the list"
    answer(backend)
    await sitter.until(shows(sitter, FormDialog))
    await sitter.until(lambda: sitter.app.screen.query_one("#field-0", Input).value == "1x6")
    assert backend.tickets() == ()


async def test_a_text_pasted_before_the_form_goes_into_its_first_field(sitter: Sitter, backend: LateBackend) -> None:
    await begin(sitter, backend, FORM)
    sitter.app.post_message(events.Paste("Depots"))
    await reading(sitter)
    answer(backend)
    await sitter.until(shows(sitter, FormDialog))
    await sitter.until(lambda: sitter.app.screen.query_one("#field-0", Input).value == "Depots")


async def test_an_answer_that_arrives_at_once_shows_no_dialog_before_the_form(
    sitter: Sitter, backend: LateBackend
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ReadingDialog, "__init__", flickers)
        await begin(sitter, backend, FORM)
        answer(backend)
        await sitter.until(shows(sitter, FormDialog))


@pytest.mark.parametrize("late", [False, True], ids=["before the dialog", "in the dialog"])
async def test_escape_cancels_what_is_read_with_the_keys_before_it(
    sitter: Sitter, backend: LateBackend, late: bool
) -> None:
    screen = await begin(sitter, backend, FORM)
    if late:
        await reading(sitter)
    type_ahead(sitter, "1", "escape")
    await sitter.until(backend.unanswered[0].cancelled)
    await sitter.until(lambda: sitter.app.screen is screen)
    await sitter.press("6")
    assert cast(ConsoleScreen, sitter.app.screen).spec.name == "alerts", "keys work again"


async def test_the_button_cancels_like_the_key(sitter: Sitter, backend: LateBackend) -> None:
    screen = await begin(sitter, backend, FORM)
    await reading(sitter)
    await sitter.settle()
    await sitter.click("KeyButton", 2)
    await sitter.until(lambda: sitter.app.screen is screen)
    assert backend.unanswered[0].cancelled()


async def test_keys_typed_for_a_form_that_does_not_open_are_dropped(sitter: Sitter, backend: LateBackend) -> None:
    screen = await begin(sitter, backend, FORM, required=True)
    await reading(sitter)
    type_ahead(sitter, "1", "x")
    await sitter.settle()
    backend.unanswered[0].set_exception(Forbidden("not yours", status=403, operation="users.get"))
    await sitter.until(lambda: sitter.app.screen is screen)
    await sitter.settle()
    assert (sitter.app.screen, backend.tickets()) == (screen, ())


async def test_an_answer_that_arrives_below_another_screen_opens_the_form_afterwards(
    sitter: Sitter, backend: LateBackend
) -> None:
    await begin(sitter, backend, FORM)
    await reading(sitter)
    over = FormDialog(FORM)
    await sitter.app.push_screen(over)
    type_ahead(sitter, "x")
    await sitter.until(lambda: over.query_one("#field-0", Input).value == "x")
    answer(backend)
    await sitter.settle()
    over.dismiss(None)
    await sitter.until(lambda: isinstance(sitter.app.screen, FormDialog) and sitter.app.screen is not over)


async def test_the_keys_that_end_the_console_are_not_held(busy: StillWorld, tmp_path: Path) -> None:
    backend = LateBackend(busy)
    async with shared_console(backend, tmp_path) as sitter:
        await begin(sitter, backend, FORM)
        await reading(sitter)
        type_ahead(sitter, "ctrl+q")
        await sitter.until(lambda: sitter.app.return_code is not None or not sitter.app.is_running)
