"""The rows that a load generator holds, as bytes, and the events that change them.

Lists are put together of the rows as they are at that moment, so a console may list again whenever it likes and finds
what the events said. Bodies are made before they are needed: an event costs the generator a few microseconds.
"""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from itertools import count
from typing import Any

LIVE = {
    "calls": ("/calls", "", "id"),
    "presence": ("/presence", "", "address"),
    "agents": ("/agents", "agents", "id"),
}
"""Kinds whose rows events change: where they are listed, in which field of the answer, and their key."""
SHARES = {"calls": 70, "presence": 20, "agents": 10}
"""Of a hundred events."""
HOT = 0.2
"""The part of the events about calls that is about rows in sight."""
VARIANTS = 2
LOW = 20
"""Places in the queue that moving calls are given: where some match a filter, and none comes before those in sight."""
EPOCH_DIGITS = 16


def _bytes(data: object) -> bytes:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()


class PaperBackend:
    """All lists of a service, and what happens to them."""

    def __init__(self, answers: Mapping[str, bytes], seed: int = 1) -> None:
        self._rng = random.Random(seed)
        self._fixed = dict(answers)
        self._rows: dict[str, dict[str, bytes]] = {}
        self._variants: dict[str, dict[str, list[bytes]]] = {}
        self._keys: dict[str, list[str]] = {}
        self._turn = count()
        self._churned = count()
        self.hot: list[str] = []
        self.moving: list[str] = []
        """If any: the only calls that events are about, besides the hot ones; their place in the queue changes."""
        self.churn = False
        """Whether events about calls end the oldest and begin others."""
        self.offset = 1
        self.epoch = self._new_epoch()
        for kind, (path, field, key) in LIVE.items():
            body = json.loads(self._fixed.pop(path, b"[]"))
            rows: list[dict[str, Any]] = body[field] if field and body else body
            self.put(kind, {row[key]: row for row in rows})

    def put(self, kind: str, rows: Mapping[str, Mapping[str, Any]]) -> None:
        """Hold these rows of a kind instead of the present ones."""
        self._rows[kind] = {key: _bytes(row) for key, row in rows.items()}
        self._keys[kind] = list(rows)
        self._variants[kind] = {}
        self._sources = {**getattr(self, "_sources", {}), kind: dict(rows)}

    def empty(self, kinds: Sequence[str]) -> None:
        """Hold nothing of these kinds: only what is measured shall take memory."""
        for kind in kinds:
            self.put(kind, {})
        for path in ("/users", "/sessions", "/conferences", "/alarms", "/groups"):
            self._fixed[path] = b"[]"

    def renew(self) -> None:
        """Begin a new life: whoever listens must list again."""
        self.epoch, self.offset = self._new_epoch(), 1

    def answer(self, path: str) -> bytes | None:
        """Return what a list is answered with now; None for a path that there is not."""
        for kind, (where, field, _) in LIVE.items():
            if path == where:
                body = b"[" + b",".join(self._rows[kind].values()) + b"]"
                return b'{"%s":%s}' % (field.encode(), body) if field else body
        return self._fixed.get(path)

    def size(self, kind: str) -> tuple[int, int]:
        """Return how many rows of a kind there are, and how many bytes."""
        rows = self._rows[kind]
        return len(rows), sum(map(len, rows.values()))

    def next_event(self) -> bytes:
        """Let something happen, by chance; return the event's text."""
        turn = next(self._turn) % 100
        kind = "calls" if turn < SHARES["calls"] else "presence" if turn < 90 else "agents"
        if self.moving or not self._keys[kind]:
            kind = "calls"
        if kind == "calls" and self.hot and self._rng.random() < HOT:
            return self.change(kind, self._rng.choice(self.hot), touch="calle")
        if kind == "calls" and self.churn:
            return self._come_and_go()
        if self.moving:
            return self.change(kind, self._rng.choice(self.moving), touch="queueposition")
        return self.change(kind, self._rng.choice(self._keys[kind]))

    def change(self, kind: str, key: str, *, touch: str = "", to: str | None = None) -> bytes:
        """Change a row, in a field of which something can be seen; return the event's text."""
        if to is not None:
            body = _bytes({**self._sources[kind][key], touch: to})
        else:
            known = self._variants[kind].get(key + touch)
            if known is None:
                known = self._variants[kind][key + touch] = self._others(kind, key, touch)
            held = self._rows[kind].get(key)
            body = known[0] if held != known[0] else known[1]
        self._rows[kind][key] = body
        return self._event(kind, key, body)

    def replace_calls(self) -> None:
        """Change every call, without telling of a single one."""
        for key in self._keys["calls"]:
            self.change("calls", key, touch="target")

    def _others(self, kind: str, key: str, touch: str) -> list[bytes]:
        """Make versions of a row that differ from one another."""
        row = self._sources[kind][key]
        made: list[bytes] = []
        for number in range(VARIANTS):
            if kind == "presence":
                changed = {"note": f"note {number}"}
            elif kind == "agents":
                changed = {"activity": ("oncall", "available")[number]}
            elif touch == "queueposition":
                changed = {"queueposition": self._rng.randrange(LOW)}
            else:
                changed = {touch or "target": f"sip:{self._rng.randrange(10**6)}@desk.example"}
            made.append(_bytes({**row, **changed, "users": [f"u{number}"]} if kind == "calls" else {**row, **changed}))
        return made

    def _come_and_go(self) -> bytes:
        """End the oldest call that began here, or begin another."""
        number = next(self._churned)
        rows, sources = self._rows["calls"], self._sources["calls"]
        keys = self._keys["calls"]
        if number % 2:
            key = keys.pop(0)
            del rows[key], sources[key]
            return self._event("calls", key, None)
        row = dict(sources[keys[-1]], id=f"n{number:07}", caller=f"+347{number:08}")
        sources[row["id"]], rows[row["id"]] = row, _bytes(row)
        keys.append(row["id"])
        return self._event("calls", row["id"], rows[row["id"]])

    def _event(self, kind: str, key: str, body: bytes | None) -> bytes:
        after, self.offset = self.offset, self.offset + 1
        head = b'{"type":"event","offset":%d,"after":%d,"topic":"%s","key":"%s",' % (
            self.offset,
            after,
            kind.encode(),
            key.encode(),
        )
        return head + (b'"kind":"remove"}' if body is None else b'"kind":"upsert","body":' + body + b"}")

    def _new_epoch(self) -> str:
        return f"{self._rng.getrandbits(4 * EPOCH_DIGITS):0{EPOCH_DIGITS}x}"
