"""How domains, SIP identities and mappings, and recordings read beside what else is known."""

from __future__ import annotations

from collections.abc import Iterable

from console.kinds.domains.columns import DOMAINS
from console.kinds.recordings.columns import RECORDINGS
from console.kinds.sip.columns import SIP_IDENTITIES, SIP_MAPPINGS
from console.live.delta import Delta
from console.records.domains import Domain
from console.records.people import Group, User, UserReference
from console.records.record import Record
from console.records.recordings import CallRecording, Recording
from console.records.sip import SipIdentity, SipMapping
from console.views.cell import Line, Section, Tone
from console.views.render_context import RenderContext
from console.views.table import Table
from console.views.view import View
from tests.unit.tables.wild import NOW, render_context


def seen(**kinds: Iterable[Record]) -> RenderContext:
    """Look at what is known: kinds with underscores for hyphens."""
    return render_context({kind.replace("_", "-"): {each.key: each for each in found} for kind, found in kinds.items()})


def words(line: Line) -> str:
    return "".join(cell.text for cell in line)


def text(sections: Iterable[Section]) -> str:
    return "\n".join(words(line) for section in sections if section.id != "raw" for line in section.lines)


def cell(table: Table[Record], column: str, record: Record, at: RenderContext) -> str:
    return table.column(column).cell(record, at).text


TREE = (
    Domain(id="d3", domain="west.north.example", parent="north.example"),
    Domain(id="d1", domain="example"),
    Domain(id="d2", domain="north.example", parent="example"),
    Domain(id="d4", domain="another"),
    Domain(id="d5", domain="lost", parent="gone"),
)


def test_domains_stand_below_their_parents() -> None:
    at = seen(domains=TREE)
    view = View(DOMAINS, at)
    view.apply(Delta(1, True, {each.key: each for each in TREE}))
    names = [DOMAINS.column("domain").cell(each, at).text for each in view.shown()]
    assert names == ["another", "example", "└ north.example", "   └ west.north.example", "lost"]
    assert "1 with a parent that is not listed" in words(DOMAINS.totals(TREE, at))


def test_parents_that_go_round_in_a_circle_end_somewhere() -> None:
    circle = (Domain(id="a", domain="a", parent="b"), Domain(id="b", domain="b", parent="a"))
    at = seen(domains=circle)
    assert "b / a" in text(DOMAINS.detail(circle[0], at))


def test_a_domain_says_who_is_in_it_and_what_its_pool_has_left() -> None:
    pool = [SipIdentity(id=f"i{n}", username=str(n), domain="example", available=n == 0) for n in range(10)]
    people = [User(id="ana", domain="example"), User(id="bob", domain="another")]
    at = seen(domains=TREE, users=people, sip_identities=pool)
    column = DOMAINS.column("free").cell(TREE[1], at)
    assert (column.text, column.tone) == ("1 of 10", Tone.WARN)
    assert DOMAINS.column("users").value(TREE[1], at) == 1
    assert "1 of 10 free" in text(DOMAINS.detail(TREE[1], at))


# -- SIP ---------------------------------------------------------------------------------------------------------------

POOL = (
    SipIdentity(id="1", username="7001", domain="example", available=False),
    SipIdentity(id="2", username="7002", domain="example", available=False),
    SipIdentity(id="3", username="7003", domain="example", available=True),
    SipIdentity(id="4", username="7001", domain="another", available=True),
)
ANA, BOB = User(id="ana", alias="Ana", domain="example"), User(id="bob", alias="Bob", domain="another")
NIGHT = Group(group_id="night", name="Night shift", owner=UserReference(id="ana", alias="Ana", domain="example"))


def mapping(owner: str, username: str) -> SipMapping:
    return SipMapping.model_validate({"owner": owner, "mapping": {"username": username}})


MAPPED = (mapping("svc-user:ana", "7001"), mapping("svc-group:night", "8000"), mapping("svc-user:gone", "9000"))


def test_an_identity_says_who_uses_it_in_its_own_domain_only() -> None:
    at = seen(sip_identities=POOL, sip_mappings=MAPPED, users=(ANA, BOB), groups=(NIGHT,))
    states = [SIP_IDENTITIES.column("state").value(each, at) for each in POOL]
    assert states == ["used", "withheld", "free", "free"]
    assert SIP_IDENTITIES.column("user").value(POOL[0], at) == "Ana"
    assert [(link.kind, link.key) for link in SIP_IDENTITIES.links(POOL[0], at)] == [("users", "ana")]
    assert "set it available, or delete it" in text(SIP_IDENTITIES.detail(POOL[1], at))


def test_an_identity_that_two_use_is_told() -> None:
    both = (*MAPPED, mapping("svc-group:night", "7001"))
    at = seen(sip_identities=POOL, sip_mappings=both[3:] + both[:1], users=(ANA, BOB), groups=(NIGHT,))
    assert SIP_IDENTITIES.column("state").value(POOL[0], at) == "shared"
    assert "an identity has one owner" in text(SIP_IDENTITIES.detail(POOL[0], at))


def test_nobody_is_called_an_orphan_before_the_mappings_are_known() -> None:
    assert SIP_IDENTITIES.column("state").value(POOL[1], seen(sip_identities=POOL)) == "used"


def test_each_pool_has_a_gauge_the_fullest_first() -> None:
    line = words(SIP_IDENTITIES.totals(POOL, seen()))
    assert line.startswith("2 of 4 free")
    assert line.index("example ") < line.index("another ")
    assert "1 free" in line


def test_mappings_are_told_by_their_owners_and_those_of_nobody_are_marked() -> None:
    at = seen(sip_identities=POOL, sip_mappings=MAPPED, users=(ANA, BOB), groups=(NIGHT,))
    assert [SIP_MAPPINGS.column("owner").cell(each, at).text for each in MAPPED] == ["Ana", "Night shift", "▲ gone"]
    assert SIP_MAPPINGS.column("password").value(MAPPED[0], at) == "pool of example"
    assert SIP_MAPPINGS.column("password").value(MAPPED[1], at) == "its own"
    assert "1 without a known owner" in words(SIP_MAPPINGS.totals(MAPPED, at))


# -- recordings --------------------------------------------------------------------------------------------------------


def recorded(identifier: str, minutes: int | None, *sizes: int, hash: str = "") -> Recording:
    """Return the recording of a call that began at 12:00 UTC and has files of these sizes."""
    date = {"start": "2026-09-21T12:00:00Z"} | ({"end": f"2026-09-21T12:{minutes:02}:00Z"} if minutes else {})
    files = [{"id": f"{identifier}-{n}", "size": size, "hash": hash or None} for n, size in enumerate(sizes)]
    return Recording.model_validate(
        {"id": identifier, "source": {"type": "call", "id": "c7"}, "date": date, "files": files, "domain": "example"}
    )


def test_recordings_are_added_up_and_what_is_wrong_with_them_is_counted() -> None:
    recordings = (
        recorded("r1", 2, 1_000_000, hash="aa"),
        recorded("r2", 3, 500_000, hash="aa"),
        recorded("r3", None, 1),
        recorded("r4", 1),
        recorded("r5", 1, 0),
    )
    said = words(RECORDINGS.totals(recordings, seen()))
    assert said.startswith(
        "5 recordings  1 no end  1 no file  1 empty  1 file twice  ······█ 7 days  7:00  1.5 MB  oldest "
    )
    for fault in ("1 no end", "1 no file", "1 empty", "1 file twice"):
        assert fault in said
    assert RECORDINGS.column("length").value(recordings[0], seen()) == 120_000
    assert RECORDINGS.column("fault").value(recordings[0], seen()) is None


def test_a_recording_leads_to_its_call_and_shows_the_hash_of_its_files() -> None:
    recording = recorded("r1", 2, 10, hash="abc123")
    assert "abc123" in text(RECORDINGS.detail(recording, seen()))
    assert [(link.kind, link.key) for link in RECORDINGS.links(recording, seen())] == [("calls", "c7")]


def test_recordings_of_the_earlier_variant_read_alike() -> None:
    old = CallRecording(id="r1", ts=NOW - 60_000, caller="svc-user:ana", callee="+34986000111", call_id="c7")
    at = seen(users=(ANA,))
    assert RECORDINGS.column("people").value(old, at) == "Ana, +34986000111"
    assert RECORDINGS.column("began").value(old, at) == NOW - 60_000
    assert RECORDINGS.column("source").value(old, at) == "call c7"


def test_a_date_that_is_none_is_left_empty() -> None:
    wrong = Recording.model_validate({"id": "r", "date": {"start": "yesterday", "end": "9999-99-99"}})
    assert RECORDINGS.column("began").value(wrong, seen()) is None
