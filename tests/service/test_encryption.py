"""Secrets that must be readable are stored encrypted, with a key next to the database and not in it."""

from __future__ import annotations

import hashlib
import stat
from pathlib import Path

import pytest
import sqlalchemy as sa

from console.service.auth.sealing import seals_of
from console.service.platform import Platform
from console.service.store.database import Database
from console.service.store.faults import DatabaseFault
from tests.background import Running
from tests.service.over_http import LogIn


def test_encrypted_text_can_be_decrypted_only_for_its_purpose() -> None:
    seals = seals_of(Database())
    sealed = seals.seal("client c1", "hush")
    assert "hush" not in sealed
    assert sealed != seals.seal("client c1", "hush")
    assert seals.unseal("client c1", sealed) == "hush"
    for purpose, text in (("client c2", sealed), ("client c1", sealed[:-4]), ("client c1", "hush"), ("client c1", "")):
        with pytest.raises(ValueError, match="cannot be decrypted"):
            seals.unseal(purpose, text)


def test_the_key_outlives_the_service_and_is_readable_only_by_its_owner(tmp_path: Path) -> None:
    file = tmp_path / "desk.db"
    platform = Platform(Database(file))
    sealed = platform.seals.seal("x", "hush")
    platform.close()
    key = tmp_path / "desk.db.key"
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    assert key.read_bytes() not in file.read_bytes()
    again = Platform(Database(file))
    assert again.seals.unseal("x", sealed) == "hush"
    again.close()


def test_a_database_without_its_key_is_not_opened(tmp_path: Path) -> None:
    file = tmp_path / "desk.db"
    Platform(Database(file)).close()
    key = tmp_path / "desk.db.key"
    key.unlink()
    with pytest.raises(DatabaseFault, match=r"the key is missing"):
        Platform(Database(file))
    assert not key.exists()
    key.write_bytes(bytes(32))
    key.chmod(0o600)
    with pytest.raises(DatabaseFault, match=r"not the key"):
        Platform(Database(file))
    key.write_bytes(b"short")
    with pytest.raises(DatabaseFault, match=r"is not a key"):
        Platform(Database(file))


def test_stored_request_digests_reveal_nothing_of_the_request(as_user: LogIn, service: Running) -> None:
    ana = as_user("ana")
    asked = {"name": "Plan", "password": "open sesame"}
    made = [ana.post("/meetings", json=asked, headers={"Idempotency-Key": "once"}) for _ in range(2)]
    assert made[0].json() == made[1].json()
    sent = b"\0".join([b"POST", b"/meetings?", made[0].request.content])
    with service.database.read() as tx:
        (kept,) = tx.rows(sa.text("SELECT request, body FROM idempotency"))
    assert kept.request == service.platform.seals.fingerprint(sent)
    assert kept.request != hashlib.sha256(sent).hexdigest()
    assert b"sesame" not in kept.body
