"""Deliveries of mails, SMS and pushes."""

from __future__ import annotations

from console.api.operations.extensions import ListDeliveries
from console.kinds.kind import Kind
from console.kinds.resource import Branch, Resource
from console.live.feeds import Feed
from console.records.deliveries import Delivery

KIND = Kind(
    "deliveries",
    feed=Feed(
        "deliveries",
        Delivery,
        (ListDeliveries(),),
        shown_seconds=3.0,
        hidden_seconds=60.0,
        extension=True,
    ),
    resources=(Resource("deliveries", "Deliveries", "delivery", Branch.DEVICES, ("deliveries.list",)),),
)
