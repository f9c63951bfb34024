"""Themes: the style of each tone and each part of the screen, read from TOML.

A theme file has three tables: `[colours]` with background and accent colours, `[tones]` with a style per `Tone`,
`[parts]` with a style per `Part`. A style is `{ colour = "#rrggbb", background = "#rrggbb", bold = true, underline =
true }`, all optional. A theme with an error is not offered; all errors of all files are collected, with file and line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from typing import Annotated

from rich.style import Style

from console.base.frozen import Frozen
from console.config.paths import matching_files
from console.config.settings import Checked, Settings, builtins_of, nearest, read_file
from console.config.toml_source import ConfigFault, FileProblem
from console.views.cell import Tone

_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")


class ScreenPart(StrEnum):
    """Parts of the screen with their own style."""

    CURSOR = "cursor"
    BLURRED = "blurred"
    """The cursor row while another widget has the focus."""
    HEADER = "header"
    MARK = "mark"
    FLASH = "flash"
    """Background of a cell that has just changed; optional."""
    KEY = "key"
    """Keys in footers and dialogs."""
    TAB = "tab"


_OPTIONAL = frozenset([ScreenPart.FLASH])


def _colour(value: str) -> str:
    if not _COLOUR.fullmatch(value):
        raise ValueError("must be a colour such as `#78aef0`")
    return value.lower()


def _one_of(known: type[StrEnum]) -> Checked:
    def check(name: str) -> StrEnum:
        if name not in list(known):
            raise ValueError(f"is an unknown key{nearest(name, list(known))}")
        return known(name)

    return Checked(check)


Colour = Annotated[str, Checked(_colour)]
Weight = Annotated[bool | None, Checked(lambda value: value or None)]


class TextStyle(Settings, dict=True):
    """Style of text; None is inherited."""

    colour: Annotated[str | None, Checked(_colour)] = None
    background: Annotated[str | None, Checked(_colour)] = None
    bold: Weight = None
    underline: Weight = None

    @cached_property
    def rich(self) -> Style:
        """The style for segments of the line API."""
        return Style(color=self.colour, bgcolor=self.background, bold=self.bold, underline=self.underline)

    def __str__(self) -> str:
        """Return the style in Textual's syntax: `#f2f5fa on #293650 bold`."""
        words = [self.colour or "", f"on {self.background}" if self.background else ""]
        words += ["bold" if self.bold else "", "underline" if self.underline else ""]
        return " ".join(word for word in words if word) or "not dim"


class Theme(Frozen):
    """The styles of a theme."""

    name: str
    title: str
    dark: bool
    colours: Mapping[str, str]
    tones: Mapping[Tone, TextStyle]
    parts: Mapping[ScreenPart, TextStyle]

    @property
    def flashes(self) -> bool:
        """Whether changed cells are highlighted."""
        return ScreenPart.FLASH in self.parts


class _Colours(Settings):
    background: Colour
    surface: Colour
    panel: Colour
    foreground: Colour
    accent: Colour
    border: Colour


class _ThemeFile(Settings):
    colours: _Colours
    tones: dict[Annotated[str, _one_of(Tone)], TextStyle]
    parts: dict[Annotated[str, _one_of(ScreenPart)], TextStyle]
    title: str = ""
    dark: bool = True

    def faults(self) -> Iterator[tuple[str, str]]:
        """Yield the missing styles."""
        for table, looks, needed in (("tones", self.tones, Tone), ("parts", self.parts, set(ScreenPart) - _OPTIONAL)):
            for name in sorted(set(needed) - looks.keys()):
                yield f"{table}.{name}", 'is missing: a look such as { colour = "#d3d9e3", bold = true }'


class Themes(Frozen):
    """The available themes by name, and the errors of others."""

    by_name: Mapping[str, Theme]
    faults: tuple[FileProblem, ...] = ()

    def get(self, name: str) -> Theme:
        """Return the theme with this name, or the built-in dark one."""
        return self.by_name.get(name, DARK)


def load_themes(*folders: Path) -> Themes:
    """Read all themes of some folders; of equal names, the last one is used. A folder may be missing.

    Never raise: errors are in `faults`, and dark is always available.
    """
    themes = {DARK.name: DARK}
    faults: list[FileProblem] = []
    for folder in folders:
        try:
            files = matching_files(folder, "*.toml")
        except OSError as error:
            faults.append(FileProblem(folder, 0, "", f"cannot be listed: {error.strerror or error}"))
            continue
        for file in files:
            try:
                themes[file.stem] = read_theme(file)
            except ConfigFault as fault:
                faults.extend(fault.problems)
    return Themes(themes, tuple(faults))


def read_theme(file: Path) -> Theme:
    """Read one theme, named after its file. Raise ConfigFault with all errors."""
    theme_file = read_file(_ThemeFile, file)
    return Theme(
        name=file.stem,
        title=theme_file.title or file.stem,
        dark=theme_file.dark,
        colours=builtins_of(theme_file.colours),
        tones={tone: theme_file.tones[tone] for tone in Tone},
        parts={part: theme_file.parts[part] for part in ScreenPart if part in theme_file.parts},
    )


def _dark() -> Theme:
    tones = {
        Tone.PLAIN: TextStyle("#d3d9e3"),
        Tone.QUIET: TextStyle("#9aa4b5"),
        Tone.STRONG: TextStyle("#f2f5fa", bold=True),
        Tone.GOOD: TextStyle("#86c79a"),
        Tone.NOTICE: TextStyle("#7cc4dd"),
        Tone.WARN: TextStyle("#e6b567"),
        Tone.BAD: TextStyle("#f58a86"),
    }
    parts = {
        ScreenPart.CURSOR: TextStyle("#ffffff", "#3070c4"),
        ScreenPart.BLURRED: TextStyle(background="#1e2532"),
        ScreenPart.HEADER: TextStyle("#a3adbe", "#181c24"),
        ScreenPart.MARK: TextStyle("#78aef0", bold=True),
        ScreenPart.FLASH: TextStyle(background="#2c3846"),
        ScreenPart.KEY: TextStyle("#78aef0", bold=True),
        ScreenPart.TAB: TextStyle("#f2f5fa", "#293650", bold=True),
    }
    grounds = ("#12151b", "#181c24", "#212733", "#d3d9e3", "#78aef0", "#68758b")
    return Theme("dark", "Dark", True, dict(zip(_Colours.__struct_fields__, grounds, strict=True)), tones, parts)


DARK = _dark()
"""The theme that is available without any file."""
