"""Start and stop the recording of a call, in `data.recording` of the call (contract 4.5).

`recorded` stores the recording when it is stopped or the call ends.
"""

from __future__ import annotations

from console.records.traffic import Call
from console.service.auth.caller import Caller
from console.service.domain import permissions, recorded
from console.service.domain.calls import CALLS, ENDED, recording_of
from console.service.domain.people import USERS
from console.service.domain.relations import user_id_of
from console.service.platform import Platform
from console.service.refusal import conflict, forbidden
from console.service.store.transaction import Transaction


def start(platform: Platform, caller: Caller, call_id: str, filename: str, source: str | None) -> None:
    """Start recording. Refuse with 409 a call that has ended or is being recorded, with 403 a missing permission.

    The caller needs the permission to record. Recording a call that the callee has not answered is a voicemail message,
    which also requires that the callee's voicemail is not disabled.
    """
    with platform.write() as tx:
        call = CALLS.need(tx, call_id)
        if call.to is not None or call.state in ENDED:
            raise conflict(f"the call {call_id} has ended")
        if recording_of(call).get("active"):
            raise conflict(f"the call {call_id} is being recorded already, into {recording_of(call).get('filename')}")
        _check_permission(tx, caller, call)
        recording = recorded.begun(tx.now, filename, caller.id, source)
        CALLS.put(tx, call.model_copy(update={"data": {**(call.data or {}), "recording": recording}}))


def _check_permission(tx: Transaction, caller: Caller, call: Call) -> None:
    if not permissions.may_record(tx, caller.user):
        raise forbidden("your permissions do not include recording")
    called = USERS.get(tx, user_id_of(call.callee) or "")
    is_message = call.state in {"ringing", "queued"} and called is not None and called.id != caller.id
    if is_message and called is not None and not permissions.has_voicemail(tx, called):
        raise forbidden(f"the voicemail of {called.id} is switched off")


def stop(platform: Platform, caller: Caller, call_id: str) -> None:
    """Stop recording and store the result. Refuse with 409 a call that is not being recorded.

    Refuse with 403 users whose calls are always recorded, except admins.
    """
    with platform.write() as tx:
        call = CALLS.need(tx, call_id)
        recording = recording_of(call)
        if not recording.get("active"):
            raise conflict(f"the call {call_id} is not being recorded")
        if not caller.is_admin and permissions.records_always(tx, caller.user):
            raise forbidden("your calls are always recorded; only an admin can stop a recording of yours")
        stopped = {**recording, "active": False, "stoppedAt": tx.now}
        CALLS.put(tx, call.model_copy(update={"data": {**(call.data or {}), "recording": stopped}}))
        recorded.keep(platform, tx, call, stopped)
