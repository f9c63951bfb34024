"""Measure the contrast of a theme's colours, as the contrast ratio of WCAG 2.

Text needs 4.5 to 1 on every background that it is painted on. The cursor's row, borders, scrollbars and the focus
indicator need 3 to 1 against their surroundings.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from console.base.frozen import Frozen
from console.views.theme_file import ScreenPart, Theme

TEXT = 4.5
BESIDE = 3.0
_FOCUSED = 0.05
"""Share of the text's colour in the background of the focused field."""
_MESSAGE = 0.04
"""Share of white, or on light themes of black, in the background of the line with results."""
_GROUNDS = ("background", "surface", "panel")


class Weak(Frozen):
    """Two colours with too little contrast."""

    key: str
    """Key of the foreground colour in the theme: `tones.quiet`."""
    ground: str
    """The background, in words."""
    ratio: float
    least: float

    def __str__(self) -> str:
        return f"{self.key} on {self.ground} has a contrast of {self.ratio:.1f}; at least {self.least:g} is needed"


@cache
def luminance(colour: str) -> float:
    """Return the relative luminance of a colour `#rrggbb`, from 0 to 1."""
    parts = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return sum(
        weight * (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4)
        for weight, part in zip((0.2126, 0.7152, 0.0722), parts, strict=True)
    )


def ratio(one: str, other: str) -> float:
    """Return the contrast ratio of two colours `#rrggbb`, from 1 to 21."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def mixed(ground: str, over: str, share: float) -> str:
    """Return a colour with a share of another laid over it."""
    pairs = ((int(ground[at : at + 2], 16), int(over[at : at + 2], 16)) for at in (1, 3, 5))
    return "#" + "".join(f"{round(under + (above - under) * share):02x}" for under, above in pairs)


def grounds(theme: Theme) -> Mapping[str, str]:
    """Return the backgrounds that text is painted on in its own colour, by name."""
    colours = theme.colours
    found = {f"the {name}": colours[name] for name in _GROUNDS}
    found["a field with the keys"] = mixed(colours["panel"], colours["foreground"], _FOCUSED)
    found["a list in a dialog with the keys"] = mixed(colours["surface"], colours["foreground"], _FOCUSED)
    found["the line for messages"] = mixed(colours["background"], "#ffffff" if theme.dark else "#000000", _MESSAGE)
    for part, words in ((ScreenPart.BLURRED, "the tab of another list"), (ScreenPart.FLASH, "a cell that has changed")):
        look = theme.parts.get(part)
        if look is not None and look.background is not None:
            found[words] = look.background
    return found


def weak(theme: Theme) -> tuple[Weak, ...]:
    """Return the pairs of colours that are painted together with too little contrast, the worst first."""
    return tuple(sorted(_weak(theme), key=lambda each: each.ratio / each.least))


def _weak(theme: Theme) -> Iterator[Weak]:
    for key, ground, front, back, least in _painted(theme):
        found = ratio(front, back)
        if found < least:
            yield Weak(key, ground, found, least)


def _painted(theme: Theme) -> Iterator[tuple[str, str, str, str, float]]:
    colours, parts = theme.colours, theme.parts
    plain, own = colours["foreground"], grounds(theme)
    cursor = parts[ScreenPart.CURSOR]
    row = cursor.background or colours["background"]
    fronts = {f"tones.{tone}": look.colour or plain for tone, look in theme.tones.items()}
    fronts |= {f"parts.{part}": parts[part].colour or plain for part in (ScreenPart.KEY, ScreenPart.MARK)}
    fronts["colours.foreground"] = plain
    for key, front in fronts.items():
        for words, back in own.items():
            yield key, words, front, back, TEXT
        yield key, "the cursor's row", cursor.colour or front, row, TEXT
    for part in (ScreenPart.HEADER, ScreenPart.TAB):
        look = parts[part]
        yield f"parts.{part}", "its own ground", look.colour or plain, look.background or colours["surface"], TEXT
    for name in _GROUNDS:
        yield "parts.cursor", f"the {name}", row, colours[name], BESIDE
        for key in ("accent", "border"):
            yield f"colours.{key}", f"the {name}", colours[key], colours[name], BESIDE
