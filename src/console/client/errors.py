"""Choose the error of `api.errors` for an answer, and word it.

All four error bodies of the contract (section 7) are supported, and answers of proxies, portals and broken services.
`client.network` words connection errors.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, TypeVar, cast
from urllib.parse import SplitResult, urljoin, urlsplit

from console.api.answer_check import NotTheAnswer
from console.api.errors import (
    ApiError,
    BadAnswer,
    NotFromService,
    NotOffered,
    Refused,
    ServerFault,
    Unreachable,
)
from console.api.request import Request
from console.base.frozen import Frozen
from console.client.clock_difference import http_date_ms
from console.client.error_bodies import LARGEST, is_refusal, read_error
from console.client.meanings import USUAL, Meanings
from console.client.network import LOGIN_FOR_PROXY
from console.records.members import member
from console.records.record import Record
from console.records.structured import shape_of

LONGEST_WAIT = 60.0
"""Longest Retry-After, in seconds, that is obeyed."""
NETWORK_LOGIN = 511
"""The status by which a network requires a login (RFC 6585)."""
NO_REASON = "the service answered"
"""Beginning of the reason of a refusal without one; its status follows."""
NOT_IN_FULL = {
    202: "and has no answer yet",
    206: "with only a part of the answer",
    207: "with several answers, which may be refusals",
    226: "with the differences from another answer",
}
"""Statuses of successes by which the body is not what was requested: no request asks for them."""
REDIRECTS = frozenset({301, 302, 303, 307, 308})
_LONGEST_PLACE = 200
_LONGEST_LINE = 100
E = TypeVar("E", bound=ApiError)


class SentRequest(Frozen):
    """A request, for errors about its answer."""

    method: str
    url: str
    """Without the query, which may contain credentials."""

    @property
    def place(self) -> str:
        """Host, method and path: `from desk.example, POST /core/alerts/accept`."""
        parts = urlsplit(self.url)
        return f"from {parts.netloc}, {self.method} {parts.path}"[:_LONGEST_PLACE]

    def source(self, headers: Mapping[str, str]) -> str:
        """Return content type and origin of an answer."""
        return f"{_media(headers).lower()} {self.place}"


def fault(
    status: int,
    body: bytes,
    headers: Mapping[str, str],
    asked: SentRequest,
    now_ms: int,
    meanings: Meanings = USUAL,
) -> ApiError:
    """Return the error for an answer with this status. `now_ms` is for a Retry-After with a date."""
    return _traced(_fault(status, body, headers, asked, now_ms, meanings), status, body, headers, asked)


def _traced(error: E, status: int, body: bytes, headers: Mapping[str, str], asked: SentRequest) -> E:
    """Add the request and the beginning of its answer to an error."""
    error.request = f"{asked.method} {asked.url}"
    error.answer = f"{status} {_media(headers)}{_first_line(status, body)}"
    return error


def _media(headers: Mapping[str, str]) -> str:
    return headers.get("content-type", "").partition(";")[0].strip()[:60] or "no content type"


def _first_line(status: int, body: bytes) -> str:
    """Return the first line of a refusal or a page. Other answers may contain a token, in any form."""
    text = body[:4096].decode("utf-8", errors="replace").strip()
    if not text:
        return ", empty"
    if status < 300 and text[:1] != "<":
        return f", {len(body)} bytes"
    first = text.partition("\n")[0].strip()
    return f": {first}" if len(first) <= _LONGEST_LINE else f": {first[:_LONGEST_LINE]}…"


def _fault(
    status: int,
    body: bytes,
    headers: Mapping[str, str],
    asked: SentRequest,
    now_ms: int,
    meanings: Meanings,
) -> ApiError:
    reason, problems = read_error(body)
    kind = meanings.of(status, body, reason)
    if not reason:
        reason = f"{NO_REASON} {status}"
        page = body.lstrip()[:1] == b"<"
        reason += f" with a web page ({asked.source(headers)})" if page else f" ({asked.place})"
    retry_after = _retry_after(headers.get("retry-after"), now_ms)
    if kind is not None and issubclass(kind, NotOffered):
        return NotOffered(reason, status=status)
    if kind is None and status == NETWORK_LOGIN:
        text = f"the network requires a login page first ({status} {asked.place})"
        return NotFromService(text, status=status)
    if kind is None and status == LOGIN_FOR_PROXY:
        # It never comes from the service, and the proxy has not forwarded the request.
        return Unreachable(f"a proxy before the service requires a login ({status} {asked.place})", status=status)
    if kind is None and status >= 500:
        return ServerFault(reason, status=status, retry_after=retry_after)
    if kind is None and status < 400:
        if status in REDIRECTS:
            return _redirect(status, headers, asked)
        if status >= 300 or status in NOT_IN_FULL:
            instead = NOT_IN_FULL.get(status, "not with an answer to this request")
            reason = f"the service answered with status {status}, {instead} ({asked.place})"
        return BadAnswer(reason, status=status)
    return (kind or Refused)(reason, status=status, problems=problems, retry_after=retry_after)


def not_an_answer(
    request: type[Request[Any]],
    status: int,
    body: bytes,
    headers: Mapping[str, str],
    asked: SentRequest,
    *,
    rows: str = "",
    meanings: Meanings = USUAL,
) -> ApiError | None:
    """Return the error of a successful answer that is not from the service, or contains a refusal; None for a valid
    one.

    `rows` is the member with the content, if the route names one: an answer that has it is none. The format is checked
    later, when the answer is parsed.
    """
    media = headers.get("content-type", "").lower()
    if request.is_foreign(body, media):
        what = " but a login page" if _LOGIN_PAGE.search(body[:LARGEST]) else ""
        return not_json(status, body, headers, asked, what)
    if _says_no(request, body, rows):
        reason, problems = read_error(body)
        reason = reason or "the service says that it failed"
        kind = meanings.of(status, body, reason) or Refused
        if issubclass(kind, NotOffered):
            return _traced(kind(reason, status=status), status, body, headers, asked)
        refused = kind(reason, status=status, problems=problems)
        return _traced(refused, status, body, headers, asked)
    return None


def _says_no(request: type[Request[Any]], body: bytes, rows: str) -> bool:
    """Return whether a successful answer is an object with an error and no other content."""
    if body.lstrip()[:1] != b"{" or len(body) > LARGEST or (rows and member(body, rows) is not None):
        return False
    try:
        data: Any = json.loads(body)
    except (ValueError, RecursionError):
        return False
    fields = cast("Mapping[str, Any]", data)
    declared = request.answer_type()
    names = shape_of(declared).names.keys() if isinstance(declared, type) and issubclass(declared, Record) else {"data"}
    if any(fields.get(name) is not None for name in {*names, request.operation.unwrap or "data"} - _GENERAL):
        return False
    return is_refusal(fields)


_GENERAL = frozenset({"code", "message", "error", "errors", "status"})
"""Fields without information about the content of an object."""


def not_json(
    status: int, body: bytes, headers: Mapping[str, str], asked: SentRequest, instead: str = ""
) -> NotFromService:
    """Return the error for a successful answer of another kind, such as a page."""
    text = f"the answer was not from the service{instead} ({asked.source(headers)})"
    foreign = NotFromService(text, status=status)
    return _traced(foreign, status, body, headers, asked)


def unreadable(error: ValueError, source: str) -> BadAnswer:
    """Return the error for an answer that does not match the operation."""
    text = str(error).partition("\n")[0][:200]
    if not isinstance(error, NotTheAnswer):
        text = f"the answer cannot be read: {text}"
    return BadAnswer(f"{text} ({source})" if source else text)


_LOGIN_PAGE = re.compile(
    rb"""type\s*=\s*["']?password|SAMLRequest|<title>[^<]{0,200}(?:log|sign)[ -]?in""", re.IGNORECASE
)
_LOGIN_PLACE = re.compile(
    r"(?<![a-z])(?:log-?in|log-?on|sign-?in|sso|saml2?|oauth2?|auth|authori[sz]e|cas|idp|adfs|captive|portal)(?![a-z])",
    re.IGNORECASE,
)
"""Words in the address of a login page."""


def _redirect(status: int, headers: Mapping[str, str], asked: SentRequest) -> BadAnswer:
    """Return the error for a redirect: to a login page, to another host, or elsewhere. Redirects are not followed."""
    here = urlsplit(asked.url)
    if "location" not in headers:
        text = f"the service answered with a redirect that names no address ({status} {asked.place})"
        return BadAnswer(text, status=status)
    try:
        there = urlsplit(urljoin(asked.url, headers["location"]))
        target = f"{there.scheme}://{there.hostname or ''}{f':{there.port}' if there.port else ''}{there.path}"
    except ValueError:
        there, target = here, "an address that cannot be read"
    kept = f"({status} {asked.place})"
    moved = there.path.rstrip("/") == here.path.rstrip("/") and there.hostname == here.hostname
    target = target[:_LONGEST_PLACE]
    if headers["location"] and there is not here and there[:3] == here[:3]:
        text = f"the service redirects to the same address, as a gateway does that expects a browser {kept}"
        return NotFromService(text, status=status)
    if moved:
        text = f"the service redirects to {target}; write that address in the profile {kept}"
        return BadAnswer(text, status=status)
    login = _LOGIN_PLACE.search(f"{there.hostname or ''} {there.path} {there.query}") is not None
    if login or _origin(there) != _origin(here):
        what = "a login page" if login else "another host"
        text = f"the answer was a redirect to {what}, {target}, not from the service {kept}"
        return NotFromService(text, status=status)
    text = f"the service answered with a redirect to {target}; redirects are not followed {kept}"
    return BadAnswer(text, status=status)


def _origin(parts: SplitResult) -> tuple[str, str | None, int | None]:
    return parts.scheme, parts.hostname, parts.port or {"https": 443, "http": 80}.get(parts.scheme)


def _retry_after(value: str | None, now_ms: int) -> float | None:
    """Parse a Retry-After header, in seconds or as a date, and limit it; return None for an invalid one."""
    if value is None:
        return None
    try:
        seconds = float(value)
    except ValueError:
        try:
            seconds = (http_date_ms(value) - now_ms) / 1000
        except (ValueError, TypeError, OverflowError, OSError):
            return None
    return min(seconds, LONGEST_WAIT) if seconds >= 0 else None
