"""Everything that can go wrong between asking and being answered. The client raises only these.

ApiError
├── Unreachable            no answer: the question may be asked again
│   ├── TimedOut           an answer may still have had its effect
│   ├── Away               nobody is there: the service is stopped, or is being restarted
│   └── BadCertificate     will not heal by itself: never retried
├── Refused                the service said no
│   ├── BadRequest         400, 422: what was asked is faulty; see `problems`
│   ├── LoginNeeded        401: not logged in, or no longer
│   │   └── NewPasswordNeeded  the password is good for nothing but setting a new one
│   ├── Forbidden          403: logged in, but not allowed
│   ├── NotFound           404, 410
│   ├── Conflict           409, 412: somebody else was first
│   └── TooMany            429: ask later; see `retry_after`
├── ServerFault            5xx: the service failed
├── BadAnswer              an answer that cannot be read, is too large, or is not what the operation returns
│   └── NotFromService     something in between answered: a portal, a log-in page, a proxy
└── NotOffered             this deployment, variant or profile has no such operation
    └── ReadOnly           the profile forbids changes

`reason` and `problems` are remote text: raw here, cleaned where they are shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from console.frozen import Frozen
from console.records.secrets import MASK


class Problem(Frozen):
    """One entry of the contract's validation error shape (2.1)."""

    path: str
    message: str
    keyword: str = ""


SHORTEST_SECRET = 4
"""Characters below which a secret is not looked for in what is said: it would be found everywhere."""


def _telling(secrets: Iterable[str]) -> list[str]:
    """Leave out what would be found in plain sentences: to hide a word there would tell that it is the secret."""
    return [each for each in secrets if len(each) >= SHORTEST_SECRET and not each.isalpha()]


def _without(text: str, secrets: Sequence[str]) -> str:
    for each in secrets:
        text = text.replace(each, MASK)
    return text


class ApiError(Exception):
    """Anything that kept an operation from being answered as it should."""

    def __init__(self, reason: str, *, operation: str = "", status: int | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.operation = operation
        self.status = status

    @property
    def in_full(self) -> str:
        """Everything that was said about it, in a sentence."""
        return self.reason

    def hide(self, secrets: Iterable[str]) -> None:
        """Take these out of everything that was said: services repeat what they were sent."""
        self.reason = _without(self.reason, _telling(secrets))
        self.args = (self.reason,)


class Unreachable(ApiError):
    """The service could not be reached, or the connection broke."""


class TimedOut(Unreachable):
    """No answer in time; a change may have happened all the same."""


class Away(Unreachable):
    """Nobody listens where the service should be, or it said that it goes: everybody else has lost it as well."""


class BadCertificate(Unreachable):
    """The service's certificate is not to be trusted."""


class Refused(ApiError):
    """The service understood and said no."""

    def __init__(
        self,
        reason: str,
        *,
        operation: str = "",
        status: int | None = None,
        problems: Sequence[Problem] = (),
        retry_after: float | None = None,
    ) -> None:
        super().__init__(reason, operation=operation, status=status)
        self.problems = tuple(problems)
        self.retry_after = retry_after

    def hide(self, secrets: Iterable[str]) -> None:
        """Take these out of the reason and the problems."""
        hidden = _telling(secrets)
        super().hide(hidden)
        self.problems = tuple(
            Problem(_without(each.path, hidden), _without(each.message, hidden), each.keyword) for each in self.problems
        )

    @property
    def in_full(self) -> str:
        """The reason, and what its problems say beyond it: some services give no more than a title as the reason."""
        beyond = [each for each in self.problems if each.message and each.message not in self.reason]
        return "; ".join(
            [self.reason, *(f"{each.path}: {each.message}" if each.path else each.message for each in beyond)]
        )


class BadRequest(Refused):
    """What was asked is faulty."""


class LoginNeeded(Refused):
    """There is no login, or it has ended."""


class NewPasswordNeeded(LoginNeeded):
    """The password is right, but temporary: first a new one must take its place."""


class Forbidden(Refused):
    """The caller may not do this."""


class NotFound(Refused):
    """What the request names does not exist."""


class Conflict(Refused):
    """The thing is no longer as the request assumed."""


class TooMany(Refused):
    """Too many requests; `retry_after` says how many seconds to wait, if the service said."""


class ServerFault(ApiError):
    """The service failed while answering."""

    def __init__(
        self, reason: str, *, operation: str = "", status: int | None = None, retry_after: float | None = None
    ) -> None:
        super().__init__(reason, operation=operation, status=status)
        self.retry_after = retry_after


class BadAnswer(ApiError):
    """The answer cannot be used. A change so answered may have been made."""


class NotFromService(BadAnswer):
    """The answer is a page, or leads to one: a portal, a log-in page or a proxy stands between. It may pass."""


class NotOffered(ApiError):
    """This deployment has no such operation."""


class ReadOnly(NotOffered):
    """The profile allows no changes."""


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
"""Which error a status code becomes; other 4xx are plain `Refused`. Ours to choose: the contract shows no codes."""

MEANINGS: dict[str, type[Refused] | type[NotOffered]] = {
    "faulty": BadRequest,
    "login": LoginNeeded,
    "forbidden": Forbidden,
    "missing": NotFound,
    "conflict": Conflict,
    "busy": TooMany,
    "absent": NotOffered,
}
"""What a deployment can say that a status code of its own means."""
