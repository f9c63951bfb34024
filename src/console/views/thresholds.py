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


def _age(warn: float, bad: float, below: bool = False) -> Threshold:
    return Threshold(warn, bad, below=below, unit=SECOND)


DEFAULTS: dict[str, Threshold] = {
    "calls.wait": _age(MINUTE, 2 * MINUTE),
    "calls.ring": _age(30 * SECOND, MINUTE),
    "conferences.age": _age(4 * HOUR, 12 * HOUR),
    "chats.age": _age(10 * MINUTE, 30 * MINUTE),
    "agents.load": Threshold(4, 6),
    "alerts.age": _age(2 * MINUTE, 5 * MINUTE),
    "alerts.left": _age(5 * MINUTE, MINUTE, below=True),
    "skills.online": Threshold(1, 0, slack=0, below=True),
    "sessions.left": _age(10 * MINUTE, 2 * MINUTE, below=True),
    "quality.loss": Threshold(1, 5),
    "domains.free": Threshold(20, 5, below=True),
}
"""The tables' own levels, by `kind.column`: what a night shift would want to be told. `skills.online` is compared with
the number of agents who can take work."""


def configured(levels: Mapping[str, Level]) -> dict[str, Threshold]:
    """Return the thresholds that a configuration sets, in the units of the tables' own; names without one are left out.

    Whether low or high values are worrying stays as it is.
    """
    return {
        name: replace(DEFAULTS[name], warn=given.warn * DEFAULTS[name].unit, bad=given.bad * DEFAULTS[name].unit)
        for name, given in levels.items()
        if name in DEFAULTS
    }


def level(name: str, render: RenderContext) -> Threshold:
    """Return the levels of that name, the operator's own or the tables'. Raises KeyError."""
    return render.thresholds.get(name) or DEFAULTS[name]
