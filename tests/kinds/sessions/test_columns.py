"""The text of sessions and their details."""

from __future__ import annotations

from console.base.frozen import replace
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


def test_a_session_whose_end_cannot_be_read_is_not_called_active() -> None:
    timed = Session(id="s1", user="ana", to=-1, expires=NOW + M)
    odd = Session.model_validate({"id": "s2", "user": "ana", "to": {"odd": True}})
    table = TABLES["sessions"]

    def shown(*sessions: Session) -> tuple[str, str, str]:
        seen = replace(render_context({"sessions": {each.id: each for each in sessions}}), role="admin")
        assert table.totals is not None
        counts = "".join(cell.text for cell in table.totals(sessions, seen))
        state, many = (table.column(name).cell(sessions[-1], seen).text for name in ("state", "many"))
        return state, many, counts

    assert shown(timed) == ("● active", "1", "1 session  1 active of 1 user")
    assert shown(timed, odd) == ("! unknown", "≥ 1", "2 sessions  ≥ 1 active of ≥ 1 user")
    assert shown(odd) == ("! unknown", "–", "1 session  – active of – users")
