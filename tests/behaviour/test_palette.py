"""On a screen with several lists, actions apply only to records of their own list, in the palette as by keys."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.command import DiscoveryHit, Hit

from console.api.catalogue import catalogue
from console.kinds.tables import TABLES
from console.ui.app import ConsoleApp
from console.ui.dialogs import ChoiceDialog, FormDialog
from console.ui.screens.list_screen import ListScreen
from console.ui.screens.navigation import go
from console.ui.screens.palette import ConsoleCommands
from console.ui.screens.specs import SCREENS
from console.ui.textual_compat.testing import painted
from console.ui.widgets.pick_list import PickList
from tests.behaviour.widgets.asking import until
from tests.idle.backend import IdleBackend
from tests.idle.console import still_console
from tests.idle.world import StillWorld, StillWorlds

LISTS = [(spec.name, kind) for spec in SCREENS for kind in spec.kinds if len(spec.kinds) > 1 and spec.name != "admin"]


@pytest.fixture
def world(still_worlds: StillWorlds) -> StillWorld:
    return still_worlds.of("busy")


@pytest.mark.asyncio
async def test_the_palette_offers_everything_on_each_list_and_actions_apply_to_their_own_records(
    world: StillWorld, tmp_path: Path
) -> None:
    app = still_console(IdleBackend(world), tmp_path)
    async with app.run_test() as pilot:
        for name, kind in LISTS:
            go(app, app.context, name, kind)
            await pilot.pause()
            screen = app.screen
            assert isinstance(screen, ListScreen)
            while screen.pane.kind != kind:
                await pilot.press("tab")
            for action in screen.actions_here():
                met = screen.acted_on(action)
                assert not met or action.kind in {kind, "groups"}, f"{action.id} from the {kind}"
            offered = [hit async for hit in ConsoleCommands(screen).discover()]
            titles = {hit.text for hit in offered if isinstance(hit, DiscoveryHit)}
            for action in screen.actions_here():
                assert f"{action.title.capitalize()} ({action.id})" in titles


@pytest.mark.asyncio
async def test_go_to_leads_to_the_palette_whose_commands_replace_the_open_choice(
    world: StillWorld, tmp_path: Path
) -> None:
    app = still_console(IdleBackend(world), tmp_path)
    async with app.run_test() as pilot:
        await pilot.press("colon", *"user permi")
        choice = app.screen
        assert isinstance(choice, ChoiceDialog)
        await pilot.pause()
        assert "No list matches. ^p searches all commands." in "\n".join(strip.text for strip in painted(choice))
        (found, *_) = [hit async for hit in ConsoleCommands(choice).search("user-permissions.get")]
        assert "(run user-permissions.get)" in str(found.text)
        (to_groups, *_) = [hit async for hit in ConsoleCommands(choice).search("Go to Groups")]
        to_groups.command()
        await pilot.pause()
        assert choice not in app.screen_stack
        assert app.current_mode == "groups"


async def found(app: ConsoleApp, query: str) -> Hit:
    """Return the entry of the palette for an operation by its name."""
    hits = [hit async for hit in ConsoleCommands(app.screen).search(f"(run {query})")]
    return next(hit for hit in hits if isinstance(hit, Hit) and f"(run {query})" in str(hit.text))


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("name", "kind", "operation", "title"),
    [
        ("groups", "groups", "groups.update", "Update group"),
        ("alerts", "templates", "templates.update", "Update template"),
        ("calls", "calls", "calls.update", "Update call"),
        ("presence", "presence", "user-permissions.create", "Create user permissions"),
        ("agents", "agents", "users.update", "Update user"),
    ],
)
async def test_an_operation_from_the_palette_is_about_the_record_under_the_cursor(
    name: str, kind: str, operation: str, title: str, world: StillWorld, tmp_path: Path
) -> None:
    app = still_console(IdleBackend(world), tmp_path)
    async with app.run_test() as pilot:
        go(app, app.context, name, kind)
        await pilot.pause()
        screen = app.screen
        assert isinstance(screen, ListScreen)
        record = screen.pane.view.cursor_record
        assert record is not None
        shown = TABLES[kind].name(record, app.context.render_context())
        hit = await found(app, operation)
        assert f"{shown}: fill in" in str(hit.prompt)
        hit.command()
        await until(pilot, lambda: isinstance(app.screen, FormDialog) and app.screen.listening)
        lines = "\n".join(strip.text for strip in painted(app.screen))
        assert f"{title} {shown}"[:60] in lines
        assert " Id " not in lines


@pytest.mark.asyncio
async def test_an_operation_from_the_palette_without_a_record_has_a_readable_title(
    world: StillWorld, tmp_path: Path
) -> None:
    app = still_console(IdleBackend(world), tmp_path)
    async with app.run_test() as pilot:
        (await found(app, "user-permissions.create")).command()
        await until(pilot, lambda: isinstance(app.screen, FormDialog) and app.screen.listening)
        lines = "\n".join(strip.text for strip in painted(app.screen))
        assert "Create user permissions" in lines
        assert "user-permissions" not in lines.casefold()


@pytest.mark.asyncio
async def test_the_palette_over_a_form_says_how_to_reach_the_commands(world: StillWorld, tmp_path: Path) -> None:
    app = still_console(IdleBackend(world), tmp_path)
    async with app.run_test() as pilot:
        (await found(app, "users.create")).command()
        await until(pilot, lambda: isinstance(app.screen, FormDialog) and app.screen.listening)
        form = app.screen
        (offered,) = [hit async for hit in ConsoleCommands(form).discover()]
        (matching,) = [hit async for hit in ConsoleCommands(form).search("go to")]
        assert "press esc first" in str(offered.prompt)
        assert "press esc first" in str(matching.prompt)
        offered.command()
        await until(pilot, lambda: app.screen is not form)


def test_no_description_of_an_operation_shows_backticks() -> None:
    assert not [name for name, request in catalogue().items() if "`" in request.operation.words]


@pytest.mark.asyncio
async def test_every_choice_of_whom_presence_shows_says_its_sort(world: StillWorld, tmp_path: Path) -> None:
    app = still_console(IdleBackend(world), tmp_path)
    async with app.run_test() as pilot:
        await pilot.press("4", "b")
        await until(pilot, lambda: isinstance(app.screen, ChoiceDialog) and app.screen.listening)
        dialog = app.screen
        assert isinstance(dialog, ChoiceDialog)
        (everybody, *others) = dialog.query_one(PickList).choices
        assert everybody.title == "Everybody"
        assert {str(choice.note).partition(",")[0] for choice in others} == {"status", "group", "skill"}
