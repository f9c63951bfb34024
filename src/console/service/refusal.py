"""Refusals: one exception, which the app encodes in the operation's error format (contract 7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from console.api.errors import Problem
from console.base.frozen import field


class ProblemEntry(Problem):
    """A validation error entry (contract 2.1) with two additional wire fields."""

    schema_path: str = ""
    params: Mapping[str, Any] = field(default_factory=dict[str, Any])


class Refusal(Exception):
    """A refused request. It may be raised anywhere in the domain, and rolls back the transaction."""

    def __init__(
        self, status: int, message: str, problems: Sequence[Problem] = (), *, retry_after: int | None = None
    ) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.problems = tuple(problems)
        self.retry_after = retry_after
        """Seconds until a retry makes sense, if any."""


def invalid(path: str, message: str, keyword: str = "invalid") -> Refusal:
    """Return the refusal of one input, by its wire name: 400 with one validation error entry."""
    return Refusal(400, f"{path}: {message}" if path else message, (Problem(path, message, keyword),))


def login_needed(message: str = "log in first") -> Refusal:
    """Return the refusal of a request without a valid login: 401."""
    return Refusal(401, message)


def unknown_client() -> Refusal:
    """Return the refusal of an unknown OAuth2 client id or wrong secret: 401."""
    message = "invalid OAuth2 client id or secret"
    return Refusal(401, message, (Problem("client_id", message, "client"),))


def forbidden(message: str) -> Refusal:
    """Return the refusal of a caller without permission: 403. The message says who has it."""
    return Refusal(403, message)


def missing(kind: str, key: str) -> Refusal:
    """Return the refusal of an unknown record: 404."""
    return Refusal(404, f"there is no {kind} {key}")


def conflict(message: str) -> Refusal:
    """Return the refusal of a request that contradicts the current state: 409."""
    return Refusal(409, message)


def too_many(message: str, retry_after: int) -> Refusal:
    """Return the refusal of a request above a limit: 429, with the seconds to wait."""
    return Refusal(429, message, retry_after=retry_after)


def outcome_unknown() -> Refusal:
    """Return the refusal if the database did not confirm a commit: 504. The change was made completely, or not."""
    return Refusal(504, "the database did not confirm the change; it may or may not have been made", retry_after=2)


def unavailable() -> Refusal:
    """Return the refusal while the database is unavailable: 503. Nothing was changed."""
    return Refusal(503, "the service cannot reach its database; nothing was changed", retry_after=2)
