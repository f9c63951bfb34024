"""From which value on something deserves a look, and when it may be quiet again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from console.frozen import Frozen, replace
from console.views.cell import Tone

if TYPE_CHECKING:
    from console.config import Level
    from console.views.render_context import RenderContext


class Threshold(Frozen):
    """Warning and critical level of a number; both in the number's own unit, ages in ms."""

    warn: float
    bad: float
    slack: float = 0.1
    """Share of a level that a value must fall below it before the severity drops, so that a value on the edge does not
    flicker."""
    below: bool = False
    """Whether it is low values that are worrying, as of free agents or of the time left."""
    unit: int = 1
    """What 1 in the configuration stands for: 1000 for ages, which are written in seconds."""
    name: str = ""
    """What the configuration calls it: `kind.column`."""

    def tone(self, value: float | None, before: Tone = Tone.PLAIN, calm: Tone = Tone.PLAIN) -> Tone:
        """Return how loud a value is; `before` is how loud it was, for those that remember."""
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
    """The tone of a number that goes up and down, without flicker: it remembers the last one."""

    def __init__(self, threshold: Threshold) -> None:
        self._threshold = threshold
        self.tone = Tone.PLAIN

    def see(self, value: float | None) -> Tone:
        """Take the newest value and return its tone."""
        self.tone = self._threshold.tone(value, self.tone)
        return self.tone


SECOND = 1_000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
DAY = 24 * HOUR


def of_age(name: str, warn: float, bad: float, *, below: bool = False) -> Threshold:
    """Return the levels of an age, both in ms."""
    return Threshold(warn, bad, below=below, unit=SECOND, name=name)


def configured(levels: Mapping[str, Level], known: Mapping[str, Threshold]) -> dict[str, Threshold]:
    """Return the thresholds that a configuration sets of those `known` by name, in the units of the tables.

    Whether low or high values are worrying stays as it is.
    """
    return {
        name: replace(known[name], warn=given.warn * known[name].unit, bad=given.bad * known[name].unit)
        for name, given in levels.items()
        if name in known
    }


def level(threshold: Threshold, render: RenderContext) -> Threshold:
    """Return the operator's own levels in the place of these, where there are any."""
    return render.thresholds.get(threshold.name, threshold)
