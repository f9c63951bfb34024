"""Texts that show how far the console is, as patterns of its output; from its own code, so that they change with it."""

from __future__ import annotations

import re
from zoneinfo import ZoneInfo

from console.kinds.episodes.states import SEVERITIES
from console.kinds.status.summary import numbers
from console.live.delta import Freshness, Health
from console.rules.reading import load_rules
from console.ui.widgets.top_line import badge
from console.views.render_context import RenderContext


def _any_of(texts: set[str]) -> str:
    return "|".join(map(re.escape, sorted(texts)))


_SYMBOLS = _any_of({SEVERITIES.look(name).symbol for name in ("critical", "warning", "notice")})
_TITLES = _any_of({rule.title for rule in load_rules(None).rules if rule.list == "calls"})

LIVE = re.escape(badge(Health(Freshness.LIVE))[0].text).encode()
"""The badge of current data."""
HOME_LOADING = re.escape(numbers((), RenderContext(now_ms=0, zone=ZoneInfo("UTC")))["calls"].title).encode()
"""The title of a tile of Home, which is shown before any data arrives."""
HOME_ROWS = f"(?:{_SYMBOLS}) (?:{_TITLES}) ".encode()
"""A row about calls in Home's list of what needs attention. The first time, a row is written in one piece."""
