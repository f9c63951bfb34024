"""The rows that a load generator serves, as bytes, and the events that change them.

Lists are assembled from the current rows, so they always agree with the events already sent. Bodies are prepared in
advance: an event costs the generator a few microseconds.
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
"""Kinds whose rows change by events: path, field of the answer with the rows, key."""
SHARES = {"calls": 70, "presence": 20, "agents": 10}
"""Percentage of events per kind."""
HOT = 0.2
"""Share of the call events that change visible rows."""
IN_SIGHT = "caller"
"""The field of a call that lists show in every state: a queue stands in place of the callee."""
VARIANTS = 2
LOW = 20
"""Queue positions that moving calls get: some match a filter, and none sorts before the visible rows."""
EPOCH_DIGITS = 16


def _bytes(data: object) -> bytes:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()


class PaperBackend:
    """The lists of a service, and the events that change them."""

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
        """If not empty, the only calls that events change besides the visible ones; their queue position changes."""
        self.churn = False
        """Whether events about calls end the oldest and start new ones."""
        self.offset = 1
        self.epoch = self._new_epoch()
        for kind, (path, field, key) in LIVE.items():
            body = json.loads(self._fixed.pop(path, b"[]"))
            rows: list[dict[str, Any]] = body[field] if field and body else body
            self.put(kind, {row[key]: row for row in rows})

    def put(self, kind: str, rows: Mapping[str, Mapping[str, Any]]) -> None:
        """Replace the rows of a kind."""
        self._rows[kind] = {key: _bytes(row) for key, row in rows.items()}
        self._keys[kind] = list(rows)
        self._variants[kind] = {}
        self._sources = {**getattr(self, "_sources", {}), kind: dict(rows)}

    def empty(self, kinds: Sequence[str]) -> None:
        """Remove all rows of these kinds, so that only the measured kind takes memory."""
        for kind in kinds:
            self.put(kind, {})
        for path in ("/users", "/sessions", "/conferences", "/alarms", "/groups"):
            self._fixed[path] = b"[]"

    def renew(self) -> None:
        """Start a new epoch, so that subscribers must list again."""
        self.epoch, self.offset = self._new_epoch(), 1

    def answer(self, path: str) -> bytes | None:
        """Return the current answer for a path, None for an unknown path."""
        for kind, (where, field, _) in LIVE.items():
            if path == where:
                body = b"[" + b",".join(self._rows[kind].values()) + b"]"
                return b'{"%s":%s}' % (field.encode(), body) if field else body
        return self._fixed.get(path)

    def size(self, kind: str) -> tuple[int, int]:
        """Return the number of rows of a kind and their size in bytes."""
        rows = self._rows[kind]
        return len(rows), sum(map(len, rows.values()))

    def next_event(self) -> bytes:
        """Change a random row and return the event's text."""
        turn = next(self._turn) % 100
        kind = "calls" if turn < SHARES["calls"] else "presence" if turn < 90 else "agents"
        if self.moving or not self._keys[kind]:
            kind = "calls"
        if kind == "calls" and self.hot and self._rng.random() < HOT:
            return self.change(kind, self._rng.choice(self.hot), touch=IN_SIGHT)
        if kind == "calls" and self.churn:
            return self._come_and_go()
        if self.moving:
            return self.change(kind, self._rng.choice(self.moving), touch="queueposition")
        return self.change(kind, self._rng.choice(self._keys[kind]))

    def change(self, kind: str, key: str, *, touch: str = "", to: str | None = None) -> bytes:
        """Change a visible field of a row and return the event's text."""
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

    def begin_alert(self, key: str, title: str, now_ms: int) -> bytes:
        """Return the event of a new alert."""
        row = {"alertId": key, "from": "eva", "title": title, "state": "active", "createdAt": now_ms}
        known: Any = json.loads(self._fixed.get("/alerts", b'{"active":[]}'))
        listed: list[Any] = known["active"]
        listed.append(row)
        self._fixed["/alerts"] = _bytes(known)
        return self._event("alerts", key, _bytes(row))

    def replace_calls(self) -> None:
        """Change all calls without sending events."""
        for key in self._keys["calls"]:
            self.change("calls", key, touch="target")

    def _others(self, kind: str, key: str, touch: str) -> list[bytes]:
        """Return versions of a row that differ from each other."""
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
        """End the oldest call started here, or start another."""
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
