"""Style sheets are parsed once per theme; every screen still uses the current theme."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from textual.css.parse import parse
from textual.css.stylesheet import Stylesheet
from textual.dom import DOMNode

from console.ui.textual_compat import pieces
from tests.behaviour.test_outdated_lists import sitting
from tests.idle.backend import IdleBackend
from tests.idle.world import StillWorld, StillWorlds


@pytest.fixture(scope="module")
def quiet(still_worlds: StillWorlds) -> StillWorld:
    return still_worlds.of("quiet")


async def test_going_to_a_screen_parses_no_styles_again(
    quiet: StillWorld, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with sitting(IdleBackend(quiet), tmp_path) as eva:
        await eva.press("2")
        await eva.settle()
        parsed: list[str] = []

        def noted(scope: str, css: str, *others: Any, **more: Any) -> object:
            parsed.append(css)
            return parse(scope, css, *others, **more)

        monkeypatch.setattr("textual.css.stylesheet.parse", noted)
        await eva.press("3")
        await eva.settle()
        assert len(parsed) == len({*parsed})
        seen = len(parsed)
        await eva.press("2", "3")
        await eva.settle()
        assert len(parsed) == seen


@pytest.mark.skipif("stylesheet" in pieces.without(), reason="the framework computes them on each visit")
async def test_going_back_to_a_screen_computes_no_styles_again(
    quiet: StillWorld, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with sitting(IdleBackend(quiet), tmp_path) as eva:
        await eva.press("2", "3")
        await eva.settle()
        styled: list[Iterable[DOMNode]] = []

        def update_nodes(_sheet: Stylesheet, nodes: Iterable[DOMNode], **_more: bool) -> None:
            styled.append(nodes)

        monkeypatch.setattr(Stylesheet, "update_nodes", update_nodes)
        await eva.press("2", "3")
        await eva.settle()
        assert not styled


async def test_a_screen_that_was_made_under_another_theme_wears_the_new_one(quiet: StillWorld, tmp_path: Path) -> None:
    async with sitting(IdleBackend(quiet), tmp_path) as eva:
        await eva.press("2")
        await eva.settle()
        calls, before = eva.app.screen, eva.app.screen.styles.background
        await eva.press("1")
        eva.app.theme = "light"
        await eva.settle()
        assert eva.app.screen.styles.background != before
        await eva.press("2")
        await eva.settle()
        assert eva.app.screen is calls
        assert calls.styles.background != before
