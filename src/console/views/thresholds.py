"""Warning and critical thresholds of numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from console.frozen import Frozen, replace
from console.views.cell import Tone

if TYPE_CHECKING:
    from console.config import Level
    from console.views.render_context import RenderContext


class Threshold(Frozen):
    """Warning and critical level of a number in its own unit; ages in ms."""

    warn: float
    bad: float
    slack: float = 0.1
    """Hysteresis: the share of a level by which a value must fall below it before the tone changes."""
    below: bool = False
    """Whether low values are critical, such as the number of free agents or the remaining time."""
    unit: int = 1
    """Value of 1 in the configuration: 1000 for ages, which are in seconds."""
    name: str = ""
    """Its name in the configuration: `kind.column`."""

    def tone(self, value: float | None, before: Tone = Tone.PLAIN, calm: Tone = Tone.PLAIN) -> Tone:
        """Return the tone of a value; `before` is the previous tone, for hysteresis."""
        if value is None:
            return calm
        if self._reached(value, self.bad, before is Tone.BAD):
            return Tone.BAD
        if self._reached(value, self.warn, before in {Tone.BAD, Tone.WARN}):
            return Tone.WARN
        return calm

    def _reached(self, value: float, level: float, held: bool) -> bool:
        slack = abs(level) * self.slack if held else 0.0
        return value <= level + slack if self.below else value >= level - slack


class Steady:
    """The tone of a varying number with hysteresis."""

    def __init__(self, threshold: Threshold) -> None:
        self._threshold = threshold
        self.tone = Tone.PLAIN

    def see(self, value: float | None) -> Tone:
        """Update the value and return its tone."""
        self.tone = self._threshold.tone(value, self.tone)
        return self.tone


SECOND = 1_000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
DAY = 24 * HOUR


def of_age(name: str, warn: float, bad: float, *, below: bool = False) -> Threshold:
    """Return the threshold of an age, both levels in ms."""
    return Threshold(warn, bad, below=below, unit=SECOND, name=name)


def configured(levels: Mapping[str, Level], known: Mapping[str, Threshold]) -> dict[str, Threshold]:
    """Return the configured thresholds with names in `known`, in the units of the tables.

    The direction (low or high values) is not configurable.
    """
    return {
        name: replace(known[name], warn=given.warn * known[name].unit, bad=given.bad * known[name].unit)
        for name, given in levels.items()
        if name in known
    }


def level(threshold: Threshold, render: RenderContext) -> Threshold:
    """Return the user's own levels for this threshold, or the threshold."""
    return render.thresholds.get(threshold.name, threshold)
