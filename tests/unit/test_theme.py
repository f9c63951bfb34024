from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest
from textual.app import App, ComposeResult
from textual.color import Color
from textual.widgets import Static

from console.tables.cell import Cell, Tone
from console.text import clean
from console.widgets.theme import DARK, Look, Part, Theme, load_themes, read_theme, register, theme_of
from console.widgets.tones import line, styled

FOLDER = Path(__file__).parents[2] / "themes"
THEMES = load_themes(FOLDER)
NAMES = sorted(THEMES.by_name)


def contrast(front: str, back: str) -> float:
    """The ratio of WCAG 2: 4.5 is what running text needs."""

    def luminance(colour: str) -> float:
        return sum(
            weight * (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4)
            for weight, part in zip((0.2126, 0.7152, 0.0722), Color.parse(colour).normalized, strict=True)
        )

    light, dark = sorted([luminance(front), luminance(back)], reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_all_themes_are_readable_and_without_faults() -> None:
    assert THEMES.faults == ()
    assert {"colour-blind", "dark", "high-contrast", "light", "mono"} <= THEMES.by_name.keys()


def test_a_persons_own_themes_come_on_top(tmp_path: Path) -> None:
    own = (FOLDER / "light.toml").read_text(encoding="utf-8").replace('title = "Light"', 'title = "Morning"')
    for name in ("morning", "light"):
        (tmp_path / f"{name}.toml").write_text(own, encoding="utf-8")
    found = load_themes(FOLDER, tmp_path, tmp_path / "missing")
    assert found.faults == ()
    assert set(found.by_name) == {*NAMES, "morning"}
    assert found.by_name["light"].title == "Morning"


def test_the_built_in_theme_is_the_dark_file() -> None:
    theme, faults = read_theme(FOLDER / "dark.toml")
    assert faults == []
    assert theme == DARK


def grounds(theme: Theme) -> dict[str, Look]:
    looks = {name: Look(background=theme.colours[name]) for name in ("background", "surface", "panel")}
    return looks | {str(part): theme.parts[part] for part in (Part.CURSOR, Part.BLURRED)}


@pytest.mark.parametrize(("name", "tone"), product(NAMES, list(Tone)))
def test_every_tone_can_be_read_on_every_ground(name: str, tone: Tone) -> None:
    theme = THEMES.get(name)
    for ground, look in grounds(theme).items():
        front = look.colour or theme.tones[tone].colour
        assert front is not None
        assert look.background is not None
        least = 7.0 if name == "high-contrast" else 4.0 if ground == "panel" else 4.5
        assert contrast(front, look.background) >= least, (ground, front, look.background)
    if theme.flashes:
        assert contrast(theme.tones[tone].colour or "", theme.parts[Part.FLASH].background or "") >= 3.8


@pytest.mark.parametrize("name", NAMES)
def test_parts_can_be_read(name: str) -> None:
    theme = THEMES.get(name)
    for part in (Part.HEADER, Part.MARK, Part.KEY, Part.TAB):
        look = theme.parts[part]
        assert contrast(look.colour or "", look.background or theme.colours["surface"]) >= 4.5


def test_mono_tells_tones_apart_without_colour() -> None:
    mono = THEMES.get("mono")
    for colour in [*mono.colours.values(), *(look.colour or "#000000" for look in mono.tones.values())]:
        red, green, blue = Color.parse(colour).rgb
        assert red == green == blue
    assert mono.tones[Tone.WARN] != mono.tones[Tone.PLAIN]
    assert mono.tones[Tone.BAD] != mono.tones[Tone.WARN]
    assert not mono.flashes


def test_faults_of_all_files_are_told_at_once_with_file_and_line(tmp_path: Path) -> None:
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
    strong = next(n for n, line in enumerate(lines, 1) if line.startswith("strong"))
    assert f"/wrong.toml:{accent}: colours.acent: is unknown; did you mean `accent`?" in told
    assert f"/wrong.toml:{strong}: tones.strong.bald: is unknown; did you mean `bold`?" in told
    assert "/wrong.toml: colours.accent: is missing: a colour" in told
    assert "/wrong.toml:3: dark: must be a true or false" in told
    assert any(line.startswith("/torn.toml:1: is no TOML") for line in told)
    assert any(line.startswith("/bytes.toml: cannot be read") for line in told)
    assert "/short.toml: tones: is missing: a table" in told


def test_a_folder_that_is_not_there_leaves_the_built_in_theme(tmp_path: Path) -> None:
    assert load_themes(tmp_path / "nowhere").get("light") == DARK


async def test_an_app_wears_what_was_registered() -> None:
    app: App[None] = App()
    assert theme_of(app) == DARK
    register(app, THEMES)
    async with app.run_test() as pilot:
        for name in NAMES:
            app.theme = name
            await pilot.pause()
            assert theme_of(app).name == name
            assert app.theme_variables["background"].lower() == THEMES.get(name).colours["background"]


async def test_words_follow_the_theme_and_are_never_markup() -> None:
    class Harness(App[None]):
        def compose(self) -> ComposeResult:
            yield Static(line((Cell(clean("[b]x[/b] "), Tone.BAD), Cell(clean("[/]")))) + styled("\x1b[c", Part.KEY))

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
