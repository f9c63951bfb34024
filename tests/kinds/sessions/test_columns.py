"""The text of sessions and their details."""

from __future__ import annotations

from console.kinds.tables import TABLES
from console.records.people import Session
from tests.kinds.reading import M, said
from tests.kinds.wild import NOW, render_context


def test_nothing_shown_of_a_session_contains_its_token() -> None:
    session = Session(id="s1", user="ana", token="secret-token-9876", to=-1, expires=NOW + M)
    seen = render_context()
    everything = [line for section in TABLES["sessions"].detail(session, seen) for line in said(section.lines)]
    everything += [column.cell(session, seen).text for column in TABLES["sessions"].columns]
    assert not any("secret" in line for line in everything)
    assert any("…9876" in line for line in everything)
    assert TABLES["sessions"].columns[0].cell(session, seen).text == "● active"
