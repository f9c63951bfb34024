"""Watch the lists of a backend by rules."""

from __future__ import annotations

from collections.abc import Callable

from console.kinds.derived_kind import derived_lists
from console.live.backend import Backend
from console.rules.reading import RuleSet
from console.rules.watch import Watch
from console.views.render_context import RenderContext


def watch_by(rules: RuleSet, backend: Backend, render: Callable[[], RenderContext]) -> Watch:
    """Add all computed lists to a backend, and the episodes of these rules. Call before the backend starts."""
    watch = Watch(rules.rules, backend, render)
    backend.derive(lambda: (*derived_lists(backend, render), watch))
    return watch
