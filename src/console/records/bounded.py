"""Remove oversized parts of rows, because parsing such a record would block keys.

The row's `CUT_FIELD`, and the record's `faults`, list the removed parts.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from console.records.raw import CUT_FIELD, Json, every_field, parse

LARGEST_TEXT = 64 * 1024
"""Longest text that is kept, in characters."""
LARGEST_NESTED = 512 * 1024
"""Largest nested list or object that is kept, in bytes."""
LARGEST_ROW = 1024 * 1024
"""Largest row that is kept, in bytes, after its texts were shortened."""
MOST_PARTS = 20_000
"""Most values in such a row: parsing more would block keys."""
_LARGEST_OPENED = 4 * 1024 * 1024
"""Largest row whose fields are checked one by one, in bytes."""


def bounded_row(row: bytes, key_field: str, key: str | None) -> bytes:
    """Return a row without its oversized texts and parts; its `CUT_FIELD` lists them."""
    if len(row) <= _LARGEST_OPENED and row.count(b'":') <= MOST_PARTS:
        try:
            kept, missing = _bounded_fields(every_field(row))
        except ValueError:
            return row if len(row) <= LARGEST_ROW else _stand_in(row, key_field, key)
        if not missing and _is_simple(row):
            return row
        smaller = _object({**kept, CUT_FIELD: Json(json.dumps(missing).encode())})
        if _is_simple(smaller):
            return smaller
    return _stand_in(row, key_field, key)


def _bounded_fields(fields: Mapping[str, Json]) -> tuple[dict[str, Json], dict[str, str]]:
    kept: dict[str, Json] = {}
    missing: dict[str, str] = {}
    for name, value in fields.items():
        size = memoryview(value).nbytes
        if size <= LARGEST_TEXT:
            kept[name] = value
            continue
        raw = bytes(value)
        if raw.startswith(b'"'):
            text: Any = parse(raw)
            if len(text) > LARGEST_TEXT:
                missing[name] = f"only the first {LARGEST_TEXT:,} of {len(text):,} characters are kept"
                value = Json(json.dumps(text[:LARGEST_TEXT]).encode())
            kept[name] = value
        elif size <= LARGEST_NESTED:
            kept[name] = value
        else:
            missing[name] = f"not kept, because it has {size / 1024 / 1024:.1f} MiB"
            # An action could mistake it for empty.
            missing[""] = "a part of it is too large"
    return kept, missing


def _is_simple(row: bytes) -> bool:
    return len(row) <= LARGEST_ROW and row.count(b'":') + row.count(b"[") <= MOST_PARTS


def _object(fields: Mapping[str, Json]) -> bytes:
    return b"{" + b",".join(json.dumps(name).encode() + b":" + bytes(value) for name, value in fields.items()) + b"}"


def _stand_in(row: bytes, key_field: str, key: str | None) -> bytes:
    """Replace a row of which only the key is kept. The text contains a hash, so that different rows stay different."""
    text = f"not kept, because it has {len(row) / 1024 / 1024:.1f} MiB ({hashlib.sha256(row).hexdigest()[:12]})"
    return json.dumps({**({key_field: key} if key else {}), CUT_FIELD: {"": text}}).encode()
