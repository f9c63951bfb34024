"""Errors of the client. It raises no others.

ApiError
├── Unreachable            no answer: the request may be repeated
│   ├── TimedOut           no answer in time: it may have had its effect
│   ├── Away               the service is stopped or restarting
│   └── BadCertificate     permanent: never retried
├── Refused                the service refused
│   ├── BadRequest         400, 422: invalid; see `problems`
│   ├── LoginNeeded        401: not logged in, or no longer
│   │   └── NewPasswordNeeded  the password is temporary, and only allows setting a new one
│   ├── Forbidden          403: logged in, but not allowed
│   ├── NotFound           404, 410
│   ├── Conflict           409, 412: the state has changed
│   └── TooMany            429: retry later; see `retry_after`
├── ServerFault            5xx: the service failed
├── BadAnswer              an answer that is unreadable, too large, or not what the operation returns
│   └── NotFromService     the answer of something else: a portal, a login page, a proxy
├── Accepted               202: accepted, but not done yet
└── NotOffered             this deployment, variant or profile lacks the operation
    └── ReadOnly           the profile forbids changes

`reason` and `problems` are text from outside: raw here, cleaned where they are shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Self

from console.base.frozen import Frozen
from console.base.secrets import MASK


class Problem(Frozen):
    """One entry of the contract's validation error format (2.1)."""

    path: str
    message: str
    keyword: str = ""


class Advice(Frozen):
    """The likeliest cause of an error, if it may be the profile, and the key that mends it."""

    cause: str
    """A sentence."""
    key: str = ""
    """The key of the profile; empty if none mends it."""
    origin: str = ""
    """File and line of the key; empty if it is not set."""

    def __str__(self) -> str:
        """Return the cause and the key."""
        if not self.key:
            return self.cause
        return f"{self.cause} Key: {self.key} ({self.origin or 'not set'})."


SHORTEST_SECRET = 4
"""Shorter secrets are not masked in messages, where they would match everywhere."""


def _distinctive(secrets: Iterable[str]) -> list[str]:
    """Return the secrets that do not look like words: masking a common word would reveal that it is the secret."""
    return [secret for secret in secrets if len(secret) >= SHORTEST_SECRET and not secret.isalpha()]


def _without(text: str, secrets: Sequence[str]) -> str:
    for secret in secrets:
        text = text.replace(secret, MASK)
    return text


class ApiError(Exception):
    """Base class: an operation was not answered as expected."""

    def __init__(
        self, reason: str, *, operation: str = "", status: int | None = None, retry_after: float | None = None
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.operation = operation
        self.status = status
        self.retry_after = retry_after
        """The seconds to wait before another attempt, if the service tells."""
        self.request = ""
        """Method and URL, without a query; empty if nothing was sent, or unknown."""
        self.answer = ""
        """Status, content type and first line of the answer; empty without one."""
        self.advice: Advice | None = None

    @property
    def in_full(self) -> str:
        """The complete message."""
        return self.reason

    @property
    def details(self) -> tuple[str, ...]:
        """The request, the answer and the likeliest cause, one line each; empty if the reason says it all."""
        if self.advice is None:
            return ()
        lines = {"request": self.request, "answer": self.answer, "cause": str(self.advice)}
        return tuple(f"{name}: {text}" for name, text in lines.items() if text)

    def caused_by(self, error: ApiError) -> Self:
        """Take over request, answer and advice of the error that caused this one; return this one."""
        self.request, self.answer, self.advice = error.request, error.answer, error.advice
        return self

    def hide(self, secrets: Iterable[str]) -> None:
        """Mask these secrets in all messages: services repeat inputs."""
        hidden = _distinctive(secrets)
        self.reason = _without(self.reason, hidden)
        self.args = (self.reason,)
        self.answer = _without(self.answer, hidden)


class Unreachable(ApiError):
    """The service could not be reached, or the connection broke."""


class TimedOut(Unreachable):
    """No answer in time; a change may have been made."""


class Away(Unreachable):
    """Nothing listens at the service's address, or it announced its stop: all clients have lost it."""


class BadCertificate(Unreachable):
    """The service's certificate is not trusted."""


class Refused(ApiError):
    """The service refused the request."""

    def __init__(
        self,
        reason: str,
        *,
        operation: str = "",
        status: int | None = None,
        problems: Sequence[Problem] = (),
        retry_after: float | None = None,
    ) -> None:
        super().__init__(reason, operation=operation, status=status, retry_after=retry_after)
        self.problems = tuple(problems)

    def hide(self, secrets: Iterable[str]) -> None:
        """Mask these secrets in the reason and the problems."""
        hidden = _distinctive(secrets)
        super().hide(hidden)
        self.problems = tuple(
            Problem(_without(problem.path, hidden), _without(problem.message, hidden), problem.keyword)
            for problem in self.problems
        )

    @property
    def in_full(self) -> str:
        """The reason, with its problems: some services give only a title as the reason."""
        beyond = [problem for problem in self.problems if problem.message and problem.message not in self.reason]
        return "; ".join(
            [
                self.reason,
                *(f"{problem.path}: {problem.message}" if problem.path else problem.message for problem in beyond),
            ]
        )


class BadRequest(Refused):
    """The request is invalid."""


class LoginNeeded(Refused):
    """There is no login, or it has ended."""


class NewPasswordNeeded(LoginNeeded):
    """The password is correct, but temporary: a new one must be set first."""


class Forbidden(Refused):
    """The caller lacks the permission."""


class NotFound(Refused):
    """A record in the request does not exist."""


class Conflict(Refused):
    """The state of the record is not as the request assumed."""


class TooMany(Refused):
    """Too many requests; `retry_after` is the number of seconds to wait, if given."""


class ServerFault(ApiError):
    """The service failed during the request."""


class BadAnswer(ApiError):
    """The answer is unusable. A change may have been made."""


class NotFromService(BadAnswer):
    """The answer is a page, or a redirect to one, of a portal, a login page or a proxy. It may be temporary."""


class Accepted(ApiError):
    """The service accepted a change (202), and may still fail to make it."""


class NotOffered(ApiError):
    """This deployment lacks the operation."""


class ReadOnly(NotOffered):
    """The profile forbids changes."""


BY_STATUS: dict[int, type[Refused] | type[NotOffered]] = {
    400: BadRequest,
    401: LoginNeeded,
    403: Forbidden,
    404: NotFound,
    405: NotOffered,
    409: Conflict,
    410: NotFound,
    412: Conflict,
    422: BadRequest,
    429: TooMany,
    501: NotOffered,
}
"""Errors by status code; other 4xx are plain `Refused`. The contract defines no codes."""

MEANINGS: dict[str, type[Refused] | type[NotOffered]] = {
    "invalid": BadRequest,
    "login": LoginNeeded,
    "forbidden": Forbidden,
    "missing": NotFound,
    "conflict": Conflict,
    "busy": TooMany,
    "absent": NotOffered,
}
"""Meanings that a deployment can give to its own status codes."""
