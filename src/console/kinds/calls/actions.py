"""Actions on the records of calls, and their undo. They do not affect the media."""

from __future__ import annotations

import datetime
import re
from collections.abc import Sequence
from typing import Any

from console.api.operations.traffic import EnableStatistics, StartRecording, StopRecording, UpdateCall
from console.base.frozen import replace
from console.base.text import clean
from console.commands.action import Action, Answers, Asks, Choice, ChoiceAsk, FormAsk, Situation, TextAsk
from console.commands.inputs import build, form, text
from console.commands.lookup import is_me
from console.kinds.calls.columns import name
from console.kinds.calls.facts import collects_statistics, is_recording, over
from console.kinds.inverses import Inverse, Inverses, step_of
from console.live.command import Step
from console.records.traffic import Call
from console.views.render_context import RenderContext

EDITABLE = ("caller", "callee", "state", "queue_position", "context", "anonymous_session_id")


def takes_part(situation: Situation, call: Call) -> bool:
    """Return whether the caller participates in the call, and so may change it like an admin."""
    return any(is_me(situation, value) for value in (call.caller, call.callee, *call.users))


def _may(situation: Situation, records: Sequence[Call]) -> str | None:
    if situation.is_admin or all(takes_part(situation, call) for call in records):
        return None
    return "Only call participants and admins can do this."


def _may_record(situation: Situation, records: Sequence[Call]) -> str | None:
    refused = _may(situation, records)
    if refused or is_recording(records[0]):
        return refused
    return "The call has ended." if over(records[0]) else None


def file_name(call: Call, render: RenderContext) -> str:
    """Return a default file name for a recording: call id and local time, valid on any file system."""
    when = datetime.datetime.fromtimestamp(render.now_ms / 1000, render.zone)
    return f"{re.sub(r'[^A-Za-z0-9._-]+', '-', call.id)[:48].strip('-.') or 'call'}-{when:%Y%m%d-%H%M%S}"


def check_file_name(typed: str) -> str | None:
    """Return why a text is not a valid file name for a recording, or None."""
    if not typed.strip():
        return "A recording needs a file name."
    if re.search(r"[/\\\x00-\x1f\x7f]", typed) or typed.strip() in {".", ".."}:
        return "A file name cannot contain a slash or a control character."
    return None


def _ask_file_name(situation: Situation, records: Sequence[Call]) -> Asks:
    if is_recording(records[0]):
        return ()
    proposed = file_name(records[0], situation.render)
    title = f"Record {name(records[0], situation.render)} as"
    return (TextAsk("filename", title, proposed, check=check_file_name, verb="Record"),)


def _record(situation: Situation, records: Sequence[Call], answers: Answers) -> list[Step]:
    call = records[0]
    called = name(call, situation.render)
    if is_recording(call):
        return [Step(StopRecording(id=call.id), call.key, f"stopped recording {called}")]
    filename = text(answers, "filename", "The file name")
    fault = check_file_name(filename)
    if fault:
        raise ValueError(fault)
    request = StartRecording(id=call.id, filename=filename)
    return [step_of(situation, request, call.key, f"started recording {called}")]


def _ask_record(situation: Situation, records: Sequence[Call]) -> Asks:
    call = records[0]
    initial = {value: getattr(call, value) for value in EDITABLE if getattr(call, value) is not None}
    title = f"Edit call data of {name(call, situation.render)}"
    return (FormAsk("record", title, UpdateCall, initial, {"id": call.id}, EDITABLE),)


def _edit(situation: Situation, records: Sequence[Call], answers: Answers) -> list[Step]:
    call = records[0]
    changed = {field: value for field, value in form(answers, "record").items() if value != getattr(call, field, None)}
    if not changed:
        raise ValueError("Nothing was changed.")
    request = build(UpdateCall, {"id": call.id, **changed})
    message = f"edited call data of {name(call, situation.render)}"
    return [step_of(situation, request, call.key, message, record=call)]


def _ask_statistics(_situation: Situation, _records: Sequence[Call]) -> Asks:
    choices = (
        Choice("on", clean("Collect statistics of this call")),
        Choice("off", clean("Stop collecting statistics")),
    )
    return (ChoiceAsk("statistics", "Statistics", choices, digits=True),)


def _statistics(situation: Situation, records: Sequence[Call], answers: Answers) -> list[Step]:
    enable = text(answers, "statistics", "On or off")
    if enable not in {"on", "off"}:
        raise ValueError("Statistics are either on or off.")
    steps: list[Step] = []
    for call in records:
        request = EnableStatistics(call_id=call.id, enable=enable == "on")
        message = f"turned statistics {enable} for {name(call, situation.render)}"
        # Statistics that were disabled are disabled again when the console quits. A call that does not tell may collect
        # them already, and then must not stop.
        step = step_of(situation, request, call.key, message)
        steps.append(replace(step, watching=enable == "on" and collects_statistics(call) is False))
    return steps


def _stop(situation: Situation, request: StartRecording) -> Inverse:
    call = situation.render.find("calls", request.id)
    if isinstance(call, Call) and is_recording(call):
        return ()
    return (StopRecording(id=request.id, source=request.source) if request.source else StopRecording(id=request.id),)


def _switch_back(situation: Situation, request: EnableStatistics) -> Inverse:
    """Restore the other state if the call was in it. Without that fact in the call, statistics may be on."""
    call = situation.render.find("calls", request.call_id) if request.call_id else None
    collects = collects_statistics(call, request.user) if isinstance(call, Call) else None
    if collects is request.enable or (collects is None and request.enable):
        return ()
    return (request.model_copy(update={"enable": not request.enable}),)


INVERSES: Inverses = {
    StartRecording: _stop,
    EnableStatistics: _switch_back,
}


ACTIONS: tuple[Action[Any], ...] = (
    Action[Call](
        id="calls.record",
        title="start or stop recording",
        short="record",
        key="r",
        kind="calls",
        plan=_record,
        why_not=_may_record,
        asks=_ask_file_name,
        footer=2,
        about="Starts a recording under the file name shown, or stops the current one. Undo stops a new recording.",
        sends=(StartRecording, StopRecording),
    ),
    Action[Call](
        id="calls.edit",
        title="edit call data",
        key="e",
        verb="edit",
        kind="calls",
        plan=_edit,
        why_not=_may,
        asks=_ask_record,
        footer=5,
        about="Changes the stored data of the call; the call itself is not affected.",
        sends=(UpdateCall,),
    ),
    Action[Call](
        id="calls.statistics",
        title="statistics on or off",
        key="S",
        kind="calls",
        plan=_statistics,
        why_not=_may,
        asks=_ask_statistics,
        needs="many",
        footer=6,
        about="Starts or stops collecting quality counters of the call.",
        sends=(EnableStatistics,),
    ),
)
