"""Watch the lists of a backend by rules."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from console.kinds.derived_kind import derived_lists
from console.live.backend import Backend
from console.live.derived import DerivedList
from console.rules.reading import RuleSet
from console.rules.watch import Watch
from console.views.render_context import RenderContext


def watch_by(
    rules: RuleSet,
    backend: Backend,
    render: Callable[[], RenderContext],
    file: Callable[[], Path | None] | None = None,
) -> Watch:
    """Add all computed lists to a backend, and the episodes of these rules. Call before the backend starts.

    `file` returns the one that keeps the episodes and mutes from one session to the next, None until it is known.
    """
    watch = Watch(rules.rules, backend, render, file, clock=backend.clock)

    def lists() -> list[DerivedList[Any]]:
        """Return the lists that rules read, the episodes, and the lists that nothing waits for."""
        computed = derived_lists(backend, render)
        read = [source for source in computed if source.kind in watch.sources]
        return [*read, watch, *(other for other in computed if other not in read)]

    backend.derive(lists)
    return watch
