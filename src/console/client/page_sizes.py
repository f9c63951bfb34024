"""Rows per page: the number of the profile, and fewer where the deployment refuses them."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeVar

from console.api.errors import BadRequest
from console.api.listed import PAGE
from console.api.request import Request

T = TypeVar("T")
SMALLER = (100, 20)
"""Rows per page that are tried if a refusal names no limit."""
_TRIES = 3
_ABOUT_SIZE = re.compile(
    r"page|size|limit|rows|paginat|maxim|\bmax\b|too (?:many|large|big|high)"
    r"|^(?:the service answered \d+|bad request|invalid request|validation (?:failed|error)|unprocessable \w+)\W*$",
    re.IGNORECASE,
)
"""Words of a refusal that concerns the page size, or that gives no reason at all."""
_LIMIT = re.compile(
    r"(?:than(?: or equal to)?|at most|exceeds?|most|maximum|max|limit|allowed|<=?|\b(?:and|to)\b)\D{0,16}(\d{1,9})",
    re.IGNORECASE,
)


class PageSizes:
    """The page sizes of one connection, by operation."""

    def __init__(self, configured: int | None) -> None:
        self._configured = configured
        self._accepted: dict[str, int] = {}

    def fitting(self, request: Request[Any]) -> Request[Any]:
        """Return the request with a page size that the deployment accepts, as far as known."""
        asked = _size_of(request)
        if asked is None:
            return request
        wanted = self._configured or asked
        size = wanted if asked == PAGE else min(asked, wanted)
        return _sized(request, min(size, self._accepted.get(request.operation.name, size)))

    def learnt(self, request: type[Request[Any]]) -> int | None:
        """Return the page size of an operation that refused a larger one, None for all others."""
        return self._accepted.get(request.operation.name)

    async def ask(
        self, request: Request[Any], send: Callable[[Request[Any]], Awaitable[T]], names: Mapping[str, str]
    ) -> T:
        """Send a request, and again with fewer rows per page if its page size is refused.

        `names` are the deployment's names of inputs. Raise the first refusal if none is accepted.
        """
        request = self.fitting(request)
        try:
            return await send(request)
        except BadRequest as error:
            refusal = error
        last = refusal
        called = next((names.get(input_.wire, "") for input_ in request.inputs() if input_.field == "page_size"), "")
        for _ in range(_TRIES):
            size = _smaller(_size_of(request), last, called)
            if size is None:
                break
            request = _sized(request, size)
            try:
                answer = await send(request)
            except BadRequest as error:
                last = error
                continue
            self._accepted[request.operation.name] = size
            return answer
        raise refusal


def _size_of(request: Request[Any]) -> int | None:
    size = getattr(request, "page_size", None)
    return size if isinstance(size, int) else None


def _sized(request: Request[Any], size: int) -> Request[Any]:
    return request if _size_of(request) == size else request.model_copy(update={"page_size": size})


def _smaller(size: int | None, refusal: BadRequest, called: str) -> int | None:
    """Return the next page size to try, None if the refusal has another reason."""
    text = refusal.in_full
    is_named = bool(called) and re.search(rf"(?<!\w){re.escape(called)}(?!\w)", text) is not None
    if size is None or not (is_named or _ABOUT_SIZE.search(text)):
        return None
    named = [int(item) for item in _LIMIT.findall(text)]
    return max((value for value in named if 0 < value < size), default=None) or next(
        (value for value in SMALLER if value < size), None
    )
