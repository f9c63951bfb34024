"""Undo of changes to calls."""

from __future__ import annotations

from console.api.operations.traffic import EnableStatistics, StartRecording, StopRecording
from console.commands.action import Situation
from console.kinds.inverses import Inverse, Inverses


def _stop(_situation: Situation, request: StartRecording) -> Inverse:
    return (StopRecording(id=request.id, source=request.source) if request.source else StopRecording(id=request.id),)


def _switch_back(_situation: Situation, request: EnableStatistics) -> Inverse:
    return (request.model_copy(update={"enable": not request.enable}),)


INVERSES: Inverses = {
    StartRecording: _stop,
    EnableStatistics: _switch_back,
}
