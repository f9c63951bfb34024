"""How the service says no. One exception; the app lays it out in the operation's error shape (contract 7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from console.api.errors import Problem
from console.frozen import field


class ProblemEntry(Problem):
    """A validation error entry (contract 2.1) with the two fields that only the wire has."""

    schema_path: str = ""
    params: Mapping[str, Any] = field(default_factory=dict[str, Any])


class Refusal(Exception):
    """A request that is not granted. Raised anywhere in the domain; the transaction it is raised in is rolled back."""

    def __init__(
        self, status: int, message: str, problems: Sequence[Problem] = (), *, retry_after: int | None = None
    ) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.problems = tuple(problems)
        self.retry_after = retry_after
        """Seconds to wait before asking again, where that would help."""


def invalid(path: str, message: str, keyword: str = "invalid") -> Refusal:
    """Refuse one input, named as on the wire, with 400 and one validation error entry."""
    return Refusal(400, f"{path}: {message}" if path else message, (Problem(path, message, keyword),))


def login_needed(message: str = "log in first") -> Refusal:
    """Refuse because there is no valid login: 401."""
    return Refusal(401, message)


def unknown_client() -> Refusal:
    """Refuse because no OAuth2 client has this id and secret: 401."""
    message = "invalid OAuth2 client id or secret"
    return Refusal(401, message, (Problem("client_id", message, "client"),))


def forbidden(message: str) -> Refusal:
    """Refuse because this caller may not: 403. The message says who may."""
    return Refusal(403, message)


def missing(kind: str, key: str) -> Refusal:
    """Refuse because the thing is not there: 404."""
    return Refusal(404, f"there is no {kind} {key}")


def conflict(message: str) -> Refusal:
    """Refuse because the thing is no longer, or already, as the request assumes: 409."""
    return Refusal(409, message)


def too_many(message: str, retry_after: int) -> Refusal:
    """Refuse because of a limit: 429, with the seconds to wait."""
    return Refusal(429, message, retry_after=retry_after)


def unavailable() -> Refusal:
    """Refuse because the store cannot be read or written now: 503. Nothing was changed."""
    return Refusal(503, "the service cannot reach its database; nothing was changed", retry_after=2)
