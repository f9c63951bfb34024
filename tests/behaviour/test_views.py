"""Views of lists: applied, saved under a name for the next start, and deleted."""

from __future__ import annotations

import pytest

from console.config.reader import load_config
from console.service.domain.people import USERS
from console.service.domain.sessions import create
from console.ui.screens.list_screen import ListScreen
from tests.behaviour.driver import Seat
from tests.behaviour.service_base import Base

pytestmark = pytest.mark.asyncio(loop_scope="module")

DAY_MS = 86_400_000


async def test_users_without_a_login_for_a_year_is_a_predefined_view(eva: Seat, base: Base) -> None:
    user, platform = base.newcomer(), base.service.platform
    with platform.write() as tx:
        long_ago = platform.now_ms() - 366 * DAY_MS
        USERS.put(tx, USERS.need(tx, user).model_copy(update={"last_login": long_ago}))
    await eva.look_at("users", user)
    await eva.open_dialog("V")
    await eva.sees("Not logged in for a year")
    await eva.confirm("1")
    await eva.until(lambda: eva.shown == [user])
    await eva.sees("filter login>365d")


async def test_sessions_of_users_with_most_sessions_are_grouped_at_the_top(eva: Seat, base: Base) -> None:
    user = base.user(base.newcomer())
    theirs = {create(base.service.platform, user, None)[0].id for _ in range(7)}
    await eva.until(lambda: theirs <= eva.backend.records("sessions").keys())
    await eva.look_at("sessions")
    await eva.open_dialog("V")
    await eva.type("several")
    await eva.confirm("enter")
    await eva.until(lambda: set(eva.shown[:7]) == theirs)


async def test_a_view_is_stored_under_a_name_applied_and_deleted(eva: Seat, base: Base) -> None:
    file = eva.context.places.config_file
    await eva.look_at("users", filter_text="name:whitaker")
    await eva.press("greater_than_sign", "V")
    await eva.dialog()
    await eva.confirm("plus")
    await eva.dialog()
    await eva.type("My Bobs")
    await eva.confirm("enter")
    await eva.sees("View My Bobs saved.")
    kept = load_config(file, {}).views["users"]["My Bobs"]
    assert (kept.filter, kept.sort) == ("name:whitaker", "username")
    await eva.press("escape")
    await eva.until(lambda: len(eva.shown) > 200)
    await eva.open_dialog("V")
    await eva.type("bobs")
    await eva.confirm("enter")
    await eva.until(lambda: eva.shown == ["bob"])
    await eva.open_dialog("V")
    await eva.type("default view")
    await eva.confirm("enter")
    await eva.until(lambda: len(eva.shown) > 200)
    screen = eva.app.screen
    assert isinstance(screen, ListScreen)
    assert screen.pane.view.sort == ("name", False)
    await eva.open_dialog("V")
    await eva.confirm("minus")
    await eva.dialog()
    await eva.confirm("1")
    await eva.sees("View My Bobs deleted.")
    assert not load_config(file, {}).views.get("users")
