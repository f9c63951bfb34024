"""The bodies of refusals: the four forms of the contract (7), and forms of other platforms."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from console.api.errors import Problem

LARGEST = 65_536
"""Bytes of a refusal that are read."""
_LONGEST_REASON = 1_000


def read_error(body: bytes) -> tuple[str, tuple[Problem, ...]]:
    """Return the message and the problems in an error body; both empty if it contains none."""
    text = body[:LARGEST].decode("utf-8", errors="replace").strip()
    if text[:1] not in {"{", '"', "["}:
        return ("" if text.startswith("<") else text[:_LONGEST_REASON]), ()
    try:
        data: Any = json.loads(text)
    except (ValueError, RecursionError):
        return text[:_LONGEST_REASON], ()
    if isinstance(data, str):
        return data[:_LONGEST_REASON], ()
    fields = _members(data)
    problems = next((listed for name in _LISTS if (listed := _problems(fields.get(name)))), ())
    for name in _SENTENCES:
        field = fields.get(name)
        if isinstance(field, str) and field:
            return field[:_LONGEST_REASON], problems
    return "; ".join(problem.message for problem in problems[:3])[:_LONGEST_REASON], problems


def codes_in(body: bytes) -> tuple[str, ...]:
    """Return the codes in an error body and in its error, as texts."""
    if body.lstrip()[:1] != b"{" or len(body) > LARGEST:
        return ()
    try:
        fields = _members(json.loads(body))
    except (ValueError, RecursionError):
        return ()
    return tuple(
        str(fields[name])
        for name in _CODES
        if isinstance(fields.get(name), str | int) and not isinstance(fields[name], bool)
    )


def is_refusal(fields: Mapping[str, Any]) -> bool:
    """Return whether an object says that a request failed."""
    field = fields.get("message")
    code = next((fields[name] for name in _CODES if _is_number(fields.get(name))), 0)
    return (
        any(_is_said(fields.get(name)) for name in ("error", "errors", "validationErrors"))
        or (isinstance(field, list) and bool(_problems(cast(object, field))))
        or any(str(fields[name]).strip().lower() in _NO for name in ("success", "ok") if name in fields)
        or any(str(fields.get(name)).lower() in _FAILED for name in ("status", "result"))
        or code >= 400
    )


_SENTENCES = (
    *("message", "error_description", "detail", "msg", "error", "description", "text", "title", "reason"),
    *("errorMessage", "error_message", "errmsg", "faultstring"),
)
"""Fields with the message of an error body, the most specific first; beyond the contract: OAuth2, problem details, and
what other platforms use."""
_LISTS = (
    *("validationErrors", "message", "errors", "violations", "invalid-params", "invalidParams", "fieldErrors"),
    *("details", "detail", "error"),
)
_PATHS = ("dataPath", "path", "pointer", "field", "propertyPath", "loc", "param", "name")
_CODES = ("code", "status", "statusCode", "errno", "errorCode", "error_code", "errcode", "error")
_NO = frozenset({"false", "0", "no"})
_FAILED = frozenset({"error", "fail", "failed", "failure"})
_FINE = frozenset({"", "0", "ok", "none", "null", "false", "success", "no error"})
"""Texts of an `error` that is none."""


def _members(data: object) -> Mapping[str, Any]:
    """Return the members of an object and of its error."""
    if not isinstance(data, Mapping):
        return {}
    fields = cast("Mapping[str, Any]", data)
    for name in ("error", "fault"):
        inner = fields.get(name)
        if isinstance(inner, Mapping):
            return {**fields, **cast("Mapping[str, Any]", inner)}
    return fields


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_said(value: object) -> bool:
    """Return whether a member for errors has one."""
    if isinstance(value, str):
        return value.strip().lower() not in _FINE
    if isinstance(value, Mapping):
        fields = cast("Mapping[str, Any]", value)
        return bool(fields) and fields.get("code") != 0
    return bool(value)


def _problems(value: Any) -> tuple[Problem, ...]:
    if isinstance(value, Mapping):
        return tuple(_by_field(cast("Mapping[str, Any]", value)))
    if not isinstance(value, list):
        return ()
    problems: list[Problem] = []
    for entry in cast("Sequence[Any]", value)[:50]:
        if isinstance(entry, Mapping):
            fields = cast("Mapping[str, Any]", entry)
            path = next((_path(fields[name]) for name in _PATHS if fields.get(name)), "")
            text = next((str(fields[name]) for name in _SENTENCES if fields.get(name)), "")
            if text or path:
                problems.append(Problem(path, text, str(fields.get("keyword") or "")))
        elif isinstance(entry, str):
            problems.append(Problem("", entry))
    return tuple(problems)


def _path(value: object) -> str:
    if isinstance(value, list):
        return ".".join(map(str, cast("Sequence[object]", value)))
    return value if isinstance(value, str) else ""


def _by_field(value: Mapping[str, Any]) -> Iterator[Problem]:
    """Yield the problems of an object with the messages of each field."""
    for name, message_value in list(value.items())[:50]:
        texts = cast("Sequence[Any]", message_value) if isinstance(message_value, list) else [message_value]
        message = "; ".join(text for text in texts if isinstance(text, str))
        if message and isinstance(message_value, list):
            yield Problem(name, message)
