"""Handlers for recordings: the lists of both variants, and starting and stopping (contract 4.5)."""

from __future__ import annotations

from datetime import UTC, datetime

from console.api.operations.traffic import ListRecordings, PageRecordings, StartRecording, StopRecording
from console.records.responses import Acknowledgement
from console.service.auth.caller import Caller
from console.service.auth.relation_checks import sees
from console.service.domain import recorded, recordings
from console.service.domain.calls import CALLS
from console.service.domain.recorded import RECORDINGS
from console.service.events.visibility import has
from console.service.handlers.handler import StoredPage, bind, handles
from console.service.platform import Platform
from console.service.refusal import invalid
from console.service.store.paging import any_of, page_of


@handles(PageRecordings)
def page_recordings(request: PageRecordings, caller: Caller, platform: Platform) -> StoredPage:
    """List recordings in pages."""
    where = [
        *any_of(RECORDINGS.c.domain, request.domain),
        *any_of(RECORDINGS.c.source_type, request.source_type),
        *any_of(RECORDINGS.c.source_id, request.source_id),
    ]
    if request.participant is not None:
        where.append(has(RECORDINGS.c.people, request.participant))
    if request.since is not None:
        where.append(RECORDINGS.c.start >= _ms("date[since]", request.since))
    if request.until is not None:
        where.append(RECORDINGS.c.start <= _ms("date[until]", request.until))
    return page_of(
        RECORDINGS, request, caller, platform, *where, sort=RECORDINGS.c.start, descending=request.sort.startswith("-")
    )


@handles(StopRecording, related=sees(CALLS))
def stop_recording(request: StopRecording, caller: Caller, platform: Platform) -> Acknowledgement:
    """Stop recording a call."""
    recordings.stop(platform, caller, request.id)
    return Acknowledgement(code=200, message="recording stopped")


def _ms(path: str, text: str) -> float:
    """Return an ISO 8601 time in ms since the epoch; a time without an offset is UTC."""
    try:
        moment = datetime.fromisoformat(text)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp() * 1000
    except (ValueError, OverflowError):
        raise invalid(path, "must be an ISO 8601 time", "format") from None


bind(ListRecordings, recorded.of_calls)
bind(StartRecording, recordings.start, call_id="id", related=sees(CALLS), answer="recording started")
