"""A database is the file that was named, whatever signs its name has."""

from __future__ import annotations

import os
import stat
from contextlib import closing
from pathlib import Path

import pytest

from console.service.store.database import Database
from tests.for_each import for_each

NAMES = (
    *("night?1.db", "night?2.db", "a?mode=ro.db", "a?mode=memory&cache=shared", "d?timeout=1&x=y.db"),
    *("a%20b.db", "a b.db", "a%3Fb", "c#d.db", "c", ":memory:", "file:x.db", "file::memory:?cache=shared", "x;y.db"),
    *("user@host:1.db", "é\u202eü.db", "\udcff.db", "-", "back\\slash.db", "[::1]", "line\nend"),
)
LOCKS = [f"{name}.lock" for name in NAMES]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@for_each("is_relative", (True, False))
def test_every_name_is_a_database_of_its_own_that_only_its_owner_can_read(
    is_relative: bool, folder: Path, monkeypatch: pytest.MonkeyPatch
):
    epochs = dict[str, str]()
    parent = Path(str(is_relative))
    (folder / parent).mkdir()
    # Without a folder in the name, or with an absolute one.
    monkeypatch.chdir(folder / parent)
    for name in NAMES:
        with closing(Database(Path(name) if is_relative else folder / parent / name)) as database:
            epochs[name] = database.epoch
    monkeypatch.chdir(folder)
    files = set(os.listdir(folder / parent))
    assert files == {*NAMES, *LOCKS}
    assert len(set(epochs.values())) == len(NAMES)
    for name in files:
        assert stat.S_IMODE((folder / parent / name).stat().st_mode) == 0o600, name
    for name in NAMES:
        with closing(Database(parent / name)) as database:
            assert database.epoch == epochs[name], name
