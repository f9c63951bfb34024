"""Undo of changes to calls."""

from __future__ import annotations

from console.api.operations.traffic import EnableStatistics, StartRecording, StopRecording
from console.commands.action import Situation
from console.kinds.calls.facts import collects_statistics, is_recording
from console.kinds.inverses import Inverse, Inverses
from console.records.traffic import Call


def _stop(situation: Situation, request: StartRecording) -> Inverse:
    call = situation.render.find("calls", request.id)
    if isinstance(call, Call) and is_recording(call):
        return ()
    return (StopRecording(id=request.id, source=request.source) if request.source else StopRecording(id=request.id),)


def _switch_back(situation: Situation, request: EnableStatistics) -> Inverse:
    """Restore the other state if the call was in it. They may be on in a call that does not tell."""
    call = situation.render.find("calls", request.call_id) if request.call_id else None
    collects = collects_statistics(call, request.user) if isinstance(call, Call) else None
    if collects is request.enable or (collects is None and request.enable):
        return ()
    return (request.model_copy(update={"enable": not request.enable}),)


INVERSES: Inverses = {
    StartRecording: _stop,
    EnableStatistics: _switch_back,
}
