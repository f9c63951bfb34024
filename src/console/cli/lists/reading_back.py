"""Reads changes back that a service accepted without having done them (202)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from console.api.catalogue import catalogue
from console.api.errors import NotFound
from console.api.request import Request
from console.cli.connection import SelectedProfile
from console.cli.lists.list import myself
from console.cli.lists.rows import LoadedKinds, fetch, render_context_of
from console.client.client import Client
from console.commands.inputs import build
from console.kinds.catalogue import FEEDS
from console.kinds.inverses import shown_by
from console.live.bounds import bounds_for
from console.live.command import Basis, Step
from console.live.commands import READ_BACK_SECONDS
from console.live.merging import removes, shows
from console.records.record import Record
from console.records.state_words import CANCELLED_ALERT, normalized

Look = Callable[[], Awaitable[bool]]
"""Reads what a change concerns, and returns whether that shows the change."""


async def is_done_within(request: Request[Any], client: Client, chosen: SelectedProfile, seconds: float) -> bool | None:
    """Return whether the service shows an accepted change within this time; None if nothing can show it.

    Raise `api.errors` if that cannot be read.
    """
    look = await _look_of(request, client, chosen)
    if look is None:
        return None
    loop = asyncio.get_running_loop()
    until = loop.time() + seconds
    while not await look():
        if loop.time() >= until:
            return False
        await asyncio.sleep(min(READ_BACK_SECONDS, max(0.0, until - loop.time())))
    return True


async def _look_of(request: Request[Any], client: Client, chosen: SelectedProfile) -> Look | None:
    change, key = request.operation.change, request.record_key()
    kind = change.touches[0] if change is not None and change.touches else ""
    removal = removes(Step(request, key, ""), kind)
    read = _reading_request(request)
    if read is not None and (removal or request.operation.name.endswith(".update")):
        return lambda: _is_gone(client, read) if removal else _has_values(client, read, request)
    me = await myself(client)
    known = LoadedKinds(records={"users": {me.id: me} if me is not None else {}})
    render = render_context_of(chosen.profile, chosen.config, me, known, known.extent)
    is_shown = shown_by(render, request)
    if kind not in FEEDS or not (is_shown or removal):
        return None

    async def look() -> bool:
        await fetch(client, kind, known, bounds_for(chosen.profile.max_rows))
        record = known.records[kind].get(key)
        if is_shown is not None:
            return record is not None and is_shown(record)
        return _is_removed(FEEDS[kind].record, record, complete=kind not in known.cut | known.own)

    return look


def _reading_request(request: Request[Any]) -> Request[Any] | None:
    """Return the request that reads the record of a change alone, or None."""
    read = catalogue().get(f"{request.operation.name.rpartition('.')[0]}.get")
    if read is None:
        return None
    dumped = request.model_dump(exclude_unset=True)
    inputs = {input_.field: dumped[input_.field] for input_ in read.inputs() if input_.field in dumped}
    return build(read, inputs) if all(input_.field in inputs for input_ in read.inputs() if input_.required) else None


async def _is_gone(client: Client, read: Request[Any]) -> bool:
    try:
        await client.send(read)
    except NotFound:
        return True
    return False


async def _has_values(client: Client, read: Request[Any], request: Request[Any]) -> bool:
    named = {input_.field for input_ in read.inputs()}
    secret = {input_.field for input_ in request.inputs() if input_.secret}
    names = request.model_fields_set - named - secret
    step = Step(request, request.record_key(), "", basis=Basis(read, dict.fromkeys(names)))
    return shows(step, await client.send(read))


def _is_removed(kind: type[Record], record: Record | None, *, complete: bool) -> bool:
    """Return whether a record was removed: one with a state may also have ended by itself."""
    if "state" in kind.declared_fields:
        return normalized(str(getattr(record, "state", None) or "")) in CANCELLED_ALERT
    return record is None and complete
