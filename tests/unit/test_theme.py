from __future__ import annotations

from pathlib import Path

import pytest
from textual.app import App, ComposeResult
from textual.color import Color
from textual.widgets import Static

from console.base.frozen import replace
from console.base.text import clean
from console.ui.widgets.theme import DARK, ScreenPart, TextStyle, load_themes, read_theme, register, theme_of
from console.ui.widgets.tones import line, styled
from console.views.cell import Cell, Tone
from tests.contrast import ratio, weak

FOLDER = Path(__file__).parents[2] / "themes"
THEMES = load_themes(FOLDER)
NAMES = sorted(THEMES.by_name)


def test_all_themes_have_enough_contrast_and_no_errors() -> None:
    assert THEMES.faults == ()
    assert {"colour-blind", "dark", "high-contrast", "light", "mono"} <= THEMES.by_name.keys()


def test_the_users_own_themes_are_added(tmp_path: Path) -> None:
    own = (FOLDER / "light.toml").read_text(encoding="utf-8").replace('title = "Light"', 'title = "Morning"')
    for name in ("morning", "light"):
        (tmp_path / f"{name}.toml").write_text(own, encoding="utf-8")
    found = load_themes(FOLDER, tmp_path, tmp_path / "missing")
    assert found.faults == ()
    assert set(found.by_name) == {*NAMES, "morning"}
    assert found.by_name["light"].title == "Morning"


def test_the_built_in_theme_equals_the_dark_file() -> None:
    theme = read_theme(FOLDER / "dark.toml")
    assert theme == DARK


@pytest.mark.parametrize("name", NAMES)
def test_every_colour_differs_from_its_background(name: str) -> None:
    assert [str(each) for each in weak(THEMES.get(name))] == []


@pytest.mark.parametrize("tone", Tone)
def test_the_high_contrast_theme_has_more_contrast(tone: Tone) -> None:
    theme = THEMES.get("high-contrast")
    for ground in ("background", "surface", "panel"):
        assert ratio(theme.tones[tone].colour or theme.colours["foreground"], theme.colours[ground]) >= 7.0


def test_colours_that_are_too_similar_are_found() -> None:
    tones = {**DARK.tones, Tone.QUIET: TextStyle("#404854")}
    faint = replace(DARK, tones=tones, colours={**DARK.colours, "border": "#2a2f38"})
    found = {each.key for each in weak(faint)}
    assert found == {"tones.quiet", "colours.border"}
    assert round(ratio("#000000", "#ffffff"), 9) == 21


def test_mono_distinguishes_tones_without_colour() -> None:
    mono = THEMES.get("mono")
    for colour in [*mono.colours.values(), *(look.colour or "#000000" for look in mono.tones.values())]:
        red, green, blue = Color.parse(colour).rgb
        assert red == green == blue
    assert mono.tones[Tone.WARN] != mono.tones[Tone.PLAIN]
    assert mono.tones[Tone.BAD] != mono.tones[Tone.WARN]
    assert not mono.flashes


def test_errors_of_all_files_are_reported_at_once_with_file_and_line(tmp_path: Path) -> None:
    good = (FOLDER / "light.toml").read_text()
    wrong = good.replace('accent = "#1a5bb8"', 'acent = "blue"').replace("bold = true }", "bald = true }", 1)
    (tmp_path / "wrong.toml").write_text(wrong.replace("dark = false", 'dark = "no"'))
    (tmp_path / "torn.toml").write_text("title = \n")
    (tmp_path / "bytes.toml").write_bytes(b"title = '\xff'")
    (tmp_path / "short.toml").write_text("[colours]\nbackground = '#000000'\n")
    themes = load_themes(tmp_path)
    assert set(themes.by_name) == {"dark"}
    told = [str(fault).removeprefix(str(tmp_path)) for fault in themes.faults]
    lines = good.splitlines()
    accent = next(n for n, line in enumerate(lines, 1) if line.startswith("accent"))
    colours = lines.index("[colours]") + 1
    strong = next(n for n, line in enumerate(lines, 1) if line.startswith("strong"))
    assert f"/wrong.toml:{accent}: colours.acent: is an unknown key; did you mean accent?" in told
    assert f"/wrong.toml:{strong}: tones.strong.bald: is an unknown key; did you mean bold?" in told
    assert f"/wrong.toml:{colours}: colours.accent: is missing" in told
    assert "/wrong.toml:3: dark: must be true or false" in told
    assert any(line.startswith("/torn.toml:1: is not valid TOML") for line in told)
    assert any(line == "/bytes.toml:1: is not UTF-8 text" for line in told)
    assert "/short.toml:1: tones: is missing" in told


def test_a_missing_folder_leaves_the_built_in_theme(tmp_path: Path) -> None:
    assert load_themes(tmp_path / "nowhere").get("light") == DARK


def test_a_folder_of_themes_that_cannot_be_listed_is_a_fault(tmp_path: Path) -> None:
    (tmp_path / "themes").write_text("")
    assert [fault.message for fault in load_themes(tmp_path / "themes").faults] == ["cannot be listed: Not a directory"]


async def test_an_app_uses_the_registered_theme() -> None:
    app: App[None] = App()
    assert theme_of(app) == DARK
    register(app, THEMES)
    async with app.run_test() as pilot:
        for name in NAMES:
            app.theme = name
            await pilot.pause()
            assert theme_of(app).name == name
            assert app.theme_variables["background"].lower() == THEMES.get(name).colours["background"]


async def test_text_follows_the_theme_and_is_never_markup() -> None:
    class Harness(App[None]):
        def compose(self) -> ComposeResult:
            yield Static(
                line((Cell(clean("[b]x[/b] "), Tone.BAD), Cell(clean("[/]")))) + styled("\x1b[c", ScreenPart.KEY)
            )

    app = Harness()
    register(app, THEMES)
    async with app.run_test() as pilot:
        for name in ("dark", "mono"):
            app.theme = name
            await pilot.pause()
            segments = [segment for segment in app.query_one(Static).render_line(0) if segment.text.strip()]
            assert [segment.text.strip() for segment in segments] == ["[b]x[/b]", "[/]", "␛[c"]
            look = THEMES.get(name).tones[Tone.BAD]
            style = segments[0].style
            assert style is not None
            assert style.color is not None
            assert (style.color.name, bool(style.bold)) == (look.colour, bool(look.bold))
