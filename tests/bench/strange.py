"""What a service might send that means no good, or is broken: lists without end, huge answers, texts without end."""

from __future__ import annotations

import json
from itertools import count, cycle

HUGE_BYTES = 15 * 1024 * 1024
"""A little less than a console takes of one answer."""
PAGE_ROWS = 500
TEXTS = (
    "e" + "\u0301" * 30_000,
    "[@click=app.quit]press[/]" * 2_000,
    "line\n" * 12_000,
    "\x1b]0;" + "x" * 50_000,
    "\U0001f469\u200d\U0001f467" * 12_000,
)


class EndlessPages:
    """Pages of groups, each of rows that were never there before, each of which names a next one."""

    def __init__(self) -> None:
        self._numbers = count()

    def __call__(self) -> bytes:
        """Return the next page."""
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
    """A list of users of about the largest size, each time with other rows."""

    def __init__(self) -> None:
        self._bodies = cycle([self._body(version) for version in range(2)])

    def __call__(self) -> bytes:
        """Return the list."""
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
