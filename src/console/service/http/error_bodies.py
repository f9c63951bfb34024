"""Encode refusals in the contract's four error formats (section 7) or the OAuth2 format, depending on the operation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic import ValidationError

from console.api.errors import Problem
from console.service.refusal import ProblemEntry, Refusal


def error_body(refusal: Refusal, shape: str) -> dict[str, Any]:
    """Encode a refusal in the format `code`, `validation`, `message`, `error` or `oauth`.

    All but `validation` contain the validation entries, if any, in addition to the contract's fields. `oauth` is `code`
    with the fields of RFC 6749 (5.2), for OAuth2 libraries.
    """
    entries = [_entry(problem) for problem in refusal.problems]
    if shape == "validation":
        entries = entries or [_entry(Problem("", refusal.message, "refused"))]
        return {"error": refusal.message, "validationErrors": entries, "message": entries}
    body: dict[str, Any] = {"message": refusal.message}
    if shape in {"code", "oauth"}:
        body = {"code": refusal.status, "message": refusal.message}
    if shape == "oauth":
        body |= {"error": _oauth_error(refusal), "error_description": refusal.message}
    elif shape == "error":
        body = {"error": refusal.message}
    return {**body, "validationErrors": entries} if entries else body


def from_validation(error: ValidationError, wire_names: dict[str, str]) -> Refusal:
    """Convert invalid inputs to a 400 with one entry each. The inputs themselves are never included."""
    entries: list[Problem] = []
    for detail in error.errors(include_input=False, include_url=False):
        location = [wire_names.get(str(part), str(part)) for part in detail["loc"][:1]]
        location += [str(part) for part in detail["loc"][1:]]
        context = detail.get("ctx", {})
        limits = {name: value for name, value in context.items() if isinstance(value, str | int | float | bool)}
        entries.append(
            ProblemEntry(
                path=".".join(location),
                message=detail["msg"],
                keyword=detail["type"],
                schema_path="#/properties/" + "/properties/".join(location) if location else "#",
                params=limits,
            )
        )
    return Refusal(400, _sentence(entries), entries)


def _oauth_error(refusal: Refusal) -> str:
    if any(problem.keyword == "client" for problem in refusal.problems):
        return "invalid_client" if refusal.status == 401 else "invalid_request"
    if any(problem.path == "grant_type" and problem.keyword != "required" for problem in refusal.problems):
        return "unsupported_grant_type"
    if refusal.status in {429, 503}:
        return "temporarily_unavailable"
    return {401: "invalid_grant", 403: "unauthorized_client"}.get(refusal.status, "invalid_request")


def _sentence(entries: Sequence[Problem]) -> str:
    join = "; ".join(f"{entry.path}: {entry.message}" if entry.path else entry.message for entry in entries[:5])
    return join + (f"; and {len(entries) - 5} more" if len(entries) > 5 else "")


def _entry(problem: Problem) -> dict[str, Any]:
    problem_entry = problem if isinstance(problem, ProblemEntry) else None
    return {
        "keyword": problem.keyword,
        "dataPath": problem.path,
        "schemaPath": problem_entry.schema_path if problem_entry else "",
        "params": dict(problem_entry.params) if problem_entry else {},
        "message": problem.message,
    }
