"""On a screen with several lists, actions apply only to records of their own list, in the palette as by keys."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.command import DiscoveryHit

from console.ui.dialogs import ChoiceDialog
from console.ui.screens.list_screen import ListScreen
from console.ui.screens.navigation import go
from console.ui.screens.palette import ConsoleCommands
from console.ui.screens.specs import SCREENS
from console.ui.textual_compat.testing import painted
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
