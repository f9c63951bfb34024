"""All concerns that need attention, the most serious first, for the home screen."""

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
"""Kinds with concerns. All must be listed before all can be well. Extensions, which a deployment may lack, are left
out."""


class Concern(Frozen):
    """Something that needs attention, with the record or list to open."""

    tone: Tone
    word: str
    what: SafeText
    since_ms: float | None
    note: SafeText
    kind: str
    """The kind of its records."""
    key: str = ""
    """The record to open, for a concern about one record."""
    filter: str = ""
    """Filter of the list to open, for a concern about several records."""
    opens: str = ""
    """The kind of list to open, if not `kind`: alerts for offered alerts."""
    keys: tuple[str, ...] = ()
    """The records for actions."""
    many: int = 1
    """Number of combined concerns."""
    first: bool = False
    """Whether it comes first, because it waits for the caller."""
    about: str = ""
    """Common property of combined concerns, which identifies them when their number changes."""

    @property
    def identity(self) -> tuple[str, str, str]:
        """Identity, independent of the number of combined concerns."""
        return self.word, self.kind, self.about or self.key


def concerns(render: RenderContext, at_hand: Mapping[str, tuple[Any, ...]] | None = None) -> list[Concern]:
    """Return all concerns: those that wait for the caller, then the most serious and oldest first.

    Empty means that all is well. `at_hand` contains, by kind, additional arguments that the caller has computed
    already: for `calls` all waits.
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
    """Iterate over groups of equal records, in the order of the first of each."""
    groups: dict[str, list[T]] = {}
    for each in records:
        groups.setdefault(of(each), []).append(each)
    return iter(groups.items())
