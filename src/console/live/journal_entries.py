"""Journal entries of a change: intent, circumstances, outcome. Never a secret."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, cast

from console.api.request import Request
from console.live.command import Command, Outcome, Step
from console.live.responses import masked
from console.records.record import Record
from console.records.secrets import MASK, without_secrets

_LEFT_OUT = frozenset({"credential", "avatar"})
LARGEST_ANSWER = 4_000
"""Most characters of a record or answer in the journal."""


def intent_entry(
    name: str, command: Command, circumstances: Mapping[str, Any], known: Sequence[Record | None]
) -> dict[str, Any]:
    """Return the entry of an intent. `circumstances`: time, caller, service; `known`: the known records of the
    steps.
    """
    return {
        "what": "intent",
        "command": name,
        **circumstances,
        "action": command.action,
        "title": command.title,
        "steps": [
            {
                "words": step.words,
                "operation": step.request.operation.name,
                "key": step.key,
                "inputs": shown_inputs(step.request),
                "before": None if before is None else _short(before),
            }
            for step, before in zip(command.steps, known, strict=True)
        ],
    }


def outcome_entry(name: str, number: int, at: int, decided: Step, outcome: Outcome) -> dict[str, Any]:
    """Return the entry of a step's outcome; `at` is in ms since the epoch."""
    entry: dict[str, Any] = {
        "what": "outcome",
        "command": name,
        "step": number,
        "at": at,
        "stage": outcome.stage.value,
    }
    if outcome.reason:
        entry["reason"] = outcome.reason
    if not outcome.sent:
        entry["unsent"] = True
    if outcome.step.request != decided.request:
        entry["sent"] = shown_inputs(outcome.step.request)
    after = masked(outcome.step.request, outcome.answer)
    if after not in (None, {}, []):
        entry["after"] = _cut(after)
    return entry


def shown_inputs(request: Request[Any]) -> dict[str, Any]:
    """Return a request's inputs by wire name, with all secrets masked, including those in records."""
    values = request.model_dump(by_alias=True, mode="json", exclude_unset=True)
    secret = {input_.wire for input_ in request.inputs() if input_.secret}
    return {name: MASK if name in secret else without_secrets(value) for name, value in values.items()}


def _short(record: Record) -> Any:
    return _cut(without_secrets(record.model_dump(by_alias=True, exclude_none=True, mode="json")))


def _cut(value: Any) -> str:
    """Encode JSON without pictures and login data, cut to the limit."""
    if isinstance(value, dict):
        value = {name: item for name, item in cast("dict[str, Any]", value).items() if name not in _LEFT_OUT}
    wire = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return wire if len(wire) <= LARGEST_ANSWER else wire[:LARGEST_ANSWER] + "…"
