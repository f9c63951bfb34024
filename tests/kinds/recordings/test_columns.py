"""The text of recordings."""

from __future__ import annotations

from console.base.frozen import replace
from console.kinds.recordings.columns import DAY_MS
from console.kinds.recordings.columns import TABLE as RECORDINGS
from console.records.extent import Extent
from console.records.recordings import CallRecording, Recording
from tests.kinds.reading import ANA, seen, text, words
from tests.kinds.wild import NOW, render_context


def recorded(identifier: str, minutes: int | None, *sizes: int, hash: str = "") -> Recording:
    """Return the recording of a call that started at 12:00 UTC, with files of these sizes."""
    date = {"start": "2026-09-21T12:00:00Z"} | ({"end": f"2026-09-21T12:{minutes:02}:00Z"} if minutes else {})
    files = [{"id": f"{identifier}-{n}", "size": size, "hash": hash or None} for n, size in enumerate(sizes)]
    return Recording.model_validate(
        {"id": identifier, "source": {"type": "call", "id": "c7"}, "date": date, "files": files, "domain": "example"}
    )


def test_recordings_are_summed_and_faulty_ones_counted() -> None:
    recordings = (
        recorded("r1", 2, 1_000_000, hash="aa"),
        recorded("r2", 3, 500_000, hash="aa"),
        recorded("r3", None, 1),
        recorded("r4", 1),
        recorded("r5", 1, 0),
    )
    said = words(RECORDINGS.totals(recordings, seen()))
    assert said.startswith(
        "5 recordings  1 no end  1 no file  1 empty  1 file twice  ······▅ 7 days  ≥ 7:00  1.5 MB  oldest "
    )
    for fault in ("1 no end", "1 no file", "1 empty", "1 file twice"):
        assert fault in said
    assert RECORDINGS.column("length").value(recordings[0], seen()) == 120_000
    assert RECORDINGS.column("fault").value(recordings[0], seen()) is None


def test_sums_over_recordings_are_minima_if_not_all_tell_their_length_and_size() -> None:
    exact, ended = (recorded("r1", 2, 1_000_000), recorded("r2", 3, 500_000)), recorded("r3", 1, 500_000)
    unsized = Recording.model_validate(
        {"id": "r4", "date": {"start": "2026-09-21T13:00:00Z"}, "files": [{"id": "a", "size": 5_000}, {"id": "b"}]}
    )
    undated = Recording.model_validate({"id": "r5", "files": [{"id": "a", "size": 5_000}]})
    for others, sums in (
        ((ended,), "6:00  2.0 MB  oldest 14:00"),
        ((unsized,), "≥ 5:00  ≥ 1.5 MB  oldest 14:00"),
        ((undated,), "≥ 5:00  1.5 MB  oldest known 14:00"),
    ):
        assert sums in words(RECORDINGS.totals((*exact, *others), seen()))
    part = replace(seen(), extent={"recordings": Extent.PART}.__getitem__)
    assert "≥ 5:00  ≥ 1.5 MB  oldest known 14:00" in words(RECORDINGS.totals(exact, part))
    assert str(RECORDINGS.column("size").cell(unsized, seen()).text) == "≥ 5.0 kB"


def test_a_recording_links_to_its_call_and_shows_the_hashes_of_its_files() -> None:
    recording = recorded("r1", 2, 10, hash="abc123")
    assert "abc123" in text(RECORDINGS.detail(recording, seen()))
    assert [(link.kind, link.key) for link in RECORDINGS.links(recording, seen())] == [("calls", "c7")]


def test_recordings_of_both_variants_read_alike() -> None:
    old = CallRecording(id="r1", ts=NOW - 60_000, caller="svc-user:ana", callee="+34986000111", call_id="c7")
    at = seen(users=(ANA,))
    assert RECORDINGS.column("people").value(old, at) == "Ana, +34986000111"
    assert RECORDINGS.column("began").value(old, at) == NOW - 60_000
    assert RECORDINGS.column("source").value(old, at) == "call c7"


def test_an_invalid_date_is_left_empty() -> None:
    wrong = Recording.model_validate({"id": "r", "date": {"start": "yesterday", "end": "9999-99-99"}})
    assert RECORDINGS.column("began").value(wrong, seen()) is None


def test_recordings_show_the_number_on_each_of_seven_days() -> None:
    recordings = [CallRecording(id=f"r{n}", ts=NOW - DAY_MS * (n // 4) - 1) for n in range(9)]
    said = "".join(cell.text for cell in RECORDINGS.totals(recordings, render_context()))
    assert "····▁▄▄ 7 days" in said
