"""Rules are made from a filtered list, changed with a form, and switched, while the console runs."""

from __future__ import annotations

import tomllib
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from console.records.record import Record
from console.records.traffic import Call
from console.ui.widgets.concerns import ConcernList
from tests.idle.backend import IdleBackend
from tests.idle.console import still_console
from tests.idle.world import NOW_MS, StillWorld
from tests.snapshots.pictures import Sitter


@asynccontextmanager
async def desk(backend: IdleBackend, folder: Path) -> AsyncGenerator[Sitter]:
    app = still_console(backend, folder, hold_seconds=0)
    async with app.run_test(size=(120, 40)) as pilot:
        sitter = Sitter(pilot)
        await sitter.hold_still()
        yield sitter


@pytest.fixture
def backend(empty: StillWorld) -> IdleBackend:
    made = IdleBackend(empty)
    calls: list[Record] = [Call(id="vip", state="connected", caller="+34911", date=NOW_MS - 5_000)]
    for kind in ("calls", "alerts", "skills", "notifications", "alarms", "chats", "conferences"):
        made.change(kind, *(calls if kind == "calls" else []), removes=[*made.records(kind)])
    return made


def written(folder: Path) -> dict[str, Any]:
    return tomllib.loads((folder / "rules.toml").read_text()).get("rules", {})


async def fresh(sitter: Sitter, backend: IdleBackend) -> None:
    """Let the rules be evaluated again."""
    backend.revision += 1
    await sitter.settle()


async def test_a_filtered_list_becomes_a_rule_in_two_keys_and_applies_at_once(
    backend: IdleBackend, tmp_path: Path
) -> None:
    async with desk(backend, tmp_path) as eva:
        await eva.press("2", "slash", *"caller:+34911", "enter", "V", "exclamation_mark")
        await eva.until(lambda: "New rule about calls" in eva.text())
        assert "calls-caller-34911" in eva.text()
        await eva.press("enter")
        await eva.until(lambda: "Rule calls-caller-34911 saved" in eva.text())
        assert written(tmp_path)["calls-caller-34911"]["filter"] == "caller:+34911"
        await eva.press("1")
        await fresh(eva, backend)
        assert "+34911 → unknown" in eva.app.screen.query_one(ConcernList).said


async def test_a_mistake_in_the_form_is_named_and_nothing_is_written(backend: IdleBackend, tmp_path: Path) -> None:
    async with desk(backend, tmp_path) as eva:
        await eva.press("2", "V", "exclamation_mark")
        await eva.until(lambda: "New rule about calls" in eva.text())
        await eva.press("down", *"stat:x", "down", *"thing", "enter")
        await eva.until(lambda: '"anything" is not a measure' in eva.text())
        assert not (tmp_path / "rules.toml").exists()


async def test_a_shipped_rule_is_switched_changed_and_put_back(backend: IdleBackend, tmp_path: Path) -> None:
    (tmp_path / "rules.toml").write_text("# mine\n")
    async with desk(backend, tmp_path) as eva:
        await eva.press("ctrl+e", "tab")
        await eva.until(lambda: "17 rules" in eva.text() or "rules  ●" in eva.text())
        await eva.press("B")
        await eva.until(lambda: "Rule abandoned switched off" in eva.text())
        assert written(tmp_path) == {"abandoned": {"enabled": False}}
        assert (tmp_path / "rules.toml").read_text().startswith("# mine\n")
        await fresh(eva, backend)
        assert "○ 1 off" in eva.text()
        await eva.press("e")
        await eva.until(lambda: "Rule abandoned" in eva.text() and "rate >= 5/5m" in eva.text())
        await eva.press("down", *"[", "enter")
        await eva.until(lambda: "is not a time such as" in eva.text())
        await eva.press("backspace", "backspace", "backspace", *"9m", "enter")
        await eva.until(lambda: "Rule abandoned saved" in eva.text())
        assert written(tmp_path) == {"abandoned": {"enabled": False, "condition": "rate >= 5/9m"}}
        await eva.press("d")
        await eva.until(lambda: "Delete rule abandoned" in eva.text())
        await eva.press("enter")
        await eva.until(lambda: "Rule abandoned deleted" in eva.text())
        assert written(tmp_path) == {}
        await fresh(eva, backend)
        await eva.press("d")
        await eva.until(lambda: "shipped with the console: switch it off instead" in eva.text())
