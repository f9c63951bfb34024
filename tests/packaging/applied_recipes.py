"""Tests of the result of all recipes in `docs/add-a-screen.md`: `test_recipes.py` runs them on a copy."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Generator
from importlib import import_module
from pathlib import Path

import pytest
import pytest_asyncio

from console.cli.program import run
from console.config.paths import resource_dir
from console.live.delta import Freshness
from console.service.domain import agents, groups, people, phonebooks
from console.service.domain.groups import GROUPS
from console.service.scenarios.spec import worlds
from console.ui.screens.list_screen import ListScreen
from console.ui.widgets.theme import load_themes
from tests.background import Running
from tests.behaviour.driver import Seat, seat
from tests.cli.conftest import ENVIRONMENT, profile
from tests.contrast import weak
from tests.services import Services, world

MEMBERS = ("bob", "ana", "carla")


@pytest.fixture(scope="module")
def service(services: Services) -> Generator[Running]:
    with services.anew(world("night")) as running:
        with running.platform.read() as tx:
            owner = people.need_user(tx, "eva")
        groups.create(running.platform, owner, "Recipe", "recipe", participants=MEMBERS)
        yield running


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def eva(service: Running, tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Seat]:
    async with seat(service, tmp_path_factory.mktemp("eva")) as seated:
        yield seated


@pytest.fixture
def console(service: Running, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ENVIRONMENT:
        monkeypatch.delenv(f"CONSOLE_{name}", raising=False)
    monkeypatch.setenv("CONSOLE_HOME", str(tmp_path))
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.fail.Keyring")
    monkeypatch.setenv("CONSOLE_PASSWORD", "demo")
    profile(tmp_path, service.core_url)


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Run a command and return its output."""
    code = run(arguments)
    printed = capsys.readouterr()
    assert code == 0, printed.err
    return printed.out


@pytest.mark.usefixtures("console")
def test_an_operation_is_described_and_called(service: Running, capsys: pytest.CaptureFixture[str]) -> None:
    assert "Put the first member of a group last" in said(capsys, "operations", "groups.rotate")
    assert "OK" in said(capsys, "call", "groups.rotate", "groupId=recipe", "--yes")
    with service.platform.read() as tx:
        assert GROUPS.need(tx, "recipe").participants == (*MEMBERS[1:], MEMBERS[0])


@pytest.mark.usefixtures("console")
def test_a_column_is_displayed_sorted_and_filtered(service: Running, capsys: pytest.CaptureFixture[str]) -> None:
    groups.reorder(service.platform, "recipe", MEMBERS)
    listed = said(capsys, "list", "groups", "--columns", "name,first", "--sort", "first", "--filter", "first:bob")
    assert "Rings first" in listed
    assert any("Recipe" in line and "Bob" in line for line in listed.splitlines()), listed


@pytest.mark.asyncio(loop_scope="module")
async def test_a_feed_is_listed_and_live(eva: Seat, service: Running) -> None:
    eva.backend.records("phonebooks")
    await eva.until(lambda: eva.backend.health("phonebooks").state is Freshness.LIVE)
    listed = len(eva.backend.records("phonebooks"))
    assert listed == 1, "the world has one"
    book = phonebooks.create(service.platform, "Night numbers")
    await eva.until(lambda: book.id in eva.backend.records("phonebooks"))


@pytest.mark.asyncio(loop_scope="module")
async def test_a_screen_opens_on_its_digit_with_rows(eva: Seat) -> None:
    await eva.press("9")
    await eva.until(lambda: isinstance(eva.app.screen, ListScreen) and "night" in eva.shown)
    await eva.sees("9 Skills")
    await eva.sees("LIVE")


def leave_note(service: Running, text: str) -> None:
    """Call a function of the recipe, which the tests in this tree do not have."""
    import_module("console.service.domain.handover").leave(service.platform, "eva", text)


@pytest.mark.usefixtures("console")
def test_a_kind_is_listed_and_described(service: Running, capsys: pytest.CaptureFixture[str]) -> None:
    leave_note(service, "Check the lift")
    assert "Check the lift" in said(capsys, "list", "handover-notes", "--filter", "open:yes")
    assert "Close a handover note" in said(capsys, "operations", "handover-notes.close")


@pytest.mark.asyncio(loop_scope="module")
async def test_a_kind_is_live_on_its_screen(eva: Seat, service: Running) -> None:
    await eva.press("0")
    await eva.sees("0 Hand")
    await eva.until(lambda: eva.backend.health("handover-notes").state is Freshness.LIVE)
    leave_note(service, "Water the plants")
    await eva.sees("Water the plants")


@pytest.mark.asyncio(loop_scope="module")
async def test_an_action_is_offered_on_its_key(eva: Seat) -> None:
    await eva.go_to("conferences")
    await eva.press("question_mark")
    await eva.dialog()
    await eva.sees("T  mark as finished")
    await eva.press("escape")
    await eva.no_dialog()


@pytest.mark.asyncio(loop_scope="module")
async def test_a_theme_is_offered_and_readable(eva: Seat) -> None:
    themes = load_themes(resource_dir("themes"))
    assert themes.faults == ()
    assert [str(each) for each in weak(themes.get("rose"))] == []
    await eva.press("ctrl+t")
    await eva.dialog()
    await eva.sees("Rose")
    await eva.press("escape")
    await eva.no_dialog()


@pytest.mark.usefixtures("console")
def test_a_world_is_listed_and_served(service: Running, capsys: pytest.CaptureFixture[str]) -> None:
    assert "night" in worlds()
    with service.platform.read() as tx:
        assert [each.skill for each in agents.SKILLS.records(tx)] == ["night"]
    assert said(capsys, "list", "calls", "--columns", "state").count("queued") == 1
