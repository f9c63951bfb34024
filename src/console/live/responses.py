"""Results of changes: of steps and commands; answers as JSON by wire names, and as a short text; the journal's entries.

A secret that the service returns only once is kept in memory until the user has seen it, and nowhere else. The short
text omits mere confirmations, and the record that was sent. Journal entries never contain a secret.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, cast, get_args

from console.api.annotations import Effect
from console.api.catalogue import catalogue
from console.api.request import Request
from console.base.secrets import MASK, is_secret, secrets_in, without_secrets
from console.base.text import of_number
from console.live.command import Clash, Command, Outcome, Stage, Step, Ticket
from console.records.fields import resolved_fields
from console.records.record import Record
from console.records.responses import Acknowledgement

MAKING = (".create", ".create-many", ".register")
"""Suffixes of operations that create a record and return it."""
_MOST = 4
_BARE = frozenset({"ok", "created", "updated", "deleted", "no content", "done", "success"})
"""Confirmations without other content (contract 1.7)."""
_LEFT_OUT = frozenset({"credential", "avatar"})
LARGEST_ANSWER = 4_000
"""Most characters of a record or answer in the journal."""


def unmasked(request: Request[Any], answer: object) -> Any:
    """Return an answer as JSON, including secrets; None without an answer."""
    if answer is None:
        return None
    adapter = type(request).answer_adapter()
    return adapter.dump_python(answer, by_alias=True, exclude_none=True, mode="json", fallback=str)


def masked(request: Request[Any], answer: object) -> Any:
    """Return an answer as JSON with masked secrets, including those that the request sent."""
    return without_secrets(unmasked(request, answer), also=_secret_inputs(request))


def without(request: Request[Any], answer: object) -> object:
    """Return the answer with masked secrets; None if that is not possible."""
    if answer is None or not secrets_of(request, answer):
        return answer
    try:
        return type(request).answer_adapter().validate_python(masked(request, answer))
    except ValueError:
        return None


def makes_secret(request: Request[Any]) -> bool:
    """Return whether an answer will contain a secret that is new, or that cannot be read again.

    Passwords of a pool are not included: they can be read at any time.
    """
    operation = request.operation
    read = catalogue().get(f"{operation.name.rpartition('.')[0]}.get")
    return operation.answers_secret and (
        operation.name.endswith(MAKING) or read is None or not read.operation.answers_secret
    )


def awaits_secret(ticket: Ticket) -> bool:
    """Return whether the answer to a command in progress will contain such a secret."""
    return ticket.under_way and any(makes_secret(step.request) for step in ticket.command.steps)


def said_once(request: Request[Any], answer: object) -> bool:
    """Return whether an answer contains such a secret that the user did not send."""
    if answer is None or not makes_secret(request):
        return False
    sent = {*secrets_in(request.model_dump(by_alias=True, mode="json"), also=_secret_inputs(request))}
    return any(secret not in sent for secret in secrets_of(request, answer))


def answered(step: Step, answer: object, *, shown: bool = True) -> Outcome:
    """Return the outcome of a successful step. Secrets that are returned once are kept if they are to be `shown`."""
    secret = shown and said_once(step.request, answer)
    kept = answer if secret else without(step.request, answer)
    says, made = words_of(step.request, answer), made_by(step.request, answer)
    return Outcome(step, Stage.DONE, answer=kept, says=says, made=made, secret=secret)


def unsent(step: Step, reason: str, clash: Clash | None = None) -> Outcome:
    """Return the outcome of a step that was not sent."""
    return Outcome(step, Stage.REFUSED, reason, clash=clash, sent=False)


def sum_up(outcomes: Sequence[Outcome]) -> tuple[Stage, str]:
    """Return stage and reason of the whole. A partial success is DONE with a reason, so that it can be undone."""
    failed = [outcome for outcome in outcomes if outcome.stage is not Stage.DONE]
    unknown = next((outcome for outcome in outcomes if outcome.stage is Stage.UNKNOWN), None)
    if unknown is not None:
        return Stage.UNKNOWN, unknown.reason
    if not failed:
        return Stage.DONE, ""
    if len(failed) == len(outcomes):
        return Stage.REFUSED, failed[0].reason
    became = "were refused" if any(outcome.sent for outcome in failed) else "were not sent"
    return Stage.DONE, f"{len(failed)} of {len(outcomes)} {became}: {failed[0].reason}"


def secrets_of(request: Request[Any], answer: object) -> tuple[str, ...]:
    """Return the secrets in an answer, without duplicates."""
    secrets = secrets_in(unmasked(request, answer), also=_secret_inputs(request))
    return tuple(dict.fromkeys(secret for secret in secrets if secret))


def _secret_inputs(request: Request[Any]) -> frozenset[str]:
    """Return the wire names of a request's secrets, which are also masked in its answer."""
    return frozenset(input_.wire for input_ in request.inputs() if input_.secret)


def words_of(request: Request[Any], answer: object) -> str:
    """Return the text of an answer beyond a confirmation; may be empty."""
    return "; ".join(_words(request, answer))


def made_by(request: Request[Any], answer: object) -> tuple[str, ...]:
    """Return the ids of created records that the service assigned."""
    texts = frozenset(_texts(request.model_dump(mode="json", exclude_unset=True)))
    found: list[object] = []
    if request.operation.name.endswith(MAKING):
        found += [getattr(record, record.key_field) for record in _records(answer) if record.identified]
    if isinstance(answer, Acknowledgement):
        found.append((answer.model_extra or {}).get("id"))
    return tuple(item for item in found if isinstance(item, str) and item and item not in texts)


def _words(request: Request[Any], answer: object) -> Iterator[str]:
    if answer is None:
        return
    missing = request.passed_over(answer)
    if missing:
        yield f"not found: {_several(missing)}"
    made = made_by(request, answer)
    if made:
        yield f"{of_number(len(made), 'id')} {_several(made)}"
    if isinstance(answer, Acknowledgement):
        yield from _acknowledged(request, answer)
    elif isinstance(answer, Record) and type(answer) not in _rows():
        yield from _fields(answer)


def _several(texts: Sequence[str]) -> str:
    more = f" and {len(texts) - _MOST} more" if len(texts) > _MOST else ""
    return ", ".join(texts[:_MOST]) + more


def _acknowledged(request: Request[Any], answer: Acknowledgement) -> Iterator[str]:
    message = (answer.message or "").strip()
    if message and message.casefold().rstrip(".") not in _BARE | {(request.operation.says or "").casefold()}:
        yield message
    for name, value in list((answer.model_extra or {}).items())[:_MOST]:
        if name != "id" and value not in (None, "", [], {}):
            yield f"{name} {MASK if is_secret(name) else _text(value)}"


def _fields(answer: Record) -> Iterator[str]:
    """Yield texts for the fields of an answer that is not a row of a list."""
    members = ((name, getattr(answer, name)) for name in resolved_fields(type(answer)))
    for name, value in [(name, value) for name, value in members if value not in (None, "", (), {})][:_MOST]:
        title = name.strip("_").replace("_", " ")
        if is_secret(name):
            yield f"{title} {MASK}"
        elif name == "message":
            yield from () if str(value).casefold().rstrip(".") in _BARE else (str(value),)
        elif isinstance(value, tuple):
            yield f"{len(cast('tuple[Any, ...]', value))} {title}"
        elif not isinstance(value, Record):
            yield f"{title} {_text(value)}"
        elif identifier := getattr(value, "id", None):
            yield f"{title} {identifier}"


def _records(answer: object) -> Iterator[Record]:
    """Yield the records of an answer."""
    several = cast("Sequence[object]", answer) if isinstance(answer, tuple | list) else (answer,)
    yield from (item for item in several if isinstance(item, Record) and item.key_field)


@cache
def _rows() -> frozenset[type]:
    """Return the classes of records that can be read separately; in the answer to a change they add nothing."""
    found: set[type] = set()
    for request in catalogue().values():
        if request.operation.effect is Effect.READ:
            found |= set(_models(request.answer_type(), 0))
    return frozenset(found)


def _models(annotation: Any, depth: int) -> Iterator[type]:
    """Yield the record classes of an annotation, and of its lists."""
    if isinstance(annotation, type) and issubclass(annotation, Record):
        yield annotation
        if depth < 1:
            for field in resolved_fields(annotation).values():
                yield from (model for inner in get_args(field.annotation) for model in _models(inner, depth + 1))
    else:
        for inner in get_args(annotation):
            yield from _models(inner, depth)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in cast("dict[str, Any]", value).values():
            yield from _texts(item)
    elif isinstance(value, list):
        for item in cast("list[Any]", value):
            yield from _texts(item)


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value if isinstance(value, str) else json.dumps(value, default=str)


# -- the journal ------------------------------------------------------------------------------------------------------


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
