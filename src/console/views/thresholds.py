"""Warning and critical thresholds of numbers."""

from __future__ import annotations

from collections.abc import Mapping
from math import floor
from typing import TYPE_CHECKING

from console.base.frozen import Frozen, replace
from console.views.cell import Tone

if TYPE_CHECKING:
    from console.config.schema import ThresholdLevels
    from console.views.render_context import RenderContext


class Threshold(Frozen):
    """Warning and critical level of a number in its own unit; ages in ms."""

    warn: float
    bad: float
    below: bool = False
    """Whether low values are critical, such as the number of free agents or the remaining time."""
    unit: int = 1
    """Value of 1 in the configuration: 1000 for ages, which are in seconds."""
    goal: bool = False
    """Whether its levels, for low values, are goals: a value that reaches one, rounded down, is good enough."""
    name: str = ""
    """Its name in the configuration: `kind.column`."""

    def tone(self, value: float | None, calm: Tone = Tone.PLAIN) -> Tone:
        """Return the tone of a value, `calm` below both levels or without a value."""
        if value is None:
            return calm
        if self.goal:
            return Tone.BAD if floor(value) < self.bad else Tone.WARN if floor(value) < self.warn else calm
        bad, warn = (value <= self.bad, value <= self.warn) if self.below else (value >= self.bad, value >= self.warn)
        return Tone.BAD if bad else Tone.WARN if warn else calm


SECOND = 1_000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
DAY = 24 * HOUR


def of_age(name: str, warn: float, bad: float, *, below: bool = False) -> Threshold:
    """Return the threshold of an age, both levels in ms."""
    return Threshold(warn, bad, below=below, unit=SECOND, name=name)


def configured(levels: Mapping[str, ThresholdLevels], known: Mapping[str, Threshold]) -> dict[str, Threshold]:
    """Return the configured thresholds with names in `known`, in the units of the tables.

    The direction (low or high values) is not configurable.
    """
    return {
        name: replace(
            known[name], warn=threshold_levels.warn * known[name].unit, bad=threshold_levels.bad * known[name].unit
        )
        for name, threshold_levels in levels.items()
        if name in known
    }


def level(threshold: Threshold, render: RenderContext) -> Threshold:
    """Return the user's own levels for this threshold, or the threshold."""
    return render.thresholds.get(threshold.name, threshold)
