"""The order in which the console's own view sorts the rows of the load generator."""

from __future__ import annotations

import time
from collections.abc import Sequence
from zoneinfo import ZoneInfo

from pydantic import TypeAdapter

from console.kinds.calls.columns import TABLE as CALLS
from console.live.delta import Delta
from console.records.traffic import Call
from console.views.filter import parse
from console.views.render_context import RenderContext
from console.views.view import View
from tests.bench.seat import Load

IN_SIGHT = 40


def keys_in_order(load: Load, *, sort: str = "", wanted: str = "") -> Sequence[str]:
    """Return the keys of the first calls, in the order in which a list shows them."""
    calls = TypeAdapter(list[Call]).validate_json(load.get("/calls"))
    view = View(CALLS, RenderContext(now_ms=int(time.time() * 1000), zone=ZoneInfo("UTC")))
    view.apply(Delta(version=1, whole=True, upserts={call.id: call for call in calls}))
    if sort:
        view.set_sort(sort.lstrip("-"), sort.startswith("-"))
    if wanted:
        view.set_filter(parse(wanted, CALLS))
    return view.keys


def hot_rows(load: Load) -> list[str]:
    """Return the keys of the visible calls."""
    return list(keys_in_order(load)[:IN_SIGHT])
