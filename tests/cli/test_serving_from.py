"""`console serve --from` refuses with words what it cannot begin with."""

from __future__ import annotations

from pathlib import Path

from console.service.passwords import Cost
from console.service.platform import ServiceSettings
from console.service.serve import open_service
from tests.cli.conftest import Console
from tests.recording.film import film, incident


def test_a_database_with_a_world_and_two_beginnings_are_refused(offline: Console, tmp_path: Path):
    file, db = incident(tmp_path / "day.rec"), tmp_path / "desk.db"
    open_service(db, world="empty", settings=ServiceSettings(password_cost=Cost.cheap())).platform.close()
    ended = offline("serve", "--from", str(file), "--db", str(db), "--port", "0")
    assert ended.code != 0
    assert "the database has a world already" in ended.err
    for arguments, words in (
        (["--from", str(file), "--world", "busy"], "two beginnings"),
        (["--at", "10:42"], "name it with --from"),
        (["--from", str(file), "--at", "-3h"], "the recording begins at"),
        (["--from", str(db)], "is not a recording"),
        (["--from", str(tmp_path / "none.rec")], "there is no recording"),
    ):
        ended = offline("serve", *arguments)
        assert ended.code != 0
        assert words in ended.err


def test_a_newer_recording_is_refused(offline: Console, tmp_path: Path):
    file = incident(tmp_path / "day.rec")
    with film(file, format="9", version="99.0"):
        pass
    ended = offline("serve", "--from", str(file))
    assert ended.code != 0
    assert "was written by a newer console (version 99.0)" in ended.err
