"""Datapipes (contract 4.7)."""

from __future__ import annotations

from console.api.annotations import Access, Change, Guard, InBody, InPath
from console.api.request import Request
from console.records.datapipes import Datapipe
from console.records.fields import field
from console.records.responses import Acknowledgement


class ListDatapipes(
    Request[tuple[Datapipe, ...]],
    name="datapipes.list",
    section="4.7",
    row="List unfinished datapipes of user",
    route="GET /datapipes",
):
    """List the caller's datapipes with at least two participants left."""


class CreateDatapipe(
    Request[Datapipe],
    name="datapipes.create",
    section="4.7",
    row="Create datapipe",
    route="POST /datapipes",
    change=Change(Guard.SMALL, done="created", touches=("datapipes",)),
    access=Access.NAMED,
):
    """Open a datapipe to other users; the caller is connected."""

    label: InBody[str | None] = field(default=None, max_length=200)
    participants: InBody[tuple[str, ...] | None] = field(default=None, max_length=50)


class GetDatapipe(
    Request[Datapipe],
    name="datapipes.get",
    section="4.7",
    row="Get datapipe",
    route="GET /datapipes/{id}",
    access=Access.PARTICIPANT_OR_ADMIN,
):
    """Get a datapipe with the latest data."""

    id: InPath[str]


class SendData(
    Request[Acknowledgement],
    name="datapipes.send",
    section="4.7",
    row="Send data through datapipe",
    route="POST /datapipes/{id}/data",
    change=Change(Guard.SMALL, done="sent data to", touches=("datapipes",)),
    access=Access.PARTICIPANT,
):
    """Send data to all participants of a datapipe; the caller must be connected.

    Without `data`, an empty text is sent.
    """

    id: InPath[str]
    data: InBody[str] = field(default="", max_length=8192)


class UpdateDatapipe(
    Request[Datapipe],
    name="datapipes.update",
    section="4.7",
    row="Update datapipe",
    route="PUT /datapipes/{id}",
    change=Change(Guard.SMALL, done="changed", touches=("datapipes",)),
    access=Access.PARTICIPANT,
):
    """Connect to a datapipe with a session of the caller; without one, reject or leave it."""

    id: InPath[str]
    session: InBody[str | None] = None
