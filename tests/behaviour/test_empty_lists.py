"""An empty list names the key that creates a first record, to those who may."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.behaviour.idle_console import shared_console
from tests.idle.backend import IdleBackend
from tests.idle.world import StillWorld, StillWorlds

pytestmark = pytest.mark.asyncio(loop_scope="module")
CREATED = ("templates", "skills", "groups")
PRESS = "Press n to create one."


@pytest.fixture(scope="module")
def empty_for_pat(still_worlds: StillWorlds) -> StillWorld:
    return still_worlds.of("empty", "pat")


async def test_an_admin_reads_which_key_creates_the_first_record(empty: StillWorld, tmp_path: Path) -> None:
    async with shared_console(IdleBackend(empty), tmp_path) as eva:
        for kind in CREATED:
            await eva.look_at(kind)
            assert f"There are no {kind}. {PRESS}" in eva.text(), kind
        await eva.look_at("alerts")
        assert "There are no alerts." in eva.text()
        assert PRESS not in eva.text()


async def test_who_may_create_nothing_is_pointed_to_no_key(empty_for_pat: StillWorld, tmp_path: Path) -> None:
    async with shared_console(IdleBackend(empty_for_pat), tmp_path) as pat:
        for kind in ("templates", "skills"):
            await pat.look_at(kind)
            assert f"There are no {kind}" in pat.text(), kind
            assert PRESS not in pat.text(), kind
