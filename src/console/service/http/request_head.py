"""The head of a request, before authentication: limits on its address and headers, and the operation that it names.

Paths are split before they are decoded, so that an id may contain a slash.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote_to_bytes

from starlette.types import Scope

from console.api.annotations import Service
from console.api.catalogue import catalogue
from console.api.request import Request
from console.service.refusal import Refusal

LARGEST_HEAD = 32 * 1024
"""Most bytes of address and headers together."""
LONGEST_TARGET = 16 * 1024
"""Most bytes of the address: path and query."""
MOST_HEADERS = 100


def head_fault(scope: Scope) -> Refusal | None:
    """Return the refusal of a long address (414), or of many or large headers (431), or None."""
    target = len(scope.get("raw_path") or scope["path"]) + len(scope["query_string"])
    if target > LONGEST_TARGET:
        return Refusal(414, f"the address may have at most {LONGEST_TARGET} bytes")
    headers = scope["headers"]
    if len(headers) > MOST_HEADERS:
        return Refusal(431, f"a request may have at most {MOST_HEADERS} headers")
    if target + sum(len(name) + len(value) for name, value in headers) > LARGEST_HEAD:
        return head_too_large()
    return None


def head_too_large() -> Refusal:
    """Return the refusal of a request whose address and headers are too large together: 431."""
    return Refusal(431, f"address and headers may have at most {LARGEST_HEAD} bytes together")


Operations = dict[str, tuple[type[Request[Any]], tuple[str, ...]]]
"""Operations of a path by method, each with the names of its path fields."""


@dataclass(slots=True)
class _Node:
    literal: dict[str, _Node] = field(default_factory=dict[str, "_Node"])
    other: _Node | None = None
    operations: Operations = field(default_factory=lambda: Operations())


Found = tuple[type[Request[Any]], dict[str, str]] | frozenset[str]
"""An operation with its path values, or the methods of a path that has no operation of the method."""


class Router:
    """The routes of one of the two services; literal segments take precedence over fields."""

    def __init__(self, service: Service) -> None:
        self._root = _Node()
        for request in catalogue().values():
            if request.operation.service is service:
                self._add(request)

    def _add(self, request: type[Request[Any]]) -> None:
        node = self._root
        route = request.operation.route
        for segment in route.template.strip("/").split("/"):
            if segment.startswith("{"):
                node.other = node.other or _Node()
                node = node.other
            else:
                node = node.literal.setdefault(segment, _Node())
        node.operations[route.method] = (request, route.fields)

    def find(self, path: str, method: str) -> Found:
        """Return the operation and its path values, or the methods of the path (empty if the path is unknown).

        `path` is the raw, encoded path without the service's prefix.
        """
        segments = path.strip("/").split("/")
        methods: set[str] = set()
        for operations, values in self._walk(self._root, segments, ()):
            if method in operations:
                request, fields = operations[method]
                return request, dict(zip(fields, values, strict=True))
            methods.update(operations)
        return frozenset(methods)

    def _walk(
        self, node: _Node, segments: list[str], values: tuple[str, ...]
    ) -> list[tuple[Operations, tuple[str, ...]]]:
        if not segments:
            return [(node.operations, values)] if node.operations else []
        first, rest = segments[0], segments[1:]
        found: list[tuple[Operations, tuple[str, ...]]] = []
        if first in node.literal:
            found += self._walk(node.literal[first], rest, values)
        if node.other is not None and first:
            found += self._walk(node.other, rest, (*values, unquote_to_bytes(first).decode("utf-8", "replace")))
        return found
