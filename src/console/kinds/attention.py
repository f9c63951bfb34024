"""Everything that needs attention right now, the most serious first: the home screen shows it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeVar

from console.frozen import Frozen
from console.kinds.catalogue import FEEDS, KINDS
from console.text import SafeText
from console.views.cell import Tone
from console.views.render_context import RenderContext

T = TypeVar("T")

CONCERNING = tuple(dict.fromkeys(name for kind in KINDS for name in kind.attention if not FEEDS[name].extension))
"""Kinds that something may be wrong with: before each was listed once, nobody can say that all is well. Extensions are
left out, as a deployment may not have them."""


class Concern(Frozen):
    """Something a supervisor should look at, and the record or list where it can be dealt with."""

    tone: Tone
    word: str
    what: SafeText
    since_ms: float | None
    note: SafeText
    kind: str
    """The kind of the records that it is about."""
    key: str = ""
    """The record to go to, where it is about one."""
    filter: str = ""
    """Filter to show the list with, when it is about several records."""
    opens: str = ""
    """The kind of list to go to, where that is not `kind`: the alerts for alerts that are offered."""
    keys: tuple[str, ...] = ()
    """The records that it is about, where an action may be taken on them."""
    many: int = 1
    """How many equal ones it stands for."""
    first: bool = False
    """Whether it comes before all others: it waits for the caller."""
    about: str = ""
    """What equal ones have in common: one more or less of them is still the same concern."""

    @property
    def identity(self) -> tuple[str, str, str]:
        """What tells it from other concerns, also when more or fewer equal ones are counted."""
        return self.word, self.kind, self.about or self.key


def concerns(render: RenderContext, at_hand: Mapping[str, tuple[Any, ...]] | None = None) -> list[Concern]:
    """Return everything that needs attention: what waits for the caller, then the worst and oldest first.

    Empty means that all is well. `at_hand` holds, by kind, further arguments for its concerns, where the caller keeps
    them anyway: for `calls` all waits.
    """
    given = at_hand or {}
    found = [
        each for kind in KINDS if kind.attention for each in kind.load_concerns()(render, *given.get(kind.name, ()))
    ]
    rank = {Tone.BAD: 0, Tone.WARN: 1}
    return sorted(
        found,
        key=lambda each: (
            (0,) if each.first else (1, rank.get(each.tone, 2), each.since_ms or render.now_ms, each.identity)
        ),
    )


def alike(records: Iterable[T], of: Callable[[T], str]) -> Iterator[tuple[str, list[T]]]:
    """Iterate over groups of equal ones, in the order of the first of each."""
    groups: dict[str, list[T]] = {}
    for each in records:
        groups.setdefault(of(each), []).append(each)
    return iter(groups.items())
