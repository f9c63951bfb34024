"""From an HTTP answer that says no to one of `api.errors`. All four error bodies of the contract (section 7) are read,
and whatever else a proxy or a broken service sends."""

from __future__ import annotations

import errno
import json
import ssl
from collections.abc import Iterator, Mapping, Sequence
from email.utils import parsedate_to_datetime
from typing import Any, cast

from console.api.errors import BY_STATUS, MEANINGS, ApiError, BadAnswer, NotOffered, Problem, Refused, ServerFault

NO_STATUSES: Mapping[int, str] = {}
LONGEST_WAIT = 60.0
"""Seconds of a Retry-After that are obeyed; more would look dead."""
_LONGEST_REASON = 1_000
_REFUSED = f"[Errno {errno.ECONNREFUSED}]"
"""All that is left of the error number where a name stands for several addresses, and each of them refused."""


def fault(
    status: int,
    body: bytes,
    headers: Mapping[str, str],
    operation: str,
    now_ms: int,
    statuses: Mapping[int, str] = NO_STATUSES,
) -> ApiError:
    """Return the error that an answer with this status stands for.

    `now_ms` is for a Retry-After that is a date; `statuses` are the deployment's own, by the names in `MEANINGS`.
    """
    reason, problems = read_error(body)
    reason = reason or f"the service answered {status}"
    retry_after = _retry_after(headers.get("retry-after"), now_ms)
    kind = MEANINGS.get(statuses.get(status, "")) or BY_STATUS.get(status)
    if kind is not None and issubclass(kind, NotOffered):
        return NotOffered(reason, operation=operation, status=status)
    if kind is None and status >= 500:
        return ServerFault(reason, operation=operation, status=status, retry_after=retry_after)
    if kind is None and status < 400:
        if status >= 300:
            reason = f"the service answered {status}, a redirect; redirects are not followed"
        return BadAnswer(reason, operation=operation, status=status)
    return (kind or Refused)(reason, operation=operation, status=status, problems=problems, retry_after=retry_after)


def read_error(body: bytes) -> tuple[str, tuple[Problem, ...]]:
    """Return the sentence and the problems that an error body holds; both empty when it holds none."""
    text = body[:65_536].decode("utf-8", errors="replace").strip()
    if text[:1] not in {"{", '"', "["}:
        return ("" if text.startswith("<") else text[:_LONGEST_REASON]), ()
    try:
        data: Any = json.loads(text)
    except (ValueError, RecursionError):
        return text[:_LONGEST_REASON], ()
    if isinstance(data, str):
        return data[:_LONGEST_REASON], ()
    if not isinstance(data, Mapping):
        return "", ()
    fields = cast("Mapping[str, Any]", data)
    inner = fields.get("error")
    if isinstance(inner, Mapping):
        fields = {**fields, **cast("Mapping[str, Any]", inner)}
    found = next((listed for name in _LISTS if (listed := _problems(fields.get(name)))), ())
    for name in _SENTENCES:
        said = fields.get(name)
        if isinstance(said, str) and said:
            return said[:_LONGEST_REASON], found
    return "; ".join(problem.message for problem in found[:3])[:_LONGEST_REASON], found


_SENTENCES = ("message", "error_description", "detail", "error", "title", "reason")
"""Where error bodies say what is wrong, the most telling first; beyond the contract's: OAuth2, problem details."""
_LISTS = ("validationErrors", "message", "errors")
_PATHS = ("dataPath", "path", "pointer", "field")


def _problems(value: Any) -> tuple[Problem, ...]:
    if not isinstance(value, list):
        return ()
    found: list[Problem] = []
    for entry in cast("Sequence[Any]", value)[:50]:
        if isinstance(entry, Mapping):
            fields = cast("Mapping[str, Any]", entry)
            path = next((str(fields[name]) for name in _PATHS if fields.get(name)), "")
            words = next((str(fields[name]) for name in _SENTENCES if fields.get(name)), "")
            found.append(Problem(path, words, str(fields.get("keyword") or "")))
        elif isinstance(entry, str):
            found.append(Problem("", entry))
    return tuple(found)


def _retry_after(value: str | None, now_ms: int) -> float | None:
    """Read a Retry-After header, in seconds or as a date, capped; None when it says nothing sensible."""
    if value is None:
        return None
    try:
        seconds = float(value)
    except ValueError:
        try:
            seconds = parsedate_to_datetime(value).timestamp() - now_ms / 1000
        except (ValueError, TypeError, OverflowError):
            return None
    return min(seconds, LONGEST_WAIT) if seconds >= 0 else None


def nobody_listens(error: BaseException) -> bool:
    """Whether a connection failed because its address is there and the service is not."""
    return any(
        isinstance(cause, OSError) and (cause.errno == errno.ECONNREFUSED or _REFUSED in str(cause))
        for cause in _causes(error)
    )


def _causes(error: BaseException) -> Iterator[BaseException]:
    """Yield an error and what it came from."""
    seen: set[int] = set()
    cause: BaseException | None = error
    while cause is not None and id(cause) not in seen:
        seen.add(id(cause))
        yield cause
        cause = cause.__cause__ or cause.__context__


def certificate_fault(error: BaseException) -> ssl.SSLError | None:
    """Return the TLS fault behind a failed connection, if it is one that trying again cannot heal."""
    found = next((cause for cause in _causes(error) if isinstance(cause, ssl.SSLError)), None)
    passing = isinstance(found, ssl.SSLEOFError | ssl.SSLZeroReturnError | ssl.SSLSyscallError)
    return None if passing else found


def certificate_words(error: ssl.SSLError) -> str:
    """Say what is wrong with a certificate or a handshake, without OpenSSL's file and line."""
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"the service's certificate is not trusted: {error.verify_message}"
    reason = (error.reason or str(error)).replace("_", " ").lower()
    return f"no secure connection: {reason}"
