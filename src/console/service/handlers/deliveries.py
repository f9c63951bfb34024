"""Handlers for deliveries: sent, pending and given-up mails, SMS and pushes (an extension)."""

from __future__ import annotations

import sqlalchemy as sa

from console.api.operations.extensions import GetDelivery, ListDeliveries, RetryDelivery
from console.service.auth.caller import Caller
from console.service.domain import deliveries
from console.service.domain.deliveries import DELIVERIES
from console.service.handlers.handler import JoinedRecords, bind, handles
from console.service.periodic_jobs import every
from console.service.platform import Platform
from console.service.store.transaction import Transaction


@every(1.0)
def keep_deliveries_in_time(platform: Platform) -> None:
    """Give up and delete deliveries that are due."""
    deliveries.keep_time(platform)


@handles(ListDeliveries, follows=DELIVERIES)
def list_deliveries(request: ListDeliveries, caller: Caller, tx: Transaction) -> JoinedRecords:
    """List deliveries, the newest first."""
    given = ((DELIVERIES.c.state, request.state), (DELIVERIES.c.mechanism, request.mechanism))
    where: list[sa.ColumnElement[bool]] = [column == value for column, value in given if value is not None]
    order = DELIVERIES.order
    return JoinedRecords(DELIVERIES, DELIVERIES.listed(tx, *where, caller=caller, order=order, limit=request.limit))


bind(GetDelivery, deliveries.revealed, delivery_id="id")
bind(RetryDelivery, deliveries.retry, delivery_id="id")
