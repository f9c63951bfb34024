"""Answers of a hostile or broken service: endless lists, huge answers, endless texts."""

from __future__ import annotations

import json
from itertools import count, cycle

HUGE_BYTES = 15 * 1024 * 1024
"""Slightly less than the largest answer that a console accepts."""
PAGE_ROWS = 500
TEXTS = (
    "e" + "\u0301" * 30_000,
    "[@click=app.quit]press[/]" * 2_000,
    "line\n" * 12_000,
    "\x1b]0;" + "x" * 50_000,
    "\U0001f469\u200d\U0001f467" * 12_000,
)


class EndlessPages:
    """Pages of groups with new rows on every page and always a next page."""

    def __init__(self) -> None:
        self._numbers = count()

    def __call__(self) -> bytes:
        rows = [
            {
                "id": f"g{number}",
                "groupId": f"group-{number}",
                "name": f"Group {number}",
                "participants": ["ana", "bob"],
            }
            for number in (next(self._numbers) for _ in range(PAGE_ROWS))
        ]
        page = {"data": rows, "meta": {"page": {"next": f"after-{rows[-1]['id']}"}}}
        return json.dumps(page, separators=(",", ":")).encode()


class HugeAnswers:
    """Lists of users of about the maximum size, with different rows each time."""

    def __init__(self) -> None:
        self._bodies = cycle([self._body(version) for version in range(2)])

    def __call__(self) -> bytes:
        return next(self._bodies)

    @staticmethod
    def _body(version: int) -> bytes:
        row = b'{"id":"u%07d","username":"user %d of %d","role":"user","email":"%s"}'
        filling = b"x" * 700
        rows: list[bytes] = []
        size = 0
        while size < HUGE_BYTES:
            rows.append(row % (len(rows), len(rows), version, filling))
            size += len(rows[-1]) + 1
        return b"[" + b",".join(rows) + b"]"
