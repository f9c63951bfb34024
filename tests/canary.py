"""Canary secrets: find a known secret in output or files, in any encoding."""

from __future__ import annotations

import base64
import html
import json
import sqlite3
from collections.abc import Generator, Iterable, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from unittest.mock import patch
from urllib.parse import quote, quote_plus

import msgspec

from console.recording.format import unpacked
from console.records.changes_by_column import unfolded
from console.service.domain import credentials, people, tokens
from console.service.platform import Platform
from console.service.scenarios.fill import fill

PASSWORD = 'Kx7"q/+ &canary%41<9>'
"""A password with a different text in every encoding."""


def forms(secret: str) -> dict[str, bytes]:
    """Return a secret in every supported encoding."""
    raw = secret.encode()
    found = {
        "as it is": raw,
        "in JSON": json.dumps(secret)[1:-1].encode(),
        "in JSON in JSON": json.dumps(json.dumps(secret)[1:-1])[1:-1].encode(),
        "in a URL": quote(secret, safe="").encode(),
        "in a URL, with slashes": quote(secret).encode(),
        "in a form": quote_plus(secret).encode(),
        "in HTML": html.escape(secret).encode(),
        "as Python writes it": repr(secret)[1:-1].encode(),
        "in hex": raw.hex().encode(),
        "in capital hex": raw.hex().upper().encode(),
        "in UTF-16": secret.encode("utf-16-le"),
        "backwards": raw[::-1],
    }
    for shift in range(3):
        # Within longer data it can begin at three offsets. Characters that depend on neighbouring bytes are left out.
        bits = base64.b64encode(bytes(shift) + raw)
        inner = bits[(0, 2, 3)[shift] : len(bits) - 4]
        found[f"in base64, {shift} on"] = inner
        found[f"in base64 for URLs, {shift} on"] = inner.translate(bytes.maketrans(b"+/", b"-_"))
    return found


def leaks(places: Mapping[str, bytes], secrets: Iterable[str]) -> list[str]:
    """Return which secrets are in which places and in what encoding, without quoting them."""
    return [
        f"secret {number} in {place}, {how}"
        for number, secret in enumerate(secrets)
        for how, form in forms(secret).items()
        for place, data in places.items()
        if form in data
    ]


def files_below(*folders: Path) -> dict[str, bytes]:
    """Read every file below some folders, and what recordings contain in compressed form."""
    return {
        str(file.relative_to(folder)): file.read_bytes() + (recorded(file) if file.suffix == ".rec" else b"")
        for folder in folders
        for file in sorted(folder.rglob("*"))
        if file.is_file() and not file.is_symlink()
    }


def recorded(file: Path) -> bytes:
    """Return the compressed parts of a recording."""
    with closing(sqlite3.connect(file)) as db:
        packed = db.execute("SELECT frame FROM segment UNION ALL SELECT changes FROM block").fetchall()
    texts = [unpacked(data) for (data,) in packed]
    # Times are written as differences.
    return b"\n".join([*texts, *(msgspec.json.encode(unfolded(text).entries()) for text in texts)])


def world(platform: Platform) -> object:
    """Fill a platform with the scenario `quiet`, with the canary as eva's password."""
    filled = fill(platform, "quiet")
    with platform.read() as tx:
        eva = people.need_user(tx, "eva")
    credentials.set_password(platform, eva, platform.passwords.hash(PASSWORD))
    return filled


@contextmanager
def minted() -> Generator[list[str]]:
    """Collect every token that the service issues within the block."""
    found: list[str] = []
    make = tokens.mint

    def mint(*arguments: object, **options: object) -> str:
        text = make(*arguments, **options)  # pyright: ignore[reportArgumentType] - passed on unchanged
        found.append(text)
        return text

    with patch.object(tokens, "mint", mint):
        yield found
