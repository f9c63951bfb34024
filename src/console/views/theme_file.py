"""Themes: what each tone and each part of the screen looks like, read from TOML.

A theme file has three tables. `[colours]` gives the grounds and the accent, `[tones]` a look for each `Tone`, `[parts]`
a look for each `Part`. A look is `{ colour = "#rrggbb", background = "#rrggbb", bold = true, underline = true }`, all
of it optional. A theme with a fault is not offered; all faults of all files are collected, with file and line.
"""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from typing import Any, cast

from rich.style import Style

from console.frozen import Frozen
from console.views.cell import Tone


class Part(StrEnum):
    """Parts of the screen with a look of their own."""

    CURSOR = "cursor"
    BLURRED = "blurred"
    """The cursor's row while another widget has the keys."""
    HEADER = "header"
    MARK = "mark"
    FLASH = "flash"
    """Behind a cell that has just changed; a theme without it does not flash."""
    KEY = "key"
    """A key's name in footers and dialogs."""
    TAB = "tab"


class Look(Frozen, dict=True):
    """Colour and weight of some text; what is None is taken from beneath."""

    colour: str | None = None
    background: str | None = None
    bold: bool | None = None
    underline: bool | None = None

    @cached_property
    def rich(self) -> Style:
        """The look for segments of the line API."""
        return Style(color=self.colour, bgcolor=self.background, bold=self.bold, underline=self.underline)

    def __str__(self) -> str:
        """Return the look in Textual's spelling: `#f2f5fa on #293650 bold`."""
        words = [self.colour or "", f"on {self.background}" if self.background else ""]
        words += ["bold" if self.bold else "", "underline" if self.underline else ""]
        return " ".join(word for word in words if word) or "not dim"


class Theme(Frozen):
    """All looks of one theme."""

    name: str
    title: str
    dark: bool
    colours: Mapping[str, str]
    tones: Mapping[Tone, Look]
    parts: Mapping[Part, Look]

    @property
    def flashes(self) -> bool:
        """Whether changed cells light up."""
        return Part.FLASH in self.parts


class ThemeFault(Frozen):
    """Something wrong in a theme file, with what would be right."""

    file: Path
    line: int | None
    key: str
    message: str

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else str(self.file)
        return f"{place}: {self.key}: {self.message}" if self.key else f"{place}: {self.message}"


class Themes(Frozen):
    """The themes that can be chosen, by name, and why others cannot."""

    by_name: Mapping[str, Theme]
    faults: tuple[ThemeFault, ...] = ()

    def get(self, name: str) -> Theme:
        """Return the theme of that name, or the built-in dark one."""
        return self.by_name.get(name, DARK)


_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")
_COLOURS = ("background", "surface", "panel", "foreground", "accent", "border")
_OPTIONAL = frozenset([Part.FLASH])


def load_themes(*folders: Path) -> Themes:
    """Read every theme of some folders, of two with one name the later; a folder may be missing.

    Never raises: what is wrong is in `faults`, and dark is always there.
    """
    themes = {DARK.name: DARK}
    faults: list[ThemeFault] = []
    for folder in folders:
        try:
            files = sorted(folder.glob("*.toml"))
        except OSError as error:
            faults.append(ThemeFault(folder, None, "", f"cannot be listed: {error.strerror or error}"))
            continue
        for file in files:
            theme, wrong = read_theme(file)
            faults.extend(wrong)
            if theme is not None:
                themes[theme.name] = theme
    return Themes(themes, tuple(faults))


def read_theme(file: Path) -> tuple[Theme | None, list[ThemeFault]]:
    """Read one theme, named after its file; None when it has faults."""
    try:
        text = file.read_text(encoding="utf-8")
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        line = re.search(r"line (\d+)", str(error))
        return None, [ThemeFault(file, int(line[1]) if line else None, "", f"is no TOML: {error}")]
    except (OSError, UnicodeDecodeError) as error:
        return None, [ThemeFault(file, None, "", f"cannot be read: {error}")]
    reader = _Reader(file, text)
    title = reader.of_type(data, "", "title", str, file.stem)
    dark = reader.of_type(data, "", "dark", bool, True)
    reader.only(data, "", ("title", "dark", "colours", "tones", "parts"))
    colours = reader.colours(data)
    tones = reader.looks(data, "tones", list(Tone), frozenset())
    parts = reader.looks(data, "parts", list(Part), _OPTIONAL)
    if reader.faults:
        return None, reader.faults
    theme = Theme(
        name=file.stem,
        title=title,
        dark=dark,
        colours=colours,
        tones={Tone(name): look for name, look in tones.items()},
        parts={Part(name): look for name, look in parts.items()},
    )
    return theme, []


@dataclass
class _Reader:
    """Reads the tables of one theme file and remembers what is wrong with them."""

    file: Path
    text: str
    faults: list[ThemeFault] = field(default_factory=list[ThemeFault])

    def fault(self, table: str, key: str, message: str) -> None:
        name = f"{table}.{key}" if table else key
        self.faults.append(ThemeFault(self.file, self._line(table, key), name, message))

    def only(self, table: Mapping[str, Any], name: str, known: Iterable[str]) -> None:
        known = list(known)
        for key in table:
            if key not in known:
                near = difflib.get_close_matches(key, known, 1)
                self.fault(name, key, f"is unknown; did you mean `{near[0]}`?" if near else "is unknown")

    def of_type(self, table: Mapping[str, Any], name: str, key: str, kind: type[Any], default: Any) -> Any:
        value = table.get(key, default)
        if not isinstance(value, kind):
            self.fault(name, key, f"must be a {'text' if kind is str else 'true or false'}")
            return default
        return value

    def colours(self, data: Mapping[str, Any]) -> dict[str, str]:
        table = self._table(data, "colours")
        self.only(table, "colours", _COLOURS)
        return {key: colour for key in _COLOURS if (colour := self._colour(table, "colours", key, needed=True))}

    def looks(
        self, data: Mapping[str, Any], name: str, known: list[Tone] | list[Part], optional: frozenset[Part]
    ) -> dict[str, Look]:
        table = self._table(data, name)
        self.only(table, name, known)
        looks: dict[str, Look] = {}
        for key in known:
            value = table.get(key)
            if value is None and key in optional:
                continue
            if not isinstance(value, dict):
                self.fault(name, key, 'is missing: a look such as { colour = "#d3d9e3", bold = true }')
                continue
            look = cast("dict[str, Any]", value)
            path = f"{name}.{key}"
            self.only(look, path, ("colour", "background", "bold", "underline"))
            looks[key] = Look(
                self._colour(look, path, "colour"),
                self._colour(look, path, "background"),
                self.of_type(look, path, "bold", bool, False) or None,
                self.of_type(look, path, "underline", bool, False) or None,
            )
        return looks

    def _table(self, data: Mapping[str, Any], name: str) -> dict[str, Any]:
        value = data.get(name)
        if isinstance(value, dict):
            return cast("dict[str, Any]", value)
        self.fault("", name, "is missing: a table")
        return {}

    def _colour(self, table: Mapping[str, Any], name: str, key: str, needed: bool = False) -> str | None:
        value = table.get(key)
        if value is None and not needed:
            return None
        if isinstance(value, str) and _COLOUR.fullmatch(value):
            return value.lower()
        self.fault(name, key, "must be a colour such as `#78aef0`" if value is not None else "is missing: a colour")
        return None

    def _line(self, table: str, key: str) -> int | None:
        """Find where a key is written; for a key of a look that is the line of the look."""
        section, _, look = table.partition(".")
        wanted = look or key
        here = ""
        for number, line in enumerate(self.text.splitlines(), 1):
            text = line.strip()
            if text.startswith("["):
                here = text.strip("[] ").split(".")[0]
                if not section and here == key:
                    return number
            elif here == section and re.match(rf"[\"']?{re.escape(wanted)}[\"']?\s*[.=]", text):
                return number
        return None


def _dark() -> Theme:
    tones = {
        Tone.PLAIN: Look("#d3d9e3"),
        Tone.QUIET: Look("#9aa4b5"),
        Tone.STRONG: Look("#f2f5fa", bold=True),
        Tone.GOOD: Look("#86c79a"),
        Tone.NOTICE: Look("#7cc4dd"),
        Tone.WARN: Look("#e6b567"),
        Tone.BAD: Look("#f58a86"),
    }
    parts = {
        Part.CURSOR: Look("#ffffff", "#3070c4"),
        Part.BLURRED: Look(background="#1e2532"),
        Part.HEADER: Look("#a3adbe", "#181c24"),
        Part.MARK: Look("#78aef0", bold=True),
        Part.FLASH: Look(background="#2c3846"),
        Part.KEY: Look("#78aef0", bold=True),
        Part.TAB: Look("#f2f5fa", "#293650", bold=True),
    }
    grounds = ("#12151b", "#181c24", "#212733", "#d3d9e3", "#78aef0", "#68758b")
    return Theme("dark", "Dark", True, dict(zip(_COLOURS, grounds, strict=True)), tones, parts)


DARK = _dark()
"""The theme that is there even when no file can be read."""
