"""Handlers for datapipes (contract 4.7)."""

from __future__ import annotations

from console.api.operations.push import CreateDatapipe, GetDatapipe, ListDatapipes, SendData, UpdateDatapipe
from console.records.datapipes import Datapipe
from console.service.auth.caller import Caller
from console.service.auth.relation_checks import sees
from console.service.domain import datapipes
from console.service.domain.datapipes import DATAPIPES
from console.service.events.visibility import has
from console.service.handlers.handler import Stored, bind, handles
from console.service.periodic_jobs import every
from console.service.platform import Platform
from console.service.store.transaction import Transaction


def _list_datapipes(caller: Caller, tx: Transaction) -> Stored:
    """List the caller's own unfinished datapipes."""
    mine = has(DATAPIPES.c.participants, caller.address)
    return Stored(DATAPIPES, DATAPIPES.bodies(tx, mine, ~DATAPIPES.c.finished))


def _takes_part(tx: Transaction, caller: Caller, request: SendData | UpdateDatapipe) -> bool:
    return caller.address in DATAPIPES.need(tx, request.id).participants


@handles(UpdateDatapipe, related=_takes_part)
def update(request: UpdateDatapipe, caller: Caller, platform: Platform) -> Datapipe:
    """Connect with a session; without one, reject or leave."""
    if request.session:
        return datapipes.connect(platform, caller, request.id, request.session)
    return datapipes.reject(platform, caller, request.id)


@every(3.0)
def leave_with_session(platform: Platform) -> None:
    """Remove participants whose session has ended."""
    datapipes.leave_with_session(platform)


bind(ListDatapipes, _list_datapipes)
bind(CreateDatapipe, datapipes.create)
bind(GetDatapipe, DATAPIPES.need, key="id", related=sees(DATAPIPES))
bind(SendData, datapipes.send, pipe_id="id", related=_takes_part, answer="sent")
