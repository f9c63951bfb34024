"""Switching the recording of a call on and off: it stands in `data.recording` of the call (contract 4.5).

What was recorded until it was switched off, or the call ended, is kept by `recorded`.
"""

from __future__ import annotations

from typing import Any

from console.service.caller import Caller
from console.service.domain import recorded
from console.service.domain.calls import CALLS, ENDED, recording_of
from console.service.platform import Platform
from console.service.refusal import conflict


def start(platform: Platform, caller: Caller, call_id: str, filename: str, source: str | None) -> None:
    """Start recording. Refuses with 409 a call that has ended or is being recorded."""
    with platform.write() as tx:
        call = CALLS.need(tx, call_id)
        if call.to is not None or call.state in ENDED:
            raise conflict(f"the call {call_id} has ended")
        if recording_of(call).get("active"):
            raise conflict(f"the call {call_id} is being recorded already, into {recording_of(call).get('filename')}")
        recording: dict[str, Any] = {
            "active": True,
            "filename": filename,
            "startedAt": tx.now,
            "startedBy": caller.id,
        }
        if source is not None:
            recording["source"] = source
        CALLS.put(tx, call.model_copy(update={"data": {**(call.data or {}), "recording": recording}}))


def stop(platform: Platform, call_id: str) -> None:
    """Stop recording and keep what was recorded. Refuses with 409 a call that is not being recorded."""
    with platform.write() as tx:
        call = CALLS.need(tx, call_id)
        recording = recording_of(call)
        if not recording.get("active"):
            raise conflict(f"the call {call_id} is not being recorded")
        stopped = {**recording, "active": False, "stoppedAt": tx.now}
        CALLS.put(tx, call.model_copy(update={"data": {**(call.data or {}), "recording": stopped}}))
        recorded.keep(platform, tx, call, stopped)
