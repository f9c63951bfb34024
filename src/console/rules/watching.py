"""Watch the lists of a backend by rules."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from console.kinds.derived_kind import derived_lists
from console.live.backend import Backend
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
    backend.derive(lambda: (*derived_lists(backend, render), watch))
    return watch
