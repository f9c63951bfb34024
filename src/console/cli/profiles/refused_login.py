"""Why a login was refused, for a person who is setting up a profile."""

from __future__ import annotations

from console.api.errors import ApiError, Forbidden, LoginNeeded, NotFound, NotOffered, Unreachable
from console.api.operations.sessions import IssueToken
from console.client.explaining import TOKEN_ENDPOINT

_ISSUING = frozenset({"", IssueToken.operation.name, TOKEN_ENDPOINT})
"""Operations that take a password; a missing one has no operation."""


def is_of_password(error: ApiError) -> bool:
    """Return whether a login failed before a token was issued: only then is another password of use."""
    return isinstance(error, LoginNeeded | Forbidden) and error.operation in _ISSUING


def reasons(error: ApiError) -> tuple[str, ...]:
    """Return the two most likely reasons of a refused login."""
    match error:
        case LoginNeeded() | Forbidden() if not is_of_password(error):
            return (
                "the service uses the token directly: set login.session = false, or present",
                "the token is for another service or has too few rights: set login.scope or login.parameters",
            )
        case LoginNeeded():
            return ("user name or password are wrong", "accounts are kept by another service: set login")
        case NotFound() | NotOffered():
            return ("the deployment logs in at another path: name a routes file", "it takes tokens directly: set login")
        case Unreachable():
            return ("the service is busy or starting", "a firewall or proxy stops requests with a body")
        case _:
            return (
                "the deployment wants other inputs: see its documentation",
                "a gateway answers instead of the service",
            )
